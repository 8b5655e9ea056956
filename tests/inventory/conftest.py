"""A home on disk, and a pipeline on it whose time, watcher and analysis are moved by hand."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from loader.home import Home
from loader.inventory.origins import NoOrigins, Origins
from loader.inventory.pipeline import Pipeline
from loader.nouns import Event, Logged, Plugin, PluginChanged, PluginFailed, PluginLoaded, PluginUnloaded
from loader.settings import ServiceSettings
from loader.testing import FakeAnalyzer, FakeClock, FakeWatcher, at_once

DEMO = "desktop-plugins/demo/plugin.js"


def plugin(plugin_id: str, name: str = "v1", *, more: str = "", first: str = "") -> str:
    """A small plugin; ``more`` stands in the default export, ``first`` at the top of the file."""
    start = "import { host } from '@hermes/plugin-sdk'\n"
    return f"{first}{start}export default {{ id: '{plugin_id}', name: '{name}', {more}register(ctx) {{}} }}\n"


BROKEN = "import { host } from '@hermes/plugin-sdk'\nexport default { id: 'demo', register(ctx) {\n"


def told(event: Event) -> str:
    """An event in the words of the cases: `load demo v1 (start)`."""
    match event:
        case PluginLoaded():
            assert event.plugin.running_revision == event.running.revision == event.plugin.revision
            assert event.plugin.id == event.running.id
            return f"load {event.plugin.id} {event.plugin.name} ({event.reason})"
        case PluginUnloaded():
            return f"unload {event.id} ({event.reason})"
        case PluginFailed():
            codes = ",".join(sorted({f.code for f in event.plugin.diagnostics if f.severity == "error"}))
            return f"error {event.plugin.id} {codes}" + (" (kept)" if event.running_revision else "")
        case PluginChanged():
            return f"changed {event.plugin.id} {'gone' if event.removed else event.plugin.state}"
        case Logged():
            return f"log {event.level} {event.text}"


@dataclass
class Bench:
    """One service on one home. Hints go out for every change that is made through it unless ``deaf``."""

    root: Path
    settings: ServiceSettings = field(default_factory=ServiceSettings)
    clock: FakeClock = field(default_factory=FakeClock)
    watcher: FakeWatcher = field(default_factory=FakeWatcher)
    analyzer: FakeAnalyzer = field(default_factory=FakeAnalyzer)
    events: list[Event] = field(default_factory=list)
    deaf: bool = False

    def __post_init__(self) -> None:
        self.home = Home(self.root, self.root, None, "a test")
        self.task: asyncio.Task[None] | None = None
        self.origins: Origins = NoOrigins()
        self.build()

    def build(self) -> None:
        self.pipeline = Pipeline(
            self.home,
            self.settings,
            analyzer=self.analyzer,
            emit=self.events.append,
            watch=self.watcher,
            clock=self.clock,
            in_thread=at_once,
            origins=self.origins,
        )

    async def start(self) -> None:
        self.task = asyncio.create_task(self.pipeline.run())
        await self.clock.advance(0)

    async def stop(self) -> None:
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
            assert self.task.cancelled()
            self.task = None

    async def restart(self) -> None:
        await self.stop()
        self.watcher = FakeWatcher()
        self.build()
        await self.start()

    # ---- the disk

    def path(self, place: str) -> Path:
        return self.root / place

    def write(self, place: str, text: str | bytes) -> Path:
        path = self.path(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.hint(place)
        return path

    def hint(self, place: str) -> None:
        if not self.deaf:
            self.watcher.hint(self.root / Path(*Path(place).parts[:2]))

    async def save(self, place: str, text: str | bytes) -> None:
        self.write(place, text)
        await self.clock.advance(0)

    # ---- what was told

    def take(self, *, changes: bool = False) -> list[str]:
        """What was told since the last call; without the changes of rows that say nothing else."""
        said = [told(event) for event in self.events if changes or not isinstance(event, PluginChanged)]
        self.events.clear()
        return said

    def row(self, id_or_key: str) -> Plugin:
        row = self.pipeline.find(id_or_key)
        assert row is not None, f"no row for {id_or_key}: {[row.key for row in self.pipeline.plugins()]}"
        return row


async def running(bench: Bench, text: str | None = None) -> None:
    bench.write(DEMO, text or plugin("demo"))
    await bench.start()
    assert bench.take() == ["load demo v1 (start)"]


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    made = Bench(tmp_path)
    yield made
    await made.stop()


@pytest.fixture
async def make_bench(tmp_path: Path) -> AsyncIterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(**settings: object) -> Bench:
        root = tmp_path / f"home{len(made)}"
        root.mkdir()
        made.append(Bench(root, ServiceSettings(**settings)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for bench_ in made:
        await bench_.stop()


def set_times(path: Path, stamp_ns: int) -> None:
    os.utime(path, ns=(stamp_ns, stamp_ns))
