"""Saves that do not pass: how long they settle, what goes on running, what is told once."""

import os
from collections.abc import Callable

import pytest

from tests.inventory.conftest import BROKEN, DEMO, Bench, plugin, running

pytestmark = pytest.mark.anyio


async def test_a_broken_save_keeps_the_last_good_one(bench: Bench) -> None:
    await running(bench)
    good = bench.row("demo").revision
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(0.24)
    assert bench.take(changes=True) == []
    await bench.clock.advance(0.02)
    assert bench.take(changes=True) == ["error demo HP101 (kept)"]
    row = bench.row("demo")
    assert (row.state, row.running_revision) == ("failed", good)
    assert row.revision != good
    assert row.name == "v1"
    running_now = bench.pipeline.running("demo")
    assert running_now is not None
    assert running_now.revision == good
    assert bench.pipeline.source_of("standalone:demo") is running_now.source
    await bench.clock.advance(5)
    os.utime(bench.path(DEMO))
    bench.hint(DEMO)
    await bench.clock.advance(5)
    assert bench.take(changes=True) == []
    await bench.save(DEMO, plugin("demo", "v2"))
    assert bench.take(changes=True) == ["unload demo (changed)", "load demo v2 (changed)"]
    assert bench.row("demo").state == "ready"


async def test_back_to_the_running_bytes_is_no_reload(bench: Bench) -> None:
    await running(bench)
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP101 (kept)"]
    await bench.save(DEMO, plugin("demo"))
    assert bench.take(changes=True) == ["changed demo ready"]
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP101 (kept)"], "broken again is news again"


async def test_back_in_time_is_nothing_at_all(bench: Bench) -> None:
    await running(bench)
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(0.2)
    await bench.save(DEMO, plugin("demo"))
    await bench.clock.advance(20)
    assert bench.take(changes=True) == []


async def test_each_distinct_broken_revision_is_told_once(bench: Bench) -> None:
    await running(bench)
    for text in (BROKEN, BROKEN + "// more\n", BROKEN):
        await bench.save(DEMO, text)
        await bench.clock.advance(1)
        assert bench.take() == ["error demo HP101 (kept)"]


async def test_what_is_touched_for_ever_is_still_told(bench: Bench) -> None:
    await running(bench)
    await bench.save(DEMO, BROKEN)
    for _ in range(3):
        os.utime(bench.path(DEMO))
        bench.hint(DEMO)
        await bench.clock.advance(0.1)
    assert bench.take() == ["error demo HP101 (kept)"]


async def test_blank_files_settle_longer(bench: Bench) -> None:
    await running(bench)
    for blank in (b"", b"\0" * 100):
        await bench.save(DEMO, plugin("demo"))
        await bench.clock.advance(1)
        bench.take(changes=True)
        await bench.save(DEMO, blank)
        await bench.clock.advance(0.98)
        assert bench.take(changes=True) == []
        await bench.clock.advance(0.04)
        assert [said.split()[:2] for said in bench.take()] == [["error", "demo"]]


async def test_refused_bytes_end_the_running_ones(bench: Bench) -> None:
    await running(bench)
    await bench.save(DEMO, "import fs from 'node:fs'\n" + plugin("demo", "v2"))
    await bench.clock.advance(1)
    assert bench.take(changes=True) == ["unload demo (failed)", "error demo HP201"]
    assert bench.pipeline.running("demo") is None
    await bench.save(DEMO, plugin("demo", "v3"))
    assert bench.take() == ["load demo v3 (changed)"]


async def test_by_setting_every_broken_save_ends_it(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(on_broken_save="unload")
    await running(bench)
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(1)
    assert bench.take(changes=True) == ["unload demo (failed)", "error demo HP101"]


async def test_a_directory_in_place_of_the_file(bench: Bench) -> None:
    bench.path(DEMO).mkdir(parents=True)
    await bench.start()
    await bench.clock.advance(2)
    assert bench.take() == ["error demo HP001"]
    row = bench.row("standalone:demo")
    assert (row.revision, row.integrity, row.state) == ("", "", "failed")
    assert bench.pipeline.source_of(row.key) is None


async def test_a_link_that_leads_nowhere_is_told_and_not_again(bench: Bench) -> None:
    bench.path(DEMO).parent.mkdir(parents=True)
    bench.path(DEMO).symlink_to(bench.root / "nowhere.js")
    await bench.start()
    await bench.clock.advance(30)
    assert bench.take(changes=True) == ["error demo HP001"]
