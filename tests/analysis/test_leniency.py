"""Forms on which the parsers at hand and the app's engine differ: each passes exactly where Chromium links it."""

from __future__ import annotations

import pytest

from loader.analysis.engine import compile_module
from loader.analysis.judge import judge
from loader.analysis.leniency import with_calls_assigned
from loader.analysis.static import check_text
from loader.nouns import ImportRef
from loader.settings import AnalysisSettings
from tests.requirements import need

TAIL = "\nexport default { id: 'a', name: 'a', register() {} }\n"
F = "function f() {}\n"
LINKS = [
    "using x = null",
    "using a = null, b = null",
    "{ using x = null }",
    "await using x = null",
    "for (using x of []) {}",
    "for await (using x of []) {}",
    "for (await using x of []) {}",
    "class A { static { using x = null } }",
    "const using = () => {}; using (1)",
    "for (using of [1]) {}; var using",
    "using x = null; const r = /(?<a>x)|(?<a>y)/",
    "for (using x = null; ; ) break",
    "for (await using x = null, y = null; ; ) break",
    "let a; using x = [((a))] = []",
    "using of = null",
    "const r = /(?<a>x)|(?<a>y)/",
    "const f = async => async; f(1)",
    "[1].map(async /* no arrow of its own */ => async)",
    "class A { prototype = 1 }",
    "function g(a = class b { static { switch (1) { case 1: of: ; } } }, b = 1, c) {} var of",
    "a: b: for (let i = 0; i < 2; i++) { continue a }",
    "export * from 'data:text/javascript,'\n/(?<a>x)|(?<a>y)/.test('x')",
    "import 'data:text/javascript,'\n/(?<a>x)|(?<a>y)/v.test('x')",
    F + "if (0) f() = 1",
    F + "if (0) f(1, 2) = 1",
    F + "if (0) (f()) = 1",
    F + "if (0) f() += 1",
    F + "if (0) ++f()",
    F + "if (0) f()--",
    F + "if (0) f()() = f()[0]() = 1",
    F + "for (f() of []) {}",
    F + "for (f('x') in {}) {}",
]
DOES_NOT_LINK = [
    "using x",
    "using x = 1, y",
    "using {a} = {}",
    "using x = null, [y] = []",
    "await using x",
    "for (using x in {}) {}",
    "for (using x = 1 of []) {}",
    "for (using of of []) {}",
    "using x = 1; using x = 2",
    "switch (1) { case 1: using x = null }",
    "if (1) using x = null",
    "label: using x = null",
    "using let = null",
    "export using x = null",
    "function g() { await using x = null }",
    "using x = null; const r = /(?<a>x)(?<a>y)/",
    "import 'data:text/javascript,'\n/(?<a>x)(?<a>y)/.test('x')",
    F + "f() ||= 1",
    F + "f() ??= 1",
    F + "[f()] = [1]",
    F + "({ a: f() } = {})",
    F + "f`x` = 1",
    F + "f?.() = 1",
    F + "f.a?.b() = 1",
    F + "new f() = 1",
    F + "f(...[]) = 1; f(1) = ",
    "import('react') = 1",
    "(1) = 1",
    "(a + b) = 1",
    "1++",
    "export f from 'react'",
    "export f, { useState } from 'react'",
    "class A { #x; m() { return (#x) in this } }",
    "[(a = 1)] = []; var a",
    "if (1) class A {}",
    "a: { for (;;) { continue a } }",
    "class A { static prototype = 1 }",
]


@pytest.mark.parametrize("text", LINKS)
def test_what_the_app_links_passes(text: str) -> None:
    result = check_text(text + TAIL, compile_module(text + TAIL), AnalysisSettings())
    errors = [one for one in result.findings if one.severity == "error" and one.code.startswith("HP1")]
    assert errors == []


def test_a_call_that_is_assigned_to_is_warned_of_at_its_place() -> None:
    text = "import { host } from '@hermes/plugin-sdk'\nexport const f = () => {\n  host.notify() = 1\n}" + TAIL
    found = check_text(text, compile_module(text), AnalysisSettings()).findings
    first = found[0]
    assert (first.code, first.severity, first.span and first.span.line) == ("HP101", "warning", 3)
    assert "throws when it runs" in first.message


@pytest.mark.parametrize("text", DOES_NOT_LINK)
def test_what_the_app_does_not_link_is_refused_with_a_place(text: str) -> None:
    result = check_text(text + TAIL, compile_module(text + TAIL), AnalysisSettings())
    (error,) = [one for one in result.findings if one.severity == "error"]
    assert error.code == "HP101" and error.span is not None


def test_imports_keep_their_places_behind_what_was_read_otherwise() -> None:
    text = "f(1) = 1\nimport { host } from '@hermes/plugin-sdk'\nf( ) = host" + TAIL
    result = check_text(text, compile_module(text), AnalysisSettings())
    assert [(one.specifier, text[one.start : one.end]) for one in result.imports] == [
        ("@hermes/plugin-sdk", "'@hermes/plugin-sdk'")
    ]
    assert all(isinstance(one, ImportRef) for one in result.imports)


def test_a_flood_of_assigned_calls_is_asked_about_a_few_times_only() -> None:
    asked: list[str] = []

    def counting(text: str) -> object:
        asked.append(text)
        return judge(text, limit_bytes=1_000_000, deadline_s=5)

    text = "f() = 1\n" * 50
    first = judge(text, limit_bytes=1_000_000, deadline_s=5)
    said = with_calls_assigned(text, first, counting)  # type: ignore[arg-type]  # as good as a judge
    assert said is not None and said.accepted is False
    assert len(asked) <= 5


@pytest.mark.real
def test_the_two_lists_are_chromiums() -> None:
    from playwright.sync_api import sync_playwright

    program = need("chromium")
    load = """async (text) => {
      const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
      try { await import(url); return '' } catch (error) { return error.name }
    }"""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        said = {text: page.evaluate(load, text + TAIL) for text in (*LINKS, *DOES_NOT_LINK)}
        browser.close()
    assert {text: name for text, name in said.items() if (name == "SyntaxError") == (text in LINKS)} == {}
