"""Findings as workflow commands of GitHub Actions: annotations on the very lines of a pull request."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePath

from loader.checking.checked import CheckedFile
from loader.nouns import Diagnostic, Severity
from loader.reports.safe import visible

_COMMANDS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


def github_report(file: CheckedFile, *, cwd: Path | None = None) -> str:
    """One command for each finding, each with its line feed; empty for a file without findings."""
    path = _path(file.path, Path.cwd() if cwd is None else cwd)
    return "".join(f"{github_command(path, finding)}\n" for finding in file.diagnostics)


def github_command(path: str, finding: Diagnostic) -> str:
    """``::error file=…,line=…::message``. Nothing of a plugin can end the command or begin another one."""
    span = finding.span
    properties = {"file": path}
    if span is not None:
        properties |= {"line": str(span.line), "endLine": str(span.end_line), "col": str(span.column)}
        if span.line == span.end_line:  # GitHub takes an end column within one line only
            properties["endColumn"] = str(span.end_column)
    properties["title"] = f"{finding.code} {finding.rule}"
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = visible(finding.message) + (f"\n{visible(finding.hint)}" if finding.hint else "")
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(text)}"


def _path(path: str, cwd: Path) -> str:
    """As GitHub knows it: relative to the checkout, which is where the workflow runs."""
    whole = Path(os.path.normpath(cwd / path))
    try:
        return PurePath(whole.relative_to(cwd)).as_posix()
    except ValueError:
        return whole.as_posix()


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")
