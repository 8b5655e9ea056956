from collections.abc import Mapping

import pytest

from loader.nouns import Json
from loader.policy.answers import Dropped
from loader.policy.notifications import NotificationGate, Notified, route_of
from tests.naming import spelled

HELLO: Mapping[str, Json] = {"title": "Build", "body": "done"}


def why(gate: NotificationGate, request: Mapping[str, Json], now_s: float = 0.0, *, focused: bool = False) -> str:
    answer = gate.notify("demo", request, now_s, focused=focused)
    return answer.reason if isinstance(answer, Dropped) else "ok"


def test_what_may_be_shown_comes_back_cleaned() -> None:
    answer = NotificationGate().notify(
        "demo",
        {
            "title": " Build\n\u202edone ",
            "body": "a\r\nb\x07",
            "silent": True,
            "activate": "hermes://cron",
            "icon": "x",
        },
        0.0,
        focused=False,
    )
    assert isinstance(answer, Notified) and answer.warning is None
    assert answer.as_json() == {
        "ok": True,
        "notification": {"plugin": "demo", "title": "Build done", "body": "a\nb", "silent": True, "activate": "/cron"},
    }


def test_the_same_words_once_in_thirty_seconds() -> None:
    gate = NotificationGate()
    assert why(gate, HELLO) == "ok"
    assert why(gate, {**HELLO, "title": "Build "}, 29.9) == "repeat"
    assert why(gate, {**HELLO, "body": "failed"}, 29.9) == "ok"
    assert why(gate, HELLO, 30.0) == "ok"


def test_three_in_sixty_seconds_for_each_plugin() -> None:
    gate = NotificationGate()
    assert [why(gate, {"title": str(number)}, float(number)) for number in range(4)] == ["ok", "ok", "ok", "rate"]
    assert isinstance(gate.notify("other", HELLO, 3.0, focused=False), Notified)
    assert why(gate, HELLO, 59.9) == "rate"
    assert why(gate, HELLO, 60.0) == "ok"


def test_nothing_while_the_window_is_focused_and_that_does_not_count() -> None:
    gate = NotificationGate()
    assert [why(gate, HELLO, focused=True) for _ in range(5)] == ["focused"] * 5
    assert why(gate, HELLO) == "ok"


def test_the_users_switch_silences_all() -> None:
    gate = NotificationGate()
    gate.enabled = False
    assert why(gate, HELLO) == "off"
    gate.enabled = True
    assert why(gate, HELLO) == "ok"


@pytest.mark.parametrize("title", [None, "", " \n", "\u202e"], ids=spelled)
def test_a_notification_needs_a_title(title: Json) -> None:
    assert why(NotificationGate(), {"title": title, "body": "x"}) == "empty"


@pytest.mark.parametrize(
    "activate",
    [
        "hermes://cron/jobs?x=1#top",
        "hermes:///cron/jobs?x=1#top",
        "HERMES://cron/jobs?x=1#top",
        "/cron/jobs?x=1#top",
        "cron/jobs?x=1#top",
        " /cron/jobs?x=1#top ",
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_all_spellings_of_a_route_are_one_route(activate: str, wrapped: bool) -> None:
    assert route_of({"path": activate} if wrapped else activate) == "/cron/jobs?x=1#top"


@pytest.mark.parametrize(
    "activate",
    [
        None,
        "",
        5,
        [],
        {},
        {"path": 5},
        {"path": {"path": "/x"}},
        "https://evil.example/",
        "javascript:alert(1)",
        "file:///etc",
        "//evil.example/x",
        "hermes:////evil.example",
        "/\\evil.example",
        "/a/../b",
        "a/./b",
        "./a",
        "/%2e/a",
        "//",
        "/%2e%2E/b",
        "hermes://../x",
        "/a\u202eb",
        "/a b",
        "/a\nb",
        "data:text/html,x",
        "/" + "x" * 5_000,
    ],
    ids=spelled,
)
def test_anything_else_is_no_route(activate: Json) -> None:
    assert route_of(activate) is None


def test_a_bad_route_costs_the_click_and_not_the_notification() -> None:
    answer = NotificationGate().notify("demo", {**HELLO, "activate": "https://evil.example"}, 0.0, focused=False)
    assert isinstance(answer, Notified)
    assert answer.notification.route is None
    assert answer.warning is not None and "evil.example" in answer.warning


def test_memory_does_not_grow_with_plugins_or_calls() -> None:
    gate = NotificationGate()
    for number in range(10_000):
        gate.notify(f"plugin{number}", HELLO, number * 1.0, focused=False)
    assert gate.remembered() <= 61
