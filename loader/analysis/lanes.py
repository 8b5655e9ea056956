"""One killable worker process and its place in the pool.

pebble starts, feeds, times, kills and replaces the process (measured: 0.1 ms for a round trip). One pebble pool of
one worker for each lane, because jobs in a shared pool queue behind whatever hangs, and pebble's pools do not grow.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from pebble import ProcessExpired, ProcessPool

from loader.analysis import worker_process
from loader.analysis.lean_spawn import LeanSpawnContext
from loader.analysis.worker_process import Answer

T = TypeVar("T")
_log = logging.getLogger(__name__)
LossKind: TypeAlias = Literal["timeout", "cpu", "died", "killed", "failed"]

# Recycled also without cause: whatever a parser leaks, it leaks at most this often.
JOBS_PER_WORKER = 2_000
# An idle process takes a job up within milliseconds; one that starves beside hostile plugins on a busy machine, or that
# pebble has just started anew, may need many seconds, and giving up on it passes a plugin unplayed.
TAKEN_WITHIN_S = 30.0
STARTED_WITHIN_S = 60.0


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


class PoolUnusable(Exception):
    """pebble does not take jobs any more."""


class Lane:
    """A worker process that does one job at a time. Not thread-safe: the event loop's alone."""

    def __init__(self, cache_dir: Path | None, starter: Executor) -> None:
        self._cache_dir = cache_dir
        self._starter = starter
        self._pool = self._new_pool()
        self._started = False
        self.warm = False
        """Its process has answered once."""
        self._future: Future[Any] | None = None
        self._closed = False

    def _new_pool(self) -> ProcessPool:
        # spawn, not fork: the service has threads and an event loop, and a forked copy of them is undefined.
        return ProcessPool(
            max_workers=1,
            max_tasks=JOBS_PER_WORKER,
            context=LeanSpawnContext(),
            initializer=worker_process.begin,
            initargs=(os.getpid(), self._cache_dir),
        )

    async def run(self, job: Job[T]) -> Answer[T] | Lost:
        """Give the job to the process and wait for it; `kill` ends it early."""
        began_s = time.monotonic()
        try:
            self._future = await self._submit(job)
            answer: Answer[T] = await self._taken(self._future)
        except TimeoutError:
            if time.monotonic() - began_s < job.deadline_s:
                _log.exception("an analysis failed with a time-out that is not its deadline")
                return Lost("failed", "the analysis itself failed (TimeoutError)")
            return Lost("timeout", f"no answer within {job.deadline_s:g} s")
        except ProcessExpired as expired:
            kind: LossKind = "cpu" if expired.exitcode == worker_process.EXIT_CPU_FENCE else "died"
            return Lost(kind, f"the worker process ended with code {expired.exitcode}")
        except (BrokenProcessPool, PoolUnusable):
            # Its process was ended from outside while it had no job, or before it took this one.
            self._replace()
            return Lost("died", "the worker process ended before it took the job")
        except asyncio.CancelledError:
            if self._future is not None and self._future.cancelled():
                return Lost("killed", "it was ended in favour of others")
            raise
        except Exception as error:  # a fault of ours or of a library, in the worker or on the way: one failed analysis
            if self._closed:
                return Lost("killed", "the pool was closed before the worker process took the job")
            _log.exception("an analysis failed")
            self._replace()
            return Lost("failed", f"the analysis itself failed ({type(error).__name__})")
        finally:
            self._future = None
        self.warm = True
        if answer.recycle:
            self._replace()
        return answer

    async def _taken(self, future: Future[Any]) -> Any:
        """The job's result. Raises PoolUnusable when no process takes the job up.

        Found by killing workers at random (bench.soak): after a kill at the wrong moment the next process of the same
        pool never began the job. Presumably the dead one took a part of it from the pipe with it.
        """
        waiting = asyncio.wrap_future(future)
        try:
            await asyncio.wait((waiting,), timeout=TAKEN_WITHIN_S if self.warm else STARTED_WITHIN_S)
            if not waiting.done() and not future.running():
                waiting.cancel()
                raise PoolUnusable
            return await waiting
        except asyncio.CancelledError:
            waiting.cancel()
            raise

    async def _submit(self, job: Job[T]) -> Future[Any]:
        pool = self._pool

        def schedule() -> Future[Any]:
            future: Future[Any] = pool.schedule(job.function, args=job.args, timeout=job.deadline_s)
            return future

        try:
            if self._started:
                return schedule()
        except RuntimeError as broken:  # pebble's word for a pool that lost its only worker
            raise PoolUnusable from broken
        # The first job starts the process, which takes milliseconds; and on a thread that lives as long as this pool
        # of lanes, since the kernel's parent-death signal is bound to the thread that started the process.
        self._started = True
        return await asyncio.get_running_loop().run_in_executor(self._starter, schedule)

    def warm_up(self) -> None:
        """Start the process ahead of its first job, without waiting."""
        self._started = True
        pool = self._pool
        self._starter.submit(lambda: pool.schedule(worker_process.ready))

    def kill(self) -> None:
        """End the job in progress together with its process; another process takes its place."""
        if self._future is not None:
            self._future.cancel()

    def _replace(self) -> None:
        if self._closed:
            return  # a new process now would outlive the pool
        self.warm = False
        old, self._pool = self._pool, self._new_pool()
        self._starter.submit(_end, old)
        self.warm_up()

    def close(self) -> Future[None]:
        self._closed = True
        self.kill()
        return self._starter.submit(_end, self._pool)


def _end(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]  # pebble annotates most of itself, not this
    pool.join()
