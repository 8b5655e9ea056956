"""Watch a few folders for somebody who looks for himself: says "look again", never what happened.

For `check --watch`, whose files may lie anywhere. The caller's own look decides whether something changed; events
only make it look sooner, and where no events come it looks every second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress
from typing import TypeVar

from loader.watching.native import open_native
from loader.watching.opening import Handle, Opener, PathsMoved, WatchUnavailable

Seen = TypeVar("Seen")

POLL_EVERY_S = 1.0
STEP_MS = 20
# An editor's save is a rename, a write and a change of rights: one look after them, not three.
SETTLE_S = 0.03
_LOOKING_SHARE = 10


async def changes(
    folders: Callable[[], Iterable[str]],
    look: Callable[[], Seen],
    *,
    opener: Opener = open_native,
    poll_every_s: float = POLL_EVERY_S,
    settle_s: float = SETTLE_S,
) -> AsyncGenerator[Seen, None]:
    """Yield what ``look`` sees, first at once and then whenever it differs from the last time. Until closed.

    ``folders`` and ``look`` are called in threads; folders are watched without what lies in them. Never raises for
    what lies on the disk.
    """
    watched = _Watched(opener, asyncio.get_running_loop())
    try:
        await watched.follow(folders)
        seen = await asyncio.to_thread(look)
        while True:
            yield seen
            again = seen
            took_s = 0.0
            while again == seen:
                # Where one look takes long (a pattern over a whole disk) it is not taken all the time.
                if await watched.wait(max(poll_every_s, _LOOKING_SHARE * took_s)):
                    await asyncio.sleep(settle_s)
                began = time.monotonic()
                again = await asyncio.to_thread(look)
                took_s = time.monotonic() - began
            seen = again
            # A folder that was made anew needs a new watch; what changes before it stands is seen by the next look.
            await watched.follow(folders)
    finally:
        watched.close()


class _Watched:
    """At most one native watch, renewed when asked; silent where the system has none."""

    def __init__(self, opener: Opener, loop: asyncio.AbstractEventLoop) -> None:
        self._opener = opener
        self._loop = loop
        self._heard = asyncio.Event()
        self._handle: Handle | None = None

    async def follow(self, folders: Callable[[], Iterable[str]]) -> None:
        old, self._handle = self._handle, await asyncio.to_thread(self._open, folders)
        if self._handle is not None:
            self._handle.start(lambda batch: self._tell(), lambda reason: self._tell())
        if old is not None:
            old.close()

    async def wait(self, timeout_s: float) -> bool:
        """Until an event, at most so long; whether there was one."""
        try:
            await asyncio.wait_for(self._heard.wait(), timeout_s)
        except TimeoutError:
            return False
        self._heard.clear()
        return True

    def close(self) -> None:
        if self._handle is not None:
            self._handle.close()

    def _open(self, folders: Callable[[], Iterable[str]]) -> Handle | None:
        named = sorted(set(folders()))
        try:
            return self._opener(named, recursive=False, step_ms=STEP_MS, tolerant=True) if named else None
        except (PathsMoved, WatchUnavailable):
            return None

    def _tell(self) -> None:
        with suppress(RuntimeError):  # the loop is closed, nobody waits any more
            self._loop.call_soon_threadsafe(self._heard.set)
