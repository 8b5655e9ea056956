"""The whole way from a save to an event with everything real but the server: watcher, threads, analysis, time."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from loader.analysis.pool import AnalysisPool
from loader.checking.suppressing import without_suppressed
from loader.home import Home
from loader.inventory.pipeline import Pipeline
from loader.nouns import Event, Plugin, PluginFailed, PluginLoaded, PluginUnloaded
from loader.settings import ServiceSettings
from loader.testing import until

pytestmark = [pytest.mark.anyio, pytest.mark.real]
LINES = (Path(__file__).parent.parent / "cases" / "cases.jsonl").read_bytes().decode().split("\n")
CASES: dict[str, Any] = {case["id"]: case for case in map(json.loads, filter(None, LINES))}
READY_WITHIN_S = 90.0


@asynccontextmanager
async def served(root: Path, files: dict[str, str], *on: str) -> AsyncIterator[tuple[Pipeline, list[Event]]]:
    """A home with these files, these ids switched on, and every verdict there."""
    for place, text in files.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "desktop-loader").mkdir()
    state = {"version": 1, "data": dict.fromkeys(on, True)}
    (root / "desktop-loader" / "choices.json").write_text(json.dumps(state))
    events: list[Event] = []
    pool = AnalysisPool()
    await pool.start()
    home = Home(root, root, None, "a test")
    pipeline = Pipeline(home, ServiceSettings(), analyzer=pool, emit=events.append, excuse=without_suppressed)
    running = asyncio.create_task(pipeline.run())
    try:
        assert await pipeline.wait_ready(READY_WITHIN_S)
        yield pipeline, events
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await pool.close()


def errors(row: Plugin) -> list[str]:
    return [found.code for found in row.diagnostics if found.severity == "error"]


async def test_a_broken_save_and_its_repair(tmp_path: Path) -> None:
    case = CASES["broken-save-keeps-last-good"]
    async with served(tmp_path, case["input"]["files"]) as (pipeline, events):
        ((place, text),) = case["input"]["files"].items()
        good = pipeline.running("demo")
        assert good is not None
        assert good.source.text == text
        path = tmp_path / place
        path.write_text(text.splitlines()[0] + "\nexport default { id: 'demo', register(ctx) {")
        await until(lambda: isinstance(events[-1], PluginFailed), deadline_s=30)
        (row,) = pipeline.plugins()
        assert (row.state, row.running_revision) == ("failed", good.revision)
        assert errors(row) == ["HP101"]
        assert row.diagnostics[0].span is not None
        assert row.diagnostics[0].span.line == 2
        path.write_text(text.replace("v1", "v2"))
        await until(lambda: isinstance(events[-1], PluginLoaded), deadline_s=30)
        kinds = [type(event) for event in events]
        assert kinds == [PluginLoaded, PluginFailed, PluginUnloaded, PluginLoaded]
        (row,) = pipeline.plugins()
        assert (row.state, row.name) == ("ready", "v2")


async def test_one_that_never_settles_and_ids_that_are_none(tmp_path: Path) -> None:
    waits, dots, folder = (
        CASES[n]["input"]["files"]
        for n in ("top-level-await-never-settles", "id-with-dot-dot", "folder-name-differs-from-id")
    )
    files = {**waits, **dots, **folder}
    async with served(tmp_path, files, "dockyard", "stewardship") as (pipeline, events):
        found = {row.folder: (row.state, errors(row)) for row in pipeline.plugins()}
        loaded = [event.plugin.id for event in events if isinstance(event, PluginLoaded)]
        assert loaded == ["b-fine"]
        assert found["b-fine"] == ("ready", [])
        assert found["a-waits"] == ("failed", ["HP402"])
        assert found["stewardship"] == ("failed", ["HP303"])
        for name in CASES["id-with-dot-dot"]["expected"]["errors"]:
            state, codes = found[name]
            assert state == "failed", name
            assert set(codes) & {"HP302", "HP304"}, (name, codes)
        failed = [event.plugin.folder for event in events if isinstance(event, PluginFailed)]
        assert sorted(failed) == sorted(set(found) - {"b-fine"}), "each is told once"
