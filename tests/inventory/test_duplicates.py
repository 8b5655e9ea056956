"""One id, several copies: who runs, who waits, who takes over."""

import json
import shutil
from collections.abc import Callable

import pytest

from tests.inventory.conftest import BROKEN, Bench, plugin

pytestmark = pytest.mark.anyio
COPY = "desktop-plugins/word-count/plugin.js"
PACKAGE = "plugins/word-count/desktop/plugin.js"


async def both(bench: Bench) -> None:
    bench.write(COPY, plugin("word-count", "v1"))
    bench.write(PACKAGE, plugin("word-count", "v2"))
    bench.home.state_dir.mkdir(exist_ok=True)
    (bench.home.state_dir / "choices.json").write_text('{"version": 1, "data": {"word-count": true}}')


@pytest.mark.parametrize("late", ["standalone:word-count", "unified:word-count"])
async def test_the_standalone_one_wins_whoever_is_judged_first(bench: Bench, late: str) -> None:
    await both(bench)
    bench.analyzer.hold(late)
    await bench.start()
    bench.analyzer.release(late)
    await bench.clock.advance(0)
    assert bench.take() == ["load word-count v1 (start)"]
    owner, other = bench.pipeline.plugins()
    assert (owner.key, owner.state) == ("standalone:word-count", "ready")
    assert (other.key, other.state) == ("unified:word-count", "shadowed")
    (finding,) = other.diagnostics
    assert finding.code == "HP305"
    assert "standalone:word-count" in finding.message
    assert bench.row("word-count") == owner


async def test_the_other_takes_over_when_the_owner_goes(bench: Bench) -> None:
    await both(bench)
    await bench.start()
    bench.take()
    await bench.save(PACKAGE, plugin("word-count", "v3"))
    assert bench.take(changes=True) == ["changed word-count shadowed"]
    shutil.rmtree(bench.path(COPY).parent)
    bench.hint(COPY)
    await bench.clock.advance(1)
    assert bench.take(changes=True) == [
        "unload word-count (removed)",
        "load word-count v3 (changed)",
        "changed word-count gone",
    ]
    await bench.save(COPY, plugin("word-count", "v1"))
    assert bench.take(changes=True) == [
        "unload word-count (duplicate)",
        "load word-count v1 (new)",
        "changed word-count shadowed",
    ]


async def test_a_broken_owner_stays_the_owner(bench: Bench) -> None:
    await both(bench)
    await bench.start()
    bench.take()
    await bench.save(COPY, BROKEN)
    await bench.clock.advance(1)
    assert bench.take() == ["error word-count HP101 (kept)"]
    await bench.restart()
    await bench.clock.advance(1)
    assert bench.take() == ["error word-count HP101"], "the same outcome at every start"
    assert [row.state for row in bench.pipeline.plugins()] == ["failed", "shadowed"]


async def test_switching_off_switches_all_copies_off(bench: Bench) -> None:
    await both(bench)
    await bench.start()
    bench.take()
    await bench.pipeline.set_choice("word-count", False)
    assert bench.take() == ["unload word-count (disabled)"]
    assert [row.state for row in bench.pipeline.plugins()] == ["disabled", "disabled"]
    await bench.pipeline.set_choice("word-count", True)
    assert bench.take() == ["load word-count v1 (enabled)"]


async def test_a_refused_claimant_keeps_nobody_from_running(bench: Bench) -> None:
    bench.write("desktop-plugins/aaa/plugin.js", plugin("demo"))
    bench.write("desktop-plugins/demo/plugin.js", plugin("demo"))
    await bench.start()
    await bench.clock.advance(1)
    assert bench.take() == ["load demo v1 (start)", "error demo HP303"]
    assert bench.row("demo").key == "standalone:demo"
    assert bench.row("standalone:aaa").state == "failed"


async def test_by_setting_a_mismatch_loads_under_its_exported_id(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(id_mismatch="warn")
    bench.write("desktop-plugins/bbb/plugin.js", plugin("demo", "b"))
    bench.write("desktop-plugins/ccc/plugin.js", plugin("demo", "c"))
    bench.write("desktop-plugins/solo/plugin.js", plugin("named"))
    await bench.start()
    assert sorted(bench.take()) == ["load demo b (start)", "load named v1 (start)"]
    assert [finding.severity for finding in bench.row("named").diagnostics] == ["warning"]
    assert bench.row("standalone:ccc").state == "shadowed"
    await bench.save("desktop-plugins/bbb/plugin.js", plugin("other", "b"))
    assert bench.take() == ["unload demo (changed)", "load other b (changed)", "load demo c (changed)"]


async def test_a_save_that_renames_itself_away_keeps_the_last_good_one(bench: Bench) -> None:
    bench.write("desktop-plugins/demo/plugin.js", plugin("demo"))
    await bench.start()
    bench.take()
    await bench.save("desktop-plugins/demo/plugin.js", plugin("demo2", "v2"))
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP303 (kept)"]
    row = bench.row("demo")
    assert (row.id, row.exported_id, row.name) == ("demo", "demo2", "v1")


async def test_the_apps_copy_of_a_package_is_no_second_plugin(bench: Bench) -> None:
    bench.write(PACKAGE, plugin("word-count", "v2"))
    marker = {"package": "word-count", "source": str(bench.path(PACKAGE).parent)}
    bench.write("desktop-plugins/word-count/.hermes-package.json", json.dumps(marker))
    bench.write(COPY, plugin("word-count", "v1"))
    await bench.start()
    (row,) = bench.pipeline.plugins()
    assert row.key == "unified:word-count"
    assert row.copied_to == str(bench.path(COPY).parent)
    bench.take(changes=True)
    # The user takes the copy over: without the marker it is a plugin of its own, and wins.
    bench.path("desktop-plugins/word-count/.hermes-package.json").unlink()
    bench.hint(COPY)
    await bench.clock.advance(2)
    assert bench.take() == ["load word-count v1 (new)"]
    owner, other = bench.pipeline.plugins()
    assert (owner.key, owner.copied_to) == ("standalone:word-count", None)
    assert (other.key, other.copied_to, other.state) == ("unified:word-count", None, "disabled")


async def test_what_the_app_brings_along_does_not_run_from_disk(bench: Bench) -> None:
    bench.write("desktop-plugins/kanban/plugin.js", plugin("kanban"))
    await bench.start()
    bench.take()
    bench.pipeline.shell_mounted("s1", "1.0", None, ["kanban", "../x", "elsewhere"])
    assert [text for text in bench.take(changes=True) if "ready" not in text] == [
        "unload kanban (duplicate)",
        "changed kanban shadowed",
    ]
    assert [finding.code for finding in bench.row("kanban").diagnostics] == ["HP305"]
    bench.pipeline.shell_gone("s1")
    assert bench.take() == [], "a window that reconnects must not make it flicker"
    bench.pipeline.shell_mounted("s2", "1.1", None, [])
    assert bench.take() == ["load kanban v1 (changed)"]
