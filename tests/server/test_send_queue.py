import asyncio

import pytest

from loader.server.send_queue import SendQueue

pytestmark = pytest.mark.anyio


class Overflows:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1


async def drain(queue: SendQueue) -> list[str | None]:
    taken: list[str | None] = []
    while queue.owes_snapshot or len(queue):
        taken.append(await queue.take())
    return taken


async def test_texts_come_out_in_order() -> None:
    queue = SendQueue(Overflows())
    queue.preload(["hello"])
    queue.put_event("1")
    queue.put_answer("a")
    queue.put_event("2")
    assert await drain(queue) == ["hello", "1", "a", "2"]
    assert queue.size_bytes == 0


@pytest.mark.parametrize("limits", [{"limit_messages": 4}, {"limit_bytes": 8}])
async def test_an_overflow_leaves_the_answers_and_one_owed_snapshot(limits: dict[str, int]) -> None:
    overflows = Overflows()
    queue = SendQueue(overflows, **limits)
    queue.put_answer("an")
    for _ in range(10):
        queue.put_event("ev")
    assert overflows.count == 1 and queue.owes_snapshot
    assert await drain(queue) == [None, "an"]


async def test_nothing_is_kept_while_a_snapshot_is_owed() -> None:
    queue = SendQueue(Overflows(), limit_messages=2)
    for _ in range(1000):
        queue.put_event("ev")
    assert len(queue) == 0 and queue.size_bytes == 0
    assert await queue.take() is None
    queue.put_event("after")
    assert await queue.take() == "after"


async def test_an_event_too_large_for_the_queue_becomes_a_snapshot() -> None:
    queue = SendQueue(Overflows(), limit_bytes=10)
    queue.put_event("x" * 11)
    assert await queue.take() is None


async def test_the_first_frames_may_be_of_any_size() -> None:
    overflows = Overflows()
    queue = SendQueue(overflows, limit_messages=2, limit_bytes=4)
    queue.preload(["hello", "missed 1", "missed 2"])
    assert await drain(queue) == ["hello", "missed 1", "missed 2"]
    assert overflows.count == 0


async def test_a_crowded_queue_asks_its_reader_to_wait() -> None:
    queue = SendQueue(Overflows(), limit_messages=4)
    await queue.has_room()
    queue.put_answer("1")
    queue.put_answer("2")
    assert queue.is_crowded
    waiting = asyncio.create_task(queue.has_room())
    await asyncio.sleep(0)
    assert not waiting.done()
    await queue.take()
    await waiting
    assert not queue.is_crowded


async def test_a_taker_wakes_when_something_comes() -> None:
    queue = SendQueue(Overflows())
    taking = asyncio.create_task(queue.take())
    await asyncio.sleep(0)
    queue.put_event("1")
    assert await taking == "1"
