"""Bytes to UTF-16 offsets, lines and columns, with every line end and every width of letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.analysis.syntax.positions import Positions

LETTERS = "a\n\r\u2028\u2029é€😀\t "


def positions(text: str) -> Positions:
    return Positions(text.encode())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\u2029"])
def test_a_line_ends_with_any_terminator(end: str) -> None:
    table = positions(f"ab{end}cd")
    start = len(f"ab{end}".encode())
    assert table.line_count == 2
    assert table.place(start) == (2, 1)
    assert table.place(start + 1) == (2, 2)
    assert table.line_text(1) == "ab"
    assert table.line_text(2) == "cd"


def test_columns_count_utf16_units() -> None:
    table = positions("é😀x")
    assert table.place(len("é😀".encode())) == (1, 4)
    assert table.offset(len("é😀".encode())) == 3


def test_an_empty_text_has_one_line() -> None:
    assert positions("").place(0) == (1, 1)
    assert positions("").line_text(1) == ""


def test_places_outside_are_moved_inside() -> None:
    table = positions("ab\ncd")
    assert table.byte_of_place(0, 1) == 0
    assert table.byte_of_place(9, 1) == 5
    assert table.byte_of_place(1, 99) == 2


@given(st.text(alphabet=LETTERS, max_size=60).map(lambda text: text * 40), st.integers(0, 2399))
def test_every_place_leads_back_to_its_byte(text: str, index: int) -> None:
    table = positions(text)
    index = min(index, len(text))
    byte = len(text[:index].encode())
    assert table.byte_of_character(index) == byte
    assert table.offset(byte) == len(text[:index].encode("utf-16-le")) // 2
    # A place between CR and LF stands behind its line's end and cannot be told from it.
    if text[index - 1 : index + 1] != "\r\n":
        line, column = table.place(byte)
        assert table.byte_of_place(line, column) == byte


def test_the_text_of_a_span_is_cut_at_its_limit() -> None:
    table = positions("const name = 1")
    assert table.text_of(table.span(6, 10), limit_bytes=100) == "name"
    assert table.text_of(table.span(0, 14), limit_bytes=5) == "const"
