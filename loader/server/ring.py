"""The last events as they were sent, for clients that come back after a break (``?since=<instance>:<seq>``)."""

from __future__ import annotations

from collections import deque

RING_LIMIT_EVENTS = 4_096
# A bound in bytes too: 4,096 rows with long findings would be a hundred megabytes.
RING_LIMIT_BYTES = 8 * 1024 * 1024


class Ring:
    def __init__(self, *, limit_events: int = RING_LIMIT_EVENTS, limit_bytes: int = RING_LIMIT_BYTES) -> None:
        self._limit_events = limit_events
        self._limit_bytes = limit_bytes
        self._events: deque[tuple[int, str]] = deque()
        self._size_bytes = 0
        self._last_seq = 0

    @property
    def size_bytes(self) -> int:
        return self._size_bytes

    def append(self, seq: int, text: str) -> None:
        self._events.append((seq, text))
        self._size_bytes += len(text)
        self._last_seq = seq
        while len(self._events) > self._limit_events or self._size_bytes > self._limit_bytes:
            _, oldest = self._events.popleft()
            self._size_bytes -= len(oldest)

    def after(self, seq: int) -> list[str] | None:
        """All events behind ``seq``, in order; None when one of them is gone, or ``seq`` was never reached."""
        if seq > self._last_seq or seq < self._last_seq - len(self._events):
            return None
        missed = self._last_seq - seq
        return [text for _, text in list(self._events)[len(self._events) - missed :]]
