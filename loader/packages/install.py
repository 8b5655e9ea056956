"""Installing and uninstalling: staged files come to their place in one step, and a record of it stays.

A change is three things: the folder, the pin of its plugin.js, and the record. The step that moves the folder decides.
Before it the record says what is about to happen; the pin allows the old and the new bytes, so that no moment refuses
either. Whoever finds such a record later (``settle``) looks which folder stands in the place, told by device and inode,
and brings the rest into line: the new state where the step was done, the old one where it was not.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from loader.discovery import candidates_named
from loader.errors import LoaderError, UsageError
from loader.home import PACKAGES_FOLDER, Home
from loader.integrity import integrity_of
from loader.inventory.allowances import Allowances
from loader.inventory.choices import Choices
from loader.inventory.pins import Pins
from loader.packages.contents import backend_name_of
from loader.packages.durable import cannot_write, exchange, make_folder, remove_tree, sync_folder, sync_tree
from loader.packages.pinned import Pinned
from loader.packages.probe import Probe
from loader.packages.record import Entry, Kind, Pending, Record, Records
from loader.packages.refused import shown
from loader.packages.sources import FolderSource, GitSource
from loader.packages.tree import TreeChanges, compare, hash_tree
from loader.state import ensure_state_dir

LOCK_FILE = "packages.lock"
LOCK_TIMEOUT_S = 60.0

_STAGING = ".staging-"


@dataclass(frozen=True, slots=True)
class Plan:
    """What an install would do. ``replaces`` says that something stands there; ``before`` are the hashes of what does,
    and it may be replaced only while they are still these. ``current`` is its record, None for what a hand made.
    ``enabled`` are names of it that stand in the home's ``plugins.enabled`` already: its Python half would run."""

    id: str
    kind: Kind
    folder: Path
    replaces: bool
    before: dict[str, str]
    current: Record | None
    enabled: tuple[str, ...] = ()

    @property
    def entry(self) -> str:
        return "plugin.js" if self.kind == "standalone" else "desktop/plugin.js"


class Packages:
    """The installed packages of one home. Everything blocks; LoaderErrors of the state files pass through.

    ``step`` is told each step of a change by name, before it is taken (tests stop there). ``now`` is UTC.
    """

    def __init__(
        self,
        home: Home,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        token: Callable[[], str] = lambda: secrets.token_hex(6),
        step: Callable[[str], None] = lambda _: None,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        self._home = home
        self._records = Records(home)
        self._now = now
        self._token = token
        self._step = step
        self._lock_timeout_s = lock_timeout_s

    # ------------------------------------------------------------ looking

    def installed(self) -> tuple[Record, ...]:
        """The records, by id; a change that a crash left half-way is brought to an end first."""
        found = []
        for package_id in self._records.ids():
            record = self.find(package_id)
            if record is not None:
                found.append(record)
        return tuple(found)

    def find(self, package_id: str) -> Record | None:
        entry = self._records.read(package_id)
        if entry.pending is not None:
            with self._locked():
                entry = self._settle(package_id)
        return entry.current

    def get(self, package_id: str) -> Record:
        """Raises UsageError when no such package was installed."""
        record = self.find(package_id)
        if record is None:
            known = ", ".join(self._records.ids()) or "none"
            raise UsageError(f"{shown(package_id, 80)} was not installed by this program (it installed: {known}).")
        return record

    def folder_of(self, record: Record) -> Path:
        return self._home.root / record.folder

    def verify(self, record: Record) -> TreeChanges:
        """How the disk differs from the record; caches that tools write by themselves do not count."""
        return compare(dict(record.files), hash_tree(self.folder_of(record)))

    def plan(self, probe: Probe) -> Plan:
        """Where a probed package would go, and what stands there.

        Raises:
            UsageError: another plugin of that id lies behind the other door, or its kind cannot be installed.
        """
        if probe.contents.kind == "web-app":
            raise UsageError(f"{probe.id} is a web app, which this version looks at but cannot run: not installed.")
        kind: Kind = "standalone" if probe.contents.kind == "standalone" else "package"
        folder = self._place(kind, probe.id)
        current = self.find(probe.id)
        door = "standalone" if kind == "standalone" else "unified"
        for candidate in candidates_named(self._home, probe.id):
            if candidate.door != door or folder not in Path(candidate.path).parents:
                raise UsageError(f"{candidate.path} has the id {probe.id} already. Remove one of the two first.")
        if current is not None and self.folder_of(current) != folder:
            raise UsageError(f"{probe.id} is installed in {self.folder_of(current)}. Uninstall it first.")
        enabled = self._enabled(probe) if kind == "package" else ()
        return Plan(probe.id, kind, folder, os.path.lexists(folder), hash_tree(folder), current, enabled)

    def _enabled(self, probe: Probe) -> tuple[str, ...]:
        contents = probe.contents
        if contents.agent is None and not contents.backend:
            return ()
        from loader.backends.config import CONFIG_FILE, ConfigReader  # with it comes a YAML reader

        lists = ConfigReader(self._home.home / CONFIG_FILE).read()
        names = {probe.id, contents.agent_name or probe.id, contents.backend_name or probe.id}
        return tuple(sorted((names & lists.enabled) - lists.disabled))

    # ------------------------------------------------------------ changing

    def install(self, probe: Probe, plan: Plan) -> Record:
        """Put the staged files in their place. A failure before that step leaves the old state, a crash at any
        moment the old or the new one.

        Raises:
            UsageError: it changed since the plan was made. LoaderError: the disk does not take it.
        """
        record = self._new_record(probe, plan)
        with self._locked():
            self._settle(plan.id)
            if os.path.lexists(plan.folder) != plan.replaces or hash_tree(plan.folder) != plan.before:
                raise UsageError(f"{plan.folder} changed meanwhile, so nothing was done. Try again.")
            staged = self._beside(probe.arrived.folder, plan.folder)
            try:
                self._install(record, plan, staged)
            except BaseException:
                # Whatever it was: the change is ended or taken back now, not by whoever comes next.
                self._settle(plan.id)
                raise
        return record

    def _install(self, record: Record, plan: Plan, staged: Path) -> None:
        pins = self._pins()
        pin, pin_folder = pins.integrity(record.id), pins.folder(record.id)
        found = staged.stat()
        aside = plan.folder.with_name(f".{plan.id}{_STAGING}old-{self._token()}")
        pending = Pending("install", record, str(staged), found.st_dev, found.st_ino, str(aside), pin, pin_folder)
        self._step("record the change")
        self._records.write(record.id, Entry(plan.current, pending))
        new_pin = self._pin_of(record)
        self._step("allow both")
        if new_pin is not None and (pin is not None or not plan.replaces):
            # What stands there unpinned stays unpinned until it is gone: a pin of the other bytes would refuse it.
            pins.set(record.id, f"{pin} {new_pin}" if pin is not None and plan.replaces else new_pin, record.id)
        self._step("move")
        try:
            self._move(staged, plan.folder, aside, replaces=plan.replaces)
        except OSError as error:
            raise cannot_write(plan.folder, error) from error
        self._step("sync")
        sync_folder(plan.folder.parent)
        self._finish(pending)

    def _move(self, staged: Path, target: Path, aside: Path, *, replaces: bool) -> None:
        if not replaces:
            staged.rename(target)
        elif target.is_symlink() or not exchange(staged, target):
            # No single step here: what is killed between these two is put back by `settle`.
            target.rename(aside)
            self._step("between two renames")
            staged.rename(target)

    def uninstall(self, package_id: str, *, purge: bool = False) -> Record:
        """Remove the folder, its pin and its record. ``purge`` forgets the user's choices about it and what its
        backend stored as well.

        Raises:
            UsageError: it was not installed by this program.
        """
        with self._locked():
            record = self._settle(package_id).current
            if record is None:
                raise UsageError(f"{shown(package_id, 80)} was not installed by this program.")
            backend_name = backend_name_of(self.folder_of(record)) or record.id
            try:
                self._uninstall(record)
            except BaseException:
                self._settle(package_id)
                raise
            if purge:
                self._step("purge")
                Choices.of(self._home).set(package_id, None)
                Allowances.of(self._home).set(package_id, None)
                if record.kind == "package":
                    from loader.backends.host import folder_of

                    remove_tree(folder_of(self._home, backend_name))
        return record

    def _uninstall(self, record: Record) -> None:
        folder = self.folder_of(record)
        aside = folder.with_name(f".{record.id}{_STAGING}old-{self._token()}")
        try:
            found: os.stat_result | None = folder.lstat()
        except FileNotFoundError:
            found = None  # somebody removed it by hand: only the rest is left to do
        device, inode = (found.st_dev, found.st_ino) if found is not None else (0, 0)
        pins = self._pins()
        pending = Pending(
            "uninstall",
            record,
            str(folder),
            device,
            inode,
            str(aside),
            pins.integrity(record.id),
            pins.folder(record.id),
        )
        self._step("record the change")
        self._records.write(record.id, Entry(record, pending))
        self._step("move")
        if found is not None:
            try:
                folder.rename(aside)
            except OSError as error:
                raise cannot_write(folder, error) from error
        self._step("sync")
        sync_folder(folder.parent)
        self._finish(pending)

    # ------------------------------------------------------------ after the deciding step

    def _settle(self, package_id: str) -> Entry:
        """End or take back what a crash left half-way. Under the lock."""
        entry = self._records.read(package_id)
        pending = entry.pending
        if pending is None:
            return entry
        if self._was_done(pending):
            self._finish(pending)
        else:
            self._take_back(entry, pending)
        return self._records.read(package_id)

    def _was_done(self, pending: Pending) -> bool:
        there = _is_the_one(self.folder_of(pending.record), pending)
        if pending.action == "install":
            return there
        return os.path.lexists(pending.aside) or not there

    def _finish(self, pending: Pending) -> None:
        """Bring pin, record and leftovers into line with the folder that now stands there. May be done twice."""
        record = pending.record
        new_pin = self._pin_of(record) if pending.action == "install" else None
        pins = self._pins()
        self._step("pin")
        if new_pin is not None:
            pins.set(record.id, new_pin, record.id)
        elif record.entry is not None or pending.action == "uninstall":
            pins.unset(record.id)
        if pending.action == "install":
            self._step("record")
            self._records.write(record.id, Entry(record, pending))
        self._step("remove what is left")
        for left in (pending.aside, *((pending.moved,) if pending.action == "install" else ())):
            _remove_staging(left)
        self._step("end")
        if pending.action == "install":
            self._records.write(record.id, Entry(record))
        else:
            self._records.remove(record.id)

    def _take_back(self, entry: Entry, pending: Pending) -> None:
        record = pending.record
        target, aside = self.folder_of(record), Path(pending.aside)
        if pending.action == "install":
            if not os.path.lexists(target) and os.path.lexists(aside):
                aside.rename(target)
                sync_folder(target.parent)
            pins = self._pins()
            if pending.pin is not None:
                pins.set(record.id, pending.pin, pending.pin_folder)
            else:
                pins.unset(record.id)
            _remove_staging(pending.moved)
        if entry.current is None:
            self._records.remove(record.id)
        else:
            self._records.write(record.id, Entry(entry.current))

    # ------------------------------------------------------------ parts

    def _place(self, kind: Kind, package_id: str) -> Path:
        root = self._home.desktop_roots[0] if kind == "standalone" else self._home.home / PACKAGES_FOLDER
        return root / package_id

    def _beside(self, staged: Path, target: Path) -> Path:
        """The staged folder on the file system of its place; copied there where it lies on another one."""
        make_folder(target.parent)
        self._step("stage")
        if staged.stat().st_dev == target.parent.stat().st_dev:
            return staged
        near = target.with_name(f".{target.name}{_STAGING}{self._token()}")
        try:
            shutil.copytree(staged, near)
        except (OSError, shutil.Error) as error:
            remove_tree(near)
            raise cannot_write(near, error if isinstance(error, OSError) else OSError(errno.EIO, str(error))) from error
        sync_tree(near)
        return near

    def _new_record(self, probe: Probe, plan: Plan) -> Record:
        source, manifest = probe.arrived.source, probe.contents.manifest
        try:
            folder = plan.folder.relative_to(self._home.root).as_posix()
        except ValueError:
            folder = str(plan.folder)
        git = source if isinstance(source, GitSource) else None
        return Record(
            id=plan.id,
            kind=plan.kind,
            folder=folder,
            source=source.said.partition("#")[0] if git else source.said,
            source_kind="git" if git else "folder" if isinstance(source, FolderSource) else "archive",
            revision=probe.arrived.revision,
            ref=git.ref if git else None,
            branch=git.branch if git else None,
            subdir=git.subdir if git else "",
            name=manifest.name if manifest else plan.id,
            version=manifest.version if manifest else "0.0.0",
            requested=probe.requested,
            files=probe.arrived.files,
            size_bytes=probe.arrived.size_bytes,
            installed_at=self._now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        )

    def _pin_of(self, record: Record) -> str | None:
        return None if record.entry is None else integrity_of(record.files[record.entry])

    def _pins(self) -> Pinned:
        return Pinned(Pins.of(self._home))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        lock = FileLock(ensure_state_dir(self._home.state_dir) / LOCK_FILE, timeout=self._lock_timeout_s, mode=0o600)
        try:
            lock.acquire()
        except Timeout:
            raise LoaderError(f"another install holds {lock.lock_file}. Try again when it is done.") from None
        except OSError as error:
            raise LoaderError(f"{lock.lock_file} cannot be locked: {error.strerror or error}.") from error
        try:
            yield
        finally:
            lock.release()


def _is_the_one(folder: Path, pending: Pending) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (pending.device, pending.inode)


def _remove_staging(path: str) -> None:
    """Only ever what has the name of a staging folder, or lies in one."""
    if _STAGING in path:
        remove_tree(Path(path))
