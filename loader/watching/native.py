"""The operating system's own watch: inotify where there is one, elsewhere what watchfiles knows."""

from __future__ import annotations

from collections.abc import Sequence

from loader.watching import inotify
from loader.watching.opening import Handle, Opener, PathsMoved, WatchUnavailable

__all__ = ["Handle", "Opener", "PathsMoved", "WatchUnavailable", "open_native"]


def open_native(folders: Sequence[str], *, recursive: bool, step_ms: int, tolerant: bool) -> Handle:
    """The real ``Opener``: one instance for all folders, since instances are scarcer than watches."""
    if not recursive and inotify.is_there():
        return inotify.open_inotify(folders, step_ms=step_ms, tolerant=tolerant)
    from loader.watching.rust import open_rust  # a library that most starts can do without

    return open_rust(folders, recursive=recursive, step_ms=step_ms, tolerant=tolerant)
