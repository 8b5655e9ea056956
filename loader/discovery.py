"""The two doors: which files of a home claim to be plugins.

``desktop-plugins/<folder>/plugin.js`` is the standalone door, ``plugins/<package>/desktop/plugin.js`` the unified
one. Everything is decided name by name: what one folder name stands for depends on the folders of that name alone,
so a single row can be asked for again (``candidates_named``) as cheaply as all of them are listed (``discover``).

The app copies a package's desktop half into ``desktop-plugins/<package>`` and puts a marker beside it. What such a
marked folder is:

* the package's half exists: the package's file is the row's file, the marked folder only its ``copied_to``;
* the source that the marker names is really gone: no plugin. The app deletes such a copy as soon as it runs;
  keeping it loaded would bring an uninstalled package back to life;
* the source lies outside this home's packages, or cannot be looked at: the copy itself is what the app runs, so it
  is the row's file, but behind the unified door, because the app keeps marked folders off by default;
* the marker names a package but no source: the app's copier takes such a folder for a hand install and never
  overwrites it, its renderer still keeps it off by default: as in the line before, and it wins over the package;
* the marker is damaged: no marker. An unmarked folder is a standalone plugin and wins over a package of its name.

Category folders (``plugins/<category>/<package>``) are read by the agent's plugin manager only; the app copies
desktop halves from one level, so their desktop halves are no candidates. Only names are listed, one level deep:
what a plugin folder holds besides is never walked. An entry that cannot be read is passed over (or, where a plugin.js
may stand behind a closed door, kept, so that the reader can say why it cannot be read). Only what says nothing of the
disk raises (no descriptors or memory left): a home that could not be listed is not a home without plugins.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from loader.home import Home
from loader.listing import raise_if_passing
from loader.nouns import Candidate

ENTRY_FILE = "plugin.js"
DESKTOP_HALF = "desktop"
MARKER_FILE = ".hermes-package.json"

# A root with more names than this is no plugin folder but an accident; the rest is passed over (and said by survey).
ENTRIES_LIMIT = 20_000
_MARKER_LIMIT_BYTES = 64 * 1024
_NOT_PLUGINS = frozenset({"node_modules", "__pycache__", "__macosx"})
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR})

Why: TypeAlias = Literal[
    "name", "no-plugin-file", "stray-copy", "hidden-by-root", "hidden-by-copy", "too-many-entries", "unreadable"
]


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A folder that is no candidate although someone may have meant it as one; ``text`` says why, for people."""

    path: str
    why: Why
    text: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What a home holds: the candidates in order of precedence, and what was passed over, sorted by path."""

    candidates: tuple[Candidate, ...]
    passed_over: tuple[PassedOver, ...]


def is_plugin_name(name: str) -> bool:
    """Whether a folder of this name may be a plugin: no dot name, staging, dependency, cache or editor folder."""
    return not (
        name.startswith(".")
        or ".staging-" in name
        or name.endswith("~")
        or (name.startswith("#") and name.endswith("#"))
        or name.casefold() in _NOT_PLUGINS
        or not _is_text(name)
    )


def discover(home: Home) -> tuple[Candidate, ...]:
    """All candidates in order of precedence: standalone before unified, root before profile, then by name.

    Keys are unique. Missing roots are no error. Blocking; 500 folders take some milliseconds. Raises NotListed.
    """
    return survey(home).candidates


def candidates_named(home: Home, folder: str) -> tuple[Candidate, ...]:
    """What ``discover`` says of one folder name: none, one, or a standalone and a unified candidate. Blocking.
    Raises NotListed."""
    if not is_plugin_name(folder) or folder in ("", "..") or "/" in folder or os.sep in folder:
        return ()
    desktop_roots, package_roots = home.desktop_roots, home.package_roots
    return _decide(
        folder,
        [root for root in desktop_roots if _is_folder(str(root / folder))],
        [root for root in package_roots if _is_folder(str(root / folder))],
        [],
    )


def survey(home: Home) -> Survey:
    """``discover`` together with the reasons for what it passes over (for ``doctor``). Blocking. Raises NotListed."""
    passed_over: list[PassedOver] = []
    desktop_roots, package_roots = home.desktop_roots, home.package_roots
    standing: dict[str, tuple[list[Path], list[Path]]] = {}
    for door, roots in enumerate((desktop_roots, package_roots)):
        for root in roots:
            for name in _folders_of(root, passed_over):
                standing.setdefault(name, ([], []))[door].append(root)

    order = {str(root): rank for rank, root in enumerate((*desktop_roots, *package_roots))}
    found = [
        candidate
        for name, (desktop, packages) in standing.items()
        for candidate in _decide(name, desktop, packages, passed_over)
    ]
    found.sort(key=lambda candidate: (candidate.door, _rank(candidate, order), candidate.folder))
    return Survey(tuple(found), tuple(sorted(passed_over, key=lambda row: (row.path, row.why))))


# ---------------------------------------------------------------- one name


@dataclass(frozen=True, slots=True)
class _Marker:
    package: str
    source: str | None


def _decide(
    name: str, desktop: list[Path], packages: list[Path], passed_over: list[PassedOver]
) -> tuple[Candidate, ...]:
    """The candidates of one name, given the roots that hold a folder of it."""
    package = _package_half(name, packages)
    own: Candidate | None = None
    copied_to: str | None = None  # a copy that the app keeps in step with the package
    for root in desktop:
        folder = str(root / name)
        entry = os.path.join(folder, ENTRY_FILE)  # noqa: PTH118 - hundreds of folders at each scan: strings are cheaper
        if not _may_exist(entry):
            passed_over.append(PassedOver(folder, "no-plugin-file", f"it holds no {ENTRY_FILE}"))
            continue
        if own is not None or copied_to is not None:
            text = f"a folder '{name}' in the root's own {root.name} wins"
            passed_over.append(PassedOver(folder, "hidden-by-root", text))
            continue
        marker = read_marker(folder)
        if marker is None:
            own = Candidate("standalone", name, entry, str(root.parent))
        elif marker.source is None or (package is None and not _is_gone(marker.source)):
            own = Candidate("unified", name, entry, str(root.parent))
        elif package is not None:
            copied_to = folder
        else:
            text = f"a copy of the package '{marker.package}', whose source {marker.source} is gone: the app deletes it"
            passed_over.append(PassedOver(folder, "stray-copy", text))

    if package is not None and own is not None and own.door == "unified":
        text = f"the folder {own.path} of that name was made by hand and stands in its place"
        passed_over.append(PassedOver(package.path, "hidden-by-copy", text))
        package = None
    if package is not None and copied_to is not None:
        package = Candidate(package.door, package.folder, package.path, package.home, copied_to)
    return tuple(candidate for candidate in (own, package) if candidate is not None)


def _package_half(name: str, packages: list[Path]) -> Candidate | None:
    """The first home whose package of this name has a desktop half; packages without one are silent."""
    for root in packages:
        half = root / name / DESKTOP_HALF
        # A closed package folder says nothing about a desktop half; a closed `desktop` folder does.
        if _is_folder(str(half)) and _may_exist(str(half / ENTRY_FILE)):
            return Candidate("unified", name, str(half / ENTRY_FILE), str(root.parent))
    return None


def read_marker(folder: str) -> _Marker | None:
    """The app's marker in a copied folder; None if it is absent, too large, damaged or names no package. Blocking.

    Raises NotListed: a marker that was not seen would make a package's copy a plugin that is on by default.
    """
    path = os.path.join(folder, MARKER_FILE)  # noqa: PTH118 - as above
    try:
        # O_NONBLOCK: a FIFO of that name must not hold the scan up.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise_if_passing(path, error)
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        data = b""
        while len(data) <= _MARKER_LIMIT_BYTES and (piece := os.read(handle, _MARKER_LIMIT_BYTES + 1)):
            data += piece
    except OSError as error:
        raise_if_passing(path, error)
        return None
    finally:
        os.close(handle)
    if len(data) > _MARKER_LIMIT_BYTES:
        return None
    try:
        fields = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    package, source = fields.get("package"), fields.get("source")
    if not isinstance(package, str) or not package:
        return None
    return _Marker(package, source if isinstance(source, str) and source else None)


def _is_gone(source: str) -> bool:
    """Whether the copy's source plugin.js is really gone, not merely unreadable or out of reach.

    The path comes out of a plugin folder. A network path is never touched: looking at one tells another machine
    who is logged in here, and may hang.
    """
    if not Path(source).is_absolute() or source.startswith(("\\\\", "//")) or "\x00" in source:
        return False
    try:
        os.stat(os.path.join(source, ENTRY_FILE))  # noqa: PTH116, PTH118 - the error number is the answer
    except OSError as error:
        return error.errno in _GONE
    except ValueError:  # lone surrogates
        return False
    return False


# ---------------------------------------------------------------- the disk


def _folders_of(root: Path, passed_over: list[PassedOver]) -> Iterator[str]:
    """The names of folders (links to folders keep the link's name) that may be plugins."""
    try:
        entries = os.scandir(root)
    except OSError as error:
        raise_if_passing(str(root), error)
        if error.errno not in _GONE:
            passed_over.append(PassedOver(str(root), "unreadable", f"it cannot be listed: {error.strerror or error}"))
        return
    with entries:
        seen = 0
        while True:
            try:
                entry = next(entries, None)
            except OSError as error:  # half-way
                raise_if_passing(str(root), error)
                passed_over.append(PassedOver(str(root), "unreadable", f"listing broke off: {error.strerror or error}"))
                return
            if entry is None:
                return
            seen += 1
            if seen > ENTRIES_LIMIT:
                text = f"it holds more than {ENTRIES_LIMIT} entries; the rest was not looked at"
                passed_over.append(PassedOver(str(root), "too-many-entries", text))
                return
            if not _entry_is_folder(entry):
                continue
            if is_plugin_name(entry.name):
                yield entry.name
            elif entry.name.casefold() not in _NOT_PLUGINS and _is_text(entry.name):
                text = "names that begin with a dot, staging folders and editors' backups are no plugins"
                passed_over.append(PassedOver(entry.path, "name", text))


def _entry_is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in circles, or into a closed folder: nothing that could be read
        return False


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)  # noqa: PTH116 - hot, and strings all the way
    except (OSError, ValueError):
        return False


def _may_exist(path: str) -> bool:
    """Whether something stands there, of whatever kind, or may stand there behind a closed door."""
    try:
        os.lstat(path)
    except OSError as error:
        return error.errno not in _GONE
    return True


def _rank(candidate: Candidate, order: dict[str, int]) -> int:
    # Strings here too: each scan of a quiet service comes through for every plugin.
    above, name = os.path.split(os.path.dirname(candidate.path))  # noqa: PTH120
    package_root = os.path.dirname(above)  # noqa: PTH120
    root = package_root if name == DESKTOP_HALF and package_root in order else above
    return order.get(root, len(order))


def _is_text(name: str) -> bool:
    # Bytes that are no UTF-8 arrive as lone surrogates; the app cannot open such a folder and no message could name it.
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)
