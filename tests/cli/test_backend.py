"""`backend` with and without a service, and what `doctor` says of backends."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, RunningService, write_plugin

CONFIG = "# mine\nmodel: x  # good\n"


@pytest.fixture
def package(home: Path) -> Path:
    write_plugin(home, "board", package=True)
    dashboard = home / "plugins" / "board" / "dashboard"
    dashboard.mkdir()
    (dashboard / "manifest.json").write_text(json.dumps({"name": "board", "api": "plugin_api.py"}))
    (dashboard / "plugin_api.py").write_text("from fastapi import APIRouter\nrouter = APIRouter()\n")
    (home / "config.yaml").write_text(CONFIG)
    return home / "plugins" / "board"


def state(cli: Cli) -> str:
    found: str = cli("backend", "list", "--json").json["backends"][0]["state"]
    return found


@pytest.mark.parametrize("with_service", [False, True])
def test_a_backend_is_switched_in_the_users_own_file(
    cli: Cli, home: Path, package: Path, no_engine: None, with_service: bool, request: pytest.FixtureRequest
) -> None:
    if with_service:
        request.getfixturevalue("service")
    assert state(cli) == "not-enabled"
    outcome = cli("backend", "enable", "board")
    assert (outcome.code, "is enabled" in outcome.out) == (0, True)
    assert (home / "config.yaml").read_text() == CONFIG + "plugins:\n  enabled:\n  - board\n"
    assert "already enabled" in cli("backend", "enable", "board").out
    assert state(cli) == "idle"
    assert "board" in cli("backend").out
    assert cli("backend", "disable", "board").code == 0
    assert state(cli) == "disabled"
    assert (home / "config.yaml").read_text().startswith(CONFIG)


def test_a_package_of_two_names_is_enabled_whole_and_said(cli: Cli, home: Path, package: Path) -> None:
    (package / "plugin.yaml").write_text("name: the-board\n")
    assert state(cli) == "not-enabled"
    outcome = cli("backend", "enable", "board")
    assert "'board' and 'the-board' are enabled" in outcome.out
    assert "two names" in outcome.err
    assert state(cli) == "idle"


def test_unknown_names_and_missing_ones_are_wrong_usage(cli: Cli, package: Path) -> None:
    near = cli("backend", "enable", "bord")
    assert (near.code, "Did you mean 'board'?" in near.err) == (2, True)
    assert cli("backend", "enable").code == 2
    assert cli("backend", "logs", "nosuch").code == 2
    # What is gone can still be turned off.
    assert cli("backend", "disable", "gone").code == 0


def test_a_restart_needs_a_service(cli: Cli, package: Path) -> None:
    assert cli("backend", "restart", "board").code == 3


def test_a_restart_is_a_new_process_and_one_that_may_not_run_is_refused(
    cli: Cli, home: Path, package: Path, service: RunningService
) -> None:
    refused = cli("backend", "restart", "board")
    assert (refused.code, refused.out) == (2, "")
    assert "enable" in refused.err
    cli("backend", "enable", "board")
    pids = []
    for _ in range(2):
        outcome = cli("backend", "restart", "board")
        assert (outcome.code, outcome.out) == (0, "board was restarted\n")
        pids.append(cli("backend", "--json").json["backends"][0]["pid"])
    assert pids[0] != pids[1]


def test_a_home_without_backends_and_a_package_without_one_are_said(cli: Cli, home: Path) -> None:
    assert "No package of this home" in cli("backend").err
    dashboard = home / "plugins" / "board" / "dashboard"
    dashboard.mkdir(parents=True)
    (dashboard / "manifest.json").write_text(json.dumps({"name": "board", "api": "../../outside.py"}))
    outcome = cli("backend", "enable", "board")
    assert "has no backend that can run" in outcome.err


def test_the_last_lines_of_a_log(cli: Cli, home: Path, package: Path) -> None:
    log = home / "desktop-loader" / "backends" / "default" / "board" / "log"
    assert "nothing yet" in cli("backend", "logs", "board").err
    log.parent.mkdir(parents=True)
    log.with_name("log.1").write_text("one\ntwo\n")
    log.write_text("three\x1b[2Jfour\n")
    outcome = cli("backend", "logs", "board", "--lines", "2")
    assert outcome.out.splitlines()[0] == "two"
    assert "\x1b" not in outcome.out


def test_doctor_names_the_backend_of_a_package(cli: Cli, home: Path, package: Path, no_engine: None) -> None:
    def link() -> dict[str, str]:
        found: dict[str, str] = cli("doctor", "board", "--json").json["plugins"][0]["links"][-1]
        return found

    assert (link()["name"], link()["state"]) == ("backend", "holds")
    assert "off" in link()["says"]
    cli("backend", "enable", "board")
    assert "on; starts with the first request" in link()["says"]
    (package / "dashboard" / "plugin_api.py").unlink()
    assert link()["state"] == "breaks"
    assert "no-api" in link()["says"]
