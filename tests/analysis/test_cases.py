"""Incidents of authors and hosts (tests/cases) through the static check, with the real engine."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from loader.nouns import Diagnostic
from loader.settings import AnalysisSettings
from tests.analysis.compiling import check

CASES = Path(__file__).parent.parent / "cases" / "cases.jsonl"
KINDS = ("import-check", "parse", "encoding", "identity")
IMPORT_CODES = {"HP201", "HP202", "HP203", "HP208"}
SYNTAX_CODES = {"HP101", "HP102", "HP103", "HP104"}


def cases() -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in CASES.read_bytes().decode().split("\n") if line]
    return [row for row in rows if row["kind"] in KINDS]


def texts(case: dict[str, Any]) -> dict[str, str]:
    """Folder name to text (a mark taken off, as reading does); files that are no UTF-8 belong to the reader's tests."""
    found = {}
    for path, content in case["input"].get("files", {}).items():
        parts = Path(path).parts
        if parts[-1] == "plugin.js" and isinstance(content, str):
            found[parts[1]] = content.removeprefix("\ufeff")
    made = case["input"].get("generate")
    if made is not None:
        found["demo"] = made["prefix"] + made["fill"] * made["count"] + made["suffix"]
    return found


def settings(case: dict[str, Any]) -> AnalysisSettings:
    exports = case["input"].get("sdk_exports")
    return AnalysisSettings(sdk_exports=None if exports is None else (("@hermes/plugin-sdk", tuple(exports)),))


def refused_names(text: str, findings: tuple[Diagnostic, ...], imports: Any) -> set[str]:
    spans = {one.span for one in findings if one.code in IMPORT_CODES}
    return {one.specifier if one.specifier is not None else "<computed>" for one in imports if one.span in spans}


def hold(expected: dict[str, Any], text: str, options: AnalysisSettings) -> None:
    result = check(text, options)
    errors = [one for one in result.findings if one.severity == "error"]
    if expected.get("check") == "allow":
        wanted = {"HP204"} if expected.get("missing_exports") else set()
        assert {one.code for one in errors} <= wanted, errors
    elif expected.get("check") == "refuse":
        assert refused_names(text, result.findings, result.imports) == set(expected["refused"])
        first = errors[0].message
        named = [name for name in expected["refused"] if name != "<computed>"]
        static = [one.specifier for one in result.imports if one.kind != "dynamic"]
        assert all(name in first for name in named if name in static)
    elif expected.get("check") == "syntax-error":
        assert [one.code in SYNTAX_CODES for one in errors] == [True]
        assert errors[0].span is not None
        if "line" in expected:
            assert errors[0].span.line == expected["line"]
    if "specifiers" in expected:
        known = {one.specifier for one in result.imports if one.specifier is not None}
        assert known == set(expected["specifiers"])
    for name in expected.get("missing_exports", ()):
        assert any(name in one.message for one in errors)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_a_case_ends_as_it_should(case: dict[str, Any]) -> None:
    expected = case["expected"]
    for folder, text in texts(case).items():
        if "per_plugin" in expected:
            if folder in expected["per_plugin"]:
                hold(expected["per_plugin"][folder], text, settings(case))
        else:
            main = folder == "demo" or len(texts(case)) == 1
            hold(expected if main else {"check": "allow"} if "errors" not in expected else {}, text, settings(case))
        if isinstance(expected.get("errors"), dict) and folder in expected["errors"]:
            (error,) = [one for one in check(text).findings if one.severity == "error"]
            assert expected["errors"][folder] in f"{error.message} {error.hint}".replace("`", "")
        if isinstance(expected.get("errors"), list) and folder in expected["errors"]:
            (error,) = [one for one in check(text).findings if one.severity == "error"]
            assert "invalid id" in error.message


def test_a_word_that_only_looks_like_an_import_keeps_its_place() -> None:
    case = next(case for case in cases() if case["id"] == "label-ends-with-from")
    text = texts(case)["demo"]
    (one,) = check(text).imports
    assert text[one.start : one.end] == "'@hermes/plugin-sdk'"


def test_utf16_shows_as_no_javascript_even_if_somebody_decodes_it_wrongly() -> None:
    case = next(case for case in cases() if case["id"] == "utf16-from-powershell")
    data = base64.b64decode(case["input"]["files"]["desktop-plugins/demo/plugin.js"]["base64"])
    assert check(data.decode("latin-1")).findings[0].severity == "error"
