"""Which packages of a home bring a backend: their dashboard manifests, in Hermes' order, first name wins.

Looked for among the direct children of the home's ``plugins``, then of the root's. Project plugins
(``./.hermes/plugins``) are not looked for at all: their Python is never run.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor

from loader.discovery import ENTRIES_LIMIT, is_plugin_name
from loader.home import PACKAGES_FOLDER, Home
from loader.regular_file import opened_regular
from loader.yaml_bounds import demand_shallow

DASHBOARD = "dashboard"
MANIFEST = "manifest.json"
AGENT_MANIFESTS = ("plugin.yaml", "plugin.yml", "plugin.json")
MANIFEST_LIMIT_BYTES = 256 * 1024
NAME_LIMIT = 128

Stamp: TypeAlias = tuple[tuple[str, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One package with a dashboard manifest. ``problem``: why it has no backend, though it has a manifest.

    ``name`` is the backend's (the manifest's, else the folder's); ``plugin_name`` the agent plugin's, None where no
    such manifest names one. ``api`` is the file's path, links resolved, inside the dashboard folder; it may be missing.
    """

    name: str
    folder: Path
    plugin_name: str | None
    api: Path | None
    requires_env: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What must be enabled: the manifest's name, and the agent plugin's if that is another one."""
        return tuple(dict.fromkeys(filter(None, (self.name, self.plugin_name))))


@dataclass(frozen=True, slots=True)
class Catalog:
    """``by_folder`` holds every package with a dashboard manifest, shadowed ones too."""

    by_name: dict[str, Manifest]
    by_folder: dict[str, Manifest]


class CatalogReader:
    """The catalog as the disk stands now. Blocks; parses only what has changed."""

    def __init__(self, home: Home) -> None:
        self._roots = tuple(dict.fromkeys((home.home / PACKAGES_FOLDER, home.root / PACKAGES_FOLDER)))
        self._known: dict[Path, tuple[Stamp, Manifest]] = {}

    def read(self) -> Catalog:
        by_name: dict[str, Manifest] = {}
        by_folder: dict[str, Manifest] = {}
        known: dict[Path, tuple[Stamp, Manifest]] = {}
        for folder in self._folders():
            stamp = _stamp(folder)
            if stamp is None:
                continue
            seen = self._known.get(folder)
            manifest = seen[1] if seen is not None and seen[0] == stamp else manifest_of(folder)
            known[folder] = (stamp, manifest)
            by_name.setdefault(manifest.name, manifest)
            by_folder.setdefault(folder.name, manifest)
        self._known = known
        return Catalog(by_name, by_folder)

    def _folders(self) -> Iterator[Path]:
        for root in self._roots:
            try:
                names = sorted(os.listdir(root))[:ENTRIES_LIMIT]  # noqa: PTH208 - names are all that is needed
            except OSError:
                continue
            yield from (root / name for name in names if is_plugin_name(name))


def _stamp(folder: Path) -> Stamp | None:
    """Of all files that the manifest is made of; None without a dashboard manifest."""
    found: list[tuple[str, int, int, int]] = []
    for name in (f"{DASHBOARD}/{MANIFEST}", *AGENT_MANIFESTS):
        try:
            seen = (folder / name).stat()
        except OSError:
            if not found:
                return None
            continue
        found.append((name, seen.st_mtime_ns, seen.st_size, seen.st_ino))
    return tuple(found)


def manifest_of(folder: Path) -> Manifest:
    """Reads the package's manifests. Never raises: what is wrong stands in ``problem``."""
    agent = _agent_manifest(folder)
    own_name = agent.get("name")
    plugin_name = own_name if isinstance(own_name, str) and own_name else None
    requires = tuple(filter(None, map(_env_name, _list(agent.get("requires_env")))))
    try:
        found = json.loads(_text(folder / DASHBOARD / MANIFEST))
        if not isinstance(found, dict):
            raise ValueError("it holds no object")
    except (OSError, ValueError, RecursionError) as error:
        problem = f"{folder / DASHBOARD / MANIFEST} cannot be understood ({error})"
        return Manifest(folder.name, folder, plugin_name, None, requires, problem)
    named = found.get("name", folder.name)
    if not isinstance(named, str) or not 0 < len(named) <= NAME_LIMIT:
        problem = f"the name in {folder / DASHBOARD / MANIFEST} is no text of 1 to {NAME_LIMIT} letters"
        return Manifest(folder.name, folder, plugin_name, None, requires, problem)
    api, fault = _contained(folder / DASHBOARD, found.get("api"))
    return Manifest(named, folder, plugin_name, api, requires, fault)


def _contained(dashboard: Path, api: object) -> tuple[Path | None, str | None]:
    if api is None:
        return None, "its dashboard/manifest.json names no api file"
    if not isinstance(api, str) or not api or "\0" in api or "\\" in api:
        return None, "the api of its dashboard/manifest.json is no relative path"
    if Path(api).is_absolute() or Path(api).drive:
        return None, "the api of its dashboard/manifest.json is an absolute path; it must lie in the dashboard folder"
    try:
        inside = Path(os.path.realpath(dashboard))
        real = Path(os.path.realpath(dashboard / api))
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            real.stat()
    except (OSError, ValueError) as error:  # a name too long, or half a letter
        return None, f"its api file cannot be looked at ({error})"
    if not real.is_relative_to(inside) or real == inside:
        return None, "the api of its dashboard/manifest.json leads out of the dashboard folder"
    return real, None


def _agent_manifest(folder: Path) -> dict[str, object]:
    for name in AGENT_MANIFESTS:
        try:
            text = _text(folder / name)
        except (OSError, ValueError):
            continue
        try:
            found = json.loads(text) if name.endswith(".json") else _yaml_of(text)
        except Exception:  # the parser lets out whatever it stumbles over: such a file names nothing
            return {}
        return found if isinstance(found, dict) else {}
    return {}


class _Unmerged(SafeConstructor):
    """Takes ``<<`` for a key like any other: merging what refers to itself twice, and again, takes time without bound,
    and no field that counts here is ever merged in."""

    def flatten_mapping(self, node: object) -> None:
        """Leave the mapping as it is written."""


_Unmerged.add_constructor("tag:yaml.org,2002:merge", SafeConstructor.construct_yaml_str)


def _yaml_of(text: str) -> object:
    demand_shallow(text)
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _Unmerged
    return yaml.load(text)


def _env_name(entry: object) -> str | None:
    name = entry.get("name") if isinstance(entry, dict) else entry
    return name if isinstance(name, str) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(path: Path) -> str:
    with opened_regular(path) as file:
        data = file.read(MANIFEST_LIMIT_BYTES + 1)
    if len(data) > MANIFEST_LIMIT_BYTES:
        raise ValueError(f"it is larger than {MANIFEST_LIMIT_BYTES // 1024} KiB")
    return data.decode("utf-8-sig")
