"""doctor: the chain of why, with and without a service."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, RunningService, write_plugin

BAD = "import _ from 'lodash'\nexport default { id: 'bad', register() {} }\n"


@pytest.fixture(autouse=True)
def _(no_engine: None, home: Path) -> None:
    write_plugin(home, "clock")


def broken_at(cli: Cli, name: str) -> str | None:
    (plugin,) = cli("doctor", name, "--json").json["plugins"]
    return str(plugin["broken_at"]) if plugin["broken_at"] else None


def test_it_names_the_home_its_rule_and_what_is_scanned(cli: Cli, home: Path) -> None:
    outcome = cli("doctor")
    assert outcome.code == 0
    assert f"Home      {home} (HERMES_HOME is set)" in outcome.out
    assert f"Scanned   {home / 'desktop-plugins'}\n" in outcome.out
    assert f"Scanned   {home / 'plugins'} (is not there)" in outcome.out
    assert "Only this machine's folders are scanned, also when the app talks to a remote backend." in outcome.out


def test_without_a_service_it_says_how_to_start_one(cli: Cli) -> None:
    outcome = cli("doctor", "clock")
    assert outcome.code == 0
    assert "clock does not run yet: no service is running for this home" in outcome.out
    assert "hermes-desktop serve" in outcome.out
    for link in ("home", "folder", "file", "check", "choice", "service", "shell"):
        assert f"  {link} " in outcome.out


def test_with_a_service_the_shell_is_what_is_missing(cli: Cli, service: RunningService) -> None:
    outcome = cli("doctor", "clock")
    assert outcome.code == 0
    assert "no shell is connected" in outcome.out
    assert f"process {service.endpoint.pid} at {service.endpoint.url}" in outcome.out
    assert service.endpoint.token not in outcome.out


def test_the_check_breaks_the_chain(cli: Cli, home: Path) -> None:
    write_plugin(home, "bad", BAD)
    outcome = cli("doctor")
    assert outcome.code == 1
    assert "bad does not run: HP201 at line 1, column 15" in outcome.out
    assert broken_at(cli, "bad") == "check"


def test_the_file_breaks_the_chain(cli: Cli, home: Path) -> None:
    (home / "desktop-plugins" / "odd" / "plugin.js").mkdir(parents=True)
    assert broken_at(cli, "odd") == "file"


def test_the_folder_breaks_the_chain(cli: Cli, home: Path) -> None:
    write_plugin(home, "folder", "export default { id: 'other', register() {} }\n")
    assert broken_at(cli, "folder") == "folder"
    write_plugin(home, "clock", package=True)
    cli("enable", "unified:clock")
    plugins = {plugin["key"]: plugin for plugin in cli("doctor", "clock", "--json").json["plugins"]}
    assert plugins["unified:clock"]["broken_at"] == "folder"
    assert plugins["standalone:clock"]["broken_at"] is None


def test_a_switch_breaks_the_chain_without_being_ill(cli: Cli, home: Path) -> None:
    write_plugin(home, "pack", package=True)
    outcome = cli("doctor", "pack")
    assert outcome.code == 0
    assert "pack does not run: off: packages are off until you turn them on" in outcome.out
    assert "hermes-desktop enable pack" in outcome.out


def test_a_good_revision_that_keeps_running_is_said(cli: Cli, home: Path, service: RunningService) -> None:
    write_plugin(home, "clock", "export default { id: 'clock', register() {\n")
    cli("reload")
    outcome = cli("doctor", "clock")
    assert outcome.code == 1
    assert "keeps running, not the file's" in outcome.out


def test_a_plugin_that_the_service_still_checks_is_not_called_missing(
    cli: Cli, home: Path, service: RunningService
) -> None:
    service.analyzer.hold("standalone:slow")
    write_plugin(home, "slow")
    outcome = cli("doctor", "slow")
    assert outcome.code == 5
    assert "still being checked" in outcome.err


def test_folders_that_were_passed_over_are_listed_with_the_reason(cli: Cli, home: Path) -> None:
    (home / "desktop-plugins" / "halfway").mkdir()
    (home / "desktop-plugins" / "halfway" / "index.js").write_text("")
    outcome = cli("doctor")
    assert "Passed over:" in outcome.out
    assert f"{home / 'desktop-plugins' / 'halfway'}: it holds no plugin.js" in outcome.out
    one = cli("doctor", "halfway")
    assert one.code == 1
    assert "it holds no plugin.js" in one.out


def test_a_plugin_that_is_nowhere_says_where_was_looked(cli: Cli, home: Path) -> None:
    outcome = cli("doctor", "nobody")
    assert (outcome.code, outcome.out) == (2, "")
    assert str(home / "desktop-plugins") in outcome.err
    assert "--hermes-home" in outcome.err


def test_a_plugin_that_lies_in_a_profile_names_the_profile(cli: Cli, home: Path) -> None:
    write_plugin(home / "profiles" / "work", "elsewhere")
    outcome = cli("doctor", "elsewhere")
    assert outcome.code == 2
    assert "is only read with --profile work" in outcome.err
    assert cli("doctor", "elsewhere", "--profile", "work").code == 0


def test_an_empty_home(cli: Cli, home: Path) -> None:
    (home / "desktop-plugins" / "clock" / "plugin.js").unlink()
    (home / "desktop-plugins" / "clock").rmdir()
    outcome = cli("doctor")
    assert outcome.code == 0
    assert "No plugin was found." in outcome.out


def test_json_holds_everything(cli: Cli, home: Path) -> None:
    answer = cli("doctor", "--json").json
    assert set(answer) == {"home", "service", "remote_note", "plugins", "passed_over"}
    assert answer["home"]["rule"] == "HERMES_HOME is set"
    assert answer["service"] is None
    links = answer["plugins"][0]["links"]
    assert [link["name"] for link in links] == ["home", "folder", "file", "check", "choice", "service", "shell"]
    assert set(links[0]) == {"name", "state", "says", "remedy"}
