"""One worker process as the host sees it: started, ready, alive, hung, gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loader.backends.control import ControlServer
from loader.backends.failures import Failure, StartFailed
from loader.backends.freshness import Print
from loader.backends.inside.frames import CHUNK_BYTES, EVENT, FAILED, PING, PONG, QUIT, READY, Stream
from loader.backends.launch import Launch
from loader.backends.log_file import LogFile
from loader.settings import BackendSettings

log = logging.getLogger(__name__)

LEAVE_WITHIN_S = 3.0
COUNT_EVERY_S = 0.25
CONNECT_WITHIN_S = 5.0
OUT_OF_TURN = "it speaks out of turn"
_GROUPS = sys.platform != "win32"

OnEvent = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a running worker said of itself."""

    pid: int
    python: str
    python_version: str
    sandboxed: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    port: int
    python: str
    version: str


class WorkerProcess:
    """``print``: of the code it was started from. ``on_gone`` is called once, on the loop, if it ends unasked."""

    def __init__(
        self,
        launch: Launch,
        code: Print,
        log_file: LogFile,
        settings: BackendSettings,
        *,
        on_event: OnEvent,
        on_gone: Callable[[WorkerProcess, Failure], None],
    ) -> None:
        self.code = code
        self.open = 0
        self.facts: Facts | None = None
        self.failure: Failure | None = None
        self.secret = ""
        self.draining = asyncio.Event()
        self.gone = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._launch = launch
        self._log_file = log_file
        self._settings = settings
        self._on_event = on_event
        self._on_gone = on_gone
        self._process: asyncio.subprocess.Process | None = None
        self._control: Stream | None = None
        self._guard: int | None = None
        self._address: Mapping[str, Any] = {}
        self._ready: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        self._heard_s = 0.0
        self._why_killed: str | None = None
        self._wanted_gone = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def name(self) -> str:
        """The backend's."""
        return str(self._launch.options["name"])

    @property
    def is_up(self) -> bool:
        return self.facts is not None and not self.gone.is_set() and not self._wanted_gone

    # ------------------------------------------------------------ start

    async def start(self, control: ControlServer) -> None:
        """Until it is ready. Raises StartFailed; it is gone then."""
        secret, coming = control.expect()
        try:
            await self._spawn({**self._launch.options, "secret": secret, "control": control.address})
            self.secret = secret
            self._do(self._listen(coming))
            async with asyncio.timeout(self._settings.start_limit_s):
                answer = await self._ready
        except TimeoutError:
            self.kill(f"its import did not end within {self._settings.start_limit_s:g} s")
            await self.gone.wait()
            raise StartFailed(Failure("import-failed", self._why_killed or "", trace=self._log_file.tail())) from None
        except OSError as error:
            await self._end_start()
            raise StartFailed(Failure("import-failed", f"{self._launch.command[0]} cannot be run: {error}")) from error
        except BaseException:
            await self._end_start()
            raise
        finally:
            coming.cancel()
        assert self._process is not None  # noqa: S101 - it was spawned
        # Where the host chose the address, nobody talks it into another one.
        listen = self._launch.options["listen"]
        self._address = listen if "unix" in listen else {"port": answer.port}
        self.facts = Facts(self._process.pid, answer.python, answer.version, sandboxed=self._launch.sandboxed)
        self._do(self._keep_asking())

    async def _end_start(self) -> None:
        self._wanted_gone = True
        if self._process is None:
            self._close_guard()
            self.gone.set()
            return
        self.kill("the start was given up")
        await self.gone.wait()

    async def _spawn(self, options: Mapping[str, Any]) -> None:
        stdin, self._guard = os.pipe()
        output, printed = os.pipe()
        try:
            os.write(self._guard, json.dumps(options).encode("ascii") + b"\n")
            more: dict[str, Any] = {"start_new_session": True} if _GROUPS else {}
            if sys.platform == "win32":
                more["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
            self._process = await asyncio.create_subprocess_exec(
                *self._launch.command,
                stdin=stdin,
                stdout=printed,
                stderr=printed,
                env=dict(self._launch.env),
                cwd=self._launch.cwd,
                **more,
            )
        except BaseException:
            os.close(output)
            raise
        finally:
            os.close(stdin)
            os.close(printed)
        self._log_file.follow(output)
        self._do(self._watch())
        if sys.platform == "linux":
            self._do(self._count())

    # ------------------------------------------------------------ life

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self, coming: asyncio.Future[Stream]) -> None:
        try:
            control = self._control = await coming
        except asyncio.CancelledError:
            return
        try:
            while (got := await control.read()) is not None:
                self._heard_s = asyncio.get_running_loop().time()
                try:
                    self._take(*got)
                except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                    self.kill(OUT_OF_TURN)
        finally:
            control.close()

    def _take(self, kind: bytes, payload: bytes) -> None:
        """Raises what comes of a payload that no worker of ours sends."""
        if kind == READY and not self._ready.done():
            self._ready.set_result(_answer_of(payload))
        elif kind == FAILED and not self._ready.done():
            self._ready.set_exception(StartFailed(_failure_of(payload)))
        elif kind == EVENT:
            self._on_event(payload)
        elif kind != PONG:
            self.kill(OUT_OF_TURN)

    async def _keep_asking(self) -> None:
        """A worker whose loop hangs answers no ping."""
        loop = asyncio.get_running_loop()
        self._heard_s = loop.time()
        while not self.gone.is_set():
            with contextlib.suppress(OSError, AttributeError):
                await self._control.write(PING)  # type: ignore[union-attr]
            await asyncio.sleep(self._settings.ping_every_s)
            if loop.time() - self._heard_s > self._settings.hung_after_s:
                self.kill(f"it did not answer for {self._settings.hung_after_s:g} s")
                return

    async def _watch(self) -> None:
        assert self._process is not None  # noqa: S101 - it was spawned
        code = await self._process.wait()
        # What it started, and what watches over it, goes with it.
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        self._close_guard()
        # Off the loop: what it printed last is read from a file.
        trace = await asyncio.to_thread(self._log_file.tail)
        failure = self.failure = Failure("crashed", self._why_killed or _how(code), trace=trace)
        self.gone.set()
        if not self._ready.done():
            # Give what it said with its last breath the time to arrive.
            await asyncio.sleep(0.05)
        if not self._ready.done():
            self._ready.set_exception(StartFailed(failure))
            if self._wanted_gone:
                self._ready.exception()
        elif not self._wanted_gone and self.facts is not None:
            self._on_gone(self, failure)

    async def _count(self) -> None:
        """A fork bomb is ended before it takes the machine: the kernel's own count does not hold for root."""
        assert self._process is not None  # noqa: S101 - it was spawned
        while not self.gone.is_set():
            await asyncio.sleep(COUNT_EVERY_S)
            if _grown(self._process.pid, self._settings.processes):
                self.kill(f"it has more than {self._settings.processes} processes")
                return

    # ------------------------------------------------------------ requests

    @contextmanager
    def request(self) -> Iterator[None]:
        """While it lasts, a retiring worker stays."""
        self.open += 1
        self._idle.clear()
        try:
            yield
        finally:
            self.open -= 1
            if self.open == 0:
                self._idle.set()

    async def connect(self) -> Stream:
        """A new connection for one request. Raises OSError when the worker is gone."""
        async with asyncio.timeout(CONNECT_WITHIN_S):
            if "unix" in self._address:
                opened = await asyncio.open_unix_connection(self._address["unix"], limit=2 * CHUNK_BYTES)
            else:
                opened = await asyncio.open_connection("127.0.0.1", self._address["port"], limit=2 * CHUNK_BYTES)
        return Stream(*opened)

    # ------------------------------------------------------------ end

    async def retire(self) -> None:
        """No new requests; the open ones may end within ``drain_s``; then it shuts down, or is killed."""
        self._wanted_gone = True
        self.draining.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._settings.drain_s):
                await self._idle.wait()
        await self.stop()

    async def stop(self, within_s: float = LEAVE_WITHIN_S) -> None:
        self._wanted_gone = True
        self.draining.set()
        with contextlib.suppress(OSError, TimeoutError):
            if self._control is not None and not self.gone.is_set():
                await self._control.write(QUIT)
                await asyncio.wait_for(self.gone.wait(), within_s)
        self.kill("it did not leave")
        if self._process is not None:
            await self.gone.wait()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def kill(self, why: str) -> None:
        """At once, with all that it started in its session."""
        if self.gone.is_set():
            return
        self._why_killed = self._why_killed or why
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        self._close_guard()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if _GROUPS:
                os.killpg(self._process.pid, number)
            elif self._process.returncode is None:
                self._process.kill()

    def _close_guard(self) -> None:
        if self._guard is not None:
            guard, self._guard = self._guard, None
            with contextlib.suppress(OSError):
                os.close(guard)


def _answer_of(payload: bytes) -> _Answer:
    said = json.loads(payload)
    return _Answer(int(said["address"].get("port", 0)), str(said["python"])[:1000], str(said["version"])[:100])


def _failure_of(payload: bytes) -> Failure:
    said = json.loads(payload)
    why = "no-router" if said.get("kind") == "no-router" else "import-failed"
    line = said.get("line")
    return Failure(
        why,  # type: ignore[arg-type]
        str(said.get("error"))[:1000],
        str(said["file"])[:1000] if said.get("file") else None,
        line if isinstance(line, int) else None,
        str(said.get("trace"))[:8000],
    )


def _how(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"


def _grown(pid: int, limit: int) -> bool:
    """Whether the process has more than ``limit`` descendants, itself included."""
    seen, todo = 0, [pid]
    while todo and seen <= limit:
        parent = todo.pop()
        seen += 1
        with contextlib.suppress(OSError):
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii")
            todo += map(int, children.split())
    return seen > limit
