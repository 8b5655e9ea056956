"""What reaches a terminal must not steer it, reorder it or hide in it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.reports.safe import visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("", ""),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\x00b\x7f", "a\\x00b\\x7f"),
        ("a\x9bb", "a\\x9bb"),
        ("tab\there", "tab\\there"),
        ("line\nend\r", "line\\nend\\r"),
        ("\u202eevil", "\\u{202e}evil"),
        ("\u2066x\u2069", "\\u{2066}x\\u{2069}"),
        ("zero\u200bwidth", "zero\\u{200b}width"),
        ("\ufeffmark", "\\u{feff}mark"),
        ("\u2028", "\\u{2028}"),
        ("half \ud83d", "half \\u{d83d}"),
        ("\u3164", "\\u{3164}"),
        ("\U000e0041", "\\u{e0041}"),
        ("größer 漢字 🧪", "größer 漢字 🧪"),
    ],
)
def test_unsafe_letters_show_as_escapes_and_the_rest_stays(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_nothing_that_a_terminal_obeys_or_hides_is_left(text: str) -> None:
    for letter in visible(text):
        assert unicodedata.category(letter) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_a_limit_cuts_with_an_ellipsis() -> None:
    assert visible("abcdef", limit=4) == "abc…"
    assert visible("abcd", limit=4) == "abcd"


def test_line_feeds_stay_where_text_has_lines() -> None:
    assert visible_lines("a\x1b\nb\rc") == "a\\x1b\nb\\rc"
