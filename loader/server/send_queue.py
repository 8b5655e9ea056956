"""What waits to be sent to one client: bounded, and never waited for by anybody else.

When it overflows, its events are thrown away and the client is owed one fresh snapshot instead: it then knows the
present state, which is all that the lost events would have told it. Answers to its own requests are kept; their number
is bounded by reading no further request while the queue is crowded (``has_room``).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

QUEUE_LIMIT_MESSAGES = 4_096
QUEUE_LIMIT_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Waiting:
    text: str
    is_event: bool


class SendQueue:
    """One client's queue. Texts are ASCII: their length is their size. One taker, many putters, one event loop."""

    def __init__(
        self,
        on_overflow: Callable[[], None],
        *,
        limit_messages: int = QUEUE_LIMIT_MESSAGES,
        limit_bytes: int = QUEUE_LIMIT_BYTES,
    ) -> None:
        self._on_overflow = on_overflow
        self._limit_messages = limit_messages
        self._limit_bytes = limit_bytes
        self._waiting: deque[_Waiting] = deque()
        self._size_bytes = 0
        self._owed_snapshot = False
        self._something = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    @property
    def owes_snapshot(self) -> bool:
        return self._owed_snapshot

    @property
    def size_bytes(self) -> int:
        return self._size_bytes

    def __len__(self) -> int:
        return len(self._waiting)

    def preload(self, texts: Iterable[str]) -> None:
        """What a client gets first, whatever its size: a snapshot, or what it missed (bounded by the ring)."""
        for text in texts:
            self._put(_Waiting(text, is_event=True))

    def put_event(self, text: str) -> None:
        """Never waits. While a snapshot is owed nothing is kept: the snapshot will hold it."""
        if self._owed_snapshot:
            return
        if len(self._waiting) >= self._limit_messages or self._size_bytes + len(text) > self._limit_bytes:
            self._overflow()
            return
        self._put(_Waiting(text, is_event=True))

    def put_answer(self, text: str) -> None:
        """An answer, or a call to this shell: not an event, not lost on overflow."""
        self._put(_Waiting(text, is_event=False))

    @property
    def is_crowded(self) -> bool:
        return not self._room.is_set()

    async def has_room(self) -> None:
        """Wait until less than half of the queue is taken; the reader of the client's requests does."""
        await self._room.wait()

    async def take(self) -> str | None:
        """The next text; None when a fresh snapshot must be sent now."""
        while True:
            if self._owed_snapshot:
                self._owed_snapshot = False
                return None
            if self._waiting:
                taken = self._waiting.popleft()
                self._size_bytes -= len(taken.text)
                self._judge_room()
                return taken.text
            self._something.clear()
            await self._something.wait()

    def _put(self, item: _Waiting) -> None:
        self._waiting.append(item)
        self._size_bytes += len(item.text)
        self._judge_room()
        self._something.set()

    def _overflow(self) -> None:
        self._waiting = deque(item for item in self._waiting if not item.is_event)
        self._size_bytes = sum(len(item.text) for item in self._waiting)
        self._owed_snapshot = True
        self._judge_room()
        self._something.set()
        self._on_overflow()

    def _judge_room(self) -> None:
        if len(self._waiting) * 2 < self._limit_messages and self._size_bytes * 2 < self._limit_bytes:
            self._room.set()
        else:
            self._room.clear()
