"""Inventory rows as a model reads them: a line each, and the findings of those that are in trouble. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from loader.cli.row_lines import notes
from loader.reports.safe import visible

_MOST_FINDINGS = 10


def row_lines(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """``id state door: notes``, then the errors and warnings with their fixes, the rest counted in the notes."""
    lines = []
    for row in rows:
        said = notes(row)
        lines.append(f"{visible(row['id'])} {row['state']} {row['door']}{': ' + said if said else ''}")
        weighty = [finding for finding in row["diagnostics"] if finding["severity"] != "info"]
        lines += [line for finding in weighty[:_MOST_FINDINGS] for line in _finding(row["path"], finding)]
        if len(weighty) > _MOST_FINDINGS:
            lines.append(f"  {len(weighty) - _MOST_FINDINGS} more: check {visible(row['path'])}")
    return lines


def _finding(path: str, finding: Mapping[str, Any]) -> list[str]:
    place = f":{finding['line']}:{finding['column']}" if finding["line"] else ""
    told = f"{finding['severity']} {finding['code']} {finding['rule']}: {visible(finding['message'], limit=400)}"
    lines = [f"  {visible(path)}{place} {told}"]
    if finding["hint"]:
        lines.append(f"    fix: {visible(finding['hint'], limit=400)}")
    return lines
