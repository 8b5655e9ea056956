"""One process at a time, and whatever becomes of it: each order is told of once, and nothing is left behind."""

import importlib
import operator
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import connection
from multiprocessing.context import SpawnProcess
from typing import Any

import pytest

from loader.analysis import worker_process
from loader.analysis.keeper import Failed, Keeper, Order, ProcessLost
from loader.analysis.worker_process import Answer

pytestmark = pytest.mark.real

DEADLINE_S = 60.0
# The system's own: what measures the suite replaces the one of ``os``, by a function that cannot travel.
end_process: Callable[[int], Any] = importlib.import_module(os.name)._exit


class Watched(Keeper):
    """Wakes whoever waits for something about it."""

    def __init__(self) -> None:
        object.__setattr__(self, "_changed", threading.Condition())
        super().__init__(None)

    def __setattr__(self, name: str, value: object) -> None:
        with self._changed:
            super().__setattr__(name, value)
            self._changed.notify_all()

    def wait(self, holds: Callable[[], object]) -> None:
        with self._changed:
            assert self._changed.wait_for(holds, DEADLINE_S), "did not come to pass"

    _changed: threading.Condition


class Told:
    def __init__(self, keeper: Watched) -> None:
        self.keeper = keeper
        self._results: queue.SimpleQueue[object] = queue.SimpleQueue()

    def put(self, function: Callable[..., Any], *args: Any) -> Order:
        order = Order(function, args, self._results.put)
        self.keeper.put(order)
        return order

    def next(self) -> object:
        return self._results.get(timeout=DEADLINE_S)

    def ask(self, function: Callable[..., Any], *args: Any) -> object:
        self.put(function, *args)
        return self.next()

    def pid(self) -> int:
        answer = self.ask(worker_process.ready)
        assert isinstance(answer, Answer)
        return answer.pid

    @property
    def nothing_more(self) -> bool:
        return self._results.empty()


@pytest.fixture
def told() -> Iterator[Told]:
    keeper = Watched()
    yield Told(keeper)
    keeper.close().result(DEADLINE_S)


def test_one_process_does_one_job_after_the_other(told: Told) -> None:
    assert not told.keeper.warm
    first = told.pid()
    assert told.keeper.warm
    assert told.pid() == first != os.getpid()


def test_a_process_that_ends_is_told_with_its_code_and_another_takes_its_place(told: Told) -> None:
    first = told.pid()
    assert told.ask(end_process, 7) == ProcessLost(7)
    told.keeper.wait(lambda: told.keeper.warm)
    assert told.pid() != first


def test_what_a_function_raises_is_told_by_name(told: Told) -> None:
    result = told.ask(operator.truediv, 1, 0)
    assert isinstance(result, Failed)
    assert result.error == "ZeroDivisionError"
    assert "truediv" in result.trace or "division by zero" in result.trace
    assert isinstance(told.ask(worker_process.ready), Answer)


def test_arguments_that_cannot_travel_are_told_and_cost_no_process(told: Told) -> None:
    first = told.pid()
    assert isinstance(told.ask(len, iter(lambda: 0, 1)), Failed)
    assert told.pid() == first


def test_a_dropped_order_ends_with_its_process(told: Told) -> None:
    first = told.pid()
    order = told.put(time.sleep, 1000)
    told.keeper.wait(lambda: told.keeper._current is order)
    told.keeper.drop(order)
    assert isinstance(told.next(), ProcessLost)
    assert told.pid() != first


def test_an_order_dropped_before_its_turn_never_begins_and_costs_no_process(told: Told) -> None:
    first = told.pid()
    told.put(worker_process.ready)
    dropped = told.put(end_process, 9)
    told.keeper.drop(dropped)
    assert isinstance(told.next(), Answer)
    assert told.next() == ProcessLost(None)
    told.keeper.drop(dropped)  # again, and too late for anything
    assert told.pid() == first


def test_a_process_killed_while_it_had_nothing_to_do_costs_nobody_an_answer(told: Told) -> None:
    for _ in range(2):
        told.pid()
        process = told.keeper._process
        assert isinstance(process, SpawnProcess)
        process.kill()
        assert connection.wait([process.sentinel], DEADLINE_S)
    assert isinstance(told.ask(worker_process.ready), Answer)


def test_a_process_that_cannot_be_started_is_told_and_not_tried_for_ever(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[int] = []

    def full(*_: object, **__: object) -> object:
        starts.append(1)
        raise OSError(12, "Cannot allocate memory")

    with monkeypatch.context() as patched:
        patched.setattr(type(told.keeper._context), "Process", full)
        assert told.ask(worker_process.ready) == ProcessLost(None)
    assert len(starts) <= 2
    assert isinstance(told.ask(worker_process.ready), Answer)


def test_closing_ends_a_busy_process_and_one_that_was_never_started(told: Told) -> None:
    Keeper(None).close().result(DEADLINE_S)
    told.pid()
    order = told.put(time.sleep, 1000)
    told.keeper.wait(lambda: told.keeper._current is order)
    told.keeper.close().result(DEADLINE_S)
    assert told.keeper.close().done()
    assert not told.keeper.warm


def test_used_up_after_so_many_jobs(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loader.analysis.keeper.JOBS_PER_WORKER", 2)
    first = told.pid()
    assert told.pid() == first
    assert told.pid() != first
