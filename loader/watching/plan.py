"""Which folders are watched for a home, and what an event in one of them means.

Folders are watched one by one and never with what lies in them, so that a node_modules of ten thousand folders
inside a plugin costs nothing. A watch belongs to a folder's inode and dies with it; therefore the parents are
watched as well, and every change among folders ("structural") makes a new plan with new watches: telling "the same
folder" by its inode does not work, file systems give a freed number out again at once.

Everything is keyed by real paths. Two links to one folder share one watch of the kernel, whose events name only one
of them; a plan maps the real folder to all the plugins that it concerns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from loader.discovery import DESKTOP_HALF, ENTRIES_LIMIT, ENTRY_FILE, MARKER_FILE, is_plugin_name
from loader.home import PACKAGES_FOLDER, PROFILES_FOLDER, STANDALONE_FOLDER, Home
from loader.integrity import DECLARATION_FILE

Change: TypeAlias = Literal["added", "modified", "deleted"]
Batch: TypeAlias = frozenset[tuple[Change, str]]
"""What the operating system said in one step: a set, so "deleted" and "added" of one name have no order."""

CONFIG_FILE = "config.yaml"
# What matters in a plugin's folder. Editors' side files are no hints; a rename onto one of these is one.
PLUGIN_FILES = frozenset({ENTRY_FILE, DECLARATION_FILE, MARKER_FILE, ".hermes-desktop.toml", "pyproject.toml"})
_PACKAGE_FILES = frozenset({"plugin.yaml", "plugin.yml", "plugin.json", "dashboard"})
# A chain of links longer than that is the kernel's ELOOP or nearly so.
_LINK_HOPS = 16


@dataclass(frozen=True, slots=True)
class Rule:
    """What a name in a watched folder means: ``hint`` (with ``/name`` when ``child``) may have changed.

    ``names`` are case-folded, None is every name that a plugin's folder may have. ``structural``: when it appears or
    goes, the plan itself is out of date.
    """

    names: frozenset[str] | None
    hint: str
    child: bool = False
    structural: bool = False

    def hint_for(self, name: str) -> str | None:
        if self.names is None:
            if not is_plugin_name(name):
                return None
        elif name.casefold() not in self.names:
            return None
        return os.path.join(self.hint, name) if self.child else self.hint  # noqa: PTH118 - a hint is a plain string


@dataclass(frozen=True, slots=True)
class Plan:
    """``rules`` by real folder; ``shallow`` are watched without what lies in them, ``deep`` with all of it.

    ``roots`` and ``folders`` are what hints name: the doors' folders and the plugin folders in them. ``links`` maps
    a plugin folder to the chain of links that its plugin.js is, if it is one.
    """

    rules: dict[str, tuple[Rule, ...]]
    shallow: tuple[str, ...]
    deep: tuple[str, ...]
    roots: frozenset[str]
    folders: frozenset[str]
    links: dict[str, tuple[str, ...]]

    def read(self, batch: Batch) -> tuple[frozenset[str], bool]:
        """The hints in a batch, and whether a new plan is needed. Pure; any thread."""
        hints: set[str] = set()
        structural = False
        for change, path in batch:
            key = os.path.normcase(path)
            own = self.rules.get(key)
            if own is not None and change == "deleted":
                # The watched folder itself is gone, and its watch with it, even if it is back already.
                hints.update(rule.hint for rule in own)
                structural = True
            folder, name = os.path.split(key)
            for rule in self.rules.get(folder, ()):
                # The name as it was written, for the hint; the key is folded on Windows.
                hint = rule.hint_for(os.path.basename(path) if name else "")  # noqa: PTH119 - hot, plain strings
                if hint is not None:
                    hints.add(hint)
                    structural = structural or (rule.structural and change != "modified")
        return frozenset(hints), structural

    def concerns(self, other: Plan) -> frozenset[str]:
        """The hints of every folder that only one of the two plans watches, or for other reasons."""
        hints: set[str] = set(self.folders ^ other.folders) | (self.roots ^ other.roots)
        for key in self.rules.keys() | other.rules.keys():
            mine, theirs = self.rules.get(key, ()), other.rules.get(key, ())
            if mine != theirs:
                hints.update(rule.hint for rule in set(mine) ^ set(theirs))
        return frozenset(hints)

    def links_moved(self, hints: Iterable[str]) -> bool:
        """Whether a plugin.js among these folders became a link, stopped being one, or leads elsewhere now."""
        return any(
            link_chain(os.path.join(hint, *half, ENTRY_FILE)) != self.links.get(hint, ())  # noqa: PTH118 - as above
            for hint in hints
            if hint in self.folders
            for half in (self._half(hint),)
        )

    def _half(self, folder: str) -> tuple[str, ...]:
        standalone = Path(folder).parent.name == STANDALONE_FOLDER
        return () if standalone else (DESKTOP_HALF,)


def make_plan(home: Home, *, platform: str = sys.platform) -> Plan:
    """Look at the disk and plan the watch of ``home``. Blocking; never raises for what lies there.

    Windows gives one watch for a whole tree at the price of one, and a folder with a watch in it cannot be renamed
    there: so the doors' folders are watched deep on Windows, and no plugin folder is held open.
    """
    draft = _Draft()
    root = str(home.root)
    homes = [str(path) for path in home.homes]
    desktop_roots = {str(path) for path in home.desktop_roots}
    draft.folder(root, Rule(frozenset({PROFILES_FOLDER}), str(home.root / PROFILES_FOLDER), structural=True))
    profiles = str(home.root / PROFILES_FOLDER)
    draft.folder(profiles, Rule(None, profiles, child=True, structural=True), must_exist=True)
    records = str(home.records_dir)
    draft.folder(records, Rule(None, records))
    for own in homes:
        draft.folder(own, Rule(frozenset({CONFIG_FILE}), f"{own}{os.sep}{CONFIG_FILE}"))
        for name in (STANDALONE_FOLDER, PACKAGES_FOLDER):
            door = f"{own}{os.sep}{name}"
            if name == PACKAGES_FOLDER or door in desktop_roots:
                draft.folder(own, Rule(frozenset({name}), door, structural=True))
                draft.door(door, packages=name == PACKAGES_FOLDER)
    return draft.plan(deep=platform == "win32")


def link_chain(path: str) -> tuple[str, ...]:
    """Every place that a link leads through, the last one included; empty for what is no link."""
    chain: list[str] = []
    for _ in range(_LINK_HOPS):
        try:
            target = os.readlink(path)  # noqa: PTH115 - hot, plain strings
        except (OSError, ValueError):
            break
        # Relative to where the link really lies, not to the name by which we came.
        path = os.path.normpath(os.path.join(os.path.realpath(os.path.dirname(path)), target))  # noqa: PTH118, PTH120
        chain.append(path)
    return tuple(chain)


class _Draft:
    """Collects the rules; what is asked for twice is watched once."""

    def __init__(self) -> None:
        self._rules: dict[str, dict[Rule, None]] = {}
        self._paths: dict[str, str] = {}
        self._in_deep: set[str] = set()
        self._deep: dict[str, str] = {}
        self._roots: set[str] = set()
        self._folders: set[str] = set()
        self._links: dict[str, tuple[str, ...]] = {}

    def folder(self, path: str, rule: Rule, *, must_exist: bool = False, real: str | None = None) -> str | None:
        """Watch a folder; where it is missing, the nearest folder above it in which it would appear.

        ``real`` spares looking for links where the caller knows that there are none. Returns the real path if the
        folder is there and can be watched.
        """
        found = real or os.path.realpath(path)
        if _may_watch(found):
            self._add(found, rule)
            if real is None and os.path.islink(path):  # noqa: PTH114 - plain strings
                # The target can be deleted and made anew, which its own watch would not survive.
                above, name = os.path.split(found)
                self._add(above, Rule(frozenset({name.casefold()}), rule.hint, structural=True))
            return found
        if not must_exist:
            self._ancestor(found, rule.hint)
        return None

    def door(self, door: str, *, packages: bool) -> None:
        """One of the folders that hold plugins, with its plugins."""
        self._roots.add(door)
        real = self.folder(door, Rule(None, door, child=True, structural=True), must_exist=True)
        if real is None:
            if os.path.islink(door):  # noqa: PTH114 - a link that leads nowhere yet
                self._ancestor(os.path.realpath(door), door)
            return
        self._deep[os.path.normcase(real)] = real
        for name, linked in _names(real):
            path = f"{door}{os.sep}{name}"
            self._folders.add(path)
            own_real = None if linked else f"{real}{os.sep}{name}"
            if packages:
                self._package(path, own_real)
            else:
                self._plugin(path, path, own_real)

    def _package(self, path: str, real: str | None) -> None:
        half = f"{path}{os.sep}{DESKTOP_HALF}"
        own = self.folder(path, Rule(frozenset({DESKTOP_HALF}), path, structural=True), real=real)
        if own is None:
            return
        self._add(own, Rule(_PACKAGE_FILES, path))
        linked = os.path.islink(half)  # noqa: PTH114 - plain strings
        if linked or os.path.isdir(half):  # noqa: PTH112 - plain strings
            self._plugin(half, path, None if linked else f"{own}{os.sep}{DESKTOP_HALF}")
        self._not_in_deep(own, real)

    def _plugin(self, folder: str, hint: str, real: str | None) -> None:
        """A folder that holds a plugin.js; ``hint`` is the plugin's own folder."""
        own = self.folder(folder, Rule(PLUGIN_FILES, hint), real=real)
        chain = link_chain(f"{folder}{os.sep}{ENTRY_FILE}")
        if chain:
            self._links[hint] = chain
        for hop in chain:
            above, name = os.path.split(hop)
            self.folder(above, Rule(frozenset({name.casefold()}), hint))
        if own is not None:
            self._not_in_deep(own, real)

    def _not_in_deep(self, own: str, real: str | None) -> None:
        # A folder that really lies in its door is covered by a deep watch of the door.
        if real is not None:
            self._in_deep.add(os.path.normcase(own))

    def _ancestor(self, missing: str, hint: str) -> None:
        below = missing
        while True:
            above, name = os.path.split(below)
            if above == below:
                return
            if _may_watch(above):
                self._add(above, Rule(frozenset({name.casefold()}), hint, structural=True))
                return
            below = above

    def _add(self, real: str, rule: Rule) -> None:
        key = os.path.normcase(real)
        self._paths.setdefault(key, real)
        self._rules.setdefault(key, {})[rule] = None

    def plan(self, *, deep: bool) -> Plan:
        deep_keys = set(self._deep) if deep else set()
        covered = deep_keys | (self._in_deep if deep else set())
        shallow = tuple(sorted(path for key, path in self._paths.items() if key not in covered))
        return Plan(
            {key: tuple(rules) for key, rules in self._rules.items()},
            shallow,
            tuple(sorted(self._deep[key] for key in deep_keys)),
            frozenset(self._roots),
            frozenset(self._folders),
            self._links,
        )


def _names(real: str) -> list[tuple[str, bool]]:
    """Names that may be plugins, and whether they are links; a dangling link counts, for its target may appear."""
    names: list[tuple[str, bool]] = []
    try:
        with os.scandir(real) as entries:
            for number, entry in enumerate(entries):
                if number >= ENTRIES_LIMIT:
                    break
                if is_plugin_name(entry.name):
                    linked = entry.is_symlink()
                    if linked or entry.is_dir(follow_symlinks=False):
                        names.append((entry.name, linked))
    except OSError:  # gone or closed while we looked: the watch of its parent will say more
        pass
    return sorted(names)


def _may_watch(path: str) -> bool:
    # A folder that may not be read cannot be watched, and one refusal would cost all the other watches.
    return os.path.isdir(path) and os.access(path, os.R_OK)  # noqa: PTH112 - plain strings
