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
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.integrity import integrity_of
from loader.inventory.allowances import Allowances
from loader.inventory.choices import Choices
from loader.inventory.pins import Pins
from loader.packages.durable import cannot_write, exchange, make_folder, remove_tree, sync_folder, sync_tree
from loader.packages.grants import Grants, approved, missing_to_enable
from loader.packages.pinned import Pinned
from loader.packages.planning import ONLY_YES, Plan, Word, make_plan, new_choice, new_consent, new_record
from loader.packages.record import Consent, Entry, Pending, Record, Records
from loader.packages.refused import NotInstalled, shown
from loader.packages.tree import TreeChanges, compare, hash_tree
from loader.state import ensure_state_dir

if TYPE_CHECKING:
    from loader.packages.probe import Probe

LOCK_FILE = "packages.lock"
LOCK_TIMEOUT_S = 60.0

_STAGING = ".staging-"


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

    @property
    def home(self) -> Home:
        return self._home

    # ------------------------------------------------------------ looking

    def installed(self) -> tuple[Record, ...]:
        """The records, by id; a change that a crash left half-way is brought to an end first."""
        return tuple(record for _, record in self.entries())

    def entries(self) -> tuple[tuple[Entry, Record], ...]:
        """The same with what a person allows each."""
        found = ((entry, entry.current) for entry in map(self.entry, self._records.ids()))
        return tuple((entry, record) for entry, record in found if record is not None)

    def find(self, package_id: str) -> Record | None:
        return self.entry(package_id).current

    def entry(self, package_id: str) -> Entry:
        """Record and consent; both empty for what was not installed."""
        entry = self._records.read(package_id)
        if entry.pending is not None:
            with self._locked():
                entry = self._settle(package_id)
        return entry

    def is_on(self, entry: Entry) -> bool:
        """Whether a person, or this program, turned it on; what a plugin says of itself counts for nothing here."""
        record = entry.current
        if record is None or record.kind == "web-app":
            return entry.consent.on
        return self._choice(record.id) is True

    def get(self, package_id: str) -> Record:
        """Raises UsageError when no such package was installed."""
        record = self.find(package_id)
        if record is None:
            known = ", ".join(self._records.ids()) or "none"
            raise NotInstalled(f"{shown(package_id, 80)} was not installed by this program (it installed: {known}).")
        return record

    def folder_of(self, record: Record) -> Path:
        return self._home.root / record.folder

    def verify(self, record: Record) -> TreeChanges:
        """How the disk differs from the record; caches that tools write by themselves do not count."""
        return compare(dict(record.files), hash_tree(self.folder_of(record)))

    def plan(self, probe: Probe) -> Plan:
        """Where a probed package would go, and what stands there. Raises UsageError as ``make_plan`` does."""
        return make_plan(self._home, probe, self.find(probe.id))

    # ------------------------------------------------------------ changing

    def install(self, probe: Probe, plan: Plan, word: Word = ONLY_YES) -> Record:
        """Put the staged files in their place. A failure before that step leaves the old state, a crash at any
        moment the old or the new one. It is off afterwards unless ``word`` or an older choice says otherwise.

        Raises:
            UsageError: it changed since the plan was made. LoaderError: the disk does not take it.
        """
        record = new_record(self._home, probe, plan, self._now().strftime("%Y-%m-%dT%H:%M:%SZ"))
        with self._locked():
            before = self._settle(plan.id)
            if os.path.lexists(plan.folder) != plan.replaces or hash_tree(plan.folder) != plan.before:
                raise UsageError(f"{plan.folder} changed meanwhile, so nothing was done. Try again.")
            staged = self._beside(probe.arrived.folder, plan.folder)
            try:
                self._install(record, plan, staged, before, word)
            except BaseException:
                # Whatever it was: the change is ended or taken back now, not by whoever comes next.
                self._settle(plan.id)
                raise
        return record

    def _install(self, record: Record, plan: Plan, staged: Path, before: Entry, word: Word) -> None:
        pins, choice_before = self._pins(), self._choice(record.id)
        pin, pin_folder = pins.integrity(record.id), pins.folder(record.id)
        found = staged.stat()
        aside = plan.folder.with_name(f".{plan.id}{_STAGING}old-{self._token()}")
        consent = new_consent(before, record, word)
        choice = new_choice(before, record, consent, word, choice_before)
        pending = Pending(
            "install",
            record,
            str(staged),
            found.st_dev,
            found.st_ino,
            str(aside),
            pin,
            pin_folder,
            consent,
            choice,
            choice_before,
        )
        self._step("record the change")
        self._records.write(record.id, Entry(plan.current, pending, before.consent))
        if choice is False:
            # Off before its files are there: whoever watches the folder must not run them for a moment.
            self._step("switch off")
            Choices.of(self._home).set(record.id, False)
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
            entry = self._settle(package_id)
            record = entry.current
            if record is None:
                raise NotInstalled(f"{shown(package_id, 80)} was not installed by this program.")
            from loader.packages.contents import backend_name_of

            backend_name = backend_name_of(self.folder_of(record)) or record.id
            try:
                self._uninstall(record, entry.consent)
            except BaseException:
                self._settle(package_id)
                raise
            if purge:
                self._step("purge")
                if record.kind != "web-app":
                    Choices.of(self._home).set(package_id, None)
                    Allowances.of(self._home).set(package_id, None)
                if record.kind == "package":
                    from loader.backends.host import folder_of

                    remove_tree(folder_of(self._home, backend_name))
        return record

    def _uninstall(self, record: Record, consent: Consent) -> None:
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
        self._records.write(record.id, Entry(record, pending, consent))
        self._step("move")
        if found is not None:
            try:
                folder.rename(aside)
            except OSError as error:
                raise cannot_write(folder, error) from error
        self._step("sync")
        sync_folder(folder.parent)
        self._finish(pending)

    # ------------------------------------------------------------ what a person allows

    def approve(self, package_id: str, grants: Grants) -> Entry:
        """Let these be granted of what it asks for, and nothing else. One that is on and now lacks what it needs is
        switched off.

        Raises:
            UsageError: it was not installed by this program, or asks for nothing.
        """
        with self._locked():
            entry, record = self._current(package_id)
            if grants and not record.requested:
                raise UsageError(f"{record.id} asks for nothing, so there is nothing to approve.")
            given = approved(record.requested, grants.apis, grants.capabilities)
            lacks = bool(missing_to_enable(record.requested, given))
            if lacks and record.kind != "web-app" and self._choice(record.id) is True:
                self._step("switch off")
                Choices.of(self._home).set(record.id, False)
            consent = replace(entry.consent, approved=given, on=entry.consent.on and not lacks)
            return self._allow(record, consent)

    def trust(self, package_id: str, trusted: bool) -> Entry:
        """Let its desktop half run in the app, without the wall, or no more.

        Raises:
            UsageError: it was not installed by this program, or has no desktop half.
        """
        with self._locked():
            entry, record = self._current(package_id)
            if trusted and record.entry is None:
                raise UsageError(f"{record.id} has no desktop half: there is nothing that could run without the wall.")
            return self._allow(record, replace(entry.consent, trusted=trusted))

    def switch_app(self, package_id: str, on: bool) -> Entry:
        """A web app's switch.

        Raises:
            UsageError: it is no web app that this program installed, or nobody approved what it asks for.
        """
        with self._locked():
            entry, record = self._current(package_id)
            if record.kind != "web-app":
                raise UsageError(f"{record.id} is no web app.")
            if on:
                must_be_approved(record, entry.consent)
            return self._allow(record, replace(entry.consent, on=on))

    def _allow(self, record: Record, consent: Consent) -> Entry:
        entry = Entry(record, None, consent)
        self._step("record what is allowed")
        self._records.write(record.id, entry)
        return entry

    def _current(self, package_id: str) -> tuple[Entry, Record]:
        entry = self._settle(package_id)
        if entry.current is None:
            raise NotInstalled(f"{shown(package_id, 80)} was not installed by this program.")
        return entry, entry.current

    def _choice(self, package_id: str) -> bool | None:
        choices = Choices.of(self._home)
        choices.refresh()
        return choices.by_id().get(package_id)

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
            self._records.write(record.id, Entry(record, pending, pending.consent))
            if pending.choice is True and self._choice(record.id) == pending.choice_before:
                self._step("switch on")
                Choices.of(self._home).set(record.id, True)
        self._step("remove what is left")
        for left in (pending.aside, *((pending.moved,) if pending.action == "install" else ())):
            _remove_staging(left)
        self._step("end")
        if pending.action == "install":
            self._records.write(record.id, Entry(record, None, pending.consent))
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
            if pending.choice is False and self._choice(record.id) is False:
                Choices.of(self._home).set(record.id, pending.choice_before)
        if entry.current is None:
            self._records.remove(record.id)
        else:
            self._records.write(record.id, Entry(entry.current, None, entry.consent))

    # ------------------------------------------------------------ parts

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


def must_be_approved(record: Record, consent: Consent) -> None:
    """Raises UsageError where it asks for namespaces that nobody approved: then it cannot be turned on."""
    missing = missing_to_enable(record.requested, consent.approved)
    if missing:
        apis = " ".join(f"--api {api}" for api in sorted(record.requested.apis))
        raise UsageError(
            f"{record.id} asks for {', '.join(sorted(missing))}, which nobody approved, so it stays off. "
            f"If you want that: hermes-desktop approve {record.id} {apis}"
        )


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
