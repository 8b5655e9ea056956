"""The check's answer as SARIF 2.1.0: what code scanning services and editors' SARIF viewers read.

Columns are UTF-16 units, as SARIF's ``columnKind`` lets us say. Paths are relative to the current folder where they
lie in it (a scanning service takes that for the repository's root), else absolute ``file:`` addresses.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from loader import __version__
from loader.analysis.rule import Rule
from loader.checking.checked import CheckedFile, CheckRun
from loader.checking.fingerprints import fingerprints
from loader.codes import CODES
from loader.edits import Places
from loader.nouns import Diagnostic, Fix, Severity, Span
from loader.reports.check_json import TOOL
from loader.reports.rule_page import first_sentence, rule_json, rule_page, rule_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_HELP_WIDTH = 100
# Ours: what counts as one line decides every line number in the file.
_NEWLINES = ["\r\n", "\n", "\r", "\u2028", "\u2029"]


def sarif_json(run: CheckRun, rules: Iterable[Rule], *, cwd: Path | None = None) -> dict[str, Any]:
    """One log with one run. ``rules`` are those of the registry; all of them are described, found or not."""
    by_code = {rule.code: rule for rule in rules}
    codes = sorted(CODES)
    places = _Addresses(Path.cwd() if cwd is None else cwd)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": TOOL,
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(code, by_code.get(code)) for code in codes],
                    }
                },
                "invocations": [{"executionSuccessful": True}],
                "columnKind": "utf16CodeUnits",
                "newlineSequences": _NEWLINES,
                "artifacts": [_artifact(file, places) for file in run.files],
                "results": [
                    _result(file, number, found, mark, codes.index(found.code), places)
                    for number, file in enumerate(run.files)
                    for found, mark in fingerprints(file)
                ],
            }
        ],
    }


def _rule(code: str, rule: Rule | None) -> dict[str, Any]:
    row = CODES[code]
    described: dict[str, Any] = {
        "id": code,
        "name": "".join(word.capitalize() for word in row.rule.split("-")),
        "defaultConfiguration": {"level": _LEVELS[row.severity]},
    }
    if rule is None:  # a code that this build has a row for and no explanation yet
        return described | {"shortDescription": {"text": f"{row.rule}."}}
    return described | {
        "shortDescription": {"text": f"{first_sentence(rule)}."},
        "fullDescription": {"text": str(rule_json(rule)["paragraph"])},
        "help": {"text": rule_text(rule, width=_HELP_WIDTH), "markdown": rule_page(rule)},
        "properties": {"tags": ["hermes-desktop", row.rule]},
    }


def _artifact(file: CheckedFile, places: _Addresses) -> dict[str, Any]:
    artifact: dict[str, Any] = {"location": places.of(file.path), "sourceLanguage": "javascript"}
    if file.revision is not None:
        artifact["hashes"] = {"sha-256": file.revision}
    return artifact


def _result(
    file: CheckedFile, number: int, found: Diagnostic, mark: str, rule_index: int, places: _Addresses
) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": places.of(file.path) | {"index": number}}
    if found.span is not None:
        location["region"] = _region(found.span)
    result = {
        "ruleId": found.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message if not found.hint else f"{found.message}\n{found.hint}"},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"hermesFinding/v1": mark},
    }
    if found.fix is not None and file.text is not None:
        result["fixes"] = [_fix(found.fix, file, places)]
    return result


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix, file: CheckedFile, places: _Addresses) -> dict[str, Any]:
    lines = Places(file.text or "")
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": places.of(file.path),
                "replacements": [
                    {
                        "deletedRegion": _region(lines.span(edit.start, edit.end)),
                        "insertedContent": {"text": edit.text},
                    }
                    for edit in fix.edits
                ],
            }
        ],
    }


class _Addresses:
    def __init__(self, cwd: Path) -> None:
        self._cwd = cwd

    def of(self, path: str) -> dict[str, Any]:
        """An ``artifactLocation``: percent-encoded, with slashes on every system."""
        whole = Path(os.path.normpath(self._cwd / path))
        try:
            inside = PurePath(whole.relative_to(self._cwd)).as_posix()
        except ValueError:
            return {"uri": whole.as_uri()}
        return {"uri": quote(inside.encode("utf-8", "surrogateescape"), safe="/"), "uriBaseId": "%SRCROOT%"}
