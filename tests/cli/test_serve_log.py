"""What `serve` prints: the home, the address, a line for what happens, the findings of what failed."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from loader.cli.serve_log import ServeLog, log_to_terminal
from loader.codes import finding
from loader.home import Home
from loader.nouns import (
    Event,
    Logged,
    Plugin,
    PluginChanged,
    PluginFailed,
    PluginLoaded,
    PluginUnloaded,
    Running,
    Source,
    Span,
)


def plugin(**changes: Any) -> Plugin:
    row: dict[str, Any] = {
        "key": "standalone:clock",
        "id": "clock",
        "exported_id": "clock",
        "name": "Clock",
        "description": None,
        "door": "standalone",
        "folder": "clock",
        "path": "/h/clock/plugin.js",
        "copied_to": None,
        "enabled": True,
        "choice": None,
        "choice_from": "plugin",
        "default_enabled": True,
        "state": "ready",
        "revision": "ab" * 32,
        "running_revision": "ab" * 32,
        "integrity": "",
        "pinned": False,
        "size_bytes": 1,
    }
    return Plugin(**row | changes)


FAILED = plugin(
    state="failed",
    diagnostics=(
        finding("HP003", "large"),
        finding("HP201", "no \x1b[31m", span=Span(1, 15, 1, 20), hint="write\u202e it"),
    ),
)
RUNNING = Running("clock", "standalone:clock", "ab" * 32, Source(b"", "", ""), ())


@pytest.mark.parametrize(
    ("event", "printed"),
    [
        (PluginLoaded(plugin(), RUNNING, "new"), "12:30:00  clock loaded abababababab (new)\n"),
        (PluginUnloaded("clock", "ab" * 32, "changed"), ""),
        (PluginUnloaded("clock", "ab" * 32, "removed"), "12:30:00  clock unloaded (removed)\n"),
        (
            PluginFailed(FAILED, "cd" * 32),
            "12:30:00  clock has errors; cdcdcdcdcdcd keeps running\n"
            "          /h/clock/plugin.js:1:15: error HP201 no \\x1b[31m\n"
            "          hint: write\\u{202e} it\n",
        ),
        (PluginChanged(plugin(), removed=True), "12:30:00  clock gone\n"),
        (PluginChanged(plugin(state="disabled")), "12:30:00  clock disabled\n"),
        (PluginChanged(plugin()), ""),
        (Logged("warning", None, "no \x07 watches"), "12:30:00  - no \\x07 watches\n"),
        (Logged("info", "clock", "hm"), "12:30:00  clock hm\n"),
    ],
)
def test_each_event_has_its_line(event: Event, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    ServeLog(lambda: datetime(2026, 1, 1, 12, 30)).hears(event)  # noqa: DTZ001 (local time is what people read)
    assert capsys.readouterr().out == printed


def test_a_state_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    log = ServeLog()
    for _ in range(3):
        log.hears(PluginChanged(plugin(state="disabled")))
    assert capsys.readouterr().out.count("disabled") == 1


def test_a_save_back_to_what_runs_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    log = ServeLog(lambda: datetime(2026, 1, 1, 12, 30))  # noqa: DTZ001 (as above)
    log.hears(PluginLoaded(plugin(), RUNNING, "new"))
    log.hears(PluginFailed(FAILED, "ab" * 32))
    capsys.readouterr()
    for _ in range(2):
        log.hears(PluginChanged(plugin()))
    assert capsys.readouterr().out == "12:30:00  clock is mended; abababababab runs on\n"


def test_the_start_names_home_profile_rule_note_and_address(capsys: pytest.CaptureFixture[str]) -> None:
    log = ServeLog()
    log.starts(Home(Path("/r"), Path("/r/profiles/work"), "work", "a test", "one more thing"))
    log.listens("http://127.0.0.1:8787")
    assert capsys.readouterr().out == (
        "Home /r (a test)\n"
        "Profile work: /r/profiles/work\n"
        "one more thing\n"
        "Listening on http://127.0.0.1:8787 (Ctrl-C ends it)\n"
    )


def test_log_records_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        log_to_terminal()
        logging.getLogger("loader.x").warning("from a plugin: \x1b]0;x\x07\nsecond line")
    finally:
        root.handlers[:], root.level = before
    assert capsys.readouterr().err == "WARNING loader.x: from a plugin: \\x1b]0;x\\x07\nsecond line\n"
