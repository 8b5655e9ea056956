"""The shipped fakes keep their own promises."""

import asyncio

import pytest

from loader.analysis.pool import AnalysisPool
from loader.inventory.clock import Clock, SystemClock, timestamp, wait_event
from loader.inventory.following import Analyzer
from loader.inventory.scanning import Watch
from loader.nouns import Source
from loader.settings import AnalysisSettings
from loader.testing import FakeAnalyzer, FakeClock, FakeWatcher, simple_verdict, until
from loader.watching import watch

pytestmark = pytest.mark.anyio

# The type checker holds fakes and real things to the same shapes.
CLOCKS: tuple[type[Clock], ...] = (FakeClock, SystemClock)
ANALYZERS: tuple[type[Analyzer], ...] = (FakeAnalyzer, AnalysisPool)
WATCHES: tuple[Watch, ...] = (FakeWatcher(), watch)


async def test_sleepers_wake_in_the_order_of_their_time() -> None:
    clock = FakeClock()
    woken: list[tuple[str, float]] = []

    async def sleeper(name: str, *naps: float) -> None:
        for nap in naps:
            await clock.sleep(nap)
            woken.append((name, clock.now_s() - 1000))

    tasks = [asyncio.create_task(sleeper("long", 3)), asyncio.create_task(sleeper("short", 1, 1, 5))]
    await clock.advance(2.5)
    assert woken == [("short", 1.0), ("short", 2.0)]
    assert clock.now_s() == 1002.5
    await clock.advance(10)
    assert woken[2:] == [("long", 3.0), ("short", 7.0)]
    await asyncio.gather(*tasks)


async def test_a_sleeper_that_is_called_off_is_forgotten() -> None:
    clock = FakeClock()
    task = asyncio.create_task(clock.sleep(5))
    await clock.advance(1)
    task.cancel()
    await clock.advance(10)
    assert task.cancelled()
    assert clock._sleepers == []


async def test_waiting_for_an_event_ends_with_either() -> None:
    clock, event = FakeClock(), asyncio.Event()
    assert await wait_event(clock, event, 0) is False
    waiting = asyncio.create_task(wait_event(clock, event, 5))
    await clock.advance(5)
    assert await waiting is False
    waiting = asyncio.create_task(wait_event(clock, event, 5))
    await clock.advance(1)
    event.set()
    await clock.advance(0)
    assert await waiting is True
    assert clock._sleepers == []


async def test_the_time_of_day_moves_with_the_clock() -> None:
    clock = FakeClock()
    await clock.advance(61.5)
    assert timestamp(clock) == "2026-01-01T00:01:01.500Z"
    assert timestamp(SystemClock()).endswith("Z")


async def test_until_gives_up() -> None:
    await until(lambda: True)
    with pytest.raises(AssertionError, match="not within"):
        await until(lambda: False, deadline_s=0.05)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("export default { id: 'a' }", []),
        ("", ["HP104"]),
        ("export default { id: 'a'", ["HP101"]),
        ("import x from 'fs'\nexport default { id: 'a' }", ["HP201"]),
        ("export default { }", ["HP302"]),
    ],
)
def test_the_simple_check(text: str, codes: list[str]) -> None:
    source = Source(text.encode(), text, "0" * 64)
    assert [found.code for found in simple_verdict(source, AnalysisSettings()).diagnostics] == codes
