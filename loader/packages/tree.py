"""Folders of files: copied under the same rules as an archive, and the hash of each file in them. All of it blocks."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from loader.errors import UsageError
from loader.packages.durable import make_folder, sync_tree, write_file
from loader.packages.limits import LIMITS, Limits
from loader.packages.members import Gathering, Listing
from loader.packages.names import is_left_out, parts_of
from loader.packages.refused import Invalid

_PIECE_BYTES = 256 * 1024
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
# Python and file managers write these into an installed package by themselves.
_CACHES = frozenset({"__pycache__", ".DS_Store"})
LINK = "link"
OTHER = "no file"


def copy_folder(source: Path, into: Path, *, limits: Limits = LIMITS) -> Listing:
    """Copy a folder's regular files below ``into`` (an empty folder) and flush them to the disk.

    Links are passed over: they would lead out of the copy. So is what a checkout holds beside the plugin.

    Raises:
        Invalid: a device or the like, a name or a size that may not be, too much of it.
        UsageError: something cannot be read. LoaderError: the disk does not take it.
    """
    gathering = Gathering(limits, in_one_folder=False)
    _copy(source, into, (), gathering, limits)
    listing = gathering.done()
    sync_tree(into)
    return listing


def _copy(folder: Path, into: Path, above: tuple[str, ...], gathering: Gathering, limits: Limits) -> None:
    for entry in _entries(folder):
        name = "/".join((*above, entry.name))
        if entry.is_symlink():
            gathering.link(name)
        elif entry.is_dir(follow_symlinks=False):
            gathering.folder(name)
            if not is_left_out(parts_of(name, limits)):
                _copy(Path(entry.path), into, (*above, entry.name), gathering, limits)
        elif entry.is_file(follow_symlinks=False):
            _copy_file(Path(entry.path), into, name, gathering, limits)
        else:
            raise Invalid("it is a device, a FIFO or a socket", name)


def _copy_file(path: Path, into: Path, name: str, gathering: Gathering, limits: Limits) -> None:
    try:
        size_bytes = path.lstat().st_size
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    parts = gathering.file(name, size_bytes)
    if parts is None:
        return
    target = into.joinpath(*parts)
    make_folder(target.parent)

    def pieces() -> Iterator[bytes]:
        left = size_bytes
        for piece in _pieces(path):
            left -= len(piece)
            if left < 0:
                raise Invalid("it grows while it is read", name)
            yield piece
        if left:
            raise Invalid("it shrank while it was read", name)

    write_file(target, pieces())


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror or error}.") from error


def _pieces(path: Path) -> Iterator[bytes]:
    try:
        handle = os.open(path, _OPEN_FLAGS)
        with open(handle, "rb") as file:  # noqa: PTH123 - an open descriptor has no path
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{path} is no regular file any more.")
            while piece := file.read(_PIECE_BYTES):
                yield piece
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error


# ---------------------------------------------------------------- hashes


def hash_tree(folder: Path) -> dict[str, str]:
    """The sha256 (hex) of every file below, by its path with slashes; empty when the folder is not there.

    What is no regular file has a word in place of a hash (``LINK``, ``OTHER``). Caches are passed over.

    Raises:
        UsageError: something cannot be read.
    """
    found: dict[str, str] = {}
    if folder.is_symlink():
        return {"": LINK}
    if folder.exists():
        _hash(folder, "", found)
    return found


def _hash(folder: Path, above: str, found: dict[str, str]) -> None:
    for entry in _entries(folder):
        name = f"{above}{entry.name}"
        if entry.name in _CACHES:
            continue
        if entry.is_symlink():
            found[name] = LINK
        elif entry.is_dir(follow_symlinks=False):
            _hash(Path(entry.path), f"{name}/", found)
        elif entry.is_file(follow_symlinks=False):
            digest = hashlib.sha256()
            for piece in _pieces(Path(entry.path)):
                digest.update(piece)
            found[name] = digest.hexdigest()
        else:
            found[name] = OTHER


@dataclass(frozen=True, slots=True)
class TreeChanges:
    """Paths, sorted."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def compare(before: dict[str, str], after: dict[str, str]) -> TreeChanges:
    """From one set of hashes to another."""
    return TreeChanges(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(sorted(path for path in before.keys() & after.keys() if before[path] != after[path])),
    )
