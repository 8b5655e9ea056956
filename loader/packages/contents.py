"""What a folder of files is as a package: which door it goes through, and what it ships. Nothing of it is run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from loader.discovery import DESKTOP_HALF, ENTRY_FILE
from loader.home import Home
from loader.inventory.identity import is_valid_id
from loader.packages.manifest import MANIFEST_FILE, Manifest, Problem, read_manifest
from loader.packages.refused import Invalid, shown
from loader.yaml_bounds import demand_shallow

Kind: TypeAlias = Literal["standalone", "package", "web-app"]

AGENT_FILES = ("plugin.yaml", "plugin.yml", MANIFEST_FILE)
BACKEND_FILE = "dashboard/manifest.json"
SKILLS_FOLDER = "skills"
_SKILL_FILE = "SKILL.md"

_YAML_LIMIT_BYTES = 64 * 1024
_NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Contents:
    """Paths are relative, with slashes. ``entry`` is the desktop half's file, None without one. ``agent`` is the
    agent half's manifest, ``agent_name`` what it calls itself; ``backend_name`` is what the dashboard half calls
    itself. ``skills`` are names, sorted."""

    kind: Kind
    entry: str | None
    agent: str | None
    agent_name: str | None
    backend: bool
    backend_name: str | None
    skills: tuple[str, ...]
    manifest: Manifest | None
    problems: tuple[Problem, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """What it ships, in words."""
        found = [
            ("web page", self.kind == "web-app"),
            ("desktop half", self.entry is not None),
            ("agent half", self.agent is not None),
            ("backend", self.backend),
            (f"{len(self.skills)} skill{'s' if len(self.skills) != 1 else ''}", bool(self.skills)),
            ("manifest", self.manifest is not None),
        ]
        return tuple(said for said, there in found if there)


def contents_of(folder: Path) -> Contents:
    """Look at a copied or extracted folder (it holds regular files and folders only). Blocking.

    Raises:
        Invalid: it is no plugin; names the folders in it that are.
    """
    own = (folder / ENTRY_FILE).is_file()
    half = (folder / DESKTOP_HALF / ENTRY_FILE).is_file()
    backend = (folder / BACKEND_FILE).is_file()
    manifest = read_manifest(folder)
    problems = manifest if isinstance(manifest, tuple) else ()
    known = None if isinstance(manifest, tuple) else manifest
    is_ours = known is not None or any(problem.file == MANIFEST_FILE for problem in problems)
    agent = next(
        (name for name in AGENT_FILES if (folder / name).is_file() and not (name == MANIFEST_FILE and is_ours)), None
    )
    kind: Kind
    if known is not None and known.kind == "web-app":
        # Whatever else lies in it goes through none of Hermes' doors, so it is nothing but files.
        page = (Problem(known.file, "entry", f"there is no file {shown(known.entry)} in the package"),)
        there = (folder / known.entry).is_file()
        return Contents("web-app", None, None, None, False, None, (), known, () if there else page)
    if agent is not None or half or backend:
        kind = "package"
    elif own:
        kind = "standalone"
    elif problems:
        raise Invalid("; ".join(map(str, problems)))
    else:
        raise Invalid(_no_plugin(folder))
    entry = ENTRY_FILE if kind == "standalone" else f"{DESKTOP_HALF}/{ENTRY_FILE}" if half else None
    agent_name = _agent_name(folder / agent) if agent is not None else None
    backend_name = backend_name_of(folder) if backend else None
    return Contents(kind, entry, agent, agent_name, backend, backend_name, _skills(folder), known, problems)


def contents_of_served(folder: Path) -> Contents:
    """What a development server says that it serves: the folder holds its manifest alone. Blocking.

    Raises:
        Invalid: the manifest is wrong, or no web app's.
    """
    manifest = read_manifest(folder)
    if isinstance(manifest, tuple) and manifest:
        raise Invalid("; ".join(map(str, manifest)))
    if isinstance(manifest, tuple) or manifest.kind != "web-app":
        raise Invalid(f'{MANIFEST_FILE}: a development address is for web apps, whose manifest says "kind": "web-app"')
    return Contents("web-app", None, None, None, False, None, (), manifest, ())


def chosen_name(contents: Contents, exported_id: str | None, source_name: str) -> str:
    """The name of the folder that it is installed as, which counts as id: what the desktop half exports, else what
    the agent half calls itself, else the source's name.

    Raises:
        Invalid: none of them can be an id.
    """
    tried = [exported_id, contents.agent_name, source_name]
    for name in tried:
        if name is not None and is_valid_id(name):
            return name
    said = ", ".join(shown(name, 60) for name in dict.fromkeys(tried) if name)
    raise Invalid(f"it has no name that can be an id (a-z, 0-9, '-' and '_', at most 64): {said or 'none at all'}")


def backend_name_of(folder: Path) -> str | None:
    """What the dashboard half in this folder calls itself; None where it says nothing. Blocking."""
    from loader.backends.catalog import manifest_of

    name = manifest_of(folder).name
    return name if name != folder.name else None


def backend_owner(home: Home, name: str) -> Path | None:
    """The folder of the package whose backend answers under this name, the first that claims it. Blocking."""
    from loader.backends.catalog import CatalogReader

    found = CatalogReader(home).read().by_name.get(name)
    return None if found is None else found.folder


def _no_plugin(folder: Path) -> str:
    inside = sorted(
        entry.relative_to(folder).as_posix()
        for pattern in (f"*/{ENTRY_FILE}", f"*/{DESKTOP_HALF}/{ENTRY_FILE}", "*/plugin.y*ml", f"*/*/{ENTRY_FILE}")
        for entry in folder.glob(pattern)
    )
    text = f"it is no plugin: there is no {ENTRY_FILE}, no {DESKTOP_HALF}/{ENTRY_FILE} and no plugin.yaml in it"
    if not inside:
        return text
    names = dict.fromkeys(name.removesuffix(f"/{ENTRY_FILE}").removesuffix(f"/{DESKTOP_HALF}") for name in inside)
    names = dict.fromkeys(sorted(names, key=lambda name: name.count("/")))
    plain = [name.rpartition("/")[0] if name.endswith((".yaml", ".yml")) else name for name in names]
    return f"{text}. Name one that it holds: {', '.join(list(dict.fromkeys(plain))[:_NAMES_SHOWN])}"


def _skills(folder: Path) -> tuple[str, ...]:
    place = folder / SKILLS_FOLDER
    if not place.is_dir():
        return ()
    found = {Path(above).relative_to(place).as_posix() for above, _, names in os.walk(place) if _SKILL_FILE in names}
    return tuple(sorted(found))


def _agent_name(path: Path) -> str | None:
    """The ``name`` in an agent manifest; None where it cannot be read, which is Hermes' own matter to say.

    Read from the parser's events: building the document would unfold references to references, and merging them
    takes time without bound.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        with path.open("rb") as file:
            text = file.read(_YAML_LIMIT_BYTES + 1).decode("utf-8-sig")
        demand_shallow(text)
        # JSON is YAML too, so the portable manifest needs no reader of its own.
        return (
            _top_level_text(YAML(typ="safe", pure=True).parse(text), "name") if len(text) <= _YAML_LIMIT_BYTES else None
        )
    except (OSError, ValueError, YAMLError, RecursionError):
        return None


def _top_level_text(events: Iterable[Any], wanted: str) -> str | None:
    """The text behind a key of the outermost mapping."""
    depth, is_key, key = 0, True, None
    for event in events:
        kind = type(event).__name__
        if kind.endswith("StartEvent") and kind.startswith(("Mapping", "Sequence")):
            if depth == 0 and not kind.startswith("Mapping"):
                return None
            depth += 1
            continue
        if kind in ("MappingEndEvent", "SequenceEndEvent"):
            depth -= 1
        elif kind not in ("ScalarEvent", "AliasEvent"):
            continue
        if depth != 1:
            continue
        if not is_key and key == wanted:
            value = getattr(event, "value", None) if kind == "ScalarEvent" else None
            return value if isinstance(value, str) else None
        key = getattr(event, "value", None) if is_key and kind == "ScalarEvent" else None
        is_key = not is_key
    return None
