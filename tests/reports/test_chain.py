"""What each link says, for rows that a test cannot easily bring about."""

from typing import Any

import pytest

from loader.reports.chain import Chain, chain_of

ROW: dict[str, Any] = {
    "key": "standalone:clock",
    "id": "clock",
    "door": "standalone",
    "path": "/h/desktop-plugins/clock/plugin.js",
    "copied_to": None,
    "enabled": True,
    "choice_from": "plugin",
    "state": "ready",
    "revision": "ab" * 32,
    "running_revision": "ab" * 32,
    "integrity": "sha256-x",
    "pinned": False,
    "size_bytes": 10,
    "diagnostics": [],
    "shells": [{"shell": "app", "version": "1", "state": "loaded", "error": None}],
}


def error(code: str, severity: str = "error") -> dict[str, Any]:
    return {"code": code, "severity": severity, "message": "m\x1b", "line": 2, "column": 3, "hint": "h"}


def chain(**changes: Any) -> Chain:
    return chain_of(ROW | changes, home="/h", rule="a test", service="process 1 at x")


def link(made: Chain, name: str) -> tuple[str, str]:
    found = next(each for each in made.links if each.name == name)
    return found.state, found.says


def test_a_plugin_that_runs_everywhere_runs() -> None:
    assert chain().verdict == "runs"
    assert all(each.state == "holds" for each in chain().links)


@pytest.mark.parametrize(
    ("changes", "broken", "verdict"),
    [
        (
            {"diagnostics": [error("HP303")], "state": "failed"},
            "folder",
            "does not run: HP303 at line 2, column 3: m\\x1b",
        ),
        ({"state": "shadowed"}, "folder", "does not run: another plugin owns the id clock"),
        (
            {"diagnostics": [error("HP010")], "state": "failed"},
            "file",
            "does not run: HP010 at line 2, column 3: m\\x1b",
        ),
        (
            {"diagnostics": [error("HP201"), error("HP202")], "state": "failed"},
            "check",
            "does not run: HP201 at line 2, column 3: m\\x1b (and 1 more)",
        ),
        ({"enabled": False, "choice_from": "app"}, "choice", "does not run: off: the app's own switch says so"),
        (
            {"shells": [{"shell": "app", "version": "1", "state": "failed", "error": "boom\n"}]},
            "shell",
            "does not run: app could not load it: boom\\n",
        ),
    ],
)
def test_the_first_link_that_breaks_is_the_cause(changes: dict[str, Any], broken: str, verdict: str) -> None:
    made = chain(**changes)
    assert made.broken is not None
    assert (made.broken.name, made.verdict) == (broken, verdict)


@pytest.mark.parametrize(
    ("changes", "name", "says"),
    [
        ({"running_revision": None}, "service", "it runs nothing of this plugin"),
        ({"running_revision": "cd" * 32}, "service", "the last good revision cdcdcdcdcdcd keeps running"),
        ({"shells": []}, "shell", "no shell is connected"),
        (
            {"shells": [{"shell": "app", "version": "1", "state": "pending", "error": None}]},
            "shell",
            "has not reported",
        ),
    ],
)
def test_what_is_not_there_yet_is_waited_for(changes: dict[str, Any], name: str, says: str) -> None:
    made = chain(**changes)
    state, said = link(made, name)
    assert state == "waits"
    assert says in said
    assert made.broken is None
    assert made.verdict.startswith("does not run yet: ")


def test_warnings_do_not_break_the_check() -> None:
    assert link(chain(diagnostics=[error("HP502", "warning")]), "check") == ("holds", "passed with 1 warning")


def test_a_check_that_was_not_reached_says_so() -> None:
    assert link(chain(diagnostics=[error("HP001")]), "check")[0] == "waits"


def test_the_apps_copy_and_a_pin_are_mentioned() -> None:
    made = chain(copied_to="/h/desktop-plugins/clock", pinned=True)
    assert "edits there are lost" in link(made, "folder")[1]
    assert "pinned to sha256-x" in link(made, "file")[1]
