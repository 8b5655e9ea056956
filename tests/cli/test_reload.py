"""reload: a row for each plugin, and an exit code that says how it went."""

from pathlib import Path
from typing import Any

import pytest

from loader.client import Client
from tests.cli.conftest import Cli, RunningService, write_plugin


def shells(state: str) -> list[dict[str, Any]]:
    return [{"shell": "app", "version": "1", "state": state, "error": "boom" if state == "failed" else None}]


@pytest.fixture
def answered(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Lets a test put shells' reports into the rows of a reload."""
    real = Client.reload
    answer: dict[str, Any] = {"state": "pending", "wait_s": None}

    def reload(self: Client, ids: Any = None, wait_s: float = 0.0) -> list[dict[str, Any]]:
        answer["wait_s"] = wait_s
        return [row | {"shells": shells(answer["state"])} for row in real(self, ids)]

    monkeypatch.setattr(Client, "reload", reload)
    return answer


def test_every_plugin_is_read_again_and_printed(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "clock")
    write_plugin(home, "other")
    outcome = cli("reload")
    assert outcome.code == 0
    assert [line.split()[:2] for line in outcome.out.splitlines()[1:]] == [["clock", "ready"], ["other", "ready"]]
    assert [row["id"] for row in cli("reload", "--json").json["plugins"]] == ["clock", "other"]


def test_named_plugins_only(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "clock")
    write_plugin(home, "other")
    cli("reload")
    assert [row["id"] for row in cli("reload", "other", "--json").json["plugins"]] == ["other"]


def test_one_with_errors_is_a_finding_with_its_place(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "bad", "import x from 'lodash'\nexport default { id: 'bad', register() {} }\n")
    outcome = cli("reload")
    assert outcome.code == 1
    assert "plugin.js:1:15: error HP201" in outcome.out


def test_a_switched_off_plugin_with_errors_is_no_failure(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "bad", "export default { id: 'bad', register() {")
    assert cli("disable", "bad").code == 0
    assert cli("reload").code == 0


def test_an_unknown_plugin_is_wrong_usage(cli: Cli, home: Path, service: RunningService) -> None:
    outcome = cli("reload", "nobody")
    assert (outcome.code, outcome.out) == (2, "")
    assert "nobody" in outcome.err


def test_a_home_without_plugins_has_nothing_to_reload(cli: Cli, home: Path, service: RunningService) -> None:
    outcome = cli("reload", "--wait")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "There is no plugin to reload.\n")


def test_waiting_without_a_shell_is_over_at_once(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "clock")
    assert cli("reload", "--wait").code == 0


@pytest.mark.parametrize(("state", "code"), [("loaded", 0), ("failed", 1), ("pending", 5)])
def test_what_the_shells_say_decides_when_waited_for(
    cli: Cli, home: Path, answered: dict[str, Any], state: str, code: int
) -> None:
    write_plugin(home, "clock")
    answered["state"] = state
    outcome = cli("reload", "--wait", "--timeout", "2")
    assert outcome.code == code
    assert answered["wait_s"] == 2.0
    assert f"app: {state}" in outcome.out
    if state == "pending":
        assert "not within 2 s: clock in app" in outcome.err


def test_a_pending_shell_is_fine_when_nobody_waits(cli: Cli, home: Path, answered: dict[str, Any]) -> None:
    write_plugin(home, "clock")
    assert cli("reload").code == 0
    assert answered["wait_s"] == 0.0


@pytest.mark.usefixtures("no_engine")
def test_without_a_service_the_files_are_checked_and_it_says_how_to_start_one(cli: Cli, home: Path) -> None:
    write_plugin(home, "clock")
    write_plugin(home, "bad", "import x from 'lodash'\nexport default { id: 'bad', register() {} }\n")
    outcome = cli("reload")
    assert outcome.code == 3
    assert "error HP201" in outcome.out
    assert "2 files checked: 1 error" in outcome.out
    assert "Start one: hermes-desktop serve" in outcome.err

    assert cli("reload", "clock").code == 3, "also when nothing is wrong"
    assert cli("reload", "clock", "--json").json["summary"]["files"] == 1
    assert cli("reload", "standalone:clock", "bad", "--json").json["summary"]["files"] == 2


@pytest.mark.usefixtures("no_engine")
def test_without_a_service_an_unknown_plugin_is_still_wrong_usage(cli: Cli, home: Path) -> None:
    write_plugin(home, "clock")
    outcome = cli("reload", "clok")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Did you mean 'clock'?" in outcome.err
