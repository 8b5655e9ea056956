"""Places in an editor's count and in ours: the same letters, whatever stands before them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

from loader.edits import Places
from loader.language_server.page import Encoding, Page
from loader.nouns import Span

LETTERS = st.text(alphabet="ab \n\r\u2028\u2029\x0c\x0b\x85éß漢😀𝕏\ufeff\ud800\udc00", max_size=60)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])


def units(text: str, encoding: Encoding) -> int:
    match encoding:
        case "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        case "utf-16":
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case "utf-32":
            return len(text)


def text_in(text: str, place: Range, encoding: Encoding) -> str:
    """What an editor that follows the protocol to the letter would select."""
    starts = [0]
    at = 0
    while at < len(text):
        if text.startswith("\r\n", at):
            at += 2
            starts.append(at)
        elif text[at] in "\r\n":
            at += 1
            starts.append(at)
        else:
            at += 1

    def index(position: Position) -> int:
        start = starts[position.line]
        for end in range(start, len(text) + 1):
            if units(text[start:end], encoding) == position.character:
                return end
        raise AssertionError(position)

    return text[index(place.start) : index(place.end)]


@given(LETTERS, ENCODINGS, st.data())
def test_every_finding_selects_its_own_letters(text: str, encoding: Encoding, data: st.DataObject) -> None:
    page = Page(text, encoding)
    start = data.draw(st.integers(0, len(page.source)))
    end = data.draw(st.integers(start, len(page.source)))
    start_unit, end_unit = (units(page.source[:at], "utf-16") for at in (start, end))
    wanted = page.source[start:end]
    selected = text_in(text, page.range(Places(page.source).span(start_unit, end_unit)), encoding)
    assert Page(selected).source in (wanted, wanted.removeprefix("\ufeff"))
    edited = text_in(text, page.range_of_offsets(start_unit, end_unit), encoding)
    assert edited == selected


@given(LETTERS, ENCODINGS)
def test_positions_lead_back_to_where_they_came_from(text: str, encoding: Encoding) -> None:
    page = Page(text, encoding)
    for index in range(len(text) + 1):
        if text[index - 1 : index + 1] == "\r\n":
            continue  # between the two there is no position
        assert page.index_at(page.position(index)) == index


@given(LETTERS, ENCODINGS, st.integers(0, 100), st.integers(0, 100))
def test_a_position_outside_is_moved_inside(text: str, encoding: Encoding, line: int, character: int) -> None:
    assert 0 <= Page(text, encoding).index_at(Position(line, character)) <= len(text)


@given(LETTERS, st.integers(-5, 100), st.integers(-5, 100))
def test_a_finding_outside_is_moved_inside(text: str, line: int, column: int) -> None:
    place = Page(text).range(Span(line, column, line, column + 3))
    assert (place.start.line, place.start.character) <= (place.end.line, place.end.character)


def test_a_finding_about_the_file_stands_on_its_first_line() -> None:
    assert Page("ab\r\ncd").range(None) == Range(Position(0, 0), Position(0, 2))
    assert Page("").range(None) == Range(Position(0, 0), Position(0, 0))


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_columns_count_what_was_agreed_on(encoding: Encoding, column: int) -> None:
    assert Page("😀x", encoding).range(Span(1, 3, 1, 4)).start == Position(0, column)


def test_a_line_end_of_javascript_alone_is_none_for_an_editor() -> None:
    page = Page("a\u2028b")
    assert page.range(Span(2, 1, 2, 2)) == Range(Position(0, 2), Position(0, 3))


def test_half_letters_are_replaced_and_a_mark_is_left_out() -> None:
    assert Page("\ufeffa\ud800").source == "a\ufffd"
