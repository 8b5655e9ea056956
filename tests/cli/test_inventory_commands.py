"""list, show, enable, disable, forget, pin, unpin: the same through a service and without one."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from loader.client import Client
from loader.errors import LoaderError
from loader.integrity import integrity_of
from loader.nouns import Verdict
from tests.cli.conftest import Cli, FakePool, RunningService, write_plugin

OTHER = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


@pytest.fixture(params=["with a service", "without a service"])
def served(request: pytest.FixtureRequest, home: Path, no_engine: None) -> bool:
    """Two plugins and a package; then a service, or none."""
    write_plugin(home, "clock")
    write_plugin(home, "bad", "export default { id: 'bad', register() {")
    write_plugin(home, "pack", package=True)
    if request.param == "with a service":
        request.getfixturevalue("service")
        return True
    return False


def rows(cli: Cli) -> dict[str, dict[str, Any]]:
    outcome = cli("list", "--json")
    assert outcome.code == 0
    return {row["id"]: row for row in outcome.json["plugins"]}


# ---------------------------------------------------------------- looking


def test_list_shows_every_plugin_with_its_state(cli: Cli, served: bool) -> None:
    outcome = cli("list")
    assert outcome.code == 0
    lines = [line.split() for line in outcome.out.splitlines()]
    assert lines[0] == ["ID", "STATE", "DOOR", "REVISION", "NOTES"]
    assert [line[:3] for line in lines[1:]] == [
        ["bad", "failed", "standalone"],
        ["clock", "ready", "standalone"],
        ["pack", "disabled", "unified"],
    ]
    assert "1 error" in outcome.out
    assert "off (door)" in outcome.out
    assert ("look of our own" in outcome.err) is not served


def test_a_narrow_terminal_takes_no_letter_of_an_id(
    cli: Cli, home: Path, no_engine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plugin(home, "a-plugin-with-a-long-name")
    monkeypatch.setenv("COLUMNS", "20")
    assert "a-plugin-with-a-long-name  ready" in cli("list").out


def test_the_rows_are_those_of_the_protocol(cli: Cli, served: bool) -> None:
    found = rows(cli)
    assert list(found) == ["bad", "clock", "pack"]
    assert list(found["clock"])[:5] == ["key", "id", "exported_id", "name", "description"]
    assert (found["clock"]["running_revision"] == found["clock"]["revision"]) is served, (
        "without a service nothing runs"
    )


def test_show_tells_all_of_one_plugin(cli: Cli, served: bool) -> None:
    outcome = cli("show", "bad")
    assert outcome.code == 0
    assert "state        failed" in outcome.out
    assert "plugin.js:1:41: error HP101" in outcome.out
    assert cli("show", "standalone:clock", "--json").json["id"] == "clock"


@pytest.mark.parametrize(
    "args", [["show"], ["enable"], ["disable"], ["forget"], ["pin"], ["unpin"], ["allow-heavy"]], ids=str
)
def test_a_plugin_that_is_not_there_is_wrong_usage(cli: Cli, served: bool, args: list[str]) -> None:
    outcome = cli(*args, "clok")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert "clok" in outcome.err


def test_an_empty_home_says_so(cli: Cli, no_engine: None) -> None:
    outcome = cli("list")
    assert (outcome.code, outcome.out) == (0, "")
    assert "holds no plugin (HERMES_HOME is set)" in outcome.err
    assert cli("list", "--json").json == {"plugins": [], "apps": []}


@pytest.mark.parametrize("args", [["list", "--json"], ["enable", "clock"], ["show", "clock"]], ids=" ".join)
def test_choices_that_were_lost_are_said_without_a_service_too(
    cli: Cli, home: Path, no_engine: None, args: list[str]
) -> None:
    write_plugin(home, "clock")
    (home / "desktop-loader").mkdir()
    (home / "desktop-loader" / "choices.json").write_text('{"clock": fal')
    outcome = cli(*args)
    assert outcome.code == 0
    (said,) = [line for line in outcome.err.splitlines() if "set aside" in line]
    assert said.startswith("error: ")
    assert "choices.json" in said


@pytest.mark.parametrize("port", ["65536", "-1", "abc"])
def test_a_port_that_cannot_be_is_wrong_usage(cli: Cli, port: str) -> None:
    outcome = cli("serve", "--port", port)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "--port" in outcome.err


NEEDS_A_HOME = [
    *(["list"], ["doctor"], ["check"], ["rehearse"], ["reload"], ["events"], ["open"], ["serve"]),
    *([name, "clock"] for name in ("show", "enable", "disable", "forget", "pin", "unpin", "doctor")),
]


@pytest.mark.parametrize("args", NEEDS_A_HOME, ids=" ".join)
def test_no_home_is_wrong_usage(cli: Cli, tmp_path: Path, args: list[str]) -> None:
    outcome = cli(*args, "--hermes-home", str(tmp_path / "nowhere"))
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "does not exist (--hermes-home was given)" in outcome.err


@pytest.mark.parametrize("args", NEEDS_A_HOME, ids=" ".join)
def test_a_profile_that_is_not_there_is_wrong_usage(cli: Cli, args: list[str]) -> None:
    outcome = cli(*args, "--profile", "nobody")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "There is no profile 'nobody'" in outcome.err


# ---------------------------------------------------------------- switches


def test_a_choice_counts_from_now_on(cli: Cli, served: bool) -> None:
    outcome = cli("disable", "clock")
    assert (outcome.code, outcome.out) == (0, "clock is off (your choice), disabled\n")
    assert ("the next service finds it" in outcome.err) is not served
    assert (rows(cli)["clock"]["state"], rows(cli)["clock"]["choice"]) == ("disabled", False)

    assert cli("forget", "clock").out == "clock is on (its own default), ready\n"
    assert rows(cli)["clock"]["choice"] is None

    assert cli("enable", "pack").out == "pack is on (your choice), ready\n"
    assert cli("enable", "bad").out == "bad is on (your choice), failed: 1 error\n"


def test_a_change_prints_its_row_for_programs(cli: Cli, served: bool) -> None:
    row = cli("disable", "clock", "--json").json
    assert (row["id"], row["enabled"], row["choice_from"]) == ("clock", False, "ours")


def test_a_choice_made_without_a_service_is_found_by_the_next_one(
    cli: Cli, home: Path, no_engine: None, request: pytest.FixtureRequest
) -> None:
    write_plugin(home, "clock")
    cli("disable", "clock")
    service: RunningService = request.getfixturevalue("service")
    with service.client as client:
        assert client.plugin("clock")["state"] == "disabled"


# ---------------------------------------------------------------- pins


def test_a_plugin_may_be_heavy_in_this_revision_until_that_is_forgotten(cli: Cli, home: Path, served: bool) -> None:
    kept = home / "desktop-loader" / "allowed-heavy.json"
    outcome = cli("allow-heavy", "clock")
    revision = rows(cli)["clock"]["revision"]
    assert (outcome.code, outcome.out) == (0, f"clock may be heavy, in this revision ({revision[:12]})\n")
    assert json.loads(kept.read_text())["data"] == {"clock": revision}
    assert cli("allow-heavy", "clock", "--forget").out == "clock is held to the limits again\n"
    assert json.loads(kept.read_text())["data"] == {}
    assert cli("allow-heavy", "nosuch").code == 2


def test_a_pin_lets_the_present_bytes_load_and_no_others(cli: Cli, home: Path, served: bool) -> None:
    outcome = cli("pin", "clock")
    assert outcome.code == 0
    assert outcome.out == f"clock is pinned to its present bytes, {integrity_of(rows(cli)['clock']['revision'])}\n"
    assert rows(cli)["clock"]["pinned"] is True

    write_plugin(home, "clock", "export default { id: 'clock', register() { return 1 } }\n")
    cli("reload", "clock")
    assert [found["code"] for found in rows(cli)["clock"]["diagnostics"]] == ["HP010"]

    assert cli("unpin", "clock").out == "clock is not pinned\n"
    assert rows(cli)["clock"]["state"] == "ready"


def test_a_hash_that_does_not_match_is_kept_and_refuses_the_file(cli: Cli, served: bool) -> None:
    outcome = cli("pin", "clock", OTHER)
    assert outcome.code == 0
    assert outcome.out.startswith("clock is pinned, and refused: ")
    assert rows(cli)["clock"]["state"] == "failed"


@pytest.mark.parametrize("value", ["", "md5-x", "sha256-short", "ab" * 32])
def test_a_malformed_hash_is_refused_and_nothing_kept(cli: Cli, served: bool, value: str) -> None:
    outcome = cli("pin", "clock", value)
    assert (outcome.code, outcome.out) == (2, "")
    assert rows(cli)["clock"]["pinned"] is False


# ---------------------------------------------------------------- a service that goes wrong


def test_a_service_that_went_away_is_an_internal_failure(
    cli: Cli, home: Path, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    dead = replace(service.endpoint, url="http://127.0.0.1:9")
    monkeypatch.setattr("loader.client.find", lambda _: dead)
    outcome = cli("list")
    assert (outcome.code, outcome.out) == (3, "")
    assert "went away" in outcome.err
    assert outcome.err.count("\n") == 1


def test_what_only_a_person_may_do_exits_4(cli: Cli, service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    from loader.errors import NeedsPerson

    def refuse(*_: object) -> None:
        raise NeedsPerson("open the page and approve it there")

    monkeypatch.setattr(Client, "plugins", refuse)
    outcome = cli("list")
    assert (outcome.code, outcome.err) == (4, "hermes-desktop: open the page and approve it there\n")


def test_a_service_that_does_not_answer_times_out(
    cli: Cli, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    from loader.errors import TimedOut

    def hang(*_: object) -> None:
        raise TimedOut("http://127.0.0.1:1 does not answer.")

    monkeypatch.setattr(Client, "plugins", hang)
    assert cli("list").code == 5


def test_json_is_the_only_thing_on_standard_output(cli: Cli, served: bool) -> None:
    for args in (["list"], ["show", "clock"], ["disable", "clock"], ["pin", "clock"], ["unpin", "clock"]):
        json.loads(cli(*args, "--json").out)


@pytest.mark.parametrize(("before", "after", "kept"), [("disable", "forget", "choices"), ("pin", "unpin", "pins")])
@pytest.mark.parametrize("with_service", [False, True])
def test_what_was_said_of_a_plugin_can_be_taken_back_after_it_is_gone(
    cli: Cli, home: Path, before: str, after: str, kept: str, with_service: bool, request: pytest.FixtureRequest
) -> None:
    plugin = write_plugin(home, "clock")
    request.getfixturevalue("no_engine")
    assert cli(before, "clock").code == 0
    shutil.rmtree(plugin.parent)
    if with_service:
        request.getfixturevalue("service")
    assert "is gone, and now so is" in cli(after, "clock").out
    assert "clock" not in (home / "desktop-loader" / f"{kept}.json").read_text()
    assert cli(after, "clock").code == 2


def test_a_copied_folder_is_told_from_what_it_was_copied_from(cli: Cli, home: Path, served: bool) -> None:
    shutil.copytree(home / "desktop-plugins" / "clock", home / "desktop-plugins" / "clock-2")
    cli("reload")
    assert cli("disable", "clock-2").out == "clock (in clock-2) is off (your choice), disabled\n"
    assert cli("pin", "clock-2").out.startswith("clock (in clock-2) is pinned to its present bytes")
    found = {row["folder"]: row for row in cli("list", "--json").json["plugins"]}
    assert [found["clock"][name] for name in ("state", "choice", "pinned")] == ["ready", None, False]
    assert [found["clock-2"][name] for name in ("state", "choice", "pinned")] == ["disabled", False, True]
    assert "in clock-2, 1 error" in cli("list").out


def test_without_a_verdict_in_time_nothing_is_shown_and_it_is_said(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent(FakePool):
        async def analyze(self, *_: Any, **__: Any) -> Verdict:
            await asyncio.Event().wait()
            raise AssertionError

    write_plugin(home, "clock")
    monkeypatch.setattr("loader.cli.offline.AnalysisPool", Silent)
    monkeypatch.setattr("loader.cli.offline.READY_WITHIN_S", 0.05)
    outcome = cli("list", "--json")
    assert (outcome.code, outcome.out) == (5, "")
    assert "had no verdict within 0.05 s" in outcome.err


def test_a_home_that_cannot_be_looked_at_says_why(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(_: object) -> None:
        raise LoaderError("the state folder is another user's")

    monkeypatch.setattr("loader.cli.offline.Pipeline.run", failing)
    monkeypatch.setattr("loader.cli.offline.AnalysisPool", FakePool)
    outcome = cli("list")
    assert (outcome.code, outcome.out) == (3, "")
    assert "another user's" in outcome.err
