"""esprima as judge: verdicts, imports, and bounds that hold."""

from __future__ import annotations

import sys
import threading

from loader.analysis.judge import judge


def asked(text: str, *, limit_bytes: int = 1_000_000, deadline_s: float = 5.0):  # type: ignore[no-untyped-def]
    return judge(text, limit_bytes=limit_bytes, deadline_s=deadline_s)


def test_imports_come_in_reading_order_with_their_places() -> None:
    text = "import a from 'x'; import(`y`); export * from 'z'; import(q)"
    found = asked(text)
    assert found.accepted
    assert [(one.kind, one.specifier) for one in found.imports] == [
        ("static", "x"),
        ("dynamic", "y"),
        ("reexport", "z"),
        ("dynamic", None),
    ]
    assert text[found.imports[0].start : found.imports[0].end] == "'x'"


def test_an_error_has_words_and_a_place() -> None:
    found = asked("const a = 1\nconst a = 2")
    assert (found.accepted, found.line, found.index) == (False, 2, 18)
    assert "already been declared" in found.message


def test_places_are_code_points_behind_letters_of_two_units() -> None:
    text = "const faces = '😀😀'; /* 😀 */ import(`y`); import z from 'z'"
    assert [text[one.start : one.end] for one in asked(text).imports] == ["`y`", "'z'"]
    wrong = "const faces = '😀😀'; const = 2"
    assert asked(wrong).index == wrong.rindex("=")


def test_a_text_over_the_limit_is_not_read() -> None:
    assert asked("1;" * 100, limit_bytes=50).gave_up == "size"


def test_time_is_bounded_and_no_thread_is_left() -> None:
    before = threading.active_count()
    assert asked("x=1;" * 200_000, deadline_s=0.3).gave_up == "time"
    assert threading.active_count() == before


def test_depth_is_bounded_and_the_interpreters_limit_restored() -> None:
    limit = sys.getrecursionlimit()
    assert asked("[" * 1_500 + "]" * 1_500).accepted is True
    assert asked("[" * 50_000).accepted is not True
    assert sys.getrecursionlimit() == limit


def test_nothing_that_a_text_holds_raises() -> None:
    for text in ("", "\0", "'\ud800'", "/[", "`${", "\\u{110000}", "#", "0b", "class A { #a; #a }"):
        asked(text)
