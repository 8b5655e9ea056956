"""One place of the pool: whose time a job's deadline is."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from typing import Any

import pytest

from loader.analysis import worker_process
from loader.analysis.keeper import Order
from loader.analysis.lanes import Job, Lane, Lost
from loader.analysis.worker_process import Answer

pytestmark = pytest.mark.anyio
DEADLINE_S = 0.05
ANSWER = Answer(None, pid=1, rss_bytes=0)


class FakeKeeper:
    """Has no process; a test says what becomes of the order."""

    def __init__(self, *, warm: bool) -> None:
        self.warm = warm
        self.orders: list[Order] = []

    def put(self, order: Order) -> None:
        self.orders.append(order)

    def drop(self, order: Order) -> None:
        order.dropped = True

    def warm_up(self) -> None: ...

    def close(self) -> Future[None]:
        ended: Future[None] = Future()
        ended.set_result(None)
        return ended


def lane_of(keeper: FakeKeeper) -> Lane:
    made: Any = lambda _: keeper  # noqa: E731 - the type of a keeper that is none
    return Lane(None, keeper=made)


def job() -> Job[None]:
    return Job(worker_process.ready, (), DEADLINE_S)


async def test_a_job_does_not_pay_for_the_start_of_the_process_that_does_it() -> None:
    keeper = FakeKeeper(warm=False)
    asyncio.get_running_loop().call_later(4 * DEADLINE_S, lambda: keeper.orders[0].tell(ANSWER))
    assert await lane_of(keeper).run(job()) is ANSWER


async def test_a_job_has_its_whole_time_from_when_it_was_taken() -> None:
    keeper = FakeKeeper(warm=False)
    began_s = time.monotonic()

    def take() -> None:
        keeper.warm, keeper.orders[0].taken_s = True, time.monotonic()

    asyncio.get_running_loop().call_later(2 * DEADLINE_S, take)
    lost = await lane_of(keeper).run(job())
    assert isinstance(lost, Lost)
    assert lost.kind == "timeout"
    assert keeper.orders[0].dropped
    assert time.monotonic() - began_s >= 3 * DEADLINE_S


async def test_a_process_that_is_there_and_takes_nothing_is_given_up() -> None:
    keeper = FakeKeeper(warm=True)
    lost = await lane_of(keeper).run(job())
    assert isinstance(lost, Lost)
    assert (lost.kind, keeper.orders[0].dropped) == ("timeout", True)
