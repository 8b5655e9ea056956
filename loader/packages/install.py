"""The packages of one home: which there are, what a person allows them, and every change, one at a time."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.inventory.choices import Choices
from loader.packages.changes import Changes, choice_of
from loader.packages.development import DevelopmentSource, must_be_alone
from loader.packages.grants import Grants, approved, missing_to_enable
from loader.packages.planning import ONLY_YES, Plan, Word, make_plan, new_choice, new_consent, new_record
from loader.packages.record import Consent, Entry, Record, Records, home_of_record
from loader.packages.refused import Changed, NotInstalled, shown
from loader.packages.storages import Storages
from loader.packages.tree import TreeChanges, compare, hash_tree
from loader.state import ensure_state_dir

if TYPE_CHECKING:
    from loader.packages.probe import Probe

T = TypeVar("T")

LOCK_FILE = "packages.lock"
LOCK_TIMEOUT_S = 60.0


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
        self._storages = Storages(home)
        self._changes = Changes(home, self._records, self._storages, token=token, step=step)
        self._now = now
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
                entry = self._changes.settle(package_id)
        return entry

    def is_on(self, entry: Entry) -> bool:
        """Whether a person, or this program, turned it on; what a plugin says of itself counts for nothing here."""
        record = entry.current
        if record is None or record.kind == "web-app":
            return entry.consent.on
        return choice_of(self._home, record.id) is True

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

    def plan(self, probe: Probe, *, updates: bool = False) -> Plan:
        """Where a probed package would go, and what stands there. ``updates``: in the profile that it is in, whichever
        is asked from. Raises UsageError as ``make_plan`` does, or where it could not be alone on its server."""
        current = self.find(probe.id)
        source = probe.arrived.source
        self._must_be_alone(probe.id, source.url if isinstance(source, DevelopmentSource) else None)
        home = home_of_record(self._home, current) if updates and current is not None else self._home
        return make_plan(home, probe, current)

    # ------------------------------------------------------------ changing

    def install(self, probe: Probe, plan: Plan, word: Word = ONLY_YES) -> Record:
        """Put the staged files in their place. A failure before that step leaves the old state, a crash at any
        moment the old or the new one. It is off afterwards unless ``word`` or an older choice says otherwise.

        Raises:
            UsageError: it changed since the plan was made, or another app came from the same server. LoaderError: the
                disk does not take it.
        """
        record = new_record(self._home, probe, plan, self._now().strftime("%Y-%m-%dT%H:%M:%SZ"))
        with self._locked():
            before = self._changes.settle(plan.id)
            if os.path.lexists(plan.folder) != plan.replaces or hash_tree(plan.folder) != plan.before:
                raise UsageError(f"{plan.folder} changed meanwhile, so nothing was done. Try again.")
            self._must_be_alone(record.id, record.url)
            record = replace(record, storage=self._storages.name_for(record, before.current))
            consent = new_consent(before, record, word)
            choice = new_choice(before, record, consent, word, choice_of(self._home, record.id))
            self._changes.install(record, plan, probe.arrived.folder, before, consent, choice)
        return record

    def uninstall(self, package_id: str, *, purge: bool = False) -> Record:
        """Remove the folder, its pin and its record. ``purge`` forgets the user's choices about it and what it stored
        as well.

        Raises:
            UsageError: it was not installed by this program.
        """
        with self._locked():
            entry, record = self._current(package_id)
            self._changes.uninstall(record, entry.consent, purge=purge)
        return record

    # ------------------------------------------------------------ what a person allows

    def approve(self, package_id: str, grants: Grants, check: Callable[[Record], None] = lambda _: None) -> Entry:
        """Let these be granted of what it asks for, and nothing else. One that is on and now lacks what it needs is
        switched off. ``check`` may refuse what stands there now by what it raises: nothing changes in between.

        Raises:
            UsageError: it was not installed by this program, or asks for nothing.
        """
        with self._locked():
            entry, record = self._current(package_id)
            check(record)
            if grants and not record.requested:
                raise UsageError(f"{record.id} asks for nothing, so there is nothing to approve.")
            given = approved(record.requested, grants.apis, grants.capabilities)
            lacks = bool(missing_to_enable(record.requested, given))
            if lacks and record.kind != "web-app" and choice_of(self._home, record.id) is True:
                self._step("switch off")
                Choices.of(self._home).set(record.id, False)
            consent = replace(entry.consent, approved=given, on=entry.consent.on and not lacks)
            return self._allow(record, consent)

    def trust(self, package_id: str, trusted: bool, check: Callable[[Record], None] = lambda _: None) -> Entry:
        """Let its desktop half run in the app, without the wall, or no more. ``check``: as in ``approve``.

        Raises:
            UsageError: it was not installed by this program, or has no desktop half.
        """
        with self._locked():
            entry, record = self._current(package_id)
            check(record)
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
        entry = self._changes.settle(package_id)
        if entry.current is None:
            raise NotInstalled(f"{shown(package_id, 80)} was not installed by this program.")
        return entry, entry.current

    # ------------------------------------------------------------ parts

    def _must_be_alone(self, package_id: str, url: str | None) -> None:
        """Raises UsageError where another app comes from the same server, or is about to."""
        if url is None:
            return
        others = [self._records.read(other) for other in self._records.ids() if other != package_id]
        found = [entry.current for entry in others] + [entry.pending.record for entry in others if entry.pending]
        must_be_alone(url, [(record.id, record.url) for record in found if record is not None and record.url])

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


def only(told: Callable[[Record], T], wanted: T | None) -> Callable[[Record], None]:
    """A check under the lock that a word is still about what it was said of: raises Changed where what is ``told`` of
    it now is not what was ``wanted``. None: said of whatever stands there."""

    def check(record: Record) -> None:
        if wanted is not None and told(record) != wanted:
            raise Changed(f"{record.id} is no longer what was asked about. Decide anew.")

    return check
