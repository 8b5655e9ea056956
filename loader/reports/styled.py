"""Findings as a person reads them: the place, what is wrong, the code with a caret, the way out; words in styles.

``loader.reports.text`` makes rich's Text of it for a terminal. Whoever prints into a pipe needs no rich, which takes a
tenth of the time of a check whose verdict is kept.
"""

from __future__ import annotations

from loader.checking.checked import CheckedFile, CheckRun
from loader.nouns import Diagnostic, Severity, Span
from loader.reports.concise import place
from loader.reports.frame import Lines, code_frame
from loader.reports.safe import visible

STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_QUIET = "dim"
# Narrower than this no frame helps; the line then runs over the terminal's edge instead.
_LEAST_CODE_CELLS = 20


class Styled:
    """Words, each with the name of a style (empty: none)."""

    __slots__ = ("parts",)

    def __init__(self, text: str = "", style: str = "") -> None:
        self.parts: list[tuple[str, str]] = [(text, style)] if text else []

    def append(self, text: str, style: str = "") -> Styled:
        if text:
            self.parts.append((text, style))
        return self

    def extend(self, other: Styled) -> Styled:
        self.parts += other.parts
        return self

    @property
    def plain(self) -> str:
        return "".join(text for text, _ in self.parts)


def styled_file(file: CheckedFile, *, width: int) -> Styled:
    """All findings of one file, a blank line behind each; empty for a file without findings.

    ``width`` is the terminal's, in cells.
    """
    lines = Lines(file.text or "")
    report = Styled()
    for finding in file.diagnostics:
        report.extend(_styled_finding(finding, file.path, lines, width=width))
        report.append("\n")
    return report


def _styled_finding(finding: Diagnostic, path: str, lines: Lines, *, width: int) -> Styled:
    """One finding: its line, its frame when it has a place in ``lines``, its hint."""
    report = Styled()
    report.append(place(path, finding), "bold")
    report.append(": ")
    report.append(f"{finding.severity} {finding.code}", STYLES[finding.severity])
    report.append(f" {visible(finding.message)}\n")
    if finding.span is not None:
        report.extend(_drawn_frame(finding.span, finding.severity, lines, width=width))
    if finding.hint:
        report.append("  hint: ", "bold green")
        report.append(f"{visible(finding.hint)}\n")
    return report


def _drawn_frame(span: Span, severity: Severity, lines: Lines, *, width: int) -> Styled:
    drawn = Styled()
    digits = len(str(span.line + 1))
    gutter = digits + 5
    for line in code_frame(lines, span, width=max(width - gutter, _LEAST_CODE_CELLS)):
        number = "" if line.number is None else str(line.number)
        drawn.append(f"  {number:>{digits}} | ", _QUIET)
        drawn.append(f"{line.text}\n", STYLES[severity] if line.number is None else "")
    return drawn


def styled_summary(run: CheckRun) -> Styled:
    """How many files were checked and what came of it: the last line of the text."""
    files = _counted(len(run.files), "file")
    counts = [(severity, run.count(severity)) for severity in STYLES]
    summary = Styled(f"{files} checked: ")
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
    if not run.known:
        return ""
    return " (1 known one is in the baseline)" if run.known == 1 else f" ({run.known} known ones are in the baseline)"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
