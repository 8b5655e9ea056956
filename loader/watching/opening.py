"""What the rest of the watch expects of the operating system's own: how one is opened, what it says, how it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from loader.watching.plan import Batch


class WatchUnavailable(Exception):
    """The system gives no events (any more); says why. ``limit``: because watches or instances ran out."""

    def __init__(self, reason: str, *, limit: bool = False) -> None:
        super().__init__(reason)
        self.limit = limit


class PathsMoved(Exception):
    """A folder of the list went or was closed while the watch was set up: plan again."""


class Handle(Protocol):
    """A watch that stands. Events from before ``start`` are kept, not lost."""

    def start(self, deliver: Callable[[Batch], None], failed: Callable[[str], None]) -> None:
        """Call ``deliver`` for each batch, ``failed`` when the watch breaks; both from a thread of its own."""

    def close(self) -> None:
        """End it soon, after what it has heard until now was delivered; does not wait, and is harmless twice."""


class Opener(Protocol):
    """Sets a watch up on all folders, or on none. Blocking.

    Raises:
        PathsMoved: a folder is gone or closed; ``tolerant`` passes over such folders instead.
        WatchUnavailable: no watches left, or the system has none to give.
    """

    def __call__(self, folders: Sequence[str], *, recursive: bool, step_ms: int, tolerant: bool) -> Handle: ...


def no_watches_left() -> WatchUnavailable:
    return WatchUnavailable("no file watches are left", limit=True)


def no_instances_left() -> WatchUnavailable:
    return WatchUnavailable("no watch instances or open files are left", limit=True)
