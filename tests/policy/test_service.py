import asyncio
from dataclasses import replace

import pytest

from loader.nouns import (
    Contribution,
    Json,
    PetLinesChanged,
    Plugin,
    PluginCaller,
    PluginChanged,
    PluginLoaded,
    PluginUnloaded,
    Running,
    Source,
)
from loader.policy import limits
from tests.naming import spelled
from tests.policy.conftest import DEMO, World, world
from tests.policy.served import row

pytestmark = pytest.mark.anyio
DEAD = PluginCaller("demo", "r0", alive=False)
OTHER = PluginCaller("other", "r1")
SETTINGS = "nav.settings"


# ---------------------------------------------------------------- the pet


async def test_lines_are_published_when_they_come_and_when_they_end(here: World) -> None:
    here.policy.set_pet(True, "idle")
    assert here.policy.say(DEMO, "one", {"id": "a", "ttlMs": 2_000}) == {"ok": True, "line": "a"}
    here.policy.say(DEMO, "two", {"tone": "error"})
    assert here.texts_out() == [["one"], ["one", "two"]]
    here.time.move(2.1)
    assert here.texts_out()[2:] == [["two"]]
    here.time.move(60)
    assert here.texts_out()[3:] == [[]]
    assert here.time.timers == {}


async def test_lines_that_end_one_shortly_after_the_other_end_each_at_its_time(here: World) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "one", {"ttlMs": 2_000})
    here.policy.say(DEMO, "two", {"ttlMs": 2_300})
    here.time.move(2.1)
    assert here.texts_out()[-1] == ["two"]
    here.time.move(0.25)
    assert here.texts_out()[-1] == []


async def test_nothing_is_published_while_what_shows_stays_the_same(here: World) -> None:
    here.policy.say(DEMO, "hidden", {})
    here.policy.set_pet(False, "idle")
    here.policy.set_pet(True, "waiting")
    assert here.texts_out() == []
    here.policy.set_pet(None, "idle")
    for _ in range(50):
        here.policy.set_pet(True, None)
        here.policy.pet()
        here.policy.say(DEMO, "", {})
        here.policy.clear(DEMO, "no such line")
        here.policy.clear(OTHER, None)
    here.time.move(1)
    assert here.texts_out() == [["hidden"]]


async def test_lines_of_many_plugins_at_once_go_out_together_and_none_is_lost(here: World) -> None:
    here.policy.set_pet(True, "idle")
    for number in range(200):
        here.policy.say(PluginCaller(f"p{number}", "r"), f"line {number}", {"ttlMs": 30_000})
    assert len(here.texts_out()) == 20
    here.time.move(0.9)
    assert len(here.texts_out()) == 20
    here.time.move(0.2)
    assert len(here.texts_out()) == 21
    assert here.texts_out()[-1] == [f"line {number}" for number in range(200)]
    here.time.move(60)
    assert here.texts_out()[-1] == []
    assert here.time.timers == {}


async def test_what_is_switched_off_goes_at_once_however_much_was_said(here: World) -> None:
    here.policy.set_pet(True, "idle")
    callers = [PluginCaller(f"p{number}", "r") for number in range(30)]
    for caller in callers:
        here.policy.say(caller, caller.plugin, {"ttlMs": 30_000})
    here.policy.token_died("p0", "r")
    assert here.texts_out()[-1] == [caller.plugin for caller in callers[1:]]
    here.policy.set_pet(None, "error")
    assert here.texts_out()[-1] == []
    here.policy.set_pet(None, "idle")
    here.policy.shell_mounted("s1", True, None)
    here.policy.shell_unmounted("s1")
    assert here.texts_out()[-2:] == [[caller.plugin for caller in callers[1:]], []]
    here.time.move(5)
    assert len(here.texts_out()) == 24


async def test_what_was_owed_and_came_back_to_what_shows_is_not_told(here: World) -> None:
    here.policy.set_pet(True, "idle")
    callers = [PluginCaller(f"p{number}", "r") for number in range(21)]
    for caller in callers:
        here.policy.say(caller, "x", {"ttlMs": 30_000})
    here.policy.clear(callers[-1], None)
    here.time.move(5)
    assert len(here.texts_out()) == 20
    here.policy.clear(callers[0], None)
    assert len(here.texts_out()) == 21


async def test_the_row_of_a_line_has_exactly_its_fields(here: World) -> None:
    here.names["demo"] = "Demo plugin"
    here.policy.set_pet(True, None)
    here.policy.say(DEMO, "hi", {"id": "x", "tone": "warn", "label": "the core"})
    here.time.move(0.5)
    assert here.policy.pet() == {
        "visible": True,
        "core_status": "idle",
        "lines": [
            {"plugin": "demo", "id": "x", "label": "Demo plugin", "text": "hi", "tone": "warn", "expires_in_ms": 5500}
        ],
    }


async def test_until_a_shell_has_reported_nothing_is_visible(here: World) -> None:
    assert here.policy.say(DEMO, "hi", {})["ok"] is True
    assert here.policy.pet() == {"visible": False, "core_status": "idle", "lines": []}


async def test_an_unknown_core_status_changes_nothing(here: World) -> None:
    assert here.policy.set_pet(True, "dancing")["core_status"] == "idle"


async def test_the_core_bubble_hides_lines_and_gives_them_back(here: World) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "long", {"ttlMs": 20_000})
    here.policy.set_pet(None, "error")
    here.policy.set_pet(None, "idle")
    assert here.texts_out() == [["long"], [], ["long"]]


async def test_the_last_window_takes_its_pet_along(here: World) -> None:
    here.policy.shell_mounted("s1", True, None)
    here.policy.shell_mounted("s2", True, None)
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "hi", {})
    here.policy.shell_unmounted("s2")
    assert here.policy.pet()["visible"] is True
    here.policy.shell_unmounted("s1")
    assert here.policy.pet()["visible"] is False
    assert here.texts_out() == [["hi"], []]


async def test_the_end_of_a_revision_takes_its_lines_at_once(here: World) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "mine", {})
    here.policy.say(OTHER, "theirs", {})
    here.policy.token_died("demo", "r1")
    here.policy.token_died("demo", "r1")
    assert here.texts_out() == [["mine"], ["mine", "theirs"], ["theirs"]]


async def test_a_dead_token_is_gone(here: World) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "mine", {"id": "x"})
    assert here.policy.say(DEAD, "boo", {}) == {"ok": False, "reason": "gone"}
    assert here.policy.clear(DEAD, "x") == {"ok": False, "reason": "gone"}
    assert here.texts_out() == [["mine"]]
    assert any("pet.say" in line for line in here.log())


async def test_clear_answers_ok_for_unknown_lines_and_spares_those_of_others(here: World) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(OTHER, "theirs", {"id": "x"})
    assert here.policy.clear(DEMO, "x") == {"ok": True}
    assert here.policy.clear(DEMO, None) == {"ok": True}
    assert here.texts_out() == [["theirs"]]


@pytest.mark.parametrize("call", [5, "", "m" * 65, {}], ids=spelled)
async def test_a_disposers_mark_that_is_none_clears_nothing(here: World, call: Json) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "stays", {"call": call})
    assert here.policy.clear(DEMO, None, call) == {"ok": True}
    assert here.texts_out() == [["stays"]]


async def test_a_disposer_spares_a_later_replacement(here: World) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "one", {"id": "x", "call": "c1"})
    here.policy.say(DEMO, "two", {"id": "x", "call": "c2"})
    here.policy.clear(DEMO, None, "c1")
    assert here.texts_out()[-1] == ["two"]
    here.policy.clear(DEMO, None, "c2")
    assert here.texts_out()[-1] == []


async def test_a_wrong_tone_is_said_in_the_log_and_the_line_shows(here: World) -> None:
    here.policy.set_pet(True, "idle")
    assert here.policy.say(DEMO, "hi", {"tone": "loud"})["ok"] is True
    assert here.log() == ["[plugin:demo] pet.say: 'loud' is no tone, taken as info"]


async def test_a_hundred_thousand_calls_leave_nothing_behind(here: World) -> None:
    here.policy.set_pet(True, "idle")
    for number in range(10_000):
        here.policy.say(DEMO, "x", {"id": f"id{number}", "call": f"c{number}"})
        if number % 100 == 0:
            here.time.move(0.5)
    assert len(here.time.timers) <= 1
    assert len(here.log()) < 120
    here.time.move(100)
    assert here.time.timers == {}


async def test_close_leaves_no_timer(here: World) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "x", {})
    here.policy.close()
    assert here.time.timers == {}


async def test_the_real_timer_publishes_the_end_of_a_line() -> None:
    here = world()
    loop = asyncio.get_running_loop()
    began, ended = asyncio.Event(), asyncio.Event()
    policy = type(here.policy)(
        publish=lambda event: (began if event.lines else ended).set() if isinstance(event, PetLinesChanged) else None,
        call_shell=here.shells,
        clock_s=lambda: loop.time() * 100,
        schedule=lambda delay_s, callback: loop.call_later(delay_s / 100, callback).cancel,
    )
    policy.set_pet(True, "idle")
    for _ in range(limits.CALLS_IN_WINDOW):
        # Ten milliseconds of ours are a second here: a machine that stalls so long lets the line end unseen.
        policy.say(DEMO, "x", {"ttlMs": 1_000})
        if began.is_set():
            break
    await asyncio.wait_for(ended.wait(), 30)
    policy.close()


# ---------------------------------------------------------------- the neighbours


async def test_notifications_ask_for_the_focus_of_any_window(here: World) -> None:
    here.policy.shell_mounted("s1", True, None)
    assert here.policy.notify(DEMO, {"title": "x"})["reason"] == "focused"
    assert here.log() == []
    here.policy.shell_focused("s1", False)
    assert here.policy.notify(DEMO, {"title": "x"})["ok"] is True
    assert here.policy.notify(DEMO, {"title": "x"})["reason"] == "repeat"
    assert here.policy.notify(DEAD, {"title": "x"})["reason"] == "gone"
    assert here.log() == ["[plugin:demo] os.notify: the same title and body came within 30 s"]


async def test_the_users_switch_for_notifications(here: World) -> None:
    assert here.policy.notifications_enabled()
    here.policy.enable_notifications(False)
    assert here.policy.notify(DEMO, {"title": "x"})["reason"] == "off"
    assert here.log() == []


async def test_prompts_pass_once_a_second(here: World) -> None:
    assert here.policy.send_prompt("f1", " go ") == {"ok": True, "prompt": "go"}
    assert here.policy.send_prompt("f1", "go")["reason"] == "rate"
    here.time.move(1)
    assert here.policy.send_prompt("f1", "go")["ok"] is True


def loaded(plugin: Plugin) -> PluginLoaded:
    source = Source(b"", "", "r1")
    return PluginLoaded(plugin, Running(plugin.id, plugin.key, "r1", source, ()), "start")


async def test_directives_follow_loads_and_unloads(here: World) -> None:
    policy = here.policy
    policy.observe(loaded(row("first", directives=["card"])))
    policy.observe(loaded(row("second", directives=["card", "list"])))
    assert policy.resolve_directive("::card")["plugin"] == "first"
    policy.observe(PluginUnloaded("first", "r1", "changed"))
    policy.observe(loaded(row("first", directives=["card"])))
    assert policy.resolve_directive("::card")["plugin"] == "first"
    policy.observe(PluginUnloaded("first", "r1", "disabled"))
    assert policy.resolve_directive("::card")["plugin"] == "second"
    policy.observe(PluginChanged(replace(row("second", directives=["table"]), running_revision="r1")))
    assert policy.resolve_directive("::table")["plugin"] == "second"
    assert policy.resolve_directive("::card")["reason"] == "unclaimed"
    policy.observe(PluginChanged(row("third", directives=["chart"])))
    assert policy.resolve_directive("::chart")["reason"] == "unclaimed"


async def test_directive_names_are_found_in_either_form_of_payload(here: World) -> None:
    plugin = replace(
        row("demo"),
        contributions=(
            Contribution("transcript.directives", "a", "demo:a", payload={"data": {"name": "inner"}}),
            Contribution("transcript.directives", "b", "demo:b", payload={"name": 5}),
            Contribution("statusbar", "c", "demo:c", payload={"name": "other"}),
        ),
    )
    here.policy.observe(loaded(plugin))
    assert here.policy.resolve_directive("::inner")["ok"] is True
    assert here.policy.resolve_directive("::other")["ok"] is False
