"""The whole static check from its face."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from loader.analysis.compiled import Compiled
from loader.analysis.registry import BY_CODE
from loader.analysis.rule import Finding, Subject
from loader.analysis.static import _run_rules, check_text
from loader.analysis.surface import shipped_surface
from loader.analysis.syntax import parse
from loader.settings import AnalysisSettings
from tests.analysis.compiling import SETTINGS, check, plugin


def test_findings_are_sorted_by_place_and_each_stands_once() -> None:
    text = "import 'b'\nimport 'a'\nimport('c')\nexport default { id: 'X', register() {} }\n"
    found = check(text).findings
    assert list(found) == sorted(set(found), key=lambda one: one.sort_key)
    assert [one.code for one in found] == ["HP201", "HP201", "HP202", "HP304"]


def test_all_findings_come_at_once() -> None:
    text = "import { nope } from 'react'\nimport 'lodash'\nexport default { id: 5 }\n"
    codes = [one.code for one in check(text).findings]
    assert {"HP201", "HP204", "HP302"} <= set(codes)


def test_names_taken_from_each_module() -> None:
    text = (
        "import r, { useState, useRef as ref } from 'react'\n"
        "import * as sdk from '@hermes/plugin-sdk'\n"
        "export { Fragment } from 'react'\n"
    )
    assert check(text).imported_names == (
        ("react", ("default", "useState", "useRef", "Fragment")),
        ("@hermes/plugin-sdk", ()),
    )


def test_a_text_that_does_not_parse_has_no_imports_and_no_identity() -> None:
    result = check("import 'react'\nconst = 1\nexport default { id: 'demo', register() {} }\n")
    assert not result.ok
    assert (result.imports, result.identity.exported_id) == ((), None)


def test_suppressions_are_reported_and_not_applied() -> None:
    result = check("// hermes-ignore HP201: no\nimport 'lodash'\n" + plugin())
    assert [one.codes for one in result.suppressions] == [("HP201",)]
    assert "HP201" in [one.code for one in result.findings]


def test_the_shells_announcement_decides_over_the_shipped_list() -> None:
    text = "import { Brand_New, ListRow } from '@hermes/plugin-sdk'\n" + plugin("Brand_New(ListRow)")
    announced = AnalysisSettings(sdk_exports=(("@hermes/plugin-sdk", ("Brand_New",)),), unknown_export="warning")
    found = [(one.code, one.severity) for one in check(text, announced).findings if one.code < "HP5"]
    assert found == [("HP204", "error")]


def test_against_the_shipped_list_the_settings_choose_the_severity() -> None:
    text = "import { Brand_New } from '@hermes/plugin-sdk'\n" + plugin("Brand_New()")
    service = dataclasses.replace(SETTINGS, unknown_export="warning")
    assert [one.severity for one in check(text, service).findings if one.code == "HP204"] == ["warning"]
    assert [one.severity for one in check(text).findings if one.code == "HP204"] == ["error"]


def test_time_that_runs_out_while_parsing_is_said() -> None:
    hurried = AnalysisSettings(static_deadline_s=0.0)
    result = check_text("f(" * 50_000, Compiled(()), hurried)
    assert [one.code for one in result.findings] == ["HP106"]


def test_specifiers_and_messages_can_always_be_written_as_utf8() -> None:
    result = check("import a from '\\ud800'\nexport default { id: '\\udc00', register() { a } }\n")
    for one in result.findings:
        f"{one.message}{one.hint}".encode()
    assert [one.specifier for one in result.imports] == ["\ufffd"]


def test_code_nested_beyond_the_apps_engine_is_refused_and_a_little_less_is_not() -> None:
    end = "\nexport default { id: 'demo', register() {} }\n"
    deep = "(function(){" * 600 + "})" * 600 + end
    assert [one.code for one in check(deep).findings] == ["HP105"]
    assert check("[" * 1500 + "]" * 1500 + end).ok


@pytest.mark.parametrize(("code", "severity"), [("HP201", "error"), ("HP502", "info")])
def test_a_rule_that_fails_ends_nothing_and_one_that_may_refuse_fails_closed(code: str, severity: str) -> None:
    def broken(_: Subject) -> Iterator[Finding]:
        raise LookupError("a defect of ours")

    module = parse("import 'react'\nundeclared()\n")
    subject = Subject(module, shipped_surface(), AnalysisSettings(), ())
    rules = (dataclasses.replace(BY_CODE[code], check=broken), BY_CODE["HP501"])
    found = _run_rules(subject, only_imports=False, rules=rules)
    assert [(one.code, one.severity) for one in found] == [("HP106", severity), ("HP501", "warning")]
