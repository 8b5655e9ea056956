"""The report that people read: place, code, message, frame, hint, summary."""

import io

from rich.console import Console

from loader.checking.checked import CheckedFile, CheckRun, made_strict
from loader.codes import finding
from loader.nouns import Span
from loader.reports.concise import concise_report
from loader.reports.styled import styled_file, styled_summary
from loader.reports.text import file_report, summary_line


def test_a_finding_shows_place_code_message_frame_and_hint(run: CheckRun) -> None:
    assert file_report(run.files[0], width=80).plain == (
        "one/plugin.js: info HP003 600 KiB in one file\n"
        "\n"
        'one/plugin.js:1:15: error HP201 import of "lodash"\n'
        '  1 | import _ from "lodash"\n'
        "    |               ^^^^^^^^\n"
        '  2 | export default { id: "one", register() {} }\n'
        "  hint: copy what you need into the file\n"
        "\n"
        "one/plugin.js:2:1: warning HP502 colour \\x1b[31m literal\n"
        '  1 | import _ from "lodash"\n'
        '  2 | export default { id: "one", register() {} }\n'
        "    | ^^^^^^\n"
        "\n"
    )


def test_a_file_without_findings_prints_nothing(run: CheckRun) -> None:
    assert file_report(run.files[2], width=80).plain == ""


def test_concise_is_one_line_for_each_finding(run: CheckRun) -> None:
    assert concise_report(run.files[0]) == (
        "one/plugin.js: info HP003 600 KiB in one file\n"
        'one/plugin.js:1:15: error HP201 import of "lodash"\n'
        "one/plugin.js:2:1: warning HP502 colour \\x1b[31m literal\n"
    )


def test_the_summary_counts_by_severity(run: CheckRun) -> None:
    assert summary_line(run).plain == "3 files checked: 2 errors, 1 warning, 1 info"
    assert summary_line(CheckRun((run.files[2],))).plain == "1 file checked: no findings"


def test_a_strict_run_says_why_warnings_fail_it() -> None:
    warned = CheckedFile("p", "p", diagnostics=(finding("HP502", "colour"),))
    assert summary_line(CheckRun((warned,), strict=True)).plain == "1 file checked: 1 warning (--strict: warnings fail)"
    assert not CheckRun((warned,)).failed
    assert CheckRun((warned,), strict=True).failed


def test_strict_makes_errors_of_what_a_catalogue_refuses() -> None:
    findings = (finding("HP611", "eval"), finding("HP502", "colour"))
    assert [found.severity for found in made_strict(findings)] == ["error", "warning"]


def test_names_and_paths_of_plugins_cannot_steer_the_terminal() -> None:
    file = CheckedFile("a\x1b]0;x\x07/plugin.js", "a", diagnostics=(finding("HP101", "m\u202e", hint="h\r"),))
    shown = file_report(file, width=80).plain + concise_report(file)
    assert not {"\x1b", "\x07", "\u202e", "\r"} & set(shown)


def test_markup_in_messages_is_printed_as_it_is() -> None:
    file = CheckedFile("p", "p", diagnostics=(finding("HP101", "a [bold]b[/] :smile:"),))
    out = io.StringIO()
    Console(file=out, width=200, force_terminal=True, color_system=None).print(file_report(file, width=200))
    assert "a [bold]b[/] :smile:" in out.getvalue()


def test_a_narrow_terminal_keeps_the_frame_narrow() -> None:
    text = "x" * 500
    file = CheckedFile("p", "p", text=text, diagnostics=(finding("HP101", "m", span=Span(1, 250, 1, 251)),))
    frame = file_report(file, width=40).plain.splitlines()[1:]
    assert all(len(line) <= 40 for line in frame)


def test_what_goes_into_a_pipe_is_what_rich_would_write_there(run: CheckRun) -> None:
    for file in run.files:
        out = io.StringIO()
        Console(file=out, width=100, markup=False, emoji=False, highlight=False, soft_wrap=True).print(
            file_report(file, width=100), end=""
        )
        assert out.getvalue() == styled_file(file, width=100).plain
    assert styled_summary(run).plain == summary_line(run).plain
