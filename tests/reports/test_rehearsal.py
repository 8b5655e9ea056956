"""A play is shown so that a person recognises the plugin, and given to programs whole."""

from dataclasses import replace

import pytest

from loader.checking.checked import CheckedFile
from loader.codes import finding
from loader.nouns import ConsoleLine, Contribution, Leak, Rehearsal, Span
from loader.reports.check_json import json_text
from loader.reports.rehearsal import rehearsal_json, rehearsal_text


@pytest.fixture
def file() -> CheckedFile:
    return CheckedFile(
        "clock/plugin.js",
        "clock",
        "clock",
        "ab" * 32,
        rehearsal=Rehearsal(
            ran=True,
            contributions=(
                Contribution("statusBar.right", "chip", "clock:chip", wireframe="[12:00]\n  tick \x1b\n", html="<b>"),
                Contribution("panes", "main", "clock:main", "Clock", 10.0, {"data": {"width": 300}}),
            ),
            console=(ConsoleLine("warn", "careful\u202e\nsecond"),),
            events=("click 'Start': handled", "click 'Nope': nothing there hears it"),
            actions=('ctx.storage.set("text")',),
            leaks=(Leak("listener", "window resize", Span(3, 5, 3, 9)), Leak("timer", "setInterval")),
            timers_fired=4,
            cpu_ms=12.4,
            memory_bytes=3 * 1024 * 1024,
        ),
    )


def test_a_person_sees_contributions_wireframes_console_and_leaks(file: CheckedFile) -> None:
    assert rehearsal_text(file).plain == (
        "clock (clock/plugin.js)\n"
        "  statusBar.right  clock:chip\n"
        "    [12:00]\n"
        "      tick \\x1b\n"
        "  panes  clock:main  Clock  order 10\n"
        "  event  click 'Start': handled\n"
        "  event  click 'Nope': nothing there hears it\n"
        '  asked of the app  ctx.storage.set("text")\n'
        "  warn   careful\\u{202e}\n"
        "           second\n"
        "  left alive: listener window resize (line 3)\n"
        "  left alive: timer setInterval\n"
        "  played in 12 ms of CPU time, 3.0 MiB, 4 timer calls\n"
    )


@pytest.mark.parametrize(
    ("rehearsal", "said"),
    [
        (None, "not played"),
        (Rehearsal(ran=False, stopped_by="it wants WebGL"), "not played: it wants WebGL"),
        (Rehearsal(ran=True), "it contributes nothing"),
        (Rehearsal(ran=True, stopped_by="render: time"), "stopped early: render: time"),
    ],
)
def test_what_was_not_played_says_why(file: CheckedFile, rehearsal: Rehearsal | None, said: str) -> None:
    assert said in rehearsal_text(replace(file, rehearsal=rehearsal)).plain


def test_a_file_with_errors_is_not_played(file: CheckedFile) -> None:
    broken = replace(file, rehearsal=None, diagnostics=(finding("HP101", "no"),))
    assert "not played: it has errors" in rehearsal_text(broken).plain


def test_floods_are_cut(file: CheckedFile) -> None:
    flood = Rehearsal(
        ran=True,
        contributions=(Contribution("panes", "a", "clock:a", wireframe="x\n" * 1000),),
        console=(ConsoleLine("log", "y"),) * 1000,
    )
    text = rehearsal_text(replace(file, rehearsal=flood)).plain
    assert text.count("\n") < 130
    assert "… 940 more lines" in text
    assert "… 950 more console lines" in text


def test_a_program_gets_everything(file: CheckedFile) -> None:
    answer = rehearsal_json(file)
    json_text(answer)
    played = answer["rehearsal"]
    assert isinstance(played, dict)
    assert list(played) == [
        "ran", "stopped_by", "contributions", "console", "events", "actions", "leaks", "timers_fired", "cpu_ms",
        "memory_bytes",
    ]  # fmt: skip
    assert played["contributions"][0]["wireframe"].startswith("[12:00]")  # type: ignore[index,call-overload,union-attr]
    assert played["leaks"] == [
        {"kind": "listener", "detail": "window resize", "line": 3, "column": 5},
        {"kind": "timer", "detail": "setInterval", "line": None, "column": None},
    ]
    assert rehearsal_json(replace(file, rehearsal=None))["rehearsal"] is None
