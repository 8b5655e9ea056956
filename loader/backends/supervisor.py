"""One backend over time: started on demand, renewed when its code changes, given a rest when it keeps crashing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal, TypeAlias

from loader.backends.catalog import Manifest
from loader.backends.failures import Failure, StartFailed, Unavailable
from loader.backends.freshness import Print
from loader.backends.process import WorkerProcess
from loader.errors import LoaderError
from loader.settings import BackendSettings

State: TypeAlias = Literal["idle", "starting", "running", "failed", "crashed", "stopped"]
Start: TypeAlias = Callable[[Manifest, Print, Callable[[WorkerProcess, Failure], None]], Awaitable[WorkerProcess]]

RETRY_FAILED_S = 5.0
# The whole service ends within two seconds.
STOP_WITHIN_S = 0.5


class Seat:
    """``tell(failure, kept)`` says once what went wrong; ``changed`` when what the row shows may have changed."""

    def __init__(
        self,
        name: str,
        settings: BackendSettings,
        start: Start,
        *,
        tell: Callable[[Failure, bool], None],
        changed: Callable[[], None],
        now_s: Callable[[], float],
    ) -> None:
        self.name = name
        self.worker: WorkerProcess | None = None
        self.failure: Failure | None = None
        self._settings = settings
        self._start_worker = start
        self._tell = tell
        self._changed = changed
        self._now_s = now_s
        self._starting: asyncio.Task[None] | None = None
        self._starting_from: Print | None = None
        self._failed_from: Print | None = None
        self._failed_at_s = 0.0
        self._crashes: deque[float] = deque(maxlen=max(settings.crashes, 1))
        self._stopped = False
        self._retiring: set[asyncio.Task[None]] = set()

    @property
    def state(self) -> State:
        if self.worker is not None and self.worker.is_up:
            return "running"
        if self._starting is not None and not self._starting.done():
            return "starting"
        if self._stopped:
            return "stopped"
        if self.failure is not None:
            return "crashed" if self.failure.why == "crashed" else "failed"
        return "idle"

    @property
    def is_starting(self) -> bool:
        return self._starting is not None and not self._starting.done()

    # ------------------------------------------------------------ asking for it

    async def reach(self, manifest: Manifest, code: Print, wait_s: float) -> WorkerProcess:
        """A worker that takes requests: the present one, also while a newer one is being made. Raises Unavailable."""
        if self.worker is not None and self.worker.is_up:
            self.renew(manifest, code)
            return self.worker
        self._judge_rest(code)
        self.renew(manifest, code, again=True)
        await self._wait(wait_s)
        if self.worker is not None and self.worker.is_up:
            return self.worker
        raise self._unavailable()

    def renew(self, manifest: Manifest, code: Print, *, again: bool = False) -> None:
        """Make a worker from this code, unless there is one or one was tried (``again``: try all the same)."""
        if self.is_starting:
            return
        if self.worker is not None and self.worker.is_up and self.worker.code == code:
            return
        if code == self._failed_from and not again:
            return
        self._starting_from = code
        self._starting = asyncio.create_task(self._start(manifest, code), name=f"backend {self.name}")
        self._changed()

    async def refresh(self, manifest: Manifest, code: Print, wait_s: float) -> None:
        """As ``renew`` for one that runs (or failed), and wait until it is switched."""
        if self.is_starting:
            await self._wait(wait_s)
        if self.worker is not None or self.failure is not None:
            self.renew(manifest, code)
            await self._wait(wait_s)

    async def restart(self, manifest: Manifest, code: Print, wait_s: float) -> None:
        """A person wants it anew, whatever happened before. Raises Unavailable when it does not come up."""
        if self.is_starting:
            await self._wait(wait_s)
        self._crashes.clear()
        self._stopped = False
        self._failed_from = None
        before, self.worker = self.worker, None
        self.renew(manifest, code, again=True)
        await self._wait(wait_s)
        if before is not None:
            if self.worker is None and before.is_up:
                self.worker = before
            else:
                self._retire(before)
        if self.worker is None or self.worker is before:
            raise self._unavailable()

    async def close(self, *, at_once: bool = False) -> None:
        """The backend may run no longer."""
        if self._starting is not None:
            self._starting.cancel()
            with suppress(asyncio.CancelledError):
                await self._starting
        worker, self.worker = self.worker, None
        self.failure = self._failed_from = None
        self._crashes.clear()
        self._stopped = False
        if worker is not None:
            await (worker.stop(STOP_WITHIN_S) if at_once else worker.retire())
        if at_once:
            for task in list(self._retiring):
                task.cancel()
        await asyncio.gather(*self._retiring, return_exceptions=True)

    # ------------------------------------------------------------ inside

    async def _wait(self, wait_s: float) -> None:
        if self._starting is None:
            return
        await asyncio.wait({self._starting}, timeout=wait_s)
        if not self._starting.done() and self.worker is None:
            raise Unavailable("starting", f"{self.name} is still starting", retry_after_s=2)

    async def _start(self, manifest: Manifest, code: Print) -> None:
        await asyncio.sleep(self._pause_s())
        try:
            worker = await self._start_worker(manifest, code, self._gone)
        except StartFailed as error:
            self._start_failed(error.failure, code)
            return
        except (LoaderError, OSError) as error:
            self._start_failed(Failure("import-failed", f"it cannot be started: {error}"), code)
            return
        except Unavailable:
            return  # the service ends
        old, self.worker = self.worker, worker
        self.failure = self._failed_from = None
        self._changed()
        if old is not None:
            self._retire(old)

    def _retire(self, old: WorkerProcess) -> None:
        task = asyncio.create_task(old.retire(), name=f"drain {self.name}")
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    def _start_failed(self, failure: Failure, code: Print) -> None:
        news = failure != self.failure or code != self._failed_from
        self.failure, self._failed_from, self._failed_at_s = failure, code, self._now_s()
        if failure.why == "crashed":
            self._count_crash()
        if news:
            self._tell(failure, self.worker is not None and self.worker.is_up)
        self._changed()

    def _gone(self, worker: WorkerProcess, failure: Failure) -> None:
        if worker is not self.worker:
            return
        self.worker = None
        self.failure, self._failed_from, self._failed_at_s = failure, worker.code, self._now_s()
        self._count_crash()
        self._tell(failure, False)
        self._changed()

    def _count_crash(self) -> None:
        self._crashes.append(self._now_s())
        full = len(self._crashes) == self._crashes.maxlen
        self._stopped = full and self._now_s() - self._crashes[0] < self._settings.crash_window_s

    def _pause_s(self) -> float:
        recent = [at for at in self._crashes if self._now_s() - at < self._settings.crash_window_s]
        if not recent:
            return 0.0
        pause = min(self._settings.first_pause_s * 2 ** (len(recent) - 1), self._settings.longest_pause_s)
        return float(max(0.0, recent[-1] + pause - self._now_s()))

    def _judge_rest(self, code: Print) -> None:
        """Code that failed is not tried with every request; one that crashed too often not at all."""
        if code != self._failed_from:
            self._crashes.clear()
            self._stopped = False
            return
        if self.is_starting or self.failure is None:
            return
        rests = self.failure.why != "crashed" and self._now_s() - self._failed_at_s < RETRY_FAILED_S
        if self._stopped or rests:
            raise self._unavailable()

    def _unavailable(self) -> Unavailable:
        failure = self.failure
        if failure is None:
            return Unavailable("starting", f"{self.name} is still starting", retry_after_s=2)
        detail = f"{self.name}: {failure.text}"
        if self._stopped:
            detail += (
                f". It crashed {self._settings.crashes} times within {self._settings.crash_window_s:g} s and rests "
                f"until its code is saved again, or: hermes-desktop backend restart {self.name}"
            )
        extra = failure.as_json()
        del extra["message"], extra["code"]
        return Unavailable(failure.why, detail, extra)
