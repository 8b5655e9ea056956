"""What plugins and people are told, word by word: the reasons are part of the interface, and end in logs and audits."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from loader.nouns import Contribution, Json, PluginCaller
from loader.policy import actions
from loader.policy.directives import WHY, DirectiveBook
from loader.policy.service import directive_names, on_the_loop
from tests.policy.conftest import DEMO, World
from tests.policy.served import row

pytestmark = pytest.mark.anyio
SETTINGS = "nav.settings"
OTHER = PluginCaller("other", "r1")
DEAD = PluginCaller("demo", "r0", alive=False)


@pytest.mark.parametrize(
    ("refuse", "cause"),
    [
        (actions.no_shell, "no app window is connected"),
        (actions.no_handler, "no connected app window has a handler for it"),
        (actions.too_late, "the app window did not answer within 2 s"),
        (actions.shell_gone, "the app window went away before it answered, or has too many calls open"),
        (actions.crowded, "too many calls wait for the app window already"),
        (actions.plugin_gone, "this revision of the plugin is no longer running"),
        (actions.shell_refused, "the app window refused"),
        (lambda action: actions.answered(action, {"ok": False, "error": "no."}), "the app window refused (no)"),
        (lambda action: actions.answered(action, {"ok": False}), "the app window refused"),
    ],
)
def test_why_nobody_ran_an_allowed_action(refuse: Callable[[str], actions.ActionResult], cause: str) -> None:
    said = f"'nav.settings' is unavailable: {cause}. See docs/policy.md."
    assert refuse(SETTINGS) == actions.Refused("unavailable", said)


async def test_the_cause_reaches_the_caller(here: World) -> None:
    async def error() -> Json:
        return (await here.policy.run_action(DEMO, SETTINGS))["error"]

    assert await error() == actions.no_shell(SETTINGS).error
    here.policy.shell_mounted("s1", True, ("nav.cron",))
    assert await error() == actions.no_handler(SETTINGS).error


@pytest.mark.parametrize(("raised", "told"), [(TimeoutError, actions.too_late), (ConnectionError, actions.shell_gone)])
async def test_what_became_of_the_call_reaches_the_caller_with_its_id(
    here: World, raised: type[Exception], told: Callable[[Json], actions.Refused]
) -> None:
    async def fail(shell: str) -> Json:
        raise raised

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = fail
    assert await here.policy.run_action(DEMO, SETTINGS) == told(SETTINGS).as_json()
    assert (await here.policy.run_action(DEAD, SETTINGS))["error"] == actions.plugin_gone(SETTINGS).error


async def test_a_windows_own_no_reaches_the_caller_with_the_id(here: World) -> None:
    async def no(shell: str) -> Json:
        return {"ok": False, "error": "XX.XX."}

    here.policy.shell_mounted("s1", True, None)
    here.shells.answer = no
    said = f"'{SETTINGS}' is unavailable: the app window refused (XX.XX). See docs/policy.md."
    assert (await here.policy.run_action(DEMO, SETTINGS))["error"] == said


async def rows(here: World) -> list[tuple[Json, ...]]:
    told = here.policy.audit()["rows"]
    assert isinstance(told, list)
    return [
        (row["plugin"], row["kind"], row["what"], row["asked"], row["refused"], row["outcomes"])
        for row in told
        if isinstance(row, dict)
    ]


async def test_what_a_shell_ran_and_refused_is_counted_for_the_plugin_that_asked(here: World) -> None:
    here.policy.report_action(DEMO, SETTINGS, {"ok": True})
    here.policy.report_action(OTHER, SETTINGS, {"ok": False, "error": "no pane here"})
    assert await rows(here) == [
        ("demo", "runAction", SETTINGS, 1, 0, {"ok": 1}),
        ("other", "runAction", SETTINGS, 1, 1, {"unavailable": 1}),
    ]
    assert here.log() == ["[plugin:other] runAction: no pane here"]


async def test_a_shell_that_runs_what_is_denied_is_counted_as_what_happened_and_said(here: World) -> None:
    here.policy.report_action(DEMO, "session.archive", {"ok": True})
    assert await rows(here) == [("demo", "runAction", "session.archive", 1, 0, {"ok": 1})]
    (line,) = here.log()
    said = "[plugin:demo] runAction: an app window ran it all the same: 'session.archive' is not available to plugins."
    assert line.startswith(said)


async def test_notifications_are_counted_by_what_came_of_them(here: World) -> None:
    here.policy.notify(DEMO, {"title": "x"})
    here.policy.notify(DEMO, {"title": "x"})
    here.policy.notify(OTHER, {"title": ""})
    here.policy.notify(DEAD, {"title": "x"})
    assert await rows(here) == [
        ("demo", "os.notify", "notify", 3, 2, {"gone": 1, "ok": 1, "repeat": 1}),
        ("other", "os.notify", "notify", 1, 1, {"empty": 1}),
    ]


async def test_a_notification_carries_the_plugin_of_the_credential(here: World) -> None:
    shown = here.policy.notify(DEMO, {"title": "x", "plugin": "somebody"})
    assert shown["notification"]["plugin"] == "demo"  # type: ignore[index, call-overload]
    assert here.policy.notify(OTHER, {"title": "x"})["ok"] is True, "a repeat is one's own"


async def test_a_route_that_leads_nowhere_is_said_and_the_notification_shows(here: World) -> None:
    shown = here.policy.notify(DEMO, {"title": "x", "activate": {"route": "https://elsewhere.example"}})
    assert shown["ok"] is True
    (line,) = here.log()
    assert line.startswith("[plugin:demo] os.notify: ") and line.endswith("a click opens nothing")


async def test_the_users_switch_goes_both_ways(here: World) -> None:
    here.policy.enable_notifications(False)
    here.policy.enable_notifications(True)
    assert here.policy.notifications_enabled() is True
    assert here.policy.notify(DEMO, {"title": "x"})["ok"] is True


async def test_who_called_lately_is_told_with_the_limits(here: World) -> None:
    here.policy.set_pet(True, "idle")
    for number in range(4):
        here.policy.say(DEMO, f"line {number}", {"id": str(number)})
    here.policy.say(OTHER, "one", {})
    assert here.policy.windows() == [
        {"plugin": "demo", "calls": 4, "calls_limit": 10, "window_s": 10, "lines": 3, "lines_limit": 3},
        {"plugin": "other", "calls": 1, "calls_limit": 10, "window_s": 10, "lines": 1, "lines_limit": 3},
    ]
    here.time.move(3600)
    assert here.policy.windows() == []


async def test_the_last_window_takes_the_core_status_along(here: World) -> None:
    here.policy.shell_mounted("s1", True, None)
    here.policy.set_pet(True, "error")
    here.policy.shell_unmounted("s1")
    assert here.policy.pet() == {"visible": False, "core_status": "idle", "lines": []}


def test_a_directive_that_nobody_claims_says_why() -> None:
    book = DirectiveBook()
    book.release("never heard of")
    for paragraph, reason in (("::card", "unclaimed"), ("no directive", "paragraph")):
        dropped = book.resolve(paragraph).as_json()
        assert (dropped["ok"], dropped["reason"], dropped["error"]) == (False, reason, WHY[reason])  # type: ignore[index]


async def test_the_default_timer_rings_on_the_loop_and_can_be_taken_back() -> None:
    rung = asyncio.Event()
    on_the_loop(0.0, rung.set)
    async with asyncio.timeout(30):
        await rung.wait()
    never = asyncio.Event()
    cancel = on_the_loop(0.0, never.set)
    cancel()
    later = asyncio.Event()
    on_the_loop(0.0, later.set)
    async with asyncio.timeout(30):
        await later.wait()
    assert not never.is_set()


async def test_directives_are_found_behind_others_and_in_plain_payloads_only(
    here: World,
) -> None:
    plugin = replace(
        row("demo"),
        contributions=(
            Contribution("statusbar", "a", "demo:a", payload={"name": "bar"}),
            Contribution("transcript.directives", "b", "demo:b", payload={"data": ["name"]}),
            Contribution("transcript.directives", "c", "demo:c", payload={"data": {"name": "card"}}),
        ),
    )
    assert directive_names(plugin) == ("card",)


async def test_the_audit_tells_milliseconds_and_counts_a_yes(here: World) -> None:
    here.policy.say(DEMO, "x", {})
    here.time.move(1.23456)
    assert here.policy.audit()["since_s"] == 1.235
    assert await rows(here) == [("demo", "pet.say", "say", 1, 0, {"ok": 1})]


@pytest.mark.parametrize(("mark", "counts"), [("m", True), ("m" * 64, True), ("m" * 65, False), ("", False)])
async def test_a_disposers_mark_has_one_to_sixty_four_letters(here: World, mark: str, counts: bool) -> None:
    here.policy.set_pet(True, "idle")
    here.policy.say(DEMO, "x", {"call": mark})
    here.policy.clear(DEMO, None, mark)
    assert (here.policy.pet()["lines"] == []) is counts
