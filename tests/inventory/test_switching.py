"""Choices: whose counts, what they cause, and that files never flip them."""

import asyncio
import json
import shutil
from collections.abc import Callable

import pytest

from loader.errors import UsageError
from loader.inventory.choices import Choices
from tests.inventory.conftest import BROKEN, Bench, plugin

pytestmark = pytest.mark.anyio
DEMO = "desktop-plugins/demo/plugin.js"
PACKAGE = "plugins/notes/desktop/plugin.js"


async def test_disable_and_enable(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    bench.take()
    row = await bench.pipeline.set_choice("demo", False)
    assert (row.enabled, row.choice, row.choice_from, row.state) == (False, False, "ours", "disabled")
    assert bench.take(changes=True) == ["unload demo (disabled)", "changed demo disabled"]
    assert await bench.pipeline.set_choice("demo", False) == row
    assert bench.take(changes=True) == []
    row = await bench.pipeline.set_choice("standalone:demo", True)
    assert (row.enabled, row.choice, row.state) == (True, True, "ready")
    assert bench.take(changes=True) == ["load demo v1 (enabled)"]
    row = await bench.pipeline.set_choice("demo", None)
    assert (row.choice, row.choice_from) == (None, "plugin")
    assert bench.take(changes=True) == ["changed demo ready"]


async def test_files_restarts_and_reinstalls_never_flip_a_choice(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    await bench.pipeline.set_choice("demo", False)
    bench.take()
    await bench.save(DEMO, plugin("demo", "v2"))
    assert bench.take(changes=True) == ["changed demo disabled"]
    await bench.restart()
    assert bench.take() == []
    assert bench.row("demo").state == "disabled"
    shutil.rmtree(bench.path(DEMO).parent)
    bench.hint(DEMO)
    await bench.clock.advance(10)
    assert bench.pipeline.plugins() == ()
    await bench.save(DEMO, plugin("demo", "v3"))
    assert bench.take() == []
    assert bench.row("demo").state == "disabled"
    await bench.pipeline.set_choice("demo", True)
    assert bench.take() == ["load demo v3 (enabled)"]


async def test_a_disabled_plugin_is_disabled_whatever_its_findings(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    await bench.pipeline.set_choice("demo", False)
    bench.take()
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(1)
    assert bench.take(changes=True) == ["changed demo disabled"]
    assert [finding.code for finding in bench.row("demo").diagnostics] == ["HP101"]
    await bench.pipeline.set_choice("demo", True)
    assert bench.take(changes=True) == ["error demo HP101"]


async def test_off_unless_the_user_says_otherwise(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo", more="defaultEnabled: false, "))
    bench.write(PACKAGE, plugin("notes"))
    await bench.start()
    assert bench.take(changes=True) == ["changed demo disabled", "changed notes disabled"]
    assert (bench.row("demo").choice_from, bench.row("demo").default_enabled) == ("plugin", False)
    assert (bench.row("notes").choice_from, bench.row("notes").default_enabled) == ("door", True)
    await bench.pipeline.set_choice("demo", True)
    await bench.pipeline.set_choice("notes", True)
    assert bench.take() == ["load demo v1 (enabled)", "load notes v1 (enabled)"]


async def test_a_broken_save_does_not_make_the_plugin_change_its_mind(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo", more="defaultEnabled: false, "))
    await bench.start()
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(1)
    assert bench.take() == []
    assert bench.row("demo").state == "disabled"


async def test_a_save_that_turns_itself_off_is_unloaded(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    bench.take()
    await bench.save(DEMO, plugin("demo", "v2", more="defaultEnabled: false, "))
    assert bench.take(changes=True) == ["unload demo (disabled)", "changed demo disabled"]


async def test_the_apps_own_switch_counts_after_ours_and_is_read_again(bench: Bench) -> None:
    config = bench.write("config.yaml", "desktop: {pluginDecisions: {demo: false, notes: true}}\n")
    bench.write(DEMO, plugin("demo"))
    bench.write(PACKAGE, plugin("notes"))
    await bench.start()
    assert bench.take() == ["load notes v1 (start)"]
    assert (bench.row("demo").choice, bench.row("demo").choice_from) == (False, "app")
    config.write_text("desktop: {pluginDecisions: {notes: true}}\n")
    bench.watcher.hint(config)
    await bench.clock.advance(1)
    assert bench.take() == ["load demo v1 (enabled)"]
    config.write_text("desktop: {pluginDecisions: {notes: false}}\n")
    await bench.clock.advance(5)
    assert bench.take() == ["unload notes (disabled)"], "found without a hint too"
    await bench.pipeline.set_choice("notes", True)
    assert bench.take() == ["load notes v1 (enabled)"]
    config.write_text("desktop: {pluginDecisions: [")
    await bench.clock.advance(20)
    (said,) = bench.take()
    assert said.startswith("log warning")
    assert "config.yaml" in said
    assert bench.row("notes").state == "ready"
    assert config.read_text() == "desktop: {pluginDecisions: [", "never written"


@pytest.mark.parametrize("half", ["", "model: x\n", "desktop:\n  pluginDecisions:\n", "desktop: [\n"])
async def test_a_configuration_that_is_saved_in_pieces_switches_nothing(bench: Bench, half: str) -> None:
    whole = "model: x\ndesktop:\n  pluginDecisions:\n    demo: false\n    notes: true\n"
    config = bench.write("config.yaml", whole)
    bench.write(DEMO, plugin("demo"))
    bench.write(PACKAGE, plugin("notes"))
    await bench.start()
    bench.take()
    config.write_text(half)
    bench.watcher.hint(config)
    await bench.clock.advance(0.5)
    config.write_text(whole)
    bench.watcher.hint(config)
    await bench.clock.advance(10)
    assert [event for event in bench.take() if not event.startswith("log")] == []
    assert bench.row("demo").state == "disabled"


async def test_what_another_process_chose_counts(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    bench.take()
    other = Choices.of(bench.home)
    other.set("demo", False)
    await bench.clock.advance(5)
    assert bench.take() == ["unload demo (disabled)"]


async def test_nobody_stores_what_is_no_id(bench: Bench) -> None:
    for folder, exported in (("demo", "../../outside"), ("dots", ".."), ("slash", "a/b")):
        bench.write(f"desktop-plugins/{folder}/plugin.js", plugin(exported))
    bench.write("desktop-plugins/My Plugin/plugin.js", BROKEN)
    await bench.start()
    await bench.clock.advance(1)
    assert sorted(bench.take()) == [
        "error My Plugin HP101",
        "error demo HP304",
        "error dots HP304",
        "error slash HP304",
    ]
    for name in ("../../outside", "..", "a/b", "My Plugin", "", "nobody", "\x00"):
        with pytest.raises(UsageError):
            await bench.pipeline.set_choice(name, False)
        with pytest.raises(UsageError):
            await bench.pipeline.set_pin(name, None)
        with pytest.raises(UsageError):
            await bench.pipeline.unpin(name)
    assert not bench.home.state_dir.exists()
    assert bench.row("demo").exported_id == "../../outside"


async def test_a_choice_outlives_the_damage_of_its_file(bench: Bench) -> None:
    bench.home.state_dir.mkdir()
    (bench.home.state_dir / "choices.json").write_text('{"demo": fal')
    bench.write(DEMO, plugin("demo"))
    bench.write("desktop-plugins/other/plugin.js", plugin("other"))
    await bench.start()
    said = bench.take()
    assert len([text for text in said if text.startswith("log error")]) == 1
    assert "load demo v1 (start)" in said
    (aside,) = bench.home.state_dir.glob("choices.json.damaged*")
    assert aside.read_text() == '{"demo": fal'
    await bench.pipeline.set_choice("other", False)
    assert bench.take() == ["unload other (disabled)"]
    assert aside.read_text() == '{"demo": fal'
    # Damaged while the service runs: what it still knows is written anew.
    (bench.home.state_dir / "choices.json").write_text("")
    await bench.clock.advance(20)
    (text,) = bench.take()
    assert text.startswith("log error")
    assert bench.row("other").state == "disabled"
    stored = json.loads((bench.home.state_dir / "choices.json").read_text())
    assert stored["data"] == {"other": False}


async def test_switching_waits_for_a_verdict_under_way(bench: Bench) -> None:
    bench.analyzer.hold("unified:notes")
    bench.write(PACKAGE, plugin("notes"))
    await bench.start()
    switching = asyncio.create_task(bench.pipeline.set_choice("notes", True))
    await bench.clock.advance(1)
    assert not switching.done()
    bench.analyzer.release("unified:notes")
    await bench.clock.advance(0)
    assert (await switching).state == "ready"
    assert bench.take() == ["load notes v1 (enabled)"]


async def test_a_refused_id_is_still_found_by_its_folder(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench()
    bench.write("plugins/stewardship/desktop/plugin.js", plugin("dockyard"))
    await bench.start()
    await bench.clock.advance(1)
    assert [row.id for row in bench.pipeline.plugins()] == ["dockyard"]
    row = await bench.pipeline.set_choice("stewardship", True)
    assert (row.id, row.state, row.enabled) == ("dockyard", "failed", True)
    assert bench.take() == ["error dockyard HP303"]
    (finding,) = bench.row("dockyard").diagnostics
    assert "stewardship" in finding.message
    assert "dockyard" in finding.message


async def test_what_has_just_come_is_found_before_any_event_told_of_it(bench: Bench) -> None:
    await bench.start()
    bench.write(DEMO, plugin("demo"))
    assert bench.pipeline.find("demo") is None
    row = await bench.pipeline.find_fresh("demo")
    assert row is not None and (row.id, row.state) == ("demo", "ready")
    assert await bench.pipeline.find_fresh("nobody") is None
