"""One change of what is installed, on the disk: staged files come to their place in one step, and a record of it stays.

A change is three things: the folder, the pin of its plugin.js, and the record. The step that moves the folder decides.
Before it the record says what is about to happen; the pin allows the old and the new bytes, so that no moment refuses
either. Whoever finds such a record later (``settle``) looks which folder stands in the place, told by device and inode,
and brings the rest into line: the new state where the step was done, the old one where it was not.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from loader.home import Home
from loader.integrity import integrity_of
from loader.inventory.allowances import Allowances
from loader.inventory.choices import Choices
from loader.inventory.pins import Pins
from loader.packages.contents import backend_name_of, backend_owner
from loader.packages.durable import cannot_write, exchange, make_folder, remove_tree, sync_tree
from loader.packages.pinned import Pinned
from loader.packages.planning import Plan
from loader.packages.record import Consent, Entry, Pending, Record, Records, home_of_record
from loader.packages.storages import Storages
from loader.state import sync_folder

_STAGING = ".staging-"
# Hermes' own copies are called `.<name>.staging-…` too, and are not ours to remove.
_COPY = f"{_STAGING}ours-"


class Changes:
    """Everything blocks, and wants the lock of whoever changes packages. ``step`` is told each step before it is taken.

    LoaderErrors of the state files pass through.
    """

    def __init__(
        self,
        home: Home,
        records: Records,
        storages: Storages,
        *,
        token: Callable[[], str],
        step: Callable[[str], None],
    ) -> None:
        self._home = home
        self._records = records
        self._storages = storages
        self._token = token
        self._step = step

    def install(
        self, record: Record, plan: Plan, arrived: Path, before: Entry, consent: Consent, choice: bool | None
    ) -> None:
        """``arrived`` is the folder with the files; ``choice`` the switch to be set, None leaves it alone.

        Raises LoaderError: the disk does not take it. The change is taken back then, or done.
        """
        staged = self._beside(arrived, plan.folder)
        try:
            self._install(record, plan, staged, before, consent, choice)
        except BaseException:
            # Whatever it was: the change is ended or taken back now, not by whoever comes next.
            self.settle(record.id)
            raise

    def uninstall(self, record: Record, consent: Consent, *, purge: bool) -> None:
        """``purge``: choices about it and what it stored go too. Raises as ``install`` does."""
        try:
            self._uninstall(record, consent, purge)
        except BaseException:
            self.settle(record.id)
            raise

    def settle(self, package_id: str) -> Entry:
        """End or take back what a crash left half-way, and give what stands there then."""
        entry = self._records.read(package_id)
        pending = entry.pending
        if pending is None:
            return entry
        if self._was_done(pending):
            self._finish(pending)
        else:
            self._take_back(entry, pending)
        return self._records.read(package_id)

    # ------------------------------------------------------------ up to the deciding step

    def _install(
        self, record: Record, plan: Plan, staged: Path, before: Entry, consent: Consent, choice: bool | None
    ) -> None:
        pins, choice_before = self._pins(), choice_of(self._home, record.id)
        pin, pin_folder = pins.integrity(record.id), pins.folder(record.id)
        found = staged.stat()
        aside = self._aside(plan.folder, record.id)
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
        self._records.write(record.id, Entry(before.current, pending, before.consent))
        if choice is False:
            # Off before its files are there: whoever watches the folder must not run them for a moment.
            self._step("switch off")
            Choices.of(self._home).set(record.id, False)
        new_pin = _pin_of(record)
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

    def _uninstall(self, record: Record, consent: Consent, purge: bool) -> None:
        folder = self._folder_of(record)
        try:
            found: os.stat_result | None = folder.lstat()
        except FileNotFoundError:
            found = None  # somebody removed it by hand: only the rest is left to do
        device, inode = (found.st_dev, found.st_ino) if found is not None else (0, 0)
        pins = self._pins()
        # Its manifest is gone by the time that this is needed.
        backend = self._own_backend(record) if purge and record.kind == "package" else None
        pending = Pending(
            "uninstall",
            record,
            str(folder),
            device,
            inode,
            str(self._aside(folder, record.id)),
            pins.integrity(record.id),
            pins.folder(record.id),
            purge=purge,
            backend=backend,
        )
        self._step("record the change")
        self._records.write(record.id, Entry(record, pending, consent))
        self._step("move")
        if found is not None:
            try:
                folder.rename(pending.aside)
            except OSError as error:
                raise cannot_write(folder, error) from error
        self._step("sync")
        sync_folder(folder.parent)
        self._finish(pending)

    # ------------------------------------------------------------ after it

    def _was_done(self, pending: Pending) -> bool:
        there = _is_the_one(self._folder_of(pending.record), pending)
        if pending.action == "install":
            return there
        return os.path.lexists(pending.aside) or not there

    def _finish(self, pending: Pending) -> None:
        """Bring pin, record and leftovers into line with the folder that now stands there. May be done twice."""
        if pending.action == "install":
            self._finish_install(pending)
        else:
            self._finish_uninstall(pending)

    def _finish_install(self, pending: Pending) -> None:
        record, new_pin = pending.record, _pin_of(pending.record)
        self._step("pin")
        if new_pin is not None:
            self._pins().set(record.id, new_pin, record.id)
        elif record.entry is not None:
            self._pins().unset(record.id)
        self._step("record")
        self._records.write(record.id, Entry(record, pending, pending.consent))
        if pending.choice is True and choice_of(self._home, record.id) == pending.choice_before:
            self._step("switch on")
            Choices.of(self._home).set(record.id, True)
        self._step("remove what is left")
        for left in (pending.aside, pending.moved):
            _remove_staging(left)
        self._step("end")
        self._records.write(record.id, Entry(record, None, pending.consent))

    def _finish_uninstall(self, pending: Pending) -> None:
        record = pending.record
        self._step("pin")
        self._pins().unset(record.id)
        self._step("remove what is left")
        _remove_staging(pending.aside)
        # Before the record goes: without it nobody could ask for this again.
        self._step("purge" if pending.purge else "remember what it stored")
        self._storages.left(record, purged=pending.purge)
        if pending.purge:
            self._purge(record, pending.backend)
        self._step("end")
        self._records.remove(record.id)

    def _purge(self, record: Record, backend: str | None) -> None:
        if record.kind != "web-app":
            Choices.of(self._home).set(record.id, None)
            Allowances.of(self._home).set(record.id, None)
        if backend is not None:
            from loader.backends.host import folder_of

            remove_tree(folder_of(home_of_record(self._home, record), backend))

    def _take_back(self, entry: Entry, pending: Pending) -> None:
        record = pending.record
        target, aside = self._folder_of(record), Path(pending.aside)
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
            if pending.choice is False and choice_of(self._home, record.id) is False:
                Choices.of(self._home).set(record.id, pending.choice_before)
        if entry.current is None:
            self._records.remove(record.id)
        else:
            self._records.write(record.id, Entry(entry.current, None, entry.consent))

    # ------------------------------------------------------------ parts

    def _own_backend(self, record: Record) -> str | None:
        """The name that its backend's data goes by; None where another package has it, whatever its manifest says."""
        folder = self._folder_of(record)
        name = backend_name_of(folder) or record.id
        owner = backend_owner(home_of_record(self._home, record), name)
        return name if owner is None or owner == folder else None

    def _folder_of(self, record: Record) -> Path:
        return self._home.root / record.folder

    def _aside(self, folder: Path, package_id: str) -> Path:
        return folder.with_name(f".{package_id}{_STAGING}old-{self._token()}")

    def _beside(self, staged: Path, target: Path) -> Path:
        """The staged folder on the file system of its place; copied there where it lies on another one."""
        make_folder(target.parent)
        self._step("stage")
        if staged.stat().st_dev == target.parent.stat().st_dev:
            return staged
        near = target.with_name(f".{target.name}{_COPY}{self._token()}")
        for left in target.parent.glob(f".{target.name}{_COPY}*"):
            remove_tree(left)  # of somebody who was killed: there is one lock
        try:
            shutil.copytree(staged, near)
        except (OSError, shutil.Error) as error:
            remove_tree(near)
            raise cannot_write(near, error if isinstance(error, OSError) else OSError(errno.EIO, str(error))) from error
        sync_tree(near)
        return near

    def _pins(self) -> Pinned:
        return Pinned(Pins.of(self._home))


def choice_of(home: Home, package_id: str) -> bool | None:
    """The user's own switch as it stands in the file now. Blocking."""
    choices = Choices.of(home)
    choices.refresh()
    return choices.by_id().get(package_id)


def _pin_of(record: Record) -> str | None:
    return None if record.entry is None else integrity_of(record.files[record.entry])


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
