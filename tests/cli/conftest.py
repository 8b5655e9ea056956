"""A command line that runs in the test's own process, in a home of its own."""

import asyncio
import json
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from loader.analysis.rehearsal.user_event import UserEvent
from loader.cli.main import run
from loader.client import Client
from loader.home import Home
from loader.nouns import Source, Verdict
from loader.server.endpoint import Endpoint, bind, claim
from loader.server.service import Hooks, Service
from loader.settings import AnalysisSettings, ServiceSettings
from loader.testing import FakeAnalyzer


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Outcome]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home that the environment names; the current folder is another, empty one."""
    home = tmp_path / "home"
    (home / "desktop-plugins").mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("HERMES_HOME", str(home))
    for name in ("NO_COLOR", "FORCE_COLOR", "HERMES_DESKTOP_DEBUG", "HERMES_DESKTOP_USER_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    # A verdict of a fake must never be what a later run finds.
    monkeypatch.setattr("loader.cli.check_now.kept_verdicts", lambda: None)
    return home


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*args: str) -> Outcome:
        capsys.readouterr()
        code = run(args)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


# ---------------------------------------------------------------- plugins, a pool and a service without the engine

GOOD = "export default {{ id: '{id}', name: '{name}', register() {{}} }}\n"


def write_plugin(home: Path, folder: str, text: str | None = None, *, package: bool = False) -> Path:
    """A plugin in a home; by default a good one. Returns its plugin.js."""
    place = home / "plugins" / folder / "desktop" if package else home / "desktop-plugins" / folder
    place.mkdir(parents=True, exist_ok=True)
    path = place / "plugin.js"
    path.write_text(GOOD.format(id=folder, name=folder.title()) if text is None else text)
    return path


class FakePool(FakeAnalyzer):
    """In place of the pool of workers: starts nothing."""

    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()
        self.events: tuple[UserEvent, ...] = ()

    async def analyze(
        self, source: Source, settings: AnalysisSettings, key: str, *, events: tuple[UserEvent, ...] = ()
    ) -> Verdict:
        self.events = events
        return await super().analyze(source, settings, key)

    async def start(self) -> None: ...

    async def close(self) -> None: ...


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that look on their own do so without worker processes (a second each); some tests run the real ones."""
    monkeypatch.setattr("loader.analysis.pool.AnalysisPool", FakePool)
    monkeypatch.setattr("loader.cli.offline.AnalysisPool", FakePool)


@dataclass
class RunningService:
    """The real service on a port of its own, in a thread, with a fake in place of the analysis."""

    endpoint: Endpoint
    analyzer: FakeAnalyzer

    @property
    def client(self) -> Client:
        return Client(self.endpoint)


@pytest.fixture
def service(home: Path) -> Iterator[RunningService]:
    analyzer = FakeAnalyzer()

    @asynccontextmanager
    async def fake_analysis(_: Home, __: ServiceSettings) -> AsyncIterator[FakeAnalyzer]:
        yield analyzer

    where = Home(home, home, None, "a test")
    ready: queue.Queue[Endpoint] = queue.Queue()
    stops: queue.Queue[Callable[[], object]] = queue.Queue()

    def serve() -> None:
        async def main() -> None:
            running = Service(where, settings, listening, hooks=Hooks(on_ready=ready.put), open_analyzer=fake_analysis)
            loop = asyncio.get_running_loop()
            stops.put(lambda: loop.call_soon_threadsafe(running.stop))
            await running.serve()

        with claim(where.state_dir), bind(0) as listening:
            asyncio.run(main())

    settings = ServiceSettings(failure_settle_ms=0, absence_settle_ms=0, reconcile_every_s=0.2)
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    stop = stops.get(timeout=20)
    try:
        yield RunningService(ready.get(timeout=20), analyzer)
    finally:
        stop()
        thread.join(timeout=20)
        assert not thread.is_alive()
