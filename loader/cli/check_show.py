"""How `check` prints: one way for each format. Answers on standard output, remarks about them on standard error."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias

from loader.cli.console import may_be_drawn

if TYPE_CHECKING:
    from loader.checking.checked import CheckRun
    from loader.checking.mending import Mended

Form: TypeAlias = Literal["text", "json", "concise", "sarif", "github", "junit", "agent"]


def prepare(form: Form) -> None:
    """Import ahead what `show` needs: it takes as long as a worker's start, and may happen beside it in a thread."""
    if form in ("text", "concise", "github"):
        import_module("loader.reports.styled")
    if form == "text" and may_be_drawn():
        import_module("loader.reports.text")
        import_module("rich.console")


def show(run: CheckRun, form: Form) -> None:
    """Print a run. Formats for programs stay clean: their summary, where they have none, is on standard error."""
    from loader.cli.console import print_json, remark

    match form:
        case "text":
            _text(run)
        case "json":
            from loader.reports.check_json import check_json

            print_json(check_json(run))
        case "sarif":
            from loader.analysis.registry import RULES
            from loader.reports.sarif import sarif_json

            print_json(sarif_json(run, RULES))
        case "junit":
            from loader.reports.junit import junit_xml

            _write_utf8(junit_xml(run))
        case "agent":
            from loader.reports.agent import agent_report

            sys.stdout.write(agent_report(run))
        case "concise":
            from loader.reports.concise import concise_report
            from loader.reports.styled import styled_summary

            sys.stdout.write("".join(concise_report(file) for file in run.files))
            remark(styled_summary(run).plain)
        case "github":
            from loader.reports.github import github_report
            from loader.reports.styled import styled_summary

            _write_utf8("".join(github_report(file) for file in run.files))
            remark(styled_summary(run).plain)


def _text(run: CheckRun) -> None:
    from loader.cli.console import console, width

    if not may_be_drawn():
        from loader.reports.styled import styled_file, styled_summary

        sys.stdout.writelines(styled_file(file, width=width()).plain for file in run.files)
        sys.stdout.write(f"{styled_summary(run).plain}\n")
        return
    from loader.reports.text import file_report, summary_line

    out = console()
    for file in run.files:
        out.print(file_report(file, width=width()), end="")
    out.print(summary_line(run))


def show_diff(path: str, mended: Mended) -> None:
    """The change of one file: verbatim for programs, safe and in colour for a terminal."""
    from loader.reports.diff import unified_diff

    before, after = (data.decode("utf-8", "surrogateescape") for data in (mended.before, mended.after))
    diff = unified_diff(path, before, after)
    if not sys.stdout.isatty():
        _write_utf8(diff)
        return
    from rich.text import Text

    from loader.cli.console import console
    from loader.reports.safe import visible

    styles = {"+": "green", "-": "red", "@": "cyan"}
    out = console()
    for line in diff.splitlines():
        out.print(Text(visible(line), styles.get(line[:1], "")))


def _write_utf8(text: str) -> None:
    """Whatever the terminal's encoding: who reads this reads UTF-8."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a captured stream in a test, or an embedder's own
        sys.stdout.write(text)
        return
    buffer.write(text.encode("utf-8", "surrogateescape"))
    buffer.flush()
