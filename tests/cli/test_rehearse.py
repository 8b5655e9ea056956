"""rehearse: what a person can make a plugin do before the app sees it."""

from pathlib import Path

import pytest

from loader.analysis.rehearsal.user_event import UserEvent
from loader.cli.rehearse import parse_event
from loader.errors import UsageError
from tests.cli.conftest import Cli, FakePool, write_plugin


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("click:Start", UserEvent("click", "Start")),
        ("click:a=b: c", UserEvent("click", "a=b: c")),
        ("click", UserEvent("click")),
        ("change:Name=Ada", UserEvent("change", "Name", value="Ada")),
        ("input:a=b=", UserEvent("input", "a=b", value="")),
        ("keydown:Name=Enter", UserEvent("keydown", "Name", key="Enter")),
    ],
)
def test_an_event_is_what_on_what_with_which_value(text: str, event: UserEvent) -> None:
    assert parse_event(text) == event


@pytest.mark.parametrize("text", ["", "tickle:Start", "change:Name", "keydown:Name", "input"])
def test_an_event_that_cannot_be_is_wrong_usage(cli: Cli, text: str) -> None:
    with pytest.raises(UsageError, match="--event"):
        parse_event(text)
    outcome = cli("rehearse", "--event", text)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_events_reach_the_rehearsal(cli: Cli, home: Path, no_engine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    write_plugin(home, "clock")
    pools: list[FakePool] = []

    def make(*_: object) -> FakePool:
        pools.append(FakePool())
        return pools[-1]

    monkeypatch.setattr("loader.analysis.pool.AnalysisPool", make)
    assert cli("rehearse", "--event", "click:Start", "--event", "change:Name=Ada", "--enforce").code == 0
    assert pools[0].events == (UserEvent("click", "Start"), UserEvent("change", "Name", value="Ada"))
    assert pools[0].settings[0].rehearsal == "enforce"


def test_findings_are_printed_and_decide_the_exit_code(cli: Cli, home: Path, no_engine: None) -> None:
    write_plugin(home, "bad", "import _ from 'lodash'\nexport default { id: 'bad', register() {} }\n")
    outcome = cli("rehearse")
    assert outcome.code == 1
    assert "bad (" in outcome.out
    assert "not played: it has errors" in outcome.out
    assert "error HP201" in outcome.out
    answer = cli("rehearse", "--json")
    assert answer.code == 1
    assert answer.json["files"][0]["rehearsal"] is None
