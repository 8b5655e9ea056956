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
from tests.policy.conftest import DEMO, World, table_of, world
from tests.policy.served import row

pytestmark = pytest.mark.anyio
DEAD = PluginCaller("demo", "r0", alive=False)
OTHER = PluginCaller("other", "r1")
SETTINGS = "nav.settings"


async def reason(here: World, action: Json, caller: PluginCaller = DEMO) -> Json:
    result = await here.policy.run_action(caller, action)
    if result["ok"] is True:
        assert result == {"ok": True}
        return "ok"
    assert set(result) == {"ok", "reason", "error"}
    return result["reason"]


# ---------------------------------------------------------------- runAction


async def test_an_allowed_action_runs_in_the_shell_and_names_the_plugin_of_the_credential(here: World) -> None:
    here.policy.shell_mounted("s1", False, None)
    assert await reason(here, SETTINGS) == "ok"
    assert here.shells.asked == [("s1", {"action": SETTINGS, "plugin": "demo"})]
    assert here.log() == []


@pytest.mark.parametrize(
    "action", ["session.archive", "app.quit", "constructor", None, 5, ["x"], "x" * 100_000], ids=spelled
)
async def test_no_shell_is_asked_for_what_is_out_of_the_question(here: World, action: Json) -> None:
    here.policy.shell_mounted("s1", True, None)
    assert await reason(here, action) in {"unknown", "denied"}
    assert here.shells.asked == []


async def test_without_a_shell_or_a_handler_an_allowed_action_is_unavailable(here: World) -> None:
    assert await reason(here, SETTINGS) == "unavailable"
    here.policy.shell_mounted("s1", True, ("nav.cron",))
    assert await reason(here, SETTINGS) == "unavailable"
    assert await reason(here, "session.archive") == "denied"
    assert here.shells.asked == []


async def test_a_dead_token_is_unavailable_after_unknown_and_denied(here: World) -> None:
    here.policy.shell_mounted("s1", True, None)
    assert await reason(here, SETTINGS, DEAD) == "unavailable"
    assert await reason(here, "session.archive", DEAD) == "denied"
    assert await reason(here, "app.quit", DEAD) == "unknown"
    assert here.shells.asked == []


async def test_a_shell_that_unmounts_midway_is_unavailable(here: World) -> None:
    here.policy.shell_mounted("s1", True, None)

    async def gone(shell: str) -> Json:
        here.policy.shell_unmounted(shell)
        raise ConnectionError(shell)

    here.shells.answer = gone
    assert await reason(here, SETTINGS) == "unavailable"


async def test_a_shell_that_is_too_slow_for_the_hub_is_unavailable(here: World) -> None:
    async def slow(shell: str) -> Json:
        raise TimeoutError

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = slow
    assert await reason(here, SETTINGS) == "unavailable"


async def test_an_answer_that_never_comes_does_not_hang_the_caller() -> None:
    here = world(deadline_s=0.01)

    async def never(shell: str) -> Json:
        await asyncio.Event().wait()
        return {"ok": True}

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = never
    result = await here.policy.run_action(DEMO, SETTINGS)
    assert result["reason"] == "unavailable"
    assert "did not answer" in str(result["error"])


async def test_a_shell_that_says_no_is_unavailable_with_its_words(here: World) -> None:
    async def no(shell: str) -> Json:
        return {"ok": False, "error": "the pane\u202e is locked"}

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = no
    result = await here.policy.run_action(DEMO, SETTINGS)
    assert result["reason"] == "unavailable"
    assert "the pane is locked" in str(result["error"])


async def test_of_two_shells_the_focused_else_the_last_mounted_owner_is_asked(here: World) -> None:
    here.policy.shell_mounted("s1", False, None)
    here.policy.shell_mounted("s2", False, None)
    await reason(here, SETTINGS)
    here.policy.shell_focused("s1", True)
    await reason(here, SETTINGS)
    here.policy.shell_mounted("s1", True, ("nav.cron",))
    await reason(here, SETTINGS)
    here.policy.shell_unmounted("s2")
    assert await reason(here, SETTINGS) == "unavailable"
    assert [shell for shell, _ in here.shells.asked] == ["s2", "s1", "s2"]


async def test_many_callers_at_once_each_get_their_own_answer(here: World) -> None:
    async def answer(shell: str) -> Json:
        await asyncio.sleep(0)
        return {"ok": True}

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = answer
    actions: list[Json] = [SETTINGS, "app.quit", "session.archive", "nav.cron"]
    answers = await asyncio.gather(*(reason(here, action) for action in actions * 25))
    assert answers == ["ok", "unknown", "denied", "ok"] * 25


async def test_cancelling_a_caller_cancels_and_nothing_else(here: World) -> None:
    started = asyncio.Event()

    async def never(shell: str) -> Json:
        started.set()
        await asyncio.Event().wait()
        return None

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = never
    task = asyncio.create_task(here.policy.run_action(DEMO, SETTINGS))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    here.shells.answer = None
    assert await reason(here, SETTINGS) == "ok"


async def test_a_flood_of_one_plugin_leaves_others_their_turn(here: World) -> None:
    go = asyncio.Event()

    async def slow(shell: str) -> Json:
        await go.wait()
        return {"ok": True}

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = slow
    flood = [asyncio.create_task(here.policy.run_action(DEMO, SETTINGS)) for _ in range(300)]
    quiet = asyncio.create_task(here.policy.run_action(OTHER, SETTINGS))
    await asyncio.gather(*flood[128:])
    assert len(here.shells.asked) == 129
    go.set()
    answers = await asyncio.gather(*flood)
    assert [answer["ok"] for answer in answers] == [True] * 128 + [False] * 172
    assert answers[-1]["reason"] == "unavailable"
    assert "too many calls" in str(answers[-1]["error"])
    assert await quiet == {"ok": True}
    assert await reason(here, SETTINGS) == "ok"


@pytest.mark.parametrize(
    ("action", "expected"), [("app.quit", "unknown"), ("session.archive", "denied"), (SETTINGS, "unavailable")]
)
async def test_who_is_turned_away_hears_the_same_reasons_and_nobody_is_asked(
    here: World, action: str, expected: str
) -> None:
    here.policy.shell_mounted("s1", True, None)
    answer = here.policy.turn_away(DEMO, action)
    assert (answer["ok"], answer["reason"]) == (False, expected)
    assert here.shells.asked == []
    assert here.log() == [f"[plugin:demo] runAction: {answer['error']}"]
    assert "no longer running" in str(here.policy.turn_away(DEAD, SETTINGS)["error"])


# ---------------------------------------------------------------- the action table


async def test_the_table_is_published_when_it_changes_and_only_then(here: World) -> None:
    assert len(here.policy.list_actions(DEMO)) == 21
    here.policy.shell_mounted("s1", False, None)
    assert here.tables_out() == []
    here.policy.shell_mounted("s1", False, (SETTINGS, "session.archive", "app.quit"))
    assert [row["id"] for row in here.policy.list_actions(DEMO)] == [SETTINGS]
    here.policy.shell_mounted("s2", False, (SETTINGS,))
    here.policy.shell_focused("s2", True)
    assert len(here.tables_out()) == 1
    here.policy.shell_unmounted("s2")
    here.policy.shell_unmounted("s1")
    here.policy.shell_unmounted("s1")
    assert len(here.tables_out()) == 2
    assert here.tables_out()[1].actions == here.policy.action_table()
    assert len(here.policy.list_actions(DEMO)) == 21
    assert len(here.policy.list_actions(DEAD)) == 0


# ---------------------------------------------------------------- the log and the audit


async def test_each_refusal_is_one_warning_in_the_name_of_the_credential(here: World) -> None:
    await here.policy.run_action(DEMO, "app.quit")
    await here.policy.run_action(OTHER, "session.archive")
    assert here.log() == [
        "[plugin:demo] runAction: 'app.quit' is not a Hermes app action. "
        "ctx.listActions() lists those that are; see docs/policy.md.",
        "[plugin:other] runAction: 'session.archive' is not available to plugins. "
        "ctx.listActions() lists those that are; see docs/policy.md.",
    ]


async def test_a_plugin_in_a_loop_writes_one_line_a_second_and_the_last_one_comes_by_itself(here: World) -> None:
    for _ in range(2_000):
        await here.policy.run_action(DEMO, "app.quit")
    assert len(here.log()) == 1
    here.time.move(1.1)
    assert len(here.log()) == 2
    assert here.log()[1].endswith("(and 1998 more)")
    here.time.move(60)
    assert len(here.log()) == 2
    assert here.time.timers == {}


async def test_the_audit_says_who_asked_for_what_and_what_came_of_it(here: World) -> None:
    here.policy.shell_mounted("s1", True, None)
    await here.policy.run_action(DEMO, SETTINGS)
    await here.policy.run_action(DEMO, "session.archive")
    for number in range(5_000):
        await here.policy.run_action(DEMO, f"made.up.{number}")
    here.policy.say(DEMO, "", {})
    here.time.move(5)
    audit = here.policy.audit()
    assert audit["since_s"] == 5
    rows = audit["rows"]
    assert isinstance(rows, list)
    told = {(row["kind"], row["what"]): row["outcomes"] for row in rows if isinstance(row, dict)}
    assert told == {
        ("pet.say", "say"): {"empty": 1},
        ("runAction", "(unknown)"): {"unknown": 5_000},
        ("runAction", SETTINGS): {"ok": 1},
        ("runAction", "session.archive"): {"denied": 1},
    }


async def test_what_a_shell_reports_is_logged_and_counted_in_our_words(here: World) -> None:
    here.policy.report_action(DEMO, SETTINGS, {"ok": True})
    assert here.log() == []
    here.policy.report_action(DEMO, "app.quit", {"ok": False, "reason": "unknown", "error": "spoofed\n[plugin:x]"})
    here.policy.report_action(OTHER, SETTINGS, {"ok": False, "reason": "unavailable", "error": "no\u202e pane\nhere"})
    here.policy.report_action(PluginCaller("third", "r"), SETTINGS, None)
    here.policy.report_action(PluginCaller("fourth", "r"), "session.archive", {"ok": True})
    first, second, third, fourth = here.log()
    assert first.startswith("[plugin:demo] runAction: 'app.quit' is not")
    assert second == "[plugin:other] runAction: no pane here"
    assert third.startswith("[plugin:third] runAction: 'nav.settings' is unavailable")
    assert "ran it all the same" in fourth


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


async def test_a_service_may_have_another_table() -> None:
    here = world(table_of(["pet.toggle"], ["app.quit"]))
    assert await reason(here, "app.quit") == "denied"
    assert await reason(here, SETTINGS) == "unknown"
