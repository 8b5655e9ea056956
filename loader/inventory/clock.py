"""Time as an argument: what waits, waits on a clock that a test can move by hand."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def now_s(self) -> float:
        """Seconds of a clock that never goes back; its zero means nothing."""
        ...

    def today(self) -> datetime:
        """The time of day, with its zone."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own."""

    def now_s(self) -> float:
        return time.monotonic()

    def today(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def timestamp(clock: Clock) -> str:
    """ISO 8601 in UTC with milliseconds, as rows carry it."""
    return clock.today().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def wait_event(clock: Clock, event: asyncio.Event, timeout_s: float) -> bool:
    """Wait until the event is set, at most so long; whether it is."""
    if event.is_set() or timeout_s <= 0:
        return event.is_set()
    waiting = (asyncio.ensure_future(event.wait()), asyncio.ensure_future(clock.sleep(timeout_s)))
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    return event.is_set()
