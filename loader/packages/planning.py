"""What an install would do: where a probed package would go, what stands there, and what it would be allowed. Pure,
but for the looks at the disk that it says of itself."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from loader.discovery import candidates_named
from loader.errors import UsageError
from loader.home import PACKAGES_FOLDER, Home
from loader.packages.contents import backend_owner
from loader.packages.development import DevelopmentSource
from loader.packages.grants import Grants, after_reinstall, approved, missing_to_enable
from loader.packages.record import Consent, Entry, Kind, Record, SourceKind
from loader.packages.refused import shown
from loader.packages.sources import FolderSource, GitSource, Source
from loader.packages.tree import hash_tree

if TYPE_CHECKING:
    from loader.packages.probe import Probe

APPS_FOLDER = "apps"


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


@dataclass(frozen=True, slots=True)
class Word:
    """What a person says beside yes: what is granted of what is asked for (None: what stays approved, and no more), and
    whether it is turned on at once."""

    approve: Grants | None = None
    enable: bool = False


ONLY_YES = Word()


def make_plan(home: Home, probe: Probe, current: Record | None) -> Plan:
    """Where a probed package would go, and what stands there. Blocking. ``current`` is the record under its id.

    Raises:
        UsageError: another plugin of that id lies behind the other door, or elsewhere; or its backend goes by the name
            of another package's.
    """
    kind: Kind = probe.contents.kind
    folder = place_of(home, kind, probe.id)
    door = "standalone" if kind == "standalone" else "unified"
    for candidate in candidates_named(home, probe.id) if kind != "web-app" else ():
        if candidate.door != door or folder not in Path(candidate.path).parents:
            raise UsageError(f"{candidate.path} has the id {probe.id} already. Remove one of the two first.")
    if current is not None and home.root / current.folder != folder:
        raise UsageError(f"{probe.id} is installed in {home.root / current.folder}. Uninstall it first.")
    if probe.contents.backend:
        # The first of several would answer for the other, with the other's switch and its data.
        name = probe.contents.backend_name or probe.id
        owner = backend_owner(home, name)
        if owner is not None and owner != folder:
            raise UsageError(f"its backend is called {shown(name)}, as the one in {owner} is. Remove one of the two.")
    enabled = _enabled(home, probe) if kind == "package" else ()
    return Plan(probe.id, kind, folder, os.path.lexists(folder), hash_tree(folder), current, enabled)


def place_of(home: Home, kind: Kind, package_id: str) -> Path:
    """A web app goes to a folder of our own: behind one of Hermes' doors the app would take it for a plugin."""
    if kind == "web-app":
        return home.state_dir / APPS_FOLDER / package_id
    return (home.desktop_roots[0] if kind == "standalone" else home.home / PACKAGES_FOLDER) / package_id


def _enabled(home: Home, probe: Probe) -> tuple[str, ...]:
    contents = probe.contents
    if contents.agent is None and not contents.backend:
        return ()
    from loader.backends.config import CONFIG_FILE, ConfigReader  # with it comes a YAML reader

    lists = ConfigReader(home.home / CONFIG_FILE).read()
    names = {probe.id, contents.agent_name or probe.id, contents.backend_name or probe.id}
    return tuple(sorted((names & lists.enabled) - lists.disabled))


# ---------------------------------------------------------------- what would be recorded and allowed


def new_record(home: Home, probe: Probe, plan: Plan, installed_at: str) -> Record:
    source, manifest = probe.arrived.source, probe.contents.manifest
    try:
        folder = plan.folder.relative_to(home.root).as_posix()
    except ValueError:
        folder = str(plan.folder)
    git = source if isinstance(source, GitSource) else None
    return Record(
        id=plan.id,
        kind=plan.kind,
        folder=folder,
        source=source.said.partition("#")[0] if git else source.said,
        source_kind=_kind_of(source),
        revision=probe.arrived.revision,
        ref=git.ref if git else None,
        branch=git.branch if git else None,
        subdir=git.subdir if git else "",
        name=manifest.name if manifest else plan.id,
        version=manifest.version if manifest else "0.0.0",
        requested=probe.requested,
        files=probe.arrived.files,
        size_bytes=probe.arrived.size_bytes,
        installed_at=installed_at,
        page=manifest.entry if manifest and plan.kind == "web-app" else None,
        without=tuple(sorted(probe.without)),
    )


def _kind_of(source: Source) -> SourceKind:
    match source:
        case GitSource():
            return "git"
        case DevelopmentSource():
            return "development"
        case FolderSource():
            return "folder"
    return "archive"


def new_consent(before: Entry, record: Record, word: Word) -> Consent:
    """What the new version may, of what was allowed before and what is said now.

    Trust is a person's word about one source, so it ends where the files come from another one.
    """
    if word.approve is None:
        grants = after_reinstall(record.requested, before.consent.approved)
    else:
        grants = approved(record.requested, word.approve.apis, word.approve.capabilities)
    trusted = before.consent.trusted and before.current is not None and same_source(before.current, record)
    on = record.kind == "web-app" and (before.consent.on or word.enable)
    return Consent(grants, trusted, on and not missing_to_enable(record.requested, grants))


def new_choice(before: Entry, record: Record, consent: Consent, word: Word, choice: bool | None) -> bool | None:
    """The switch of a plugin as it is to be set; None leaves it alone. ``choice`` is what the user chose before.

    Installed means off, also where the id was on before: that was said of another plugin, or of one that is gone. An
    update keeps what somebody chose, unless it now asks for what nobody approved.
    """
    if record.kind == "web-app":
        return None
    if missing_to_enable(record.requested, consent.approved):
        return None if choice is False else False
    if word.enable:
        return None if choice is True else True
    return False if choice is not False and before.current is None else None


def same_source(one: Record, other: Record) -> bool:
    return (one.source_kind, one.source, one.subdir) == (other.source_kind, other.source, other.subdir)
