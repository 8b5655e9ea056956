"""Which files a person means: arguments of `check` and `rehearse` → plugin files, each once, in a stable order.

A file is itself. A folder with a plugin.js is a plugin, one with desktop/plugin.js a package, one with
desktop-plugins a home. Any other folder stands for its children, one level deep, without ``broken`` (a gallery of
broken ones is checked when it is named). A name that no file has is a plugin of the home, as for every other command.
Nothing at all means the current folder if it is a plugin, else the home.
"""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from loader.discovery import DESKTOP_HALF, ENTRY_FILE, candidates_named, discover, is_plugin_name
from loader.errors import UsageError
from loader.home import PACKAGES_FOLDER, STANDALONE_FOLDER, Home
from loader.nouns import Candidate, Door

GALLERY = "broken"

FindHome: TypeAlias = Callable[[], Home]
"""Gives the home of this run; raises UsageError when there is none. Called only where a home matters."""

# What a folder of Hermes holds beside its plugins; one of them is enough to take it for a home.
_HOME_MARKS = ("config.yaml", ".env", "state.db", "active_profile", "desktop-loader")


@dataclass(frozen=True, slots=True)
class Target:
    """One file to check. ``shown`` is the path in the caller's own words; ``in_home`` says that it lies behind a door
    of a home, where its folder's name counts (HP303) and other plugins may own its id (HP305)."""

    shown: str
    candidate: Candidate
    in_home: bool

    @property
    def place(self) -> str:
        """The folder that duplicates are looked for in; empty outside a home."""
        return self.candidate.home if self.in_home else ""


def find_targets(arguments: Sequence[str], *, find_home: FindHome, cwd: Path | None = None) -> tuple[Target, ...]:
    """The files meant by ``arguments``: in their order, by name within one, each file once.

    Empty only when a home was meant and holds no plugin.

    Raises:
        UsageError: an argument names nothing that exists, or nothing to check; or no home where one is needed.
    """
    cwd = Path.cwd() if cwd is None else cwd
    look = _Look(cwd, find_home)
    if not arguments:
        found = look.folder_itself(".") or look.home(find_home(), shown_from=None)
    else:
        found = [target for argument in arguments for target in look.argument(argument)]
    once: dict[str, Target] = {}
    for target in found:
        once.setdefault(target.candidate.path, target)
    return tuple(once.values())


def home_targets(home: Home) -> tuple[Target, ...]:
    """All plugins of a home, in order of precedence."""
    return tuple(Target(candidate.path, candidate, in_home=True) for candidate in discover(home))


class _Look:
    """One round of looking: the folder that relative paths start from, and the home, asked for at most once."""

    def __init__(self, cwd: Path, find_home: FindHome) -> None:
        self._cwd = cwd
        self._find_home = find_home
        self._known_home: Home | None = None
        self._asked = False

    # ------------------------------------------------------------ what an argument may be

    def argument(self, argument: str) -> list[Target]:
        path = self._cwd / argument
        if argument and os.path.lexists(path):
            return self._existing(argument)
        if glob.has_magic(argument):
            return self._globbed(argument)
        named = self._named(argument)
        if named:
            return named
        if argument == "-":
            raise UsageError("Standard input is not read: save the text as plugin.js, and name that file.")
        home = self._home
        nor = f", and {home.root} has no plugin of that name" if home is not None and _is_name(argument) else ""
        raise UsageError(
            f"There is no {argument}{nor}: name a plugin's file, its folder, a package, a home, a pattern, or the id "
            "of a plugin of the home."
        )

    def _named(self, name: str) -> list[Target]:
        """The plugin that the home knows under this name (and the package's half, where it has both)."""
        home = self._home if _is_name(name) else None
        found = candidates_named(home, name) if home is not None else ()
        return [Target(candidate.path, candidate, in_home=True) for candidate in found]

    def _globbed(self, pattern: str) -> list[Target]:
        matches = sorted(glob.glob(pattern, root_dir=self._cwd, recursive=True))  # noqa: PTH207 (a pattern may be absolute)
        found = []
        for match in matches:
            path = self._cwd / match
            if path.is_dir():
                found += self.folder_itself(match)
            elif path.suffix in (".js", ".mjs"):
                found.append(self._file(match))
        if not found:
            raise UsageError(
                f"The pattern {pattern} names no plugin: it matches {len(matches)} other files or folders."
            )
        return found

    def _existing(self, argument: str) -> list[Target]:
        path = self._cwd / argument
        if not path.is_dir():
            return [self._file(argument)]
        found = self.folder_itself(argument)
        if found:
            return found
        if (path / STANDALONE_FOLDER).is_dir() or (_has_home_mark(path) and (path / PACKAGES_FOLDER).is_dir()):
            root = Path(os.path.normpath(path))
            return self.home(Home(root, root, None, "named on the command line"), shown_from=argument)
        found = [target for name in self._children(path) for target in self.folder_itself(str(Path(argument, name)))]
        if not found and (path / "plugin.json").is_file():
            raise UsageError(
                f"{argument} has a plugin.json and no plugin.js: if it is a web app, "
                f"`hermes-desktop install {argument} --probe` looks at it."
            )
        if not found:
            raise UsageError(
                f"{argument} holds no plugin: there is no {ENTRY_FILE} in it, none in {DESKTOP_HALF}/ "
                "and none in the folders in it."
            )
        return found

    def folder_itself(self, argument: str) -> list[Target]:
        """The plugin or the package's half that this folder is; empty for any other folder."""
        for inside in (ENTRY_FILE, f"{DESKTOP_HALF}/{ENTRY_FILE}"):
            shown = str(Path(argument, inside))
            if os.path.lexists(self._cwd / shown):
                return [self._file(shown)]
        return []

    def home(self, home: Home, *, shown_from: str | None) -> list[Target]:
        """All plugins of a home. Paths are shown from ``shown_from`` on, or whole when nobody named the home."""
        targets = home_targets(home)
        if shown_from is None:
            return list(targets)
        return [
            replace(target, shown=str(Path(shown_from, Path(target.shown).relative_to(home.root))))
            for target in targets
        ]

    # ------------------------------------------------------------ one file

    def _file(self, shown: str) -> Target:
        # Links stay: a linked folder is a plugin under the link's name. Only `..` goes.
        path = Path(os.path.normpath(self._cwd / shown))
        folder, door = _folder_and_door(path)
        home = self._home_of(path, door)
        candidate = Candidate(door, folder.name, str(path), home=str(home) if home else "")
        return Target(shown, candidate, in_home=home is not None)

    def _home_of(self, path: Path, door: Door) -> Path | None:
        """The home whose door this file lies behind; None in a checkout or anywhere else."""
        # <home>/desktop-plugins/<folder>/plugin.js, <home>/plugins/<package>/desktop/plugin.js
        steps, wanted = (2, STANDALONE_FOLDER) if door == "standalone" else (3, PACKAGES_FOLDER)
        if path.name != ENTRY_FILE or len(path.parents) <= steps or path.parents[steps - 1].name != wanted:
            return None
        home = path.parents[steps]
        return home if _has_home_mark(home) or home in self._homes() else None

    @property
    def _home(self) -> Home | None:
        if not self._asked:
            self._asked = True
            with contextlib.suppress(UsageError):  # a file can be checked on a machine without Hermes
                self._known_home = self._find_home()
        return self._known_home

    def _homes(self) -> Sequence[Path]:
        return () if self._home is None else self._home.homes

    def _children(self, folder: Path) -> Iterator[str]:
        try:
            names = sorted(child.name for child in folder.iterdir())
        except OSError as error:
            raise UsageError(f"{folder} cannot be read: {error.strerror or error}. Mend its permissions.") from error
        for name in names:
            if name != GALLERY and is_plugin_name(name) and (folder / name).is_dir():
                yield name


def _folder_and_door(path: Path) -> tuple[Path, Door]:
    """The folder whose name counts as id. A package's half counts under its package, never under ``desktop``."""
    folder = path.parent
    if folder.name == DESKTOP_HALF and folder.parent.name not in ("", STANDALONE_FOLDER):
        return folder.parent, "unified"
    return folder, "standalone"


def _is_name(argument: str) -> bool:
    return bool(argument) and argument not in (".", "..") and not {"/", "\\", os.sep} & set(argument)


def _has_home_mark(folder: Path) -> bool:
    return folder.name == ".hermes" or any((folder / mark).exists() for mark in _HOME_MARKS)
