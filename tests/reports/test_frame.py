"""The caret stands under the letters that the finding means, whatever the letters before them take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from loader.nouns import Span
from loader.reports.frame import Lines, code_frame, letters_before
from loader.reports.safe import is_unsafe


def carets(text: str, column: int, end_column: int, *, width: int = 80) -> tuple[str, str]:
    frame = code_frame(Lines(text), Span(1, column, 1, end_column), width=width, context=0)
    return frame[0].text, frame[1].text


def under(text: str, column: int, end_column: int, *, width: int = 80) -> str:
    """The cells of the shown line that stand above the carets."""
    shown, marks = carets(text, column, end_column, width=width)
    lead, length = marks.count(" "), marks.count("^")
    at = 0
    found = ""
    for letter in shown:
        if lead <= at < lead + length and cell_len(letter):
            found += letter
        at += cell_len(letter)
    return found


@pytest.mark.parametrize(
    ("before", "units"),
    [("", 0), ("abc ", 4), ("🧪 ", 3), ("漢字", 2), ("e\u0301", 2), ("\t", 1), ("a\tb\t", 4), ("\u202e", 1)],
)
def test_the_caret_stands_under_the_word_behind_letters_of_every_width(before: str, units: int) -> None:
    text = f"{before}target rest"
    assert under(text, units + 1, units + 7) == "target"


def test_a_caret_line_covers_wide_letters_with_two_cells_each() -> None:
    assert carets("x = 漢字", 5, 7) == ("x = 漢字", "    ^^^^")


def test_a_tab_is_drawn_to_its_stop_and_the_caret_follows() -> None:
    assert carets("a\tb", 3, 4) == ("a   b", "    ^")


def test_an_unsafe_letter_is_drawn_as_its_escape_and_covered_whole() -> None:
    assert carets("a\u202eb", 2, 3) == ("a\\u{202e}b", " ^^^^^^^^")


def test_a_column_inside_a_surrogate_pair_means_its_letter() -> None:
    assert letters_before("a🧪b", 3) == 1
    assert letters_before("a🧪b", 4) == 2
    assert letters_before("a\ud83db", 3) == 2


def test_a_place_behind_the_end_of_the_line_has_a_caret_behind_the_last_letter() -> None:
    assert carets("abc", 4, 4) == ("abc", "   ^")
    assert carets("abc", 90, 95) == ("abc", "   ^")


def test_a_caret_behind_a_line_as_wide_as_the_frame_stays_in_the_frame() -> None:
    assert [cell_len(line) for line in carets("x" * 40, 41, 41, width=40)] == [14, 15]


def test_a_place_outside_the_text_has_no_frame() -> None:
    assert code_frame(Lines("one"), Span(2, 1, 2, 2), width=80) == ()
    assert code_frame(Lines(""), Span(1, 1, 1, 1), width=80, context=0)[0].text == ""


def test_neighbours_are_shown_unless_they_are_blank() -> None:
    numbers = [line.number for line in code_frame(Lines("a\nb\n\nd"), Span(2, 1, 2, 2), width=80)]
    assert numbers == [1, 2, None]


def test_a_span_of_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    frame = code_frame(Lines("ab{\n}\n"), Span(1, 3, 2, 2), width=80, context=0)
    assert frame[1].text == "  ^"


def test_lines_end_where_javascript_ends_them() -> None:
    assert len(Lines("a\rb\r\nc\nd\u2028e\u2029f")) == 6


@pytest.mark.parametrize("column", [1, 40, 5_000, 99_990])
def test_a_long_line_is_shown_around_the_caret_within_the_width(column: int) -> None:
    text = "ab=cd;" * 16_666 + "last"
    shown, marks = carets(text, column, column + 2, width=60)
    assert cell_len(shown) <= 60
    assert cell_len(marks) <= 60
    assert under(text, column, column + 2, width=60) == text[column - 1 : column + 1]


def test_a_flood_of_combining_marks_does_not_flood_the_frame() -> None:
    shown, _ = carets("a" + "\u0301" * 1_000_000 + "b", 1, 2, width=60)
    assert len(shown) <= 122


@given(st.text(max_size=300), st.integers(1, 320), st.integers(0, 30), st.integers(20, 120))
def test_whatever_the_text_the_frame_keeps_its_width_and_one_line_each(
    text: str, column: int, length: int, width: int
) -> None:
    for line in code_frame(Lines(text), Span(1, column, 1, column + length), width=width):
        assert cell_len(line.text) <= width
        assert not any(is_unsafe(letter) for letter in line.text)
