"""In order, at once, and without going back in time."""

import asyncio

import pytest

from loader.inventory.telling import Teller
from loader.nouns import Event, Logged
from loader.testing import FakeClock

pytestmark = pytest.mark.anyio


def line(text: str) -> Logged:
    return Logged("info", None, text)


def test_what_a_listener_brings_about_comes_after_what_is_being_told() -> None:
    heard: list[str] = []

    def listen(event: Event) -> None:
        assert isinstance(event, Logged)
        heard.append(event.text)
        if event.text == "one":
            teller.complain("info", "three")

    teller = Teller(listen, FakeClock())
    teller.say((line("one"), line("two")))
    assert heard == ["one", "two", "three"]


def test_a_listener_that_fails_misses_one_event_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Event] = []

    def listen(event: Event) -> None:
        heard.append(event)
        raise ValueError("not today")

    Teller(listen, FakeClock()).say((line("one"), line("two")))
    assert heard == [line("one"), line("two")]
    assert [record.exc_info is not None for record in caplog.records] == [True, True]


async def test_waiting_ends_with_the_change_or_with_the_time() -> None:
    clock = FakeClock()
    teller = Teller(lambda event: None, clock)
    done: list[int] = []
    assert await teller.until(lambda: True, 0)
    waiting = asyncio.create_task(teller.until(lambda: bool(done), 5))
    await clock.advance(1)
    teller.wake()
    await clock.advance(1)
    assert not waiting.done()
    done.append(1)
    teller.wake()
    await clock.advance(0)
    assert await waiting is True
    waiting = asyncio.create_task(teller.until(lambda: False, 5))
    await clock.advance(5)
    assert await waiting is False
