"""Failures of the evaluation for which the engine names no place: the statement that was under way has it."""

from __future__ import annotations

import pytest

from tests.analysis.rehearsal.playing import play_text

PLUGIN = "\nexport default { id: 'demo', register(ctx) {} }\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("const ready = true\nawait new Promise(() => {})", (2, 1)),
        ("const p = new Promise(() => {})\nawait 1\nconst got = await p\nawait 2", (3, 13)),
        ("const [a] = await Promise.all([await 1, new Promise(() => {})])", (1, 1)),
        ("#!/usr/bin/env node\nif (true) {\n  const at = 1\n  await { then() {} }\n}", (4, 3)),
        ("for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) ;", (1, 1)),
        ("try { throw 1 } catch {\n  await new Promise(() => {})\n}", (2, 3)),
    ],
)
def test_an_import_that_never_finishes_points_to_its_await(text: str, place: tuple[int, int]) -> None:
    (found,) = play_text(text + PLUGIN).findings
    assert found.code == "HP402" and found.span is not None
    assert (found.span.line, found.span.column) == place


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("const x = 1\nconst { a } = undefined", 2),
        ("const x = 1\nconst [b] = 5", 2),
        ("class A {}\nclass B extends undefined {}", 2),
        ("let n = 0\nn += 1\nnull()", 3),
        ("const e = { a: 1 }\nthrow e", 2),
        ("let at = 2, at_ = 3\nthrow Symbol('s')", 2),
        ("await 1\nawait Promise.reject()", 2),
        ("async function f() { return 1 }\nawait f()\nawait new Promise((_, no) => no('no'))", 3),
        ("function f() {}\nfor (const a of [1, 2]) {\n  f()\n  if (a == 2) {\n    [...undefined]\n  }\n}", 5),
    ],
)
def test_what_leaves_no_place_is_found_by_its_statement(text: str, line: int) -> None:
    (found,) = play_text(text + PLUGIN).findings
    assert found.code == "HP403" and found.span is not None
    assert found.span.line == line


def test_where_no_mark_can_be_set_there_is_no_place() -> None:
    lines = "let n = 0\n" + "n += 1\n" * 6_000
    (found,) = play_text(f"{lines}await new Promise(() => {{}}){PLUGIN}").findings
    assert found.code == "HP402" and found.span is None
