"""Events are printed whole, safe, and without anything that opens a door."""

import json
from typing import Any

import pytest

from loader.cli.event_lines import event_json, event_line
from loader.server.protocol import NOTIFICATIONS

ROW = {
    "id": "clock",
    "state": "ready",
    "revision": "ab" * 32,
    "diagnostics": [
        {"severity": "warning", "code": "HP502", "message": "colour", "line": 1, "column": 1},
        {"severity": "error", "code": "HP101", "message": "what \x1b is this", "line": 3, "column": 8},
    ],
}
EVENTS: dict[str, dict[str, Any]] = {
    "hello": {"seq": 1, "version": "1", "root": "/r", "home": "/r", "instance": "i", "resumed": False,
              "plugins": [{"row": ROW, "module_url": "/modules/SECRET/plugin.js", "plugin_token": "SECRET"}]},
    "plugin/load": {"seq": 2, "row": ROW, "module_url": "/modules/SECRET/plugin.js", "plugin_token": "SECRET",
                    "imports": [], "reason": "new"},
    "plugin/unload": {"seq": 3, "id": "clock", "revision": "ab" * 32, "reason": "changed"},
    "plugin/failed": {"seq": 4, "row": ROW, "running_revision": "cd" * 32},
    "plugin/changed": {"seq": 5, "row": ROW},
    "policy/actions": {"seq": 6, "actions": [{"id": "nav.settings"}]},
    "pet/lines": {"seq": 7, "lines": [{"plugin": "clock", "label": "Clock", "text": "tick\u202e"}]},
    "wall/changed": {"seq": 9, "id": "com.example.board", "app": {"id": "com.example.board", "enabled": True}},
    "packages/requests": {"seq": 10, "waiting": 2},
    "log": {"seq": 8, "level": "warning", "plugin": "clock", "text": "[plugin:clock] runAction: \x1b]0;x\x07"},
}  # fmt: skip
LINES = {
    "hello": "     1  hello           /r (plugins: 1)",
    "plugin/load": "     2  plugin/load     clock abababababab (new)",
    "plugin/unload": "     3  plugin/unload   clock abababababab (changed)",
    "plugin/failed": "     4  plugin/failed   clock: 3:8 HP101 what \\x1b is this (cdcdcdcdcdcd keeps running)",
    "plugin/changed": "     5  plugin/changed  clock is ready",
    "policy/actions": "     6  policy/actions  1 in the table",
    "pet/lines": "     7  pet/lines       Clock: tick\\u{202e}",
    "wall/changed": "     9  wall/changed    com.example.board is on",
    "packages/requests": "    10  packages/requests  2 wait for a person",
    "log": "     8  log             warning: [plugin:clock] runAction: \\x1b]0;x\\x07",
}


def test_every_event_of_the_protocol_is_known_here() -> None:
    assert set(EVENTS) == set(NOTIFICATIONS)


@pytest.mark.parametrize("method", EVENTS)
def test_a_person_reads_one_line(method: str) -> None:
    assert event_line(method, EVENTS[method]) == LINES[method]


@pytest.mark.parametrize("method", EVENTS)
def test_a_program_reads_one_line_of_json(method: str) -> None:
    line = event_json(method, EVENTS[method])
    assert "\n" not in line
    assert line.isascii()
    assert json.loads(line)["event"] == method
    assert json.loads(line)["seq"] == EVENTS[method]["seq"]


@pytest.mark.parametrize("method", EVENTS)
def test_nothing_that_opens_a_door_is_printed(method: str) -> None:
    params = EVENTS[method] | {"token": "SECRET", "code": "SECRET"}
    assert "SECRET" not in event_line(method, params) + event_json(method, params)


def test_an_event_that_we_do_not_know_is_named_and_nothing_more() -> None:
    assert json.loads(event_json("new/thing", {"seq": 9, "key": "SECRET"})) == {"event": "new/thing", "seq": 9}
    assert event_line("new/thing", {"seq": 9, "key": "SECRET"}).split() == ["9", "new/thing"]
