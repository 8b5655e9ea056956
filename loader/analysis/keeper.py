"""Keeps one worker process: starts it, hands it one job after the other, ends it, puts another in its place.

A thread of its own does what blocks, and sleeps in between: a quiet service is woken by nothing here. (pebble, which
did this before, looks after each process ten times a second: half a percent of a core; and a process that was killed
while it read left the next one of its pool without its job.) Each process has its own pipe, so what dies with a
process is known to be lost.

The thread lives as long as the keeper, since the kernel's parent-death signal is bound to the thread that started the
process.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeAlias

from loader.analysis import ahead, worker_process
from loader.analysis.ahead import ForkedProcess
from loader.analysis.lean_spawn import LeanSpawnContext
from loader.analysis.worker_process import Answer, Failed

__all__ = ["Failed", "Keeper", "Order", "ProcessLost"]

# Recycled also without cause: whatever a parser leaks, it leaks at most this often.
JOBS_PER_WORKER = 2_000
START_DEADLINE_S = 60.0
# A process whose pipe has ended is on its way out; one that is not gets help.
_EXIT_WITHIN_S = 2.0
_ATTEMPTS = 3

_log = logging.getLogger(__name__)

Buffer: TypeAlias = bytes | memoryview


@dataclass(frozen=True, slots=True)
class ProcessLost:
    """The process ended before it answered; None where none had the order."""

    exit_code: int | None


@dataclass(slots=True, eq=False)
class Order:
    """One call; ``tell`` is called once, in the keeper's thread, with an Answer, a ProcessLost or a Failed.

    ``taken_s``: when a process said that it has it, on the monotonic clock.
    """

    function: Callable[..., Answer[Any]]
    args: tuple[Any, ...]
    tell: Callable[[object], None]
    dropped: bool = False
    taken_s: float | None = None


class Keeper:
    """``put``, ``drop``, ``warm_up`` and ``close`` never wait and may be called from one other thread."""

    def __init__(self, cache_dir: Path | None) -> None:
        self._cache_dir = cache_dir
        self._context = LeanSpawnContext()
        self._orders: SimpleQueue[Order | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ended: Future[None] = Future()
        # Guards what follows: whom to kill is decided by one thread and the process is reaped by another.
        self._lock = threading.Lock()
        self._process: SpawnProcess | ForkedProcess | None = None
        self._connection: Connection | None = None
        self._current: Order | None = None
        self._closed = False
        self.warm = False
        self._jobs = 0

    def put(self, order: Order) -> None:
        self._orders.put(order)
        if self._thread is None:
            # A daemon: nothing may keep the service from ending.
            self._thread = threading.Thread(target=self._run, name="worker-keeper", daemon=True)
            self._thread.start()

    def warm_up(self) -> None:
        self.put(Order(worker_process.ready, (), lambda _: None))

    def drop(self, order: Order) -> None:
        """Nobody wants its answer: it is not begun any more, or ended together with the process."""
        with self._lock:
            order.dropped = True
            if self._current is order and self._process is not None:
                self._process.kill()

    def close(self) -> Future[None]:
        """Done when the process is gone. What still waits is told of nothing."""
        with self._lock:
            if self._closed:
                return self._ended
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._orders.put(None)
        if self._thread is None:
            self._ended.set_result(None)
        return self._ended

    # ------------------------------------------------------------ in the thread

    def _run(self) -> None:
        try:
            while (order := self._orders.get()) is not None:
                if self._serve(order) and not self._closed:
                    # The next job should not wait for a start; but a start that fails is not tried for ever.
                    self.warm_up()
        finally:
            self._reap()
            self._ended.set_result(None)

    def _serve(self, order: Order) -> bool:
        """Have one order done and tell of it; whether its process is used up."""
        result: object = ProcessLost(None)
        used_up = False
        try:
            message = ForkingPickler.dumps((order.function, order.args))
            if self._taken(order, message):
                result = self._answer()
                self._jobs += 1
                used_up = not isinstance(result, Answer) or result.recycle or self._jobs >= JOBS_PER_WORKER
                code = self._reap() if used_up else None
                if isinstance(result, ProcessLost):
                    result = ProcessLost(code)
        except Exception as error:  # a defect of ours (what cannot travel): one failed job, and the thread goes on
            _log.exception("a job could not be given to a worker")
            result = Failed(type(error).__name__, "")
        order.tell(result)
        return used_up

    def _taken(self, order: Order, message: Buffer) -> bool:
        """Whether a process says that it has the order now."""
        # Again: the process may have been ended from outside while it had nothing to do.
        for _ in range(_ATTEMPTS):
            if order.dropped or not self._started():
                return False
            with self._lock:
                if order.dropped or self._closed or self._connection is None:
                    return False
                self._current, connection = order, self._connection
            try:
                connection.send_bytes(message)
                connection.recv_bytes()
            except (EOFError, OSError):
                self._reap()
                continue
            order.taken_s = time.monotonic()
            return True
        return False

    def _answer(self) -> object:
        if self._connection is None:
            return ProcessLost(None)
        try:
            result = self._connection.recv()
        except (EOFError, OSError):
            return ProcessLost(None)
        except Exception as error:  # an answer that cannot be read: a defect of ours, told as one
            result = Failed(type(error).__name__, traceback.format_exc())
        finally:
            with self._lock:
                self._current = None
        if isinstance(result, Failed):
            _log.error("an analysis failed\n%s", result.trace)
        return result

    def _started(self) -> bool:
        """Whether there is a process that waits for a job; starts one where there is none."""
        if self._process is not None:
            return True
        if self._closed:
            return False
        try:
            process, ours = self._new_process()
        except OSError:
            # No memory, no descriptors, no process left: whoever asks next tries again.
            _log.exception("a worker process could not be started")
            return False
        with self._lock:
            self._process, self._connection, self._jobs = process, ours, 0
            if self._closed:
                process.kill()
        try:
            if ours.poll(START_DEADLINE_S):
                ours.recv_bytes()
                self.warm = True
                return True
        except (EOFError, OSError):
            pass
        self._reap()
        return False

    def _new_process(self) -> tuple[SpawnProcess | ForkedProcess, Connection]:
        begun = ahead.take() if self._cache_dir is None else None
        if begun is not None:
            return begun
        ours, theirs = self._context.Pipe()
        try:
            arguments = (theirs, os.getpid(), self._cache_dir)
            process = self._context.Process(target=worker_process.work, args=arguments, daemon=True)
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return process, ours

    def _reap(self) -> int | None:
        """See the process off; its exit code."""
        self.warm = False
        with self._lock:
            process, self._process, self._current = self._process, None, None
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        if process is None:
            return None
        process.join(_EXIT_WITHIN_S)
        if process.exitcode is None:
            process.kill()
            process.join()
        code = process.exitcode
        process.close()
        return code
