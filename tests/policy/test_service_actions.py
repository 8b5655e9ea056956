"""Actions, the log and the audit, with everything around the service faked."""

import asyncio

import pytest

from loader.nouns import (
    Json,
    Logged,
    PluginCaller,
)
from tests.naming import spelled
from tests.policy.conftest import DEMO, World, table_of, world

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
    assert str(answers[-1]["error"]).startswith(f"'{SETTINGS}' is unavailable: too many calls")
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
    assert f"'{action}'" in str(answer["error"])
    rows = here.policy.audit()["rows"]
    assert isinstance(rows, list) and isinstance(rows[0], dict)
    assert (rows[0]["what"], rows[0]["outcomes"]) == ("(unknown)" if expected == "unknown" else action, {expected: 1})
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
    logged = [event for event in here.published if isinstance(event, Logged)]
    assert [(event.level, event.plugin) for event in logged] == [("warning", "demo"), ("warning", "other")]


async def test_a_plugin_in_a_loop_writes_one_line_a_second_and_the_last_one_comes_by_itself(here: World) -> None:
    for _ in range(2_000):
        await here.policy.run_action(DEMO, "app.quit")
    assert len(here.log()) == 1
    here.time.move(1.1)
    assert len(here.log()) == 2
    assert here.log()[1].endswith("(and 1998 more)")
    assert {event.plugin for event in here.published if isinstance(event, Logged)} == {"demo"}
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


async def test_a_service_may_have_another_table() -> None:
    here = world(table_of(["pet.toggle"], ["app.quit"]))
    assert await reason(here, "app.quit") == "denied"
    assert await reason(here, SETTINGS) == "unknown"
