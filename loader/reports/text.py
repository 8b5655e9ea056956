"""Findings as a person reads them in a terminal: the place, what is wrong, the code with a caret, the way out."""

from __future__ import annotations

from rich.text import Text

from loader.checking.checked import CheckedFile, CheckRun
from loader.nouns import Diagnostic, Severity, Span
from loader.reports.concise import place
from loader.reports.frame import Lines, code_frame
from loader.reports.safe import visible

STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_QUIET = "dim"
# Narrower than this no frame helps; the line then runs over the terminal's edge instead.
_LEAST_CODE_CELLS = 20


def file_report(file: CheckedFile, *, width: int) -> Text:
    """All findings of one file, a blank line behind each; empty for a file without findings.

    ``width`` is the terminal's, in cells. Styles are attached; whoever prints decides whether they become colours.
    """
    lines = Lines(file.text or "")
    report = Text()
    for finding in file.diagnostics:
        report.append_text(finding_report(finding, file.path, lines, width=width))
        report.append("\n")
    return report


def finding_report(finding: Diagnostic, path: str, lines: Lines, *, width: int) -> Text:
    """One finding: its line, its frame when it has a place in ``lines``, its hint."""
    report = Text()
    report.append(place(path, finding), "bold")
    report.append(": ")
    report.append(f"{finding.severity} {finding.code}", STYLES[finding.severity])
    report.append(f" {visible(finding.message)}\n")
    if finding.span is not None:
        report.append_text(_drawn_frame(finding.span, finding.severity, lines, width=width))
    if finding.hint:
        report.append("  hint: ", "bold green")
        report.append(f"{visible(finding.hint)}\n")
    return report


def _drawn_frame(span: Span, severity: Severity, lines: Lines, *, width: int) -> Text:
    drawn = Text()
    digits = len(str(span.line + 1))
    gutter = digits + 5
    for line in code_frame(lines, span, width=max(width - gutter, _LEAST_CODE_CELLS)):
        number = "" if line.number is None else str(line.number)
        drawn.append(f"  {number:>{digits}} | ", _QUIET)
        drawn.append(f"{line.text}\n", STYLES[severity] if line.number is None else "")
    return drawn


def summary_line(run: CheckRun) -> Text:
    """How many files were checked and what came of it: the last line of the text."""
    files = _counted(len(run.files), "file")
    counts = [(severity, run.count(severity)) for severity in STYLES]
    summary = Text(f"{files} checked: ")
    if not any(count for _, count in counts):
        summary.append("no findings" if not run.known else "no new findings", "bold green")
        return summary.append(_left_out(run))
    for index, (severity, count) in enumerate((name, count) for name, count in counts if count):
        summary.append(", " if index else "")
        summary.append(_counted(count, severity), STYLES[severity])
    if not run.count("error") and run.failed:
        summary.append(" (--strict: warnings fail)" if run.strict else " (strict: warnings fail)")
    return summary.append(_left_out(run))


def _left_out(run: CheckRun) -> str:
    return f" ({run.known} known ones are in the baseline)" if run.known else ""


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
