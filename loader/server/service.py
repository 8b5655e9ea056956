"""Runs the whole service for one home: claims the root, listens, watches, and ends cleanly within two seconds."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from loader import __version__
from loader.analysis.surface import shipped_surface
from loader.backends.host import Backends
from loader.checking.suppressing import without_suppressed
from loader.errors import LoaderError
from loader.home import Home
from loader.inventory.following import Analyzer
from loader.inventory.pipeline import Pipeline
from loader.nouns import ALLOWED_SPECIFIERS, BackendEvent, Event, Json, Logged, RequestsChanged
from loader.packages.asking import Requests
from loader.packages.control import Control
from loader.packages.shelf import HomeShelf
from loader.packages.standings import Standings
from loader.packages.waiting import kept_by
from loader.packages.walled import Shelf
from loader.react.choosing import React
from loader.server.access import normal_origins
from loader.server.announcer import About
from loader.server.app import MakePolicy, create_app, host_policy, make_parts
from loader.server.controlling import Controlling
from loader.server.endpoint import DEFAULT_PORT, LOOPBACK, Endpoint, announced, beside, bind, claim, withdraw
from loader.server.hub import CLOSE_GOING_AWAY
from loader.server.listening import server_for
from loader.server.page_news import PageNews
from loader.server.parts import Parts
from loader.server.ports import PipelinePort, Publish
from loader.server.sessions import Credentials, new_secret
from loader.settings import ServiceSettings

log = logging.getLogger(__name__)

READY_WITHIN_S = 3.0
# The promise is two seconds; the fence stands before that, for whatever hangs in a thread (a dead network disk).
STOP_FENCE_S = 1.7


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the caller wants to hear. Called on the event loop, and must not wait."""

    say: Callable[[str], None] = log.info
    on_ready: Callable[[Endpoint], None] = lambda _: None
    on_event: Callable[[Event], None] = lambda _: None


@asynccontextmanager
async def analysis_pool(home: Home, settings: ServiceSettings) -> AsyncIterator[Analyzer]:
    # With them comes the engine, and who brings a fake needs neither.
    from loader.analysis.cache import VerdictCache
    from loader.analysis.pool import AnalysisPool

    pool = AnalysisPool(settings.workers, cache=VerdictCache(home.state_dir), cache_dir=home.state_dir / "cache")
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


def shipped_names(specifier: str) -> tuple[str, ...]:
    """What at least one known build exports under a specifier."""
    return shipped_surface().modules[specifier].names


OpenAnalyzer = Callable[[Home, ServiceSettings], AbstractAsyncContextManager[Analyzer]]


def run(
    home: Home,
    settings: ServiceSettings,
    *,
    port: int | None = None,
    origins: Iterable[str] = (),
    hooks: Hooks = Hooks(),
    open_analyzer: OpenAnalyzer = analysis_pool,
    make_policy: MakePolicy = host_policy,
    react: React | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT. Blocks; call it in the main thread.

    ``port``: None is 8787 or the next free one, 0 lets the system choose. ``origins``: web origins let in beside ours.
    ``react``: what plugins run with in the page; None is what was fetched for this home, if it was.

    Raises UsageError for an origin that is none, AlreadyRunning, PortTaken, LoaderError (all exit 3).
    """
    origins = normal_origins(origins)
    with claim(home.state_dir), bind(port) as listening, beside(listening) or nullcontext() as six:
        bound = listening.getsockname()[1]
        if port is None and bound != DEFAULT_PORT:
            hooks.say(f"Port {DEFAULT_PORT} is busy: listening on {bound} instead.")
        service = Service(home, settings, listening, tuple(origins), hooks, open_analyzer, make_policy, react, six)
        # A Ctrl-C before our own handlers stand is a wish to stop like any other.
        with suppress(KeyboardInterrupt):
            asyncio.run(service.serve())


class Service:
    """One run on one listening socket. ``serve`` may be used without ``run`` where a loop exists already (tests)."""

    def __init__(
        self,
        home: Home,
        settings: ServiceSettings,
        listening: socket.socket,
        origins: tuple[str, ...] = (),
        hooks: Hooks = Hooks(),
        open_analyzer: OpenAnalyzer = analysis_pool,
        make_policy: MakePolicy = host_policy,
        react: React | None = None,
        also: socket.socket | None = None,
    ) -> None:
        """``also``: a second socket, on the same port of another loopback address."""
        self._home = home
        self._settings = settings
        self._sockets = [listening] if also is None else [listening, also]
        self._origins = origins
        self._hooks = hooks
        self._open_analyzer = open_analyzer
        self._make_policy = make_policy
        self._react = react or React(state_dir=home.state_dir)
        self._stop = asyncio.Event()
        bound: int = listening.getsockname()[1]
        self._port = bound
        self.endpoint = Endpoint(
            url=f"http://{LOOPBACK}:{bound}",
            token=new_secret(),
            pid=os.getpid(),
            version=__version__,
            instance=secrets.token_hex(8),
            started_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        )

    def stop(self) -> None:
        """End soon; may be called more than once. On the event loop."""
        self._stop.set()

    async def serve(self) -> None:
        """Until ``stop`` or a signal. Raises LoaderError when a part of the service failed for good."""
        with _signals(self._on_signal):
            async with self._open_analyzer(self._home, self._settings) as analyzer:
                parts = self._make_parts(analyzer)
                await self._run_parts(parts)

    def _make_parts(self, analyzer: Analyzer) -> Parts:
        home, standings = self._home, Standings(self._home)

        def make_pipeline(emit: Callable[[Event], None]) -> Pipeline:
            def heard(event: Event) -> None:
                emit(event)
                self._hooks.on_event(event)

            return Pipeline(
                home,
                self._settings,
                analyzer=analyzer,
                emit=heard,
                origins=standings,
                excuse=without_suppressed,
                shipped_exports=lambda: tuple((name, shipped_names(name)) for name in ALLOWED_SPECIFIERS),
            )

        def make_backends(publish: Publish, pipeline: Callable[[], PipelinePort]) -> Backends:
            def said(event: Logged | BackendEvent) -> None:
                publish(event)
                if isinstance(event, Logged):
                    self._hooks.on_event(event)

            news = PageNews(publish)

            def note(folder: str, row: Mapping[str, Json] | None) -> None:
                news.heard(folder, row)
                for door in ("unified", "standalone"):
                    pipeline().note_backend(f"{door}:{folder}", row)

            return Backends(home, self._settings.backends, publish=said, note=note)

        def make_shelf(pipeline: Callable[[], PipelinePort]) -> HomeShelf:
            return HomeShelf(home, standings, lambda name: pipeline().find(name), lambda: pipeline().refresh())

        def make_controlling(shelf: Shelf, pipeline: Callable[[], PipelinePort], publish: Publish) -> Controlling:
            def waiting() -> None:
                publish(RequestsChanged(len(requests.waiting())))

            requests = Requests(waiting, kept=kept_by(home))
            control = Control(home, analyzer, shelf.refresh, requests=requests)
            return Controlling(control, standings, shelf, pipeline)

        about = About(
            __version__,
            str(home.root),
            str(home.home),
            self.endpoint.instance,
            rule=home.rule,
            where=f"pid {self.endpoint.pid} at {self.endpoint.url}",
        )
        credentials = Credentials(self.endpoint.token)
        return make_parts(
            about,
            credentials,
            make_pipeline,
            self._make_policy,
            shipped_exports=shipped_names,
            make_backends=make_backends,
            make_shelf=make_shelf,
            make_controlling=make_controlling,
        )

    async def _run_parts(self, parts: Parts) -> None:
        server = server_for(create_app(parts, origins=self._origins, port=lambda: self._port, react=self._react))
        pipeline = asyncio.create_task(parts.pipeline.run(), name="pipeline")
        serving = asyncio.create_task(server.serve(sockets=self._sockets), name="server")
        stopped = asyncio.create_task(self._stop.wait(), name="stop")
        ready = asyncio.create_task(parts.pipeline.wait_ready(READY_WITHIN_S), name="ready")
        backends = asyncio.create_task(_run_backends(parts.backends), name="backends")
        shelf = asyncio.create_task(parts.shelf.run(), name="shelf")
        ends: set[asyncio.Task[object]] = {pipeline, serving, stopped, backends, shelf}
        try:
            await asyncio.wait({ready, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if not any(task.done() for task in ends):
                with announced(self._home.state_dir, self.endpoint):
                    self._hooks.on_ready(self.endpoint)
                    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            parts.hub.close_all(CLOSE_GOING_AWAY, "the service ends")
            server.should_exit = True
            for task in (pipeline, stopped, ready, backends, shelf):
                task.cancel()
            results = await asyncio.gather(pipeline, serving, ready, stopped, backends, shelf, return_exceptions=True)
        _raise_first(results)

    def _on_signal(self) -> None:
        if not self._stop.is_set():
            self._stop.set()
            _fence(self._home, self.endpoint.instance)


async def _run_backends(backends: Backends | None) -> None:
    if backends is None:
        await asyncio.Event().wait()
    else:
        await backends.run()


def _raise_first(results: Iterable[object]) -> None:
    for result in results:
        if isinstance(result, LoaderError):
            raise result
        if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
            log.error("the service failed", exc_info=result)
            raise LoaderError(f"the service failed: {type(result).__name__}: {result}") from result


@contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    """SIGTERM, SIGINT (and SIGBREAK on Windows) call ``stop`` on the event loop while the block runs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    wanted = [signal.SIGTERM, signal.SIGINT]
    if sys.platform == "win32":
        wanted.append(signal.SIGBREAK)
    # Not loop.add_signal_handler: Windows has none, and one way for all is one less to test.
    old = {number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop)) for number in wanted}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _fence(home: Home, instance: str) -> None:
    """Past this point nothing may hold the process: not a thread in a hanging read, not a worker that will not die."""

    def end() -> None:
        withdraw(home.state_dir, instance)
        os._exit(0)

    timer = threading.Timer(STOP_FENCE_S, end)
    timer.daemon = True
    timer.start()
