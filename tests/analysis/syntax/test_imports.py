"""What enters and leaves a module, in every form of the language."""

from __future__ import annotations

import pytest

from loader.analysis.syntax import Module, parse


def specifiers(text: str) -> list[str | None]:
    return [request.specifier for request in parse(text).record.requests]


def names(module: Module) -> list[tuple[str, str | None]]:
    return [(name.imported, name.local) for request in module.record.requests for name in request.names]


def exports(text: str) -> list[tuple[str, str | None]]:
    return [(one.exported, one.local) for one in parse(text).record.exports]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import d from 'x'", [("default", "d")]),
        ("import * as n from 'x'", [("*", "n")]),
        ("import { a, b as c } from 'x'", [("a", "a"), ("b", "c")]),
        ("import { default as d } from 'x'", [("default", "d")]),
        ("import { 'two words' as t } from 'x'", [("two words", "t")]),
        ("import d, { a } from 'x'", [("default", "d"), ("a", "a")]),
        ("import d, * as n from 'x'", [("default", "d"), ("*", "n")]),
        ("import 'x'", []),
        ("import {} from 'x'", []),
        ("export * from 'x'", [("*", None)]),
        ("export * as n from 'x'", [("*", None)]),
        ("export { a, b as c, default } from 'x'", [("a", None), ("b", None), ("default", None)]),
        ("export {} from 'x'", []),
    ],
)
def test_names_of_imports_and_reexports(text: str, expected: list[tuple[str, str | None]]) -> None:
    module = parse(text)
    assert [request.specifier for request in module.record.requests] == ["x"]
    assert names(module) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export default {}", [("default", None)]),
        ("export default function f() {}", [("default", None)]),
        ("const a = 1\nexport { a as default }", [("default", "a")]),
        ("const a = 1\nexport { a as 'default' }", [("default", "a")]),
        ("const a = 1\nexport { a, a as b, a as 'c d' }", [("a", "a"), ("b", "a"), ("c d", "a")]),
        ("export const a = 1, { b, c: d, e = f, ...g } = {}, [h, i = j] = []", [(n, n) for n in "abdeghi"]),
        ("export function f() {}", [("f", "f")]),
        ("export class C {}", [("C", "C")]),
        ("export * as n from 'x'", [("n", "*")]),
        ("export * from 'x'", [("*", "*")]),
        ("export { default } from 'x'", [("default", "default")]),
        ("export { default as a } from 'x'", [("a", "default")]),
        ("export { a as default } from 'x'", [("default", "a")]),
    ],
)
def test_exports(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert exports(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import('x')", ["x"]),
        ("import(`x`)", ["x"]),
        ("import(('x'))", ["x"]),
        ("import/* 'y' */('x')", ["x"]),
        ("import\n// no\n(/* no */ 'x' /* no */)", ["x"]),
        ("import('x', { with: { type: 'json' } })", ["x"]),
        ("import(x)", [None]),
        ("import('a' + 'b')", [None]),
        ("import(`a${b}`)", [None]),
        ("async () => await import('x')", ["x"]),
        ("({ import(x) {} }).import('y')", []),
        ("class A { import() {} static import() {} }", []),
        ("import.meta.url", []),
        ("const a = \"import 'x'\"; // import 'x'\n/* import 'x' */ `import 'x'`; /import 'x'/", []),
    ],
)
def test_dynamic_imports_and_what_only_looks_like_one(text: str, expected: list[str | None]) -> None:
    assert specifiers(text) == expected


def test_comments_between_the_words_hide_nothing() -> None:
    assert specifiers("import/* 'a' */'x'\nimport /* from 'a' */ b from /* 'a' */ 'y'") == ["x", "y"]


def test_specifiers_are_decoded_and_keep_their_place() -> None:
    text = "import a from '\\u0072eact'; import b from 'rea\\\nct'"
    module = parse(text)
    assert [one.specifier for one in module.imports] == ["react", "react"]
    assert text[module.imports[0].start : module.imports[0].end] == "'\\u0072eact'"


def test_offsets_count_utf16_units() -> None:
    (one,) = parse("'😀'; import a from 'react'").imports
    assert (one.start, one.end) == (20, 27)
    assert (one.span.line, one.span.column) == (1, 21)


@pytest.mark.parametrize(
    "text",
    [
        "import a from 'x' with { type: 'json' }",
        "export * from 'x' with { type: 'json' }",
        "export { a } from 'x' with { type: 'json' }\nconst b = 1",
        "export * as n from 'x'\n  with { type: 'json' };",
        "import('x', { with: { type: 'json' } })",
    ],
)
def test_attributes_are_seen_and_hide_no_specifier(text: str) -> None:
    (request,) = parse(text).record.requests
    assert request.specifier == "x"
    assert request.attributes is not None
    assert "json" in text[slice(*request.attributes)]


def test_text_that_only_looks_like_attributes_is_left_alone() -> None:
    text = "export { a } from 'x'\nconst s = \"from 'y' with { z }\"\nfoo("
    module = parse(text)
    assert module.has_error
    assert "from 'y' with" in module.tree.raw(0)


def test_a_broken_text_never_raises() -> None:
    for text in (
        "import {",
        "export * from",
        "import(",
        "export default",
        "import x from 'y' with",
        "\0",
        "import defer * as a from 'x'",
    ):
        assert parse(text).imports is not None
