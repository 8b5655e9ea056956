"""check: every kind of argument, every format, every exit code."""

from pathlib import Path

import jsonschema
import pytest

from loader.reports.check_json import check_schema
from tests.cli.conftest import Cli, write_plugin

GOOD = "export default { id: 'clock', register() {} }\n"
BAD = "import _ from 'lodash'\nexport default { id: 'bad', register() {} }\n"


@pytest.fixture(autouse=True)
def _(no_engine: None) -> None:
    """Without worker processes; test_check_real has them."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a good plugin and a bad one; the current folder is another."""
    for name, text in (("clock", GOOD), ("bad", BAD)):
        (tmp_path / "checkout" / name).mkdir(parents=True)
        (tmp_path / "checkout" / name / "plugin.js").write_text(text)
    return tmp_path / "checkout"


def test_a_good_plugin_is_fine(cli: Cli, checkout: Path) -> None:
    outcome = cli("check", str(checkout / "clock"))
    assert (outcome.code, outcome.out, outcome.err) == (0, "1 file checked: no findings\n", "")


def test_an_error_is_a_finding_with_frame_and_place(cli: Cli, checkout: Path) -> None:
    outcome = cli("check", str(checkout / "bad"))
    path = checkout / "bad" / "plugin.js"
    assert outcome.code == 1
    assert outcome.out == (
        f"{path}:1:15: error HP201 'lodash' is not available to plugins.\n"
        "  1 | import _ from 'lodash'\n"
        "    |               ^^^^^^^^\n"
        "  2 | export default { id: 'bad', register() {} }\n"
        "\n"
        "1 file checked: 1 error\n"
    )


def test_paths_are_shown_as_they_were_named(cli: Cli, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    assert cli("check", "bad", "--format", "concise").out.startswith("bad/plugin.js:1:15: error HP201")
    monkeypatch.chdir(checkout / "bad")
    assert cli("check", "--format", "concise").out.startswith("plugin.js:1:15: error HP201")


def test_concise_keeps_its_summary_off_standard_output(cli: Cli, checkout: Path) -> None:
    outcome = cli("check", str(checkout), "--format", "concise")
    assert outcome.out.count("\n") == 1
    assert outcome.err == "2 files checked: 1 error\n"


def test_json_is_the_published_shape_and_the_same_each_time(cli: Cli, checkout: Path) -> None:
    outcome = cli("check", str(checkout), "--format", "json")
    assert (outcome.code, outcome.err) == (1, "")
    jsonschema.validate(outcome.json, check_schema())
    assert [(file["id"], file["ok"]) for file in outcome.json["files"]] == [("bad", False), ("clock", True)]
    assert cli("check", str(checkout), "--format", "json").out == outcome.out


def test_nothing_named_means_the_home(cli: Cli, home: Path) -> None:
    write_plugin(home, "clock")
    write_plugin(home, "pack", package=True)
    answer = cli("check", "--format", "json").json
    assert [file["id"] for file in answer["files"]] == ["clock", "pack"]


def test_an_empty_home_is_fine_and_said(cli: Cli, home: Path) -> None:
    outcome = cli("check")
    assert (outcome.code, outcome.out) == (0, "0 files checked: no findings\n")
    assert f"{home} holds no plugin" in outcome.err


def test_strict_fails_on_warnings(cli: Cli, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "clock" / "plugin.js").write_bytes(GOOD.encode() + b"// \xff\n")
    assert cli("check", str(checkout / "clock")).code == 0
    strict = cli("check", str(checkout / "clock"), "--strict")
    assert strict.code == 1
    assert "--strict: warnings fail" in strict.out


@pytest.mark.parametrize("argument", ["nowhere", "*.nothing"])
def test_an_argument_that_names_nothing_is_wrong_usage(cli: Cli, argument: str) -> None:
    outcome = cli("check", argument)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1


def test_files_outside_a_home_need_no_home(cli: Cli, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(checkout / "nowhere"))
    assert cli("check", str(checkout / "clock")).code == 0
    assert cli("check").code == 2


def test_a_pin_of_the_home_counts(cli: Cli, home: Path, tmp_path: Path) -> None:
    write_plugin(home, "clock")
    cli("pin", "clock", "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    for arguments in ([], [str(home)], [str(home / "desktop-plugins" / "clock")]):
        outcome = cli("check", *arguments, "--format", "concise")
        assert (outcome.code, "HP010" in outcome.out) == (1, True), arguments


def test_colour_is_for_terminals_only(cli: Cli, checkout: Path) -> None:
    assert "\x1b" not in cli("check", str(checkout)).out


def test_colour_can_be_forced_and_taken_away(cli: Cli, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[1;31m" in cli("check", str(checkout)).out
    assert "\x1b[1;31m" not in cli("check", str(checkout), "--no-color").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;31m" not in cli("check", str(checkout)).out


@pytest.mark.parametrize("args", [("--rehearsal", "off"), ("--no-rehearse",)])
def test_the_rehearsal_can_be_left_out(
    cli: Cli, checkout: Path, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.cli.conftest import FakePool

    pools: list[FakePool] = []

    def make(*_: object) -> FakePool:
        pools.append(FakePool())
        return pools[-1]

    monkeypatch.setattr("loader.analysis.pool.AnalysisPool", make)
    cli("check", str(checkout / "clock"), *args)
    cli("check", str(checkout / "clock"), "--rehearsal", "enforce")
    assert [pool.settings[0].rehearsal for pool in pools] == ["off", "enforce"]
