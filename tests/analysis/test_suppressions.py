"""Suppression comments: real comments only, each tied to the line it excuses."""

from __future__ import annotations

import pytest

from loader.analysis.suppressions import read_suppressions
from loader.analysis.syntax import parse
from loader.nouns import Suppression


def found(text: str) -> tuple[Suppression, ...]:
    return read_suppressions(parse(text))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("// hermes-ignore HP502: brand\npaint()", 2),
        ("/* hermes-ignore HP502: brand */\npaint()", 2),
        ("// hermes-ignore HP502: brand\n// more words\n\n/* and more */ paint()", 4),
        ("paint() // hermes-ignore HP502: brand", 1),
        ("paint()\n  // hermes-ignore HP502: brand\n  paint()", 3),
        ("// hermes-ignore-file HP502: brand\npaint()", None),
        ("#!/usr/bin/env node\n// hermes-ignore-file HP502: brand\npaint()", None),
        ("// a note\n// hermes-ignore-file HP502: brand\npaint()", None),
    ],
)
def test_the_line_that_is_excused(text: str, line: int | None) -> None:
    (one,) = found(text)
    assert (one.codes, one.line, one.reason) == (("HP502",), line, "brand")


def test_several_codes_and_no_reason() -> None:
    (one,) = found("// hermes-ignore HP502, hp503\npaint()")
    assert (one.codes, one.reason) == (("HP502", "HP503"), "")


def test_a_file_wide_form_below_the_first_statement_excuses_nothing() -> None:
    (one,) = found("paint()\n// hermes-ignore-file HP502: late\n")
    assert one.line == 2


@pytest.mark.parametrize(
    "text",
    [
        "const a = '// hermes-ignore HP502: no'",
        "const a = `\n// hermes-ignore HP502: no\n`",
        "// see hermes-ignore HP502: no",
        "// hermes-ignore: no code",
        "// hermes-ignore HP5: no",
        "/** how to write // hermes-ignore HP502: no */",
        "const r = /hermes-ignore HP502/",
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert found(text) == ()


def test_a_hostile_comment_is_not_searched_for_a_reason() -> None:
    assert found("// hermes-ignore HP502: " + " " * 500_000 + "x\n") == ()
