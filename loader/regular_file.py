"""Opens files that others put there: nothing but a regular file, since a pipe in its place would hold us for ever."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@contextmanager
def opened_regular(path: Path, *, follow: bool = True) -> Iterator[io.BufferedReader]:
    """``follow``: also where a link leads, if the system can tell. Raises OSError, also for what is no regular file."""
    number = os.open(path, _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    # Before a file object is made of it: of a folder none is, and the descriptor would stay open.
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(0, "it is no regular file")
    with open(number, "rb") as file:  # noqa: PTH123 - an open descriptor has no path
        yield file
