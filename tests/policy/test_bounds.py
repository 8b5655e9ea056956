"""Where each limit lies exactly, what a clock that steps back does, and numbers as JavaScript writes them."""

import pytest

from loader.nouns import Json
from loader.policy import limits
from loader.policy.actions import answered
from loader.policy.notifications import NotificationGate, Notified, route_of
from loader.policy.previews import PreviewGate
from loader.policy.refusals import RefusalLog
from loader.policy.shells import Shells
from loader.policy.text import clean_line, clean_name, clean_text, cut, shown, stringify


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-(10**400), "-Infinity"),
        (10**400, "Infinity"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
        (-0.0, "0"),
        (-1.0, "-1"),
        (0.5, "0.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-1.5e21, "-1.5e+21"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (123456789.25, "123456789.25"),
        (True, "true"),
        (False, "false"),
        (None, ""),
        ([1, None, [2, "x"], {}], "1,,2,x,[object Object]"),
    ],
)
def test_values_read_as_javascript_writes_them(value: Json, text: str) -> None:
    assert stringify(value) == text


def test_a_cut_is_exact_in_clusters_and_in_code_points() -> None:
    assert cut("abcde", graphemes=5, code_points=9) == "abcde"
    assert cut("abcdef", graphemes=5, code_points=9) == "abcde"
    two = "e\u0301"
    assert cut(two * 4, graphemes=3, code_points=9) == two * 3
    assert cut(two * 4, graphemes=4, code_points=6) == two * 3
    assert cut(two * 4, graphemes=4, code_points=7) == two * 3, "the half of a cluster does not stay"
    assert cut("e" + "\u0301" * 20, graphemes=1, code_points=5) == "e" + "\u0301" * 4


def test_long_text_is_cleaned_in_pieces_without_a_seam() -> None:
    far = "a" * 8_190 + "  \u202e  " + "b" * 10
    assert clean_line(far, graphemes=9_000, code_points=9_000) == "a" * 8_190 + " " + "b" * 10
    assert clean_line("\u202e" * 20_000 + "x", graphemes=5, code_points=5) == "x"


def test_a_name_of_the_longest_length_is_one_and_a_letter_more_is_none() -> None:
    assert clean_name("n" * 40, code_points=40) == "n" * 40
    assert clean_name("n" * 41, code_points=40) is None
    assert clean_name(f" {'n' * 40} ", code_points=40) == "n" * 40
    assert clean_name(" \u202e ", code_points=40) is None


def test_every_line_end_of_a_text_becomes_one_and_layout_stays() -> None:
    assert clean_text("a\r\nb\rc\x85d\u2028e\u2029f\tg", graphemes=99, code_points=99) == "a\nb\nc\nd\ne\nf\tg"
    assert clean_text("\ufeff  a\x00\x1b b \ufeff", graphemes=99, code_points=99) == "a b"
    assert clean_text("ab  cd", graphemes=4, code_points=4) == "ab"
    assert clean_text(" \u200b\n", graphemes=9, code_points=9) == ""


def test_a_shown_value_is_whole_up_to_its_bound_and_escaped() -> None:
    assert shown("x" * 10, characters=10) == "x" * 10
    assert shown("x" * 11, characters=10) == "x" * 9 + "…"
    assert shown("it's", characters=10) == "it\\'s"
    assert shown("a\\b", characters=10) == "a\\\\b"
    assert shown("\u202e", characters=10) == "\\u202e"
    assert shown("\U000e0001", characters=20) == "\\u{e0001}"
    assert shown("\x07'''", characters=8) == "\\u0007…"
    assert shown(None) == "null"


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        ("no pane...", "the app window refused (no pane)"),
        (".hidden", "the app window refused (.hidden)"),
        ("a boX.", "the app window refused (a boX)"),
        ("a" + "\u0301" * 900, "the app window refused (a" + "\u0301" * 479 + ")"),
        ("", "the app window refused"),
    ],
)
def test_the_words_of_a_shell_lose_their_full_stop_and_name_the_action(error: str, cause: str) -> None:
    refused = answered("nav.cron", {"ok": False, "error": error})
    assert refused.as_json()["error"] == f"'nav.cron' is unavailable: {cause}. See docs/policy.md."


# ---------------------------------------------------------------- gates


def reason(gate: NotificationGate, title: str, now_s: float, plugin: str = "demo", **more: Json) -> str:
    answer = gate.notify(plugin, {"title": title, **more}, now_s, focused=False)
    return "ok" if isinstance(answer, Notified) else answer.reason


def test_the_windows_of_notifications_end_to_the_moment() -> None:
    gate = NotificationGate()
    assert reason(gate, "a", 0) == "ok"
    assert reason(gate, "a", 29.9) == "repeat"
    assert reason(gate, "a", 30) == "ok"
    assert reason(gate, "b", 31) == "ok"
    assert reason(gate, "c", 59.9) == "rate"
    assert reason(gate, "c", 60) == "ok", "the first one is a minute old"
    assert reason(gate, "d", 60) == "rate"
    assert reason(gate, "d", 5) == "rate", "a clock that steps back opens nothing"
    assert gate.remembered() == 3
    assert reason(gate, "x", 1000, plugin="other") == "ok"
    assert gate.remembered() == 1


def test_the_same_title_with_another_body_is_another_notification() -> None:
    gate = NotificationGate()
    assert [reason(gate, "a", 0, body=body) for body in ("1", "2", "1")] == ["ok", "ok", "repeat"]
    assert reason(gate, "a", 0, plugin="other", body="1") == "ok"


@pytest.mark.parametrize(("silent", "is_silent"), [(True, True), (1, False), ("yes", False), (None, False)])
def test_silent_is_a_plain_yes_and_nothing_else(silent: Json, is_silent: bool) -> None:
    shown_as = NotificationGate().notify("demo", {"title": "a", "silent": silent}, 0, focused=False)
    assert isinstance(shown_as, Notified) and shown_as.notification.silent is is_silent


@pytest.mark.parametrize(
    ("activate", "route"),
    [
        ("hermes://a/b", "/a/b"),
        ("HERMES://a", "/a"),
        ("a/b?x=1#y", "/a/b?x=1#y"),
        ("/" + "a" * 2_047, "/" + "a" * 2_047),
        ("/" + "a" * 2_048, None),
        ("hermes:///a", "/a"),
        ("hermes:////a", None),
        ("//host/a", None),
        ("hermes:a", None),
        ("a/../b", None),
        ("a/%2E%2e/b", None),
        ("a/.../b", "/a/.../b"),
        ("a?x=../..", "/a?x=../.."),
        ("a#/../b", "/a#/../b"),
        ({"path": "a"}, "/a"),
        ({"route": "a"}, None),
        ("a\\b", None),
        ("", None),
        (5, None),
    ],
)
def test_what_is_a_route_of_the_app(activate: Json, route: str | None) -> None:
    assert route_of(activate) == route


def test_a_frame_waits_a_second_to_the_moment() -> None:
    gate = PreviewGate()
    assert gate.send("f", "a", 10).as_json() == {"ok": True, "prompt": "a"}
    assert gate.send("f", "a", 10.99).as_json()["ok"] is False
    assert gate.send("f", "a", 3).as_json()["ok"] is False, "a clock that steps back opens nothing"
    assert gate.send("g", "a", 10.5).as_json()["ok"] is True
    assert gate.remembered() == 2
    assert gate.send("f", "a", 11).as_json()["ok"] is True
    assert gate.remembered() == 2
    assert gate.send("x" * 128, "a", 100).as_json()["ok"] is True
    assert gate.send("x" * 129, "a", 100).as_json()["reason"] == "frame"
    assert gate.send("", "a", 100).as_json()["reason"] == "frame"


def test_as_many_frames_as_are_remembered_may_send_in_one_second() -> None:
    gate = PreviewGate()
    sent = [gate.send(f"f{n}", "a", 0).as_json()["ok"] for n in range(limits.FRAMES_REMEMBERED + 1)]
    assert sent.count(True) == limits.FRAMES_REMEMBERED and sent[-1] is False
    assert gate.send("late", "a", 1).as_json()["ok"] is True


def test_focus_is_the_last_one_and_goes_with_its_shell() -> None:
    shells = Shells()
    shells.focus("nobody", True)
    assert not shells.any_focused and len(shells) == 0
    shells.mount("a", focused=False, actions=None)
    shells.mount("b", focused=True, actions=frozenset({"x"}))
    assert shells.any_focused
    assert (shells.owner_of("x"), shells.owner_of("y")) == ("b", "a")
    shells.focus("a", True)
    shells.focus("b", False)
    assert shells.owner_of("x") == "a"
    shells.mount("a", focused=False, actions=None)
    assert not shells.any_focused, "mounted anew, it has what it said this time"
    assert shells.owner_of("x") == "a", "and was mounted last"
    assert list(shells.announcements()) == [frozenset({"x"}), None]
    assert (shells.unmount("a"), shells.unmount("a")) == (True, False)


def test_refusals_fold_for_exactly_a_second_and_open_the_next() -> None:
    log = RefusalLog()
    assert [line.text for line in log.note("p", "pet.say", "one", 0)] == ["[plugin:p] pet.say: one"]
    assert log.next_due_s() is None
    assert log.note("p", "pet.say", "two", 0.5) == []
    assert log.next_due_s() == 1
    assert log.due(0.99) == []
    assert [line.text for line in log.due(1)] == ["[plugin:p] pet.say: two"]
    assert (log.remembered(), log.next_due_s()) == (1, None)
    assert log.note("p", "pet.say", "three", 1.5) == [], "the summary opened a second of its own"
    assert log.note("p", "pet.say", "four", 0.2) == [], "a clock that steps back opens nothing"
    assert [line.text for line in log.note("p", "pet.say", "five", 2)] == ["[plugin:p] pet.say: four (and 1 more)"]
    assert [line.text for line in log.due(3)] == ["[plugin:p] pet.say: five"]
    assert log.due(4) == [] and log.remembered() == 0
