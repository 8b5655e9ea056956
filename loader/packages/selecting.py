"""Components of a package by choice: what a person does not want is taken out before anything is installed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from loader.discovery import DESKTOP_HALF
from loader.errors import UsageError
from loader.packages.contents import BACKEND_FILE, SKILLS_FOLDER, contents_of
from loader.packages.durable import remove_tree, sync_tree
from loader.packages.manifest import MANIFEST_FILE, NPM_FILE
from loader.packages.tree import hash_tree

if TYPE_CHECKING:
    from loader.packages.contents import Contents
    from loader.packages.probe import Arrived, Probe

Part: TypeAlias = Literal["desktop", "agent", "backend", "skills"]
PARTS: tuple[Part, ...] = ("desktop", "agent", "backend", "skills")

_FOLDERS: dict[Part, str] = {
    "desktop": DESKTOP_HALF,
    "backend": BACKEND_FILE.partition("/")[0],
    "skills": SKILLS_FOLDER,
}
# What belongs to a package as a whole, whichever of its parts are there.
_OF_THE_WHOLE = ("readme", "license", "licence", "changelog", "notice", "copying")


def parts_there(probe: Probe) -> tuple[Part, ...]:
    """Which parts a package ships that can be left out."""
    contents = probe.contents
    there = {
        "desktop": contents.entry is not None,
        "agent": contents.agent is not None,
        "backend": contents.backend,
        "skills": bool(contents.skills),
    }
    return tuple(part for part in PARTS if there[part])


def without(probe: Probe, parts: Iterable[str]) -> Probe:
    """The probe of what is left, its files taken out of the staging folder. Blocking.

    The agent half is everything that is not another part's, but for the manifest of the grants and texts for readers.

    Raises:
        UsageError: there is no such part, or nothing would be left.
    """
    wanted = frozenset(parts)
    unknown = sorted(wanted - frozenset(PARTS))
    if unknown:
        raise UsageError(f"there is no part {', '.join(unknown)}; known are {', '.join(PARTS)}.")
    there = parts_there(probe)
    left_out = tuple(part for part in there if part in wanted)
    if not left_out:
        return probe
    if probe.contents.kind != "package" or len(left_out) == len(there):
        raise UsageError(f"{probe.id} has no other part, so nothing would be installed.")
    folder = probe.arrived.folder
    for entry in sorted(folder.iterdir()):
        if _part_of(entry.name, probe.contents) in left_out:
            remove_tree(entry)
    sync_tree(folder)
    files = hash_tree(folder)
    size_bytes = sum((folder / path).stat().st_size for path in files)
    arrived = replace(probe.arrived, files=files, size_bytes=size_bytes, contents=contents_of(folder))
    checked = None if "desktop" in left_out else probe.checked
    return replace(probe, arrived=arrived, checked=checked, without=left_out)


def files_without(arrived: Arrived, parts: Iterable[str]) -> dict[str, str]:
    """The hashes of what would be left, by path. Pure."""
    gone = frozenset(parts)
    return {
        path: digest
        for path, digest in arrived.files.items()
        if _part_of(path.partition("/")[0], arrived.contents) not in gone
    }


def _part_of(name: str, contents: Contents) -> Part | None:
    """Whose part an entry at the top of a package is; None for what belongs to all of them."""
    part = next((part for part, folder in _FOLDERS.items() if folder == name), None)
    return part or (None if _of_the_whole(name, contents) else "agent")


def _of_the_whole(name: str, contents: Contents) -> bool:
    manifest = contents.manifest
    if manifest is not None and name in (MANIFEST_FILE, NPM_FILE):
        return manifest.file.startswith(name)
    return name.casefold().partition(".")[0] in _OF_THE_WHOLE
