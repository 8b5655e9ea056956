"""Engine, model and judge: who is believed when they differ."""

from __future__ import annotations

import pytest

from loader.analysis.compiled import Compiled, EngineError
from loader.analysis.judge import JudgedImport, Judgement
from loader.analysis.static import StaticResult, check_text
from loader.settings import AnalysisSettings
from tests.analysis.compiling import check, codes

GOOD = "import { host } from '@hermes/plugin-sdk'\nexport default { id: 'demo', register() { host.notify({}) } }\n"
SDK = ("@hermes/plugin-sdk",)
SETTINGS = AnalysisSettings()
# Valid syntax over which the grammar stumbles.
STUMBLE = "let a, b\n;[(a), (b.c)] = [1, 2]\n"
SILENT = Judgement(None, gave_up="size")


def decided(text: str, compiled: Compiled, judgement: Judgement = SILENT) -> StaticResult:
    return check_text(text, compiled, SETTINGS, judge=lambda _text: judgement)


def errors(result: StaticResult) -> list[str]:
    return [one.code for one in result.findings if one.severity == "error"]


def test_a_text_that_all_accept_passes_without_the_judge() -> None:
    def never(_text: str) -> Judgement:
        raise AssertionError("nothing stumbled, so nobody is asked")

    assert check_text(GOOD, Compiled(SDK), SETTINGS, judge=never).ok


def test_only_the_engine_refuses_something_that_it_is_known_to_lack_then_the_text_passes() -> None:
    accepted = Judgement(True, imports=(JudgedImport("static", SDK[0], 21, 41),))
    result = decided(GOOD, Compiled(None, EngineError("duplicate group name", 2)), accepted)
    assert [(one.code, one.severity) for one in result.findings] == [("HP405", "info")]
    assert result.identity.exported_id == "demo"


def test_and_so_it_does_where_the_engine_says_what_it_never_said_before() -> None:
    accepted = Judgement(True, imports=(JudgedImport("static", SDK[0], 21, 41),))
    result = decided(GOOD, Compiled(None, EngineError("syntax of the year 2030", 2)), accepted)
    assert [(one.code, one.severity) for one in result.findings] == [("HP405", "info")]


def test_only_the_engine_refuses_something_that_it_knows_then_it_is_right() -> None:
    accepted = Judgement(True, imports=(JudgedImport("static", SDK[0], 21, 41),))
    result = decided(GOOD, Compiled(None, EngineError("invalid export syntax", 2)), accepted)
    assert errors(result) == ["HP101"]
    assert result.findings[0].span is not None and result.findings[0].span.line == 2


def test_engine_and_judge_refuse_then_the_text_is_refused() -> None:
    result = decided(GOOD, Compiled(None, EngineError("bad", 2)), Judgement(False, "Unexpected token }", 2, 50))
    assert errors(result) == ["HP101"]
    assert result.imports == ()


@pytest.mark.parametrize("engine", [("@hermes/plugin-sdk", "lodash"), (), ("react",)])
def test_engine_and_model_must_name_the_same_modules(engine: tuple[str, ...]) -> None:
    result = decided(GOOD, Compiled(engine))
    assert errors(result) == ["HP101"]
    assert "do not agree" in result.findings[0].message


def test_the_judges_list_stands_in_for_the_engines() -> None:
    other = Judgement(True, imports=(JudgedImport("dynamic", "lodash", 21, 41),))
    result = decided(GOOD, Compiled(None, EngineError("invalid group", 1)), other)
    assert "HP101" in errors(result)


def test_modules_named_twice_count_once() -> None:
    text = "import { a } from 'react'\nimport { b } from 'react'\n"
    result = decided(text, Compiled(("react",)))
    assert not any("agree" in one.message for one in result.findings)


def test_where_the_grammar_stumbles_over_valid_syntax_imports_are_still_seen() -> None:
    result = check(f"{STUMBLE}export * from 'lodash'\nimport('underscore')\nexport default {{}}\n")
    assert errors(result) == ["HP201", "HP202"]
    assert {one.specifier for one in result.imports} == {"lodash", "underscore"}


def test_a_large_file_over_which_the_grammar_stumbles_passes_when_nothing_can_hide_in_it() -> None:
    text = f"{STUMBLE}{GOOD}// import('x')\nconst s = \"import('x')\"\n"
    assert decided(text, Compiled(SDK)).ok


def test_and_gives_up_when_an_import_could() -> None:
    # In `throw a /* line end */ import(…)` the grammar loses its way before the import.
    text = f"{GOOD}; {{ throw a/*\n*/import('x'); }}\n"
    result = decided(text, Compiled(SDK))
    assert errors(result) in (["HP106"], ["HP202"])


def test_nobody_can_tell_then_the_analysis_gave_up() -> None:
    result = decided(GOOD, Compiled(None, gave_up="it took too long to compile"))
    assert errors(result) == ["HP106"]
    assert "too long" in result.findings[0].message


def test_an_engine_that_gave_up_is_no_refusal_when_the_judge_accepts() -> None:
    accepted = Judgement(True, imports=(JudgedImport("static", SDK[0], 21, 41),))
    result = decided(GOOD, Compiled(None, gave_up="it took too long to compile"), accepted)
    assert [one.code for one in result.findings] == ["HP405"]


def test_regular_expressions_newer_than_the_engine_pass_in_files_of_any_size() -> None:
    text = "export const r = /(?i:a)/\nexport default { id: 'demo', register() {} }\n"
    small = AnalysisSettings(esprima_limit_bytes=40)
    assert [one.code for one in check(text, small).findings if one.code < "HP5"] == ["HP405"]


def test_a_broken_regular_expression_is_refused_in_files_of_any_size() -> None:
    text = "export const r = /(?i:a/\nexport default { id: 'demo', register() {} }\n"
    assert "HP101" in codes(text, AnalysisSettings(esprima_limit_bytes=40))


@pytest.mark.parametrize(
    "text",
    [
        "{ using r = null }",
        "await using r = null",
        "for (using r of []) {}",
        "{ using r = null }\nconst x = /(?i:a)/",
        "const r = /(?<y>a)|(?<y>b)/",
        "const r = /[\\p{L}--[a-z]]/v",
        "const r = /" + "(a)" * 300 + "/",
        "a: b: for (;;) { continue a }",
        "class A { #x; static { A.y = #x in new A() } }",
        "const a = await 1, b = 1_000n, c = b ?? a?.[0]?.(1)",
        "let a, b\n;[(a), (b.c)] = [1, 2]",
        "import { version as v } from 'react' with {}\nv",
        "#!/usr/bin/env node\n",
        "const v = 1\nexport { v as 'a b' }",
        "// a\u2028const b = 1",
        "let a = 1, b = 2\na = b\n++b",
        "try {} catch {}",
        "async function* g() { for await (const x of g()) yield* x }",
        "const o = { get: 1, set: 2, async: 3, await: 4, static: 5, of: 6, let: 7, yield: 8 }",
    ],
    ids=lambda text: text[:40],
)
def test_syntax_that_the_app_runs_is_never_refused(text: str) -> None:
    # A hashbang counts only at the very start.
    result = check(f"{text}\nexport default {{ id: 'demo', register() {{}} }}\n")
    assert errors(result) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a<!--b", "HP101"),
        ("let n = 1\nn\n--> 0", "HP101"),
        ("import { class } from 'react'", "HP101"),
        ("import { a as enum } from 'react'", "HP101"),
        ("import { a } from 'react'\nconst a = 1", "HP101"),
        ("import { a, b as a } from 'react'", "HP101"),
        ("class eval {}", "HP101"),
        ("const o = { set x(...v) {} }", "HP101"),
        ("function f({ a }) { let a }", "HP101"),
        ("export let [a] = 0 export let [b] = 0", "HP101"),
        ("@dec class A {}", "HP101"),
        ("class A { accessor x = 1 }", "HP101"),
        ("import a from 'react' assert { type: 'json' }", "HP101"),
        ("import defer * as r from 'react'", "HP209"),
        ("import source r from 'react'", "HP209"),
        ("import.defer('react')", "HP209"),
        ("const r = /(?<y>a)(?<y>b)/", "HP101"),
        ("im\\u0070ort a from 'react'", "HP101"),
        ("const f = async (a = await 1) => a", "HP101"),
    ],
    ids=lambda value: value[:40],
)
def test_syntax_that_the_app_refuses_is_refused(text: str, code: str) -> None:
    assert errors(check(f"{text}\nexport default {{ id: 'demo', register() {{}} }}\n")) == [code]


def test_html_comment_letters_inside_literals_are_no_comment() -> None:
    text = "export const a = '<!-- x', b = `<!-- ${'-->'} <!--`, r = /<!--/ // <!--\n/* <!--\n--> */\n"
    assert "HP101" not in codes(f"{text}export default {{ id: 'demo', register() {{}} }}\n")
