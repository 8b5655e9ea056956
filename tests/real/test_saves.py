"""Saves as editors and tools make them, on a real folder with the real watcher, real threads and real time.

The reconcile is put off here, so that everything that is seen came through a hint; what comes through the reconcile
alone is tested where no watcher runs. The analysis is the fake one: it is not what these tests are about.
"""

import asyncio
import hashlib
import json
import os
import random
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from loader.home import Home
from loader.integrity import integrity_of
from loader.inventory.pipeline import Pipeline
from loader.nouns import Event, Logged, PluginFailed, PluginLoaded, PluginUnloaded
from loader.settings import ServiceSettings
from loader.testing import FakeAnalyzer, until

pytestmark = [pytest.mark.anyio, pytest.mark.real]

NEVER_S = 3600.0


def text(plugin_id: str, name: str) -> str:
    return f"import {{ host }} from '@hermes/plugin-sdk'\nexport default {{ id: '{plugin_id}', name: '{name}' }}\n"


@dataclass
class Live:
    root: Path
    pipeline: Pipeline
    events: list[Event] = field(default_factory=list)

    def said(self) -> list[str]:
        words: list[str] = []
        for event in self.events:
            match event:
                case PluginLoaded(plugin=row):
                    if words and words[-1] == f"unload {row.id} (changed)":
                        words[-1] = f"reload {row.id} {row.name}"
                    else:
                        words.append(f"load {row.id} {row.name}")
                case PluginUnloaded():
                    words.append(f"unload {event.id} ({event.reason})")
                case PluginFailed(plugin=row):
                    words.append(f"error {row.id}")
                case Logged(level="warning" | "error"):
                    words.append(event.text)
        return words

    async def heard(self, *expected: str) -> None:
        """Exactly this was said, in this order, and nothing follows: a later save of another plugin comes next."""
        await until(lambda: len(self.said()) >= len(expected))
        assert self.said() == list(expected)
        sentinel = self.root / "desktop-plugins" / "zz-sentinel" / "plugin.js"
        sentinel.parent.mkdir(parents=True, exist_ok=True)
        sentinel.write_text(text("zz-sentinel", "v1"))
        await until(lambda: "load zz-sentinel v1" in self.said())
        await self.pipeline.reload()
        shutil.rmtree(sentinel.parent)
        await until(lambda: "unload zz-sentinel (removed)" in self.said())
        assert [word for word in self.said() if "sentinel" not in word] == list(expected)


@asynccontextmanager
async def live(
    root: Path, *, reconcile_every_s: float = NEVER_S, prepare: Callable[[Path], None] | None = None
) -> AsyncIterator[Live]:
    root.mkdir(exist_ok=True)
    if prepare is not None:
        prepare(root)
    events: list[Event] = []
    settings = ServiceSettings(reconcile_every_s=reconcile_every_s)
    home = Home(root, root, None, "a test")
    pipeline = Pipeline(home, settings, analyzer=FakeAnalyzer(), emit=events.append)
    running = asyncio.create_task(pipeline.run())
    try:
        assert await pipeline.wait_ready(20)
        yield Live(root, pipeline, events)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert running.cancelled(), running.exception()


def demo(root: Path) -> None:
    write(root / "desktop-plugins" / "demo" / "plugin.js", text("demo", "v1"))


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


async def test_plain_writes(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        await until(lambda: service.said() == ["load demo v1"])
        path = service.root / "desktop-plugins" / "demo" / "plugin.js"
        for number in range(2, 7):
            path.write_text(text("demo", f"v{number}"))
            await until(lambda number=number: service.said()[-1] == f"reload demo v{number}")  # type: ignore[misc]
        await service.heard("load demo v1", *(f"reload demo v{number}" for number in range(2, 7)))


async def test_atomic_renames(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        path = service.root / "desktop-plugins" / "demo" / "plugin.js"
        for number in range(2, 5):
            temporary = path.with_name(f".plugin.js.tmp-{number}")
            temporary.write_text(text("demo", f"v{number}"))
            temporary.replace(path)
            await until(lambda number=number: service.said()[-1] == f"reload demo v{number}")  # type: ignore[misc]
        await service.heard("load demo v1", *(f"reload demo v{number}" for number in range(2, 5)))


async def test_vim_backup_save(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        path = service.root / "desktop-plugins" / "demo" / "plugin.js"
        backup = path.with_name("plugin.js~")
        probe = path.with_name("4913")
        probe.touch()
        probe.unlink()
        path.rename(backup)
        await asyncio.sleep(0.05)  # how long vim itself may take
        path.write_text(text("demo", "v2"))
        backup.unlink()
        await service.heard("load demo v1", "reload demo v2")


async def test_truncated_and_written_in_pieces(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        path = service.root / "desktop-plugins" / "demo" / "plugin.js"
        whole = text("demo", "v2")
        with path.open("w") as file:
            await asyncio.sleep(0.3)  # the case's own pauses
            file.write(whole[:60])
            file.flush()
            await asyncio.sleep(0.1)
            file.write(whole[60:])
        await service.heard("load demo v1", "reload demo v2")


async def test_a_folder_swapped_by_rename(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        folder = service.root / "desktop-plugins" / "demo"
        prepared = tmp_path / "prepared"
        write(prepared / "plugin.js", text("demo", "v2"))
        folder.rename(tmp_path / "old")
        prepared.rename(folder)
        await until(lambda: service.said()[-1] == "reload demo v2")
        (folder / "plugin.js").write_text(text("demo", "v3"))
        await service.heard("load demo v1", "reload demo v2", "reload demo v3")


async def test_removed_and_made_again(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        folder = service.root / "desktop-plugins" / "demo"
        shutil.rmtree(folder)
        write(folder / "plugin.js", text("demo", "v2"))
        await until(lambda: service.said()[-1] == "reload demo v2")
        (folder / "plugin.js").write_text(text("demo", "v3"))
        await service.heard("load demo v1", "reload demo v2", "reload demo v3")


async def test_the_root_goes_and_comes_back(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        plugins = service.root / "desktop-plugins"
        shutil.rmtree(plugins)
        await until(lambda: "unload demo (removed)" in service.said())
        demo(service.root)
        await until(lambda: service.said()[-1] == "load demo v1")
        (plugins / "demo" / "plugin.js").write_text(text("demo", "v2"))
        await service.heard("load demo v1", "unload demo (removed)", "load demo v1", "reload demo v2")


async def test_a_root_that_is_missing_at_the_start(tmp_path: Path) -> None:
    async with live(tmp_path / "home") as service:
        assert service.said() == []
        demo(service.root)
        await until(lambda: service.said() == ["load demo v1"])
        (service.root / "desktop-plugins" / "demo" / "plugin.js").write_text(text("demo", "v2"))
        await service.heard("load demo v1", "reload demo v2")


async def test_a_linked_folder(tmp_path: Path) -> None:
    def linked(root: Path) -> None:
        write(tmp_path / "elsewhere" / "plugin.js", text("demo", "v1"))
        (root / "desktop-plugins").mkdir()
        (root / "desktop-plugins" / "demo").symlink_to(tmp_path / "elsewhere", target_is_directory=True)

    async with live(tmp_path / "home", prepare=linked) as service:
        (tmp_path / "elsewhere" / "plugin.js").write_text(text("demo", "v2"))
        await service.heard("load demo v1", "reload demo v2")


async def test_side_files_touches_and_staging_folders_are_nothing(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        folder = service.root / "desktop-plugins" / "demo"
        for name in (".plugin.js.swp", "plugin.js~", "#plugin.js#", "plugin.js.bak", ".DS_Store"):
            (folder / name).write_text("x")
        (folder / ".#plugin.js").symlink_to("user@host.1:2")
        os.utime(folder / "plugin.js")
        for name in (".git", "node_modules", ".demo.staging-ab12"):
            write(service.root / "desktop-plugins" / name / "plugin.js", text("demo", "v9"))
        await service.heard("load demo v1")


async def test_a_copy_that_keeps_its_time_stamp(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        path = service.root / "desktop-plugins" / "demo" / "plugin.js"
        stamp = path.stat().st_mtime_ns
        path.write_text(text("demo", "v2"))
        os.utime(path, ns=(stamp, stamp))
        await service.heard("load demo v1", "reload demo v2")


async def test_the_apps_switches_are_read_again_when_they_change(tmp_path: Path) -> None:
    async with live(tmp_path / "home", prepare=demo) as service:
        config = service.root / "config.yaml"
        config.write_text("desktop: {pluginDecisions: {demo: false}}\n")
        await until(lambda: service.said()[-1] == "unload demo (disabled)")
        config.write_text("desktop: {pluginDecisions: {demo: true}}\n")
        await service.heard("load demo v1", "unload demo (disabled)", "load demo v1")


async def test_a_linked_file_is_followed_by_the_reconcile(tmp_path: Path) -> None:
    def linked(root: Path) -> None:
        write(tmp_path / "dist" / "bundle.js", text("demo", "v1"))
        (root / "desktop-plugins" / "demo").mkdir(parents=True)
        (root / "desktop-plugins" / "demo" / "plugin.js").symlink_to(tmp_path / "dist" / "bundle.js")

    async with live(tmp_path / "home", reconcile_every_s=0.2, prepare=linked) as service:
        (tmp_path / "dist" / "bundle.js").write_text(text("demo", "v2"))
        await until(lambda: service.said() == ["load demo v1", "reload demo v2"])


@pytest.mark.parametrize("seed", [1, 2])
async def test_after_a_storm_the_inventory_equals_the_disk(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"p{number:02}" for number in range(20)]

    def many(root: Path) -> None:
        for name in names:
            write(root / "desktop-plugins" / name / "plugin.js", text(name, "v0"))

    async with live(tmp_path / "home", reconcile_every_s=1.0, prepare=many) as service:
        plugins = service.root / "desktop-plugins"
        for number in range(150):
            name = chance.choice(names)
            folder = plugins / name
            match chance.choice(("write", "write", "atomic", "remove", "swap", "touch")):
                case "write":
                    write(folder / "plugin.js", text(name, f"v{number}"))
                case "atomic":
                    write(folder / ".tmp", text(name, f"v{number}"))
                    (folder / ".tmp").replace(folder / "plugin.js")
                case "remove":
                    shutil.rmtree(folder, ignore_errors=True)
                case "swap":
                    write(tmp_path / "staged" / "plugin.js", text(name, f"v{number}"))
                    shutil.rmtree(folder, ignore_errors=True)
                    (tmp_path / "staged").rename(folder)
                case "touch":
                    if (folder / "plugin.js").exists():
                        os.utime(folder / "plugin.js")
            if number % 10 == 0:
                await asyncio.sleep(0.02)

        def on_disk() -> dict[str, str]:
            return {path.parent.name: path.read_text() for path in plugins.glob("*/plugin.js")}

        def announced() -> dict[str, str]:
            return {running.id: running.source.text for running in service.pipeline.all_running()}

        await until(lambda: announced() == on_disk() and len(service.pipeline.plugins()) == len(on_disk()))
        running: dict[str, str] = {}
        for event in service.events:
            if isinstance(event, PluginUnloaded):
                assert running.pop(event.id) == event.revision
            elif isinstance(event, PluginLoaded):
                assert event.running.id not in running
                running[event.running.id] = event.running.revision
        assert running == {one.id: one.revision for one in service.pipeline.all_running()}
        assert not any(isinstance(event, PluginFailed) for event in service.events)


async def test_declared_integrity_saved_in_two_steps(tmp_path: Path) -> None:
    def declare(folder: Path, content: str) -> None:
        value = integrity_of(hashlib.sha256(content.encode()).hexdigest())
        write(folder / "integrity.json", json.dumps({"plugin.js": value}))

    def declared(root: Path) -> None:
        demo(root)
        declare(root / "desktop-plugins" / "demo", text("demo", "v1"))

    async with live(tmp_path / "home", prepare=declared) as service:
        folder = service.root / "desktop-plugins" / "demo"
        (folder / "plugin.js").write_text(text("demo", "v2"))
        await asyncio.sleep(0.3)  # the author's second save
        declare(folder, text("demo", "v2"))
        await service.heard("load demo v1", "reload demo v2")
