"""events: what has happened so far, or what happens."""

import json
from pathlib import Path

from loader.cli.events import so_far
from loader.client import ServiceEvent
from tests.cli.conftest import Cli, RunningService, write_plugin


def hello(resumed: bool, seq: int) -> ServiceEvent:
    return ServiceEvent("hello", {"resumed": resumed, "seq": seq})


def log(seq: int) -> ServiceEvent:
    return ServiceEvent("log", {"seq": seq})


def test_everything_so_far_is_printed_and_then_it_ends(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "clock")
    cli("reload")
    outcome = cli("events")
    assert outcome.code == 0
    assert "plugin/load     clock" in outcome.out
    answers = [json.loads(line) for line in cli("events", "--json").out.splitlines()]
    assert [answer["event"] for answer in answers][:2] == ["hello", "plugin/load"]
    assert service.endpoint.token not in cli("events", "--json").out
    assert "plugin_token" not in cli("events", "--json").out


def test_what_came_after_an_event(cli: Cli, home: Path, service: RunningService) -> None:
    for name in ("a", "b"):
        write_plugin(home, name)
        cli("reload")
    since = f"{service.endpoint.instance}:1"
    answers = [json.loads(line) for line in cli("events", "--since", since, "--json").out.splitlines()]
    assert [answer["seq"] for answer in answers][:2] == [1, 2], "the greeting carries the number that was asked for"


def test_a_service_where_nothing_happened_greets_and_ends(cli: Cli, service: RunningService) -> None:
    outcome = cli("events")
    assert (outcome.code, outcome.out.count("\n")) == (0, 1)
    assert "hello" in outcome.out


def test_an_event_that_is_too_old_gives_the_greeting_alone(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "clock")
    cli("reload")
    assert cli("events", "--since", "another:5").out.count("\n") == 1


def test_without_a_service_there_are_no_events(cli: Cli) -> None:
    for args in (["events"], ["events", "--follow"]):
        outcome = cli(*args)
        assert (outcome.code, outcome.out) == (3, "")
        assert "hermes-desktop serve" in outcome.err


def test_so_far_ends_with_the_event_that_was_the_last_when_asked() -> None:
    events = [hello(True, 3), log(4), log(5), log(6)]
    assert list(so_far(iter(events), 5)) == events[:3]


def test_so_far_ends_at_once_when_there_is_nothing_to_come() -> None:
    assert list(so_far(iter([hello(True, 5), log(6)]), 5)) == [hello(True, 5)]
    assert list(so_far(iter([hello(False, 0), log(6)]), 5)) == [hello(False, 0)]
