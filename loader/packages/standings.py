"""How each installed package stands, for a service that runs: read from the record's files, again when they change.

Another process (the command line) may install, approve and trust at any time. Its record is written before its files
move, and whatever is half-way counts as the less that either state allows.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from loader.discovery import DESKTOP_HALF, ENTRY_FILE
from loader.errors import LoaderError
from loader.home import PACKAGES_FOLDER, Home
from loader.inventory.identity import is_valid_id
from loader.nouns import Origin
from loader.packages.grants import Grants
from loader.packages.record import NO_CONSENT, Consent, Entry, Kind, Record, Records

_Signature: TypeAlias = tuple[int, int, int]

# A change within the clock's grain of the last look may have left no trace in the time of the folder.
_GRAIN_S = 2.0
# Whose record cannot be read is no less foreign for that.
_UNKNOWN = Origin("unknown: its record cannot be read", "", None, "0.0.0", "")


@dataclass(frozen=True, slots=True)
class Standing:
    """What the service needs of one package. ``path`` is the plugin.js of its desktop half, ``page`` the first file of
    a web app, ``url`` what its tab loads where a development server has it. ``granted`` is what was asked for and
    approved, both. ``revision`` tells one installed state from the next (hex). ``changing``: a change of it began and
    has not ended. ``storage`` names its part of a browser's storage."""

    id: str
    kind: Kind
    name: str
    folder: Path
    path: str | None
    page: str | None
    requested: Grants
    granted: Grants
    consent: Consent
    revision: str
    origin: Origin
    changing: bool
    url: str | None = None
    storage: str = ""


class Standings:
    """All packages of one root. ``catch_up`` and ``refresh`` block; the rest does not. Any thread may ask."""

    def __init__(self, home: Home, *, wall_clock_s: Callable[[], float] = time.time) -> None:
        self._home = home
        self._folder = home.records_dir
        self._wall_clock_s = wall_clock_s
        self._reports: list[str] = []
        self._said: frozenset[str] = frozenset()
        self._records = Records(home, self._reports.append)
        self._when_counted: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self._looked_at: int | None = None
        self._signatures: dict[str, _Signature] = {}
        self._were_lost: frozenset[str] = frozenset()
        self._known: dict[str, Origin] = {}
        self._gone: dict[str, Origin] = {}
        self._wrong: dict[str, str] = {}
        self._by_id: Mapping[str, Standing] = MappingProxyType({})
        self._by_path: Mapping[str, Origin] = MappingProxyType({})

    def by_id(self) -> Mapping[str, Standing]:
        """As last read; the same object until something changes."""
        return self._by_id

    def by_path(self) -> Mapping[str, Origin]:
        return self._by_path

    def when_counted(self, act: Callable[[], None]) -> None:
        """Call this on the event loop, whenever what was read may count in the inventory."""
        self._when_counted = act

    def counted(self) -> None:
        self._when_counted()

    def catch_up(self, read: str | None = None) -> None:
        """Read what changed since.

        A package whose record goes leaves its path foreign: its files went before the record, but who shows them may
        not know yet. Bytes that are ``read`` there afterwards are somebody else's.
        """
        with self._lock:
            was_gone = read in self._gone
            self._catch_up()
            if read is not None and was_gone and read in self._gone:
                del self._gone[read]
                self._by_path = MappingProxyType({path: one for path, one in self._by_path.items() if path != read})

    def refresh(self) -> tuple[str, ...]:
        with self._lock:
            self._catch_up()
            texts = frozenset(self._wrong.values())
            new = (*self._reports, *sorted(texts - self._said))
            self._reports.clear()
            self._said = texts
            return new

    # ------------------------------------------------------------ reading

    def _catch_up(self) -> None:
        try:
            changed_at = self._folder.stat().st_mtime_ns
        except OSError:
            changed_at = None
        if changed_at is not None and changed_at == self._looked_at:
            return
        is_old = changed_at is None or self._wall_clock_s() - changed_at / 1e9 > _GRAIN_S
        try:
            found = self._signatures_now()
            lost = self._lost(frozenset(found))
        except OSError as error:
            self._wrong[""] = f"{self._folder} cannot be read: {error.strerror or error}."
            return
        self._wrong.pop("", None)
        self._looked_at = changed_at if is_old else None
        if (found, lost) == (self._signatures, self._were_lost):
            return
        standings = {package_id: standing for package_id, standing in self._by_id.items() if package_id in found}
        self._wrong = {package_id: text for package_id, text in self._wrong.items() if package_id in found}
        reports = len(self._reports)
        for package_id, signature in found.items():
            if self._signatures.get(package_id) != signature:
                self._read(package_id, standings)
        self._signatures, self._were_lost = found, lost
        if len(self._reports) > reports:
            # One was damaged and is set aside now, under another name. Not more often than there are files.
            self._looked_at = None
            self._catch_up()
            return
        foreign = sorted(lost | (self._wrong.keys() - standings.keys()))
        self._by_id = MappingProxyType(dict(sorted(standings.items())))
        known = {standing.path: standing.origin for standing in standings.values() if standing.path is not None}
        unknown = {path: _UNKNOWN for one in foreign for path in self._paths(one)}
        self._gone = {path: origin for path, origin in (self._known | self._gone).items() if path not in known}
        self._known = known
        self._by_path = MappingProxyType(self._gone | unknown | known)

    def _signatures_now(self) -> dict[str, _Signature]:
        found: dict[str, _Signature] = {}
        for package_id in self._records.ids():
            try:
                stat = (self._folder / f"{package_id}.json").stat()
            except OSError:
                continue
            found[package_id] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        return found

    def _lost(self, known: frozenset[str]) -> frozenset[str]:
        """Ids whose record was damaged and set aside: what lies there came from elsewhere, nobody knows from where."""
        if not self._folder.is_dir():
            return frozenset()
        names = (path.name.partition(".json.damaged-")[0] for path in self._folder.glob("*.json.damaged-*"))
        return frozenset(name for name in names if is_valid_id(name)) - known

    def _paths(self, package_id: str) -> tuple[str, ...]:
        half = (PACKAGES_FOLDER, package_id, DESKTOP_HALF, ENTRY_FILE)
        alone = str(self._home.desktop_roots[0] / package_id / ENTRY_FILE)
        return (alone, *(str(home.joinpath(*half)) for home in self._home.homes))

    def _read(self, package_id: str, standings: dict[str, Standing]) -> None:
        try:
            entry = self._records.read(package_id)
        except LoaderError as error:
            # What was known stays: whatever it was, it is no more than a person once allowed.
            self._wrong[package_id] = str(error)
            return
        self._wrong.pop(package_id, None)
        standing = standing_of(self._home, entry)
        if standing is None:
            standings.pop(package_id, None)
        else:
            standings[package_id] = standing


def standing_of(home: Home, entry: Entry) -> Standing | None:
    """None for what is not installed, and nowhere near it. Pure."""
    pending = entry.pending
    record = entry.current if pending is None or entry.current is not None else pending.record
    if record is None:
        return None
    consent, granted = entry.consent, record.requested & entry.consent.approved
    if pending is not None:
        record = pending.record
        granted &= pending.record.requested & pending.consent.approved
        consent = NO_CONSENT if pending.action == "uninstall" else _less(entry.consent, pending.consent)
    folder = home.root / record.folder
    return Standing(
        id=record.id,
        kind=record.kind,
        name=record.name,
        folder=folder,
        path=str(folder / record.entry) if record.entry is not None else None,
        page=record.page,
        requested=record.requested,
        granted=granted,
        consent=consent,
        revision=revision_of(record),
        origin=origin_of(record, consent),
        changing=pending is not None,
        url=record.url,
        storage=record.storage,
    )


def revision_of(record: Record) -> str:
    """One number for all the bytes of an installed package."""
    digest = sha256()
    for path, value in sorted(record.files.items()):
        digest.update(f"{path}\0{value}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def origin_of(record: Record, consent: Consent) -> Origin:
    walled = record.entry is not None and not consent.trusted
    return Origin(record.source, record.subdir, record.revision, record.version, record.installed_at, walled)


def _less(one: Consent, other: Consent) -> Consent:
    return Consent(one.approved & other.approved, one.trusted and other.trusted, one.on and other.on)
