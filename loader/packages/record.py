"""The host's own record of what it installed: one durable file for each package, in the state folder.

Provenance lives here and nowhere else: a file that came along in the package proves nothing. A change under way is
written down before it begins (``Pending``), so that whoever comes after a crash can tell how far it came. What a person
allows the package (``Consent``) stands in the same file, so that no crash parts the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from loader.errors import LoaderError, UsageError
from loader.home import PROFILES_FOLDER, Home
from loader.inventory.identity import is_valid_id
from loader.nouns import Json
from loader.packages.development import DevelopmentSource, page_url
from loader.packages.grants import NOTHING, Grants
from loader.packages.manifest import is_app_id
from loader.packages.sources import ArchiveSource, FolderSource, GitSource, Source
from loader.state import JsonObject, StateFile, ensure_state_dir, sync_folder

# Two thousand files with long names, and as many of the version that takes their place.
_LIMIT_BYTES = 16 * 1024 * 1024

Kind: TypeAlias = Literal["standalone", "package", "web-app"]
KINDS: tuple[Kind, ...] = ("standalone", "package", "web-app")
Action: TypeAlias = Literal["install", "uninstall"]
SourceKind: TypeAlias = Literal["folder", "archive", "git", "development"]
SOURCE_KINDS: tuple[SourceKind, ...] = ("folder", "archive", "git", "development")


@dataclass(frozen=True, slots=True)
class Record:
    """``folder`` is seen from the root (absolute where it lies elsewhere). ``source`` holds no password;
    ``source_kind`` says how to read it again, ``subdir``, ``ref`` and ``branch`` belong to git. ``revision`` is the
    commit. ``files`` are sha256 in hex, by path; of a web app under development there is the
    manifest alone. ``installed_at`` is UTC, in seconds, with a Z. ``page`` is the file that a web app begins with, None
    for the other kinds. ``without`` are the parts that a person left out."""

    id: str
    kind: Kind
    folder: str
    source: str
    source_kind: SourceKind
    revision: str | None
    ref: str | None
    branch: str | None
    subdir: str
    name: str
    version: str
    requested: Grants
    files: Mapping[str, str] = field(repr=False)
    size_bytes: int
    installed_at: str
    page: str | None = None
    without: tuple[str, ...] = ()
    storage: str = ""

    @property
    def url(self) -> str | None:
        """What the tab of a web app under development loads; None for what was copied here."""
        return page_url(self.source, self.page) if self.source_kind == "development" and self.page else None

    @property
    def entry(self) -> str | None:
        """The desktop half's file, relative to ``folder``; None without one."""
        if self.kind == "web-app":
            return None
        entry = "plugin.js" if self.kind == "standalone" else "desktop/plugin.js"
        return entry if entry in self.files else None


@dataclass(frozen=True, slots=True)
class Consent:
    """What a person allows. ``approved`` may hold more than is asked for now; only what is in both is granted.
    ``trusted``: its desktop half runs in the app, without the wall. ``on`` is a web app's switch; that of a desktop
    plugin stands among the user's choices."""

    approved: Grants = NOTHING
    trusted: bool = False
    on: bool = False


NO_CONSENT = Consent()


@dataclass(frozen=True, slots=True)
class Pending:
    """A change that began. ``moved`` is the folder that is to come or to go, ``device`` and ``inode`` tell it by
    itself wherever it lies; ``aside`` is where the old one waits. ``pin`` and ``pin_folder`` are as before.
    ``consent`` is what will be allowed. ``choice`` is the switch that will be set (None: left alone),
    ``choice_before`` what it was. ``purge``: what it stored goes too, with the data of ``backend``."""

    action: Action
    record: Record
    moved: str
    device: int
    inode: int
    aside: str
    pin: str | None
    pin_folder: str | None
    consent: Consent = NO_CONSENT
    choice: bool | None = None
    choice_before: bool | None = None
    purge: bool = False
    backend: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """What the file of one package holds. ``consent`` belongs to ``current``."""

    current: Record | None = None
    pending: Pending | None = None
    consent: Consent = NO_CONSENT


def is_package_id(name: str) -> bool:
    """An id of a plugin, or one of a web app: the two have no name in common (the latter has a dot)."""
    return is_valid_id(name) or is_app_id(name)


class Records:
    """All records of one root. Blocking; raises LoaderError as ``StateFile`` does."""

    def __init__(self, home: Home, report: Callable[[str], None] | None = None) -> None:
        self._home = home
        self._folder = home.records_dir
        self._report = report

    def ids(self) -> tuple[str, ...]:
        """The ids that there is a file for, sorted."""
        if not self._folder.is_dir():
            return ()
        names = (path.stem for path in self._folder.glob("*.json"))
        return tuple(sorted(name for name in names if is_package_id(name)))

    def read(self, package_id: str) -> Entry:
        # What is no id names no file of ours: it might lead to another one, which would be set aside as damaged.
        if not is_package_id(package_id) or not self._folder.is_dir():
            return Entry()
        state = self._file(package_id).read()
        return Entry(_record(state.get("current")), _pending(state.get("pending")), _consent(state.get("consent")))

    def write(self, package_id: str, entry: Entry) -> None:
        ensure_state_dir(self._home.state_dir)
        state: JsonObject = {}
        if entry.current is not None:
            state["current"] = _record_json(entry.current)
        if entry.pending is not None:
            state["pending"] = _pending_json(entry.pending)
        if entry.consent != NO_CONSENT:
            state["consent"] = _consent_json(entry.consent)
        self._file(package_id).update(lambda _: state)

    def remove(self, package_id: str) -> None:
        """Forget it wholly. Nothing is there to forget: no error."""
        path = self._path(package_id)
        try:
            path.unlink(missing_ok=True)
            path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
        except OSError as error:
            raise LoaderError(f"{path} could not be removed: {error.strerror or error}.") from error
        sync_folder(path.parent)

    def _path(self, package_id: str) -> Path:
        return self._folder / f"{package_id}.json"

    def _file(self, package_id: str) -> StateFile:
        return StateFile(self._path(package_id), limit_bytes=_LIMIT_BYTES, report=self._report)


def home_of_record(home: Home, record: Record) -> Home:
    """The home that a package belongs to: a command may be given for another profile than the package's."""
    if record.kind != "package":
        return home
    place = (home.root / record.folder).parent.parent
    if place in (home.home, home.root):
        profile = home.profile if place == home.home else None
    elif place.parent == home.root / PROFILES_FOLDER:
        profile = place.name
    else:
        return home
    return replace(home, home=place, profile=profile)


def source_of(record: Record, *, ref: str | None = None) -> Source:
    """Where a package came from, to look there again; a ``ref`` takes the place of the one that it was installed at."""
    if record.source_kind == "git":
        return GitSource(record.source, record.subdir, ref or record.ref, None if ref else record.branch)
    if ref is not None:
        raise UsageError(f"--ref names a commit, and {record.id} came from {record.source}.")
    if record.source_kind == "development":
        return DevelopmentSource(record.source)
    path = Path(record.source)
    if not path.exists():
        raise UsageError(f"{record.id} came from {path}, which is gone. Install it from another place with --force.")
    return FolderSource(path) if record.source_kind == "folder" else ArchiveSource(path)


# ---------------------------------------------------------------- JSON


def _record_json(record: Record) -> dict[str, Json]:
    return {
        "id": record.id,
        "kind": record.kind,
        "folder": record.folder,
        "source": record.source,
        "source_kind": record.source_kind,
        "revision": record.revision,
        "ref": record.ref,
        "branch": record.branch,
        "subdir": record.subdir,
        "name": record.name,
        "version": record.version,
        "requested": grants_json(record.requested),
        "files": dict(record.files),
        "size_bytes": record.size_bytes,
        "installed_at": record.installed_at,
        "page": record.page,
        "without": [*record.without],
        "storage": record.storage,
    }


def grants_json(grants: Grants) -> dict[str, Json]:
    return {"apis": [*sorted(grants.apis)], "capabilities": [*sorted(grants.capabilities)]}


def _record(stored: Json) -> Record | None:
    """None for what was never written by us."""
    if not isinstance(stored, dict):
        return None
    texts = {key: stored.get(key) for key in ("id", "folder", "source", "subdir", "name", "version", "installed_at")}
    files, requested, size = stored.get("files"), stored.get("requested"), stored.get("size_bytes")
    kind = next((kind for kind in KINDS if kind == stored.get("kind")), None)
    source_kind = next((kind for kind in SOURCE_KINDS if kind == stored.get("source_kind")), None)
    page = _text(stored.get("page"))
    known = {key: value for key, value in texts.items() if isinstance(value, str)}
    if len(known) < len(texts) or not isinstance(files, dict) or not isinstance(requested, dict):
        return None
    if kind is None or source_kind is None or (kind == "web-app") != (page is not None):
        return None
    if source_kind == "development" and page is None:
        return None
    return Record(
        id=known["id"],
        kind=kind,
        folder=known["folder"],
        source=known["source"],
        source_kind=source_kind,
        revision=_text(stored.get("revision")),
        ref=_text(stored.get("ref")),
        branch=_text(stored.get("branch")),
        subdir=known["subdir"],
        name=known["name"],
        version=known["version"],
        requested=grants_from(requested),
        files={path: value for path, value in files.items() if isinstance(value, str)},
        size_bytes=size if isinstance(size, int) else 0,
        installed_at=known["installed_at"],
        page=page,
        without=tuple(sorted(_words(stored.get("without")))),
        storage=_text(stored.get("storage")) or "",
    )


def _consent_json(consent: Consent) -> dict[str, Json]:
    return {"approved": grants_json(consent.approved), "trusted": consent.trusted, "on": consent.on}


def _consent(stored: Json) -> Consent:
    """Only what stands there plainly is allowed."""
    if not isinstance(stored, dict):
        return NO_CONSENT
    return Consent(grants_from(stored.get("approved")), stored.get("trusted") is True, stored.get("on") is True)


def grants_from(stored: Json) -> Grants:
    """What ``grants_json`` wrote; nothing where it is something else."""
    if not isinstance(stored, dict):
        return NOTHING
    return Grants(_words(stored.get("apis")), _words(stored.get("capabilities")))


def _pending_json(pending: Pending) -> dict[str, Json]:
    return {
        "action": pending.action,
        "record": _record_json(pending.record),
        "moved": pending.moved,
        "device": pending.device,
        "inode": pending.inode,
        "aside": pending.aside,
        "pin": pending.pin,
        "pin_folder": pending.pin_folder,
        "consent": _consent_json(pending.consent),
        "choice": pending.choice,
        "choice_before": pending.choice_before,
        "purge": pending.purge,
        "backend": pending.backend,
    }


def _pending(stored: Json) -> Pending | None:
    if not isinstance(stored, dict):
        return None
    record = _record(stored.get("record"))
    action, device, inode = stored.get("action"), stored.get("device"), stored.get("inode")
    moved, aside = _text(stored.get("moved")), _text(stored.get("aside"))
    if record is None or moved is None or aside is None or not isinstance(device, int) or not isinstance(inode, int):
        return None
    if action not in ("install", "uninstall"):
        return None
    return Pending(
        "uninstall" if action == "uninstall" else "install",
        record,
        moved,
        device,
        inode,
        aside,
        _text(stored.get("pin")),
        _text(stored.get("pin_folder")),
        _consent(stored.get("consent")),
        _switch(stored.get("choice")),
        _switch(stored.get("choice_before")),
        stored.get("purge") is True,
        _text(stored.get("backend")),
    )


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _switch(value: Json) -> bool | None:
    return value if isinstance(value, bool) else None


def _words(value: Json) -> frozenset[str]:
    return frozenset(word for word in value if isinstance(word, str)) if isinstance(value, list) else frozenset()
