"""From a save to an event: on the real disk, with time, watcher and analysis moved by hand."""

import asyncio
import os
import shutil

import pytest

from loader.errors import UsageError
from loader.nouns import PluginLoaded, PluginUnloaded
from tests.inventory.conftest import BROKEN, DEMO, Bench, plugin, running, set_times

pytestmark = pytest.mark.anyio


# ---------------------------------------------------------------- start


async def test_an_empty_home_is_ready_at_once(bench: Bench) -> None:
    await bench.start()
    assert await bench.pipeline.wait_ready(0)
    assert bench.pipeline.plugins() == ()


async def test_ready_means_that_every_plugin_has_its_verdict(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    bench.write("desktop-plugins/slow/plugin.js", plugin("slow"))
    bench.analyzer.hold("standalone:slow")
    await bench.start()
    assert bench.take() == ["load demo v1 (start)"], "a slow plugin delays no other"
    waiting = asyncio.create_task(bench.pipeline.wait_ready(3))
    await bench.clock.advance(2.9)
    assert not waiting.done()
    await bench.clock.advance(0.2)
    assert await waiting is False
    bench.analyzer.release("standalone:slow")
    await bench.clock.advance(0)
    assert await bench.pipeline.wait_ready(0) is True
    assert bench.take() == ["load slow v1 (start)"]


async def test_what_comes_later_is_new(bench: Bench) -> None:
    await running(bench)
    await bench.save("desktop-plugins/later/plugin.js", plugin("later"))
    assert bench.take() == ["load later v1 (new)"]


async def test_broken_at_the_start_is_told_once(bench: Bench) -> None:
    bench.write(DEMO, BROKEN)
    await bench.start()
    assert bench.take() == []
    await bench.clock.advance(0.25)
    assert bench.take() == ["error demo HP101"]
    assert await bench.pipeline.wait_ready(0)
    await bench.clock.advance(60)
    assert bench.take(changes=True) == []


# ---------------------------------------------------------------- saves


async def test_a_save_that_passes_is_one_reload_at_once(bench: Bench) -> None:
    await running(bench)
    await bench.save(DEMO, plugin("demo", "v2"))
    assert bench.take(changes=True) == ["unload demo (changed)", "load demo v2 (changed)"]
    await bench.clock.advance(20)
    assert bench.take(changes=True) == []


async def test_a_touch_is_no_event(bench: Bench) -> None:
    await running(bench)
    os.utime(bench.path(DEMO))
    bench.hint(DEMO)
    await bench.clock.advance(20)
    assert bench.take(changes=True) == []
    assert len(bench.analyzer.calls) == 1


async def test_a_copy_that_keeps_its_old_time_stamp_is_an_event(bench: Bench) -> None:
    await running(bench, plugin("demo", "v1"))
    before = bench.path(DEMO).stat()
    bench.write(DEMO, plugin("demo", "v2"))
    set_times(bench.path(DEMO), before.st_mtime_ns)
    after = bench.path(DEMO).stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size)
    await bench.clock.advance(0)
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]


async def test_without_any_hint_the_reconcile_finds_it(bench: Bench) -> None:
    bench.deaf = True
    await running(bench)
    before = bench.path(DEMO).stat()
    await bench.save(DEMO, plugin("demo", "v2"))
    set_times(bench.path(DEMO), before.st_mtime_ns)
    bench.write("desktop-plugins/later/plugin.js", plugin("later"))
    await bench.clock.advance(0)
    assert bench.take() == []
    await bench.clock.advance(5)
    assert sorted(bench.take()) == ["load demo v2 (changed)", "load later v1 (new)", "unload demo (changed)"]


async def test_a_linked_file_whose_target_changes_is_found_by_the_reconcile(bench: Bench) -> None:
    target = bench.root / "dist.js"
    target.write_text(plugin("demo"))
    bench.path(DEMO).parent.mkdir(parents=True)
    bench.path(DEMO).symlink_to(target)
    await bench.start()
    assert bench.take() == ["load demo v1 (start)"]
    target.write_text(plugin("demo", "v2"))
    await bench.clock.advance(5)
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]


@pytest.mark.parametrize("gap_s", [0.0, 0.1, 0.5])
async def test_vim_backup_save(bench: Bench, gap_s: float) -> None:
    await running(bench)
    path = bench.path(DEMO)
    bench.write("desktop-plugins/demo/4913", "")
    bench.path("desktop-plugins/demo/4913").unlink()
    path.rename(path.with_name("plugin.js~"))
    bench.hint(DEMO)
    await bench.clock.advance(gap_s)
    bench.write(DEMO, plugin("demo", "v2"))
    await bench.clock.advance(gap_s)
    path.with_name("plugin.js~").unlink()
    bench.hint(DEMO)
    await bench.clock.advance(20)
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]


async def test_truncate_and_write_in_pieces(bench: Bench) -> None:
    await running(bench)
    text = plugin("demo", "v2")
    await bench.save(DEMO, "")
    await bench.clock.advance(0.3)
    for end in (30, 60, 90):
        await bench.save(DEMO, text[:end])
        await bench.clock.advance(0.1)
    assert bench.take(changes=True) == []
    await bench.save(DEMO, text)
    await bench.clock.advance(20)
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]


async def test_atomic_renames(bench: Bench) -> None:
    await running(bench)
    for name in ("v2", "v3"):
        temporary = bench.write(f"desktop-plugins/demo/.plugin.js.tmp-{name}", plugin("demo", name))
        temporary.replace(bench.path(DEMO))
        bench.hint(DEMO)
        await bench.clock.advance(2)
        assert bench.take() == ["unload demo (changed)", f"load demo {name} (changed)"]


async def test_a_folder_swap(bench: Bench) -> None:
    await running(bench)
    prepared = bench.root / "prepared"
    prepared.mkdir()
    (prepared / "plugin.js").write_text(plugin("demo", "v2"))
    folder = bench.path(DEMO).parent
    folder.rename(bench.root / "old")
    bench.hint(DEMO)
    await bench.clock.advance(0.5)
    prepared.rename(folder)
    bench.hint(DEMO)
    await bench.clock.advance(20)
    assert bench.take(changes=True) == ["unload demo (changed)", "load demo v2 (changed)"]


async def test_removed_and_made_again_in_time(bench: Bench) -> None:
    await running(bench)
    shutil.rmtree(bench.path(DEMO).parent)
    bench.hint(DEMO)
    await bench.clock.advance(0.9)
    await bench.save(DEMO, plugin("demo", "v2"))
    await bench.clock.advance(20)
    assert bench.take(changes=True) == ["unload demo (changed)", "load demo v2 (changed)"]


@pytest.mark.parametrize("hinted", [True, False])
async def test_gone_for_good(bench: Bench, hinted: bool) -> None:
    await running(bench)
    bench.deaf = not hinted
    shutil.rmtree(bench.path(DEMO).parent)
    bench.hint(DEMO)
    await bench.clock.advance(0.99 if hinted else 5.99)
    assert bench.take(changes=True) == []
    await bench.clock.advance(0.02)
    assert bench.take(changes=True) == ["unload demo (removed)", "changed demo gone"]
    assert bench.pipeline.plugins() == ()
    assert bench.pipeline.history("standalone:demo") == ()
    bench.deaf = False
    await bench.save(DEMO, plugin("demo"))
    assert bench.take() == ["load demo v1 (new)"]


async def test_only_the_file_is_deleted(bench: Bench) -> None:
    await running(bench)
    bench.path(DEMO).unlink()
    bench.hint(DEMO)
    await bench.clock.advance(1)
    assert bench.take() == ["unload demo (removed)"]


async def test_a_plugin_that_comes_and_goes_before_its_verdict_leaves_nothing(bench: Bench) -> None:
    await bench.start()
    bench.analyzer.hold("standalone:demo")
    await bench.save(DEMO, plugin("demo"))
    shutil.rmtree(bench.path(DEMO).parent)
    bench.hint(DEMO)
    await bench.clock.advance(20)
    assert bench.take(changes=True) == []
    assert len(bench.analyzer.cancelled) == 1


# ---------------------------------------------------------------- the newest save wins


async def test_an_older_analysis_is_called_off(bench: Bench) -> None:
    await running(bench)
    bench.analyzer.hold("standalone:demo")
    await bench.save(DEMO, plugin("demo", "v2"))
    await bench.save(DEMO, plugin("demo", "v3"))
    assert len(bench.analyzer.cancelled) == 1
    bench.analyzer.release("standalone:demo")
    await bench.clock.advance(20)
    assert bench.take() == ["unload demo (changed)", "load demo v3 (changed)"]


async def test_a_result_for_bytes_that_are_gone_is_dropped(bench: Bench) -> None:
    await running(bench)
    bench.analyzer.hold("standalone:demo")
    await bench.save(DEMO, plugin("demo", "v2"))
    bench.deaf = True
    await bench.save(DEMO, plugin("demo", "v3"))
    bench.analyzer.release("standalone:demo")
    await bench.clock.advance(0)
    assert bench.take() == ["unload demo (changed)", "load demo v3 (changed)"], "v2 is never announced"


async def test_hints_without_a_change_do_not_restart_the_analysis(bench: Bench) -> None:
    bench.analyzer.hold("standalone:demo")
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    for _ in range(10):
        bench.hint(DEMO)
        await bench.clock.advance(0.01)
    bench.analyzer.release("standalone:demo")
    await bench.clock.advance(0)
    assert bench.take() == ["load demo v1 (start)"]
    assert len(bench.analyzer.calls) == 1


async def test_an_analyzer_that_fails_is_a_finding_and_no_end(bench: Bench) -> None:
    def judge(*_: object) -> None:
        raise RuntimeError("the engine is gone")

    bench.analyzer.judge = judge  # type: ignore[assignment]
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP106"]
    bench.analyzer.judge = None
    await bench.pipeline.reload(["demo"])
    assert bench.take() == ["load demo v1 (manual)"], "a shrug is asked again when somebody asks"


async def test_a_listener_that_fails_stops_nothing(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    def emit(event: object) -> None:
        bench.events.append(event)  # type: ignore[arg-type]
        raise RuntimeError("a listener's fault")

    bench.pipeline._teller._emit = emit
    await running(bench)
    await bench.save(DEMO, plugin("demo", "v2"))
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]
    assert "a listener's fault" in caplog.text


async def test_a_watch_that_breaks_down_is_said_and_the_rest_goes_on(bench: Bench) -> None:
    await running(bench)
    bench.watcher.break_down(OSError("no space left on device"))
    await bench.clock.advance(0)
    (said,) = bench.take()
    assert said.startswith("log warning Watching ended (OSError: no space left on device)")
    await bench.save(DEMO, plugin("demo", "v2"))
    await bench.clock.advance(5)
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]


# ---------------------------------------------------------------- manual reload


async def test_reload_reads_from_disk_and_settles_nothing(bench: Bench) -> None:
    bench.deaf = True
    await running(bench)
    await bench.save(DEMO, plugin("demo", "v2"))
    rows = await bench.pipeline.reload()
    assert bench.take(changes=True) == ["unload demo (changed)", "load demo v2 (manual)"]
    assert [row.name for row in rows] == ["v2"]
    assert await bench.pipeline.reload() == rows
    assert bench.take(changes=True) == []
    await bench.save(DEMO, BROKEN)
    (row,) = await bench.pipeline.reload(["demo"])
    assert row.state == "failed"
    assert bench.take() == ["error demo HP101 (kept)"]
    shutil.rmtree(bench.path(DEMO).parent)
    assert await bench.pipeline.reload() == ()
    assert bench.take() == ["unload demo (removed)"]


async def test_reload_while_bad_news_settle_tells_them_now(bench: Bench) -> None:
    await running(bench)
    await bench.save(DEMO, BROKEN)
    assert bench.take() == []
    await bench.pipeline.reload(["standalone:demo"])
    assert bench.take() == ["error demo HP101 (kept)"]


async def test_reload_finds_the_new_and_knows_the_unknown(bench: Bench) -> None:
    bench.deaf = True
    await running(bench)
    bench.write("desktop-plugins/later/plugin.js", plugin("later"))
    (row,) = await bench.pipeline.reload(["later"])
    assert row.id == "later"
    assert bench.take() == ["load later v1 (manual)"]
    with pytest.raises(UsageError, match="no plugin 'nobody'"):
        await bench.pipeline.reload(["demo", "nobody"])


async def test_a_reload_that_found_nothing_leaves_no_reason_behind(bench: Bench) -> None:
    await running(bench)
    await bench.pipeline.reload()
    await bench.save(DEMO, plugin("demo", "v2"))
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]


# ---------------------------------------------------------------- many, and for long


async def test_five_hundred_plugins(bench: Bench) -> None:
    for number in range(500):
        bench.write(f"desktop-plugins/p{number:03}/plugin.js", plugin(f"p{number:03}"))
    await bench.start()
    assert len(bench.take()) == 500
    assert await bench.pipeline.wait_ready(0)
    assert [row.id for row in bench.pipeline.plugins()] == [f"p{number:03}" for number in range(500)]


async def test_the_last_five_revisions_are_kept(bench: Bench) -> None:
    await running(bench)
    for number in range(2, 9):
        await bench.save(DEMO, plugin("demo", f"v{number}"))
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(1)
    kept = bench.pipeline.history("standalone:demo")
    assert [revision.outcome for revision in kept] == ["ready"] * 4 + ["failed"]
    assert kept[-1].text == BROKEN
    assert [finding.code for finding in kept[-1].diagnostics] == ["HP101"]
    assert "v8" in (kept[-2].text or "")


async def test_nothing_grows_with_what_came_and_went(bench: Bench) -> None:
    await bench.start()
    for number in range(30):
        place = f"desktop-plugins/p{number}/plugin.js"
        await bench.save(place, plugin(f"p{number}"))
        shutil.rmtree(bench.path(place).parent)
        bench.hint(place)
        await bench.clock.advance(2)
    assert bench.pipeline.plugins() == ()
    assert list(bench.pipeline._tracks) == []
    assert bench.pipeline._tracks._by_folder == {}
    assert bench.pipeline._inventory._seats == {}
    assert bench.pipeline._history._kept == {}
    assert len(bench.pipeline._tasks) == 0


async def test_a_reload_is_a_pair_and_an_id_runs_once(bench: Bench) -> None:
    await running(bench)
    for number in range(2, 8):
        await bench.save(DEMO, plugin("demo", f"v{number}"))
        unloaded, loaded = bench.events[-2:]
        assert isinstance(unloaded, PluginUnloaded)
        assert isinstance(loaded, PluginLoaded)
        assert len(bench.pipeline.all_running()) == 1
