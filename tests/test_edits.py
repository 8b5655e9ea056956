"""Fixes go in whole, at the very place, and never two where only one was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.edits import Places, with_fixes
from loader.nouns import Edit, Fix, Span


def fix(*edits: tuple[int, int, str]) -> Fix:
    return Fix("mend", tuple(Edit(*edit) for edit in edits))


def test_offsets_are_utf16_units() -> None:
    text = "a🙂é'X'"
    assert with_fixes(text, [fix((5, 6, "y"))])[0] == "a🙂é'y'"


def test_several_fixes_are_applied_in_one_go() -> None:
    text, taken = with_fixes("one two three", [fix((8, 13, "3")), fix((0, 3, "1"))])
    assert text == "1 two 3"
    assert len(taken) == 2


def test_the_same_change_is_made_once_and_counts_for_each() -> None:
    text, taken = with_fixes("ab", [fix((1, 1, "x")), fix((1, 1, "x"))])
    assert (text, len(taken)) == ("axb", 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0, 2, ""), (1, 3, "")),
        ((0, 3, ""), (1, 2, "")),
        ((1, 1, "x"), (1, 1, "y")),
        ((0, 2, ""), (2, 2, "y")),
        ((0, 2, ""), (0, 0, "y")),
        ((0, 2, "z"), (1, 1, "y")),
    ],
)
def test_what_touches_another_change_waits_for_the_next_round(
    one: tuple[int, int, str], other: tuple[int, int, str]
) -> None:
    text, taken = with_fixes("abcd", [fix(one), fix(other)])
    assert taken == (fix(one),)
    assert text == with_fixes("abcd", [fix(one)])[0]


def test_neighbours_that_only_meet_are_both_removed() -> None:
    assert with_fixes("abcd", [fix((0, 2, "")), fix((2, 3, ""))])[0] == "d"


def test_a_fix_is_taken_whole_or_not_at_all() -> None:
    both = fix((0, 1, "x"), (3, 4, "y"))
    text, taken = with_fixes("abcd", [fix((3, 4, "z")), both])
    assert (text, taken) == ("abcz", (fix((3, 4, "z")),))


@pytest.mark.parametrize(
    "impossible",
    [fix((2, 1, "")), fix((0, 9, "")), fix((-1, 0, "")), fix((1, 3, ""), (2, 4, "")), fix((2, 2, "x")), fix()],
)
def test_an_impossible_fix_changes_nothing(impossible: Fix) -> None:
    assert with_fixes("a🙂bc", [impossible]) == ("a🙂bc", ())


@given(st.text(), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.text(max_size=3)), max_size=6))
def test_whatever_is_asked_letters_stay_whole(text: str, edits: list[tuple[int, int, str]]) -> None:
    result, taken = with_fixes(text, [fix(edit) for edit in edits])
    assert result.encode("utf-16-le", "strict") is not None
    if not taken:
        assert result == text


def test_places_count_the_line_ends_of_the_language() -> None:
    places = Places("a\r\nb\u2028🙂c\rd")
    assert places.span(0, 1) == Span(1, 1, 1, 2)
    assert places.span(3, 4) == Span(2, 1, 2, 2)
    assert places.span(5, 8) == Span(3, 1, 3, 4)
    assert places.span(9, 10) == Span(4, 1, 4, 2)
