"""check's choices: what is wanted, what is new, what is mended; every way on its own and each exit code."""

import json
import re
import sys
from pathlib import Path

import pytest

from loader.codes import finding
from loader.nouns import Edit, Fix, Source, Span, Suppression, Verdict
from loader.settings import AnalysisSettings
from loader.testing import simple_verdict
from tests.cli.conftest import Cli, FakePool, write_plugin

CODE = re.compile(r"HP\d{3}")


def by_comment(source: Source, settings: AnalysisSettings) -> Verdict:
    """The usual fake, and a finding for each code that stands in the text; HP509 offers to take itself out."""
    verdict = simple_verdict(source, settings)
    found = list(verdict.diagnostics)
    suppressions = []
    for match in CODE.finditer(source.text):
        line = source.text.count("\n", 0, match.start()) + 1
        column = match.start() - source.text.rfind("\n", 0, match.start())
        span = Span(line, column, line, column + 5)
        if source.text[: match.start()].endswith("hermes-ignore "):
            suppressions.append(Suppression((match[0],), line, "because", span))
            continue
        fix = Fix(f"Remove {match[0]}", (Edit(match.start(), match.end(), ""),)) if match[0] == "HP509" else None
        found.append(finding(match[0], f"here is {match[0]}", span=span, fix=fix))
    diagnostics = tuple(sorted(found, key=lambda one: one.sort_key))
    return Verdict(
        source.sha256, verdict.identity, verdict.imports, diagnostics, tuple(suppressions), verdict.rehearsal
    )


class CommentPool(FakePool):
    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()
        self.judge = by_comment


@pytest.fixture(autouse=True)
def _(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loader.analysis.pool.AnalysisPool", CommentPool)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> Path:
    """A repository that is the current folder; ``write`` puts a plugin into it."""
    folder = tmp_path / "checkout"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name / "plugin.js"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join((f"export default {{ id: '{name}', register() {{}} }}", *lines, "")))
    return path


def said(cli: Cli, *args: str) -> list[str]:
    """The codes, in order, that a check prints."""
    return re.findall(r": (?:error|warning|info) (HP\d{3}) ", cli("check", *args, "--format", "concise").out)


# ---------------------------------------------------------------- select and ignore


@pytest.mark.parametrize(
    ("args", "codes"),
    [
        ((), ["HP501", "HP502", "HP611"]),
        (("--select", "HP5"), ["HP501", "HP502"]),
        (("--select", "HP502,HP6"), ["HP502", "HP611"]),
        (("--select", "HP502", "--select", "HP611"), ["HP502", "HP611"]),
        (("--ignore", "HP5"), ["HP611"]),
        (("--ignore", "HP5", "--select", "HP502"), ["HP502"]),
        (("--select", "HP5", "--ignore", "hp502"), ["HP501"]),
    ],
)
def test_codes_and_prefixes_choose_what_is_said(
    cli: Cli, checkout: Path, args: tuple[str, ...], codes: list[str]
) -> None:
    write(checkout, "clock", "// HP501", "// HP502", "// HP611")
    assert said(cli, "clock", *args) == codes


def test_what_keeps_a_plugin_from_loading_is_said_whatever_is_chosen(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP201 HP502")
    outcome = cli("check", "clock", "--select", "HP502", "--ignore", "HP", "--format", "concise")
    assert outcome.code == 1
    assert "HP201" in outcome.out


def test_ignored_warnings_do_not_fail_a_strict_run(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP502")
    assert cli("check", "clock", "--strict").code == 1
    assert cli("check", "clock", "--strict", "--ignore", "HP502").code == 0


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_a_code_that_is_none_is_wrong_usage(cli: Cli, checkout: Path, option: str) -> None:
    write(checkout, "clock")
    outcome = cli("check", "clock", option, "HP999")
    assert (outcome.code, outcome.out) == (2, "")
    assert f"{option}: `HP999` is no code" in outcome.err
    assert outcome.err.count("\n") == 1


# ---------------------------------------------------------------- the table beside the plugin


def test_the_table_of_the_repository_counts_and_the_command_line_adds_to_it(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP501", "// HP502", "// HP611")
    (checkout / "pyproject.toml").write_text('[tool.hermes-desktop]\nselect = ["HP5"]\nignore = ["HP501"]\n')
    assert said(cli, "clock") == ["HP502"]
    assert said(cli, "clock", "--ignore", "HP502") == []
    assert said(cli, "clock", "--select", "HP") == ["HP502", "HP611"]


def test_the_table_can_be_strict_and_know_files(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP611")
    write(checkout, "vendor", "// HP611")
    table = checkout / ".hermes-desktop.toml"
    table.write_text('strict = true\n[per-file-ignores]\nvendor = ["HP6"]\n')
    outcome = cli("check", ".")
    assert outcome.code == 1
    assert "error HP611" in outcome.out
    assert "vendor" not in outcome.out
    table.write_text('strict = true\n[per-file-ignores]\n"*" = ["HP6"]\n')
    assert cli("check", ".").code == 0


def test_a_strict_table_is_named_in_the_summary(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP502")
    (checkout / ".hermes-desktop.toml").write_text("strict = true\n")
    assert cli("check", "clock").out.endswith("1 file checked: 1 warning (strict: warnings fail)\n")


def test_a_wrong_table_in_a_checkout_ends_the_run(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock")
    (checkout / ".hermes-desktop.toml").write_text("ignroe = []\n")
    outcome = cli("check", "clock")
    assert (outcome.code, outcome.out) == (2, "")
    assert "did you mean `ignore`?" in outcome.err


def test_a_wrong_table_in_a_home_is_a_finding_of_that_plugin(cli: Cli, home: Path) -> None:
    (write_plugin(home, "clock").parent / ".hermes-desktop.toml").write_text("ignroe = []\n")
    write_plugin(home, "other")
    outcome = cli("check", "--format", "concise")
    assert outcome.code == 0
    assert outcome.out.count("\n") == 1
    assert "HP521" in outcome.out
    assert "clock" in outcome.out


# ---------------------------------------------------------------- comments


def test_comments_that_do_nothing_are_said(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// hermes-ignore HP502", "// hermes-ignore HP503 HP503")
    assert said(cli, "clock") == ["HP520"], "the second one excuses the finding on its own line"


def test_a_comment_silences_what_the_folder_says_too(cli: Cli, checkout: Path) -> None:
    path = write(checkout, "clock")
    path.write_text(path.read_text().replace("'clock'", "'other'"))
    assert said(cli, "clock") == ["HP303"]


# ---------------------------------------------------------------- baseline


def test_the_first_run_records_and_shows_the_next_ones_show_what_is_new(cli: Cli, checkout: Path) -> None:
    path = write(checkout, "clock", "// HP502")
    first = cli("check", "clock", "--baseline", "known.json")
    assert "HP502" in first.out, "a misspelt name must not pass for a baseline"
    assert first.err == "known.json holds 1 finding from now on.\n"
    second = cli("check", "clock", "--baseline", "known.json", "--strict")
    assert (second.code, second.err) == (0, "")
    assert second.out == "1 file checked: no new findings (1 known one is in the baseline)\n"
    path.write_text("// moved\n" + path.read_text() + "// HP503\n")
    assert said(cli, "clock", "--baseline", "known.json") == ["HP503"]


def test_updating_takes_in_what_is_new_and_out_what_is_gone(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP502")
    cli("check", "clock", "--baseline", "known.json")
    write(checkout, "clock", "// HP503")
    told = cli("check", "clock", "--baseline", "known.json", "--format", "concise")
    assert "1 finding of the baseline is not there any more" in told.err
    assert "HP503" in told.out
    updated = cli("check", "clock", "--baseline", "known.json", "--update-baseline", "--format", "concise")
    assert updated.out == ""
    stored = json.loads((checkout / "known.json").read_text())
    assert [row["code"] for row in stored["findings"]] == ["HP503"]


def test_an_error_is_never_taken_into_a_baseline(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP201")
    for args in ((), ("--update-baseline",), ()):
        outcome = cli("check", "clock", "--baseline", "known.json", *args)
        assert outcome.code == 1
        assert "HP201" in outcome.out


def test_the_baseline_is_found_from_any_folder(cli: Cli, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(checkout, "clock", "// HP502")
    cli("check", "clock", "--baseline", "known.json")
    monkeypatch.chdir(checkout / "clock")
    assert said(cli, "--baseline", "../known.json") == []


@pytest.mark.parametrize(
    "args",
    [
        ("--update-baseline",),
        ("--watch", "--fix"),
        ("--watch", "--diff"),
        ("--watch", "--baseline", "b.json", "--update-baseline"),
        ("--baseline", "broken.json"),
        ("--format", "yaml"),
    ],
)
def test_choices_that_mean_nothing_together_are_wrong_usage(cli: Cli, checkout: Path, args: tuple[str, ...]) -> None:
    write(checkout, "clock")
    (checkout / "broken.json").write_text("{")
    outcome = cli("check", "clock", *args)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1


# ---------------------------------------------------------------- fix and diff


def test_fix_mends_and_shows_what_is_left(cli: Cli, checkout: Path) -> None:
    path = write(checkout, "clock", "// HP509 HP502")
    outcome = cli("check", "clock", "--fix", "--format", "concise")
    assert path.read_text().endswith("}\n//  HP502\n")
    assert CODE.findall(outcome.out) == ["HP502", "HP502"]
    assert outcome.err.splitlines() == [
        "clock/plugin.js: Remove HP509",
        "1 file mended.",
        "1 file checked: 1 warning",
    ]
    before = path.read_bytes()
    assert "mended" not in cli("check", "clock", "--fix").err
    assert path.read_bytes() == before


def test_diff_shows_the_same_and_writes_nothing(cli: Cli, checkout: Path) -> None:
    path = write(checkout, "clock", "// HP509")
    before = path.read_bytes()
    outcome = cli("check", "clock", "--diff")
    assert outcome.code == 1
    assert outcome.out.startswith("--- a/clock/plugin.js\n+++ b/clock/plugin.js\n@@ ")
    assert "-// HP509\n+// \n" in outcome.out
    assert outcome.err == "1 file would change; nothing was written.\n"
    assert path.read_bytes() == before
    write(checkout, "clock")
    assert (cli("check", "clock", "--diff").code, cli("check", "clock", "--diff").out) == (0, "")


def test_a_diff_says_what_a_fix_would_leave(cli: Cli, home: Path) -> None:
    path = write_plugin(home, "clock", "export default { id: 'clock', register() {} } // HP509\n")
    cli("pin", "clock")
    outcome = cli("check", "--diff")
    assert f"{path} would be left as it is: its bytes are vouched for" in outcome.err
    assert outcome.out == ""


def test_diff_wins_over_fix(cli: Cli, checkout: Path) -> None:
    path = write(checkout, "clock", "// HP509")
    before = path.read_bytes()
    cli("check", "clock", "--fix", "--diff")
    assert path.read_bytes() == before


@pytest.mark.parametrize("args", [("--ignore", "HP509"), ("--select", "HP6"), ("--baseline", "known.json")])
def test_what_is_not_said_is_not_mended(cli: Cli, checkout: Path, args: tuple[str, ...]) -> None:
    path = write(checkout, "clock", "// HP509")
    cli("check", "clock", "--baseline", "known.json")
    before = path.read_bytes()
    cli("check", "clock", "--fix", *args)
    assert path.read_bytes() == before


def test_a_pinned_plugin_is_not_mended(cli: Cli, home: Path) -> None:
    path = write_plugin(home, "clock", "export default { id: 'clock', register() {} } // HP509\n")
    cli("pin", "clock")
    outcome = cli("check", "--fix")
    assert "left as it is: its bytes are vouched for" in outcome.err
    assert "HP509" in path.read_text()


def test_what_the_user_allows_to_be_heavy_passes_in_his_home(cli: Cli, home: Path) -> None:
    write_plugin(home, "clock", "export default { id: 'clock', register() {} } // HP404\n")
    assert cli("check").code == 1
    cli("allow-heavy", "clock")
    outcome = cli("check", "--format", "concise")
    assert (outcome.code, ": warning HP404" in outcome.out) == (0, True)


# ---------------------------------------------------------------- formats


def test_every_format_says_the_finding_and_ends_with_the_same_code(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP201")
    for form in ("text", "json", "concise", "sarif", "github", "junit", "agent"):
        outcome = cli("check", "clock", "--format", form)
        assert (outcome.code, "HP201" in outcome.out) == (1, True), form


def test_formats_for_programs_hold_nothing_else(cli: Cli, checkout: Path) -> None:
    write(checkout, "clock", "// HP502")
    assert cli("check", "clock", "--format", "sarif").json["version"] == "2.1.0"
    assert cli("check", "clock", "--format", "junit").out.startswith("<?xml")
    assert cli("check", "clock", "--format", "github").out.startswith("::warning file=clock/plugin.js,line=2,")


def test_a_diff_for_a_terminal_is_in_colour_and_safe(cli: Cli, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(checkout, "clock", "// HP509 \x1b[31m \u202e")
    piped = cli("check", "clock", "--diff").out
    assert "\x1b[31m \u202e" in piped, "for programs verbatim"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = cli("check", "clock", "--diff").out
    assert "\x1b[31m-// HP509 \\x1b[31m \\u{202e}\x1b[0m" in shown
    assert "\x1b[32m+// " in shown
