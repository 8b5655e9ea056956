"""The few calls that make files last, and that change one folder for another in one step. All of it blocks."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from loader.errors import LoaderError
from loader.state import sync_folder

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_NO_EXCHANGE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM})


def write_file(path: Path, pieces: Iterable[bytes]) -> None:
    """A new file of plain rights, flushed to the disk.

    Raises:
        LoaderError: something stands there, or the disk does not take it.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(path, flags, 0o644)
        with open(handle, "wb") as file:  # noqa: PTH123 - an open descriptor has no path
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise cannot_write(path, error) from error


def make_folder(path: Path) -> None:
    """With its parents; one that is there will do. Raises LoaderError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> LoaderError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    why = "the disk is full" if full else error.strerror or str(error)
    return LoaderError(f"{path} could not be written: {why}. Nothing was installed or changed.")


def sync_tree(top: Path) -> None:
    """The names of all folders below; files were flushed as they were written."""
    for folder, _, _ in os.walk(top, topdown=False):
        sync_folder(Path(folder))


def exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in one step that nobody sees half of; False where the system cannot.

    Linux: renameat2(2) with RENAME_EXCHANGE; macOS: renamex_np(2) with RENAME_SWAP. Raises OSError.
    """
    call = _exchange_call()
    if call is None:
        return False
    if call(os.fsencode(one), os.fsencode(other)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NO_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), str(one), None, str(other))


@lru_cache(maxsize=1)
def _exchange_call() -> Any:
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            linux = library.renameat2
            return lambda one, other: linux(_AT_FDCWD, one, _AT_FDCWD, other, _RENAME_EXCHANGE)
        if sys.platform == "darwin":
            darwin = library.renamex_np
            return lambda one, other: darwin(one, other, _RENAME_SWAP)
    except (OSError, AttributeError, TypeError):
        return None
    return None


def remove_tree(path: Path) -> None:
    """Whatever stands there, as far as it can be removed: what is left has a name that nobody takes for a plugin."""
    if path.is_symlink() or path.is_file():
        with contextlib.suppress(OSError):
            path.unlink()
    else:
        shutil.rmtree(path, ignore_errors=True)
