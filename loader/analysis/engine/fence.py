"""The hard stop behind the soft one: advances the engine's epoch when a run has used up its time.

The guest polls a soft interrupt only between its own bytecodes. Native loops (a search through a huge string, the
parser) never poll; for those the epoch makes wasmtime trap. One run at a time in a process, so that the epoch, which
belongs to the whole engine, can only hit the run that earned it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import wasmtime

TICK_S = 0.02
# The soft interrupt comes first wherever it can: it leaves the context usable.
HARD_AFTER_S = 0.25
# CPU time stands still while the machine sleeps or starves; a run may not last for ever on the wall either. Wide, since
# giving up early would pass a plugin that hangs: who waits for this verdict does not load it.
WALL_FACTOR = 20.0
WALL_EXTRA_S = 60.0

_run_lock = threading.Lock()


class Fence:
    """Watches the CPU time of the run in progress from a thread of its own."""

    def __init__(self, engine: wasmtime.Engine) -> None:
        self._engine = engine
        self._active = threading.Event()
        self._expired: Callable[[], bool] | None = None
        # Held while judging a run and while ending it: an epoch must never hit the run after the one that earned it.
        self._judging = threading.Lock()
        self._thread: threading.Thread | None = None
        self._pid = 0

    @contextmanager
    def around(self, store: wasmtime.Store, limit_s: float) -> Iterator[Callable[[], float]]:
        """Hold `store` to `limit_s` of this thread's CPU time; yields a reader of the time used."""
        with _run_lock:
            self._ensure_thread()
            started, wall_started = time.thread_time(), time.monotonic()
            read_cpu = _cpu_clock_of_this_thread()
            cpu_started = read_cpu()
            wall_limit_s = limit_s * WALL_FACTOR + WALL_EXTRA_S

            def expired() -> bool:
                return (
                    read_cpu() - cpu_started >= limit_s + HARD_AFTER_S
                    or time.monotonic() - wall_started >= wall_limit_s
                )

            store.set_epoch_deadline(1)
            self._expired = expired
            self._active.set()
            try:
                yield lambda: time.thread_time() - started
            finally:
                self._active.clear()
                with self._judging:
                    self._expired = None

    def _ensure_thread(self) -> None:
        # After a fork the thread is gone but the object is not, hence the process id beside it.
        if self._thread is None or not self._thread.is_alive() or self._pid != os.getpid():
            self._pid = os.getpid()
            self._thread = threading.Thread(target=self._watch, name="sandbox-fence", daemon=True)
            self._thread.start()

    def _watch(self) -> None:
        while True:
            self._active.wait()
            time.sleep(TICK_S)
            with self._judging:
                if self._expired is not None and self._expired():
                    self._engine.increment_epoch()


def _cpu_clock_of_this_thread() -> Callable[[], float]:
    """A function that any thread may call to read the CPU seconds of the calling one."""
    if hasattr(time, "pthread_getcpuclockid"):
        clock = time.pthread_getcpuclockid(threading.get_ident())
        return lambda: time.clock_gettime(clock)
    # macOS and Windows have no such clock for another thread. A worker runs one thing at a time.
    return time.process_time
