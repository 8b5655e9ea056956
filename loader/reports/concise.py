"""One line for each finding: what grep, editors' problem matchers and people in a hurry read."""

from __future__ import annotations

from loader.checking.checked import CheckedFile
from loader.nouns import Diagnostic
from loader.reports.safe import visible


def place(path: str, finding: Diagnostic) -> str:
    """``path:line:column``, or the path alone for a finding about the whole file."""
    shown = visible(path)
    return f"{shown}:{finding.span.line}:{finding.span.column}" if finding.span else shown


def concise_line(path: str, finding: Diagnostic) -> str:
    return f"{place(path, finding)}: {finding.severity} {finding.code} {visible(finding.message)}"


def concise_report(file: CheckedFile) -> str:
    """The lines of one file, each with its line feed; empty for a file without findings."""
    return "".join(f"{concise_line(file.path, finding)}\n" for finding in file.diagnostics)
