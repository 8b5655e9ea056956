"""One place of the pool: a worker process that does one job at a time, as the event loop sees it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from loader.analysis.keeper import Failed, Keeper, Order, ProcessLost
from loader.analysis.worker_process import EXIT_CPU_FENCE, Answer

T = TypeVar("T")
LossKind: TypeAlias = Literal["timeout", "cpu", "died", "killed", "failed"]


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer: the wall deadline, the CPU fence, a crash, our own `kill`, or a fault of ours."""

    kind: LossKind
    detail: str


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """One call in the worker: a function of worker_process, its arguments, and the wall time that it may take."""

    function: Callable[..., Answer[T]]
    args: tuple[Any, ...]
    deadline_s: float


class Lane:
    """Not thread-safe: the event loop's alone. ``keeper`` has the process (tests pass one that fails)."""

    def __init__(self, cache_dir: Path | None, *, keeper: Callable[[Path | None], Keeper] = Keeper) -> None:
        self._keeper = keeper(cache_dir)
        self._order: Order | None = None
        self._reply: asyncio.Future[Any] | None = None

    @property
    def warm(self) -> bool:
        """Whether its process has started and waits for a job, or does one."""
        return self._keeper.warm

    async def run(self, job: Job[T]) -> Answer[T] | Lost:
        """Give the job to the process and wait for it; `kill` ends it early."""
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[Any] = loop.create_future()
        order = Order(job.function, job.args, lambda result: _hand_over(loop, reply, result))
        self._order, self._reply = order, reply
        self._keeper.put(order)
        left_s = job.deadline_s
        try:
            while not reply.done() and left_s > 0:
                await asyncio.wait((reply,), timeout=left_s)
                left_s = self._left_s(order, job.deadline_s)
        except asyncio.CancelledError:
            self._keeper.drop(order)
            raise
        finally:
            self._order = self._reply = None
        if not reply.done():
            self._keeper.drop(order)
            return Lost("timeout", f"no answer within {job.deadline_s:g} s")
        result = reply.result()
        lost = _loss(result)
        if lost is not None:
            return lost
        answer: Answer[T] = result
        return answer

    def _left_s(self, order: Order, deadline_s: float) -> float:
        """What is left of a job's time, which begins when a process has taken it.

        The process that was there may have been ended meanwhile: another one's start, which the keeper bounds, is not
        the job's to pay for.
        """
        if order.taken_s is not None:
            return order.taken_s + deadline_s - time.monotonic()
        return 0.0 if self._keeper.warm else deadline_s

    def warm_up(self) -> None:
        """Start the process ahead of its first job, without waiting."""
        self._keeper.warm_up()

    def kill(self) -> None:
        """End the job in progress together with its process; another process takes its place."""
        if self._order is not None and self._reply is not None:
            self._keeper.drop(self._order)
            if not self._reply.done():
                self._reply.set_result(Lost("killed", "it was ended in favour of others"))

    def close(self) -> Future[None]:
        """End for good, whatever it does; the future is done when the process is gone."""
        ended = self._keeper.close()
        self.kill()
        return ended


def _hand_over(loop: asyncio.AbstractEventLoop, reply: asyncio.Future[Any], result: object) -> None:
    """From the keeper's thread."""

    def take() -> None:
        if not reply.done():
            reply.set_result(result)

    try:
        loop.call_soon_threadsafe(take)
    except RuntimeError:  # the loop is closed, nobody waits any more
        return


def _loss(result: object) -> Lost | None:
    if isinstance(result, ProcessLost) and result.exit_code is None:
        return Lost("failed", "no worker process could be started")
    if isinstance(result, ProcessLost):
        cpu = result.exit_code == EXIT_CPU_FENCE
        return Lost("cpu" if cpu else "died", f"the worker process ended with code {result.exit_code}")
    if isinstance(result, Failed):
        return Lost("failed", f"the analysis itself failed ({result.error})")
    return result if isinstance(result, Lost) else None
