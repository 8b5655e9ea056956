"""Telling events to whoever listens, and waiting for what they bring about."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable

from loader.inventory.clock import Clock, wait_event
from loader.nouns import Event, Logged, LogLevel

_log = logging.getLogger(__name__)


class Teller:
    """Hands events on, in order and at once, and wakes those who wait for a change."""

    def __init__(self, emit: Callable[[Event], None], clock: Clock) -> None:
        self._emit = emit
        self._clock = clock
        self._moved = asyncio.Event()
        self._waiting: deque[Event] = deque()
        self._telling = False

    def say(self, events: Iterable[Event]) -> None:
        """What a listener brings about while it listens is told after what is being told: no row goes back in time."""
        self._waiting.extend(events)
        if self._telling:
            return
        self._telling = True
        try:
            while self._waiting:
                self._tell(self._waiting.popleft())
        finally:
            self._telling = False
        self.wake()

    def _tell(self, event: Event) -> None:
        try:
            self._emit(event)
        except Exception:  # whoever listens may fail in any way; the inventory has moved on and must go on
            _log.exception("telling %s", type(event).__name__)

    def complain(self, level: LogLevel, text: str, plugin: str | None = None) -> None:
        self.say((Logged(level, plugin, text),))

    def wake(self) -> None:
        """Something moved that a waiter may be waiting for."""
        self._moved.set()
        self._moved = asyncio.Event()

    async def until(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Wait for a condition that only changes when something is told or woken; whether it came true in time."""
        end_s = self._clock.now_s() + timeout_s
        while not condition():
            if not await wait_event(self._clock, self._moved, end_s - self._clock.now_s()):
                return condition()
        return True
