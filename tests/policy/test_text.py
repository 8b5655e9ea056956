import json
import string

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from loader.nouns import Json
from loader.policy.text import clean_line, clean_name, clean_text, cut, shown, stringify
from tests.naming import spelled

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
LINE_ENDS = ("\n", "\r", "\r\n", "\t", "\v", "\f", "\x85", "\u2028", "\u2029", "\u00a0", "\u3000", "\ufeff")
FAMILY = "👨‍👩‍👧‍👦"
NASTY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            [*BIDI, *"\x00\x07\x1b\x9b\x85\u2028\t \r\n", "\ud800", "\udfff", "\u0301", "\u200d", "👩", "🇩"]
        ),
    ),
    max_size=700,
)


def line(text: Json) -> str:
    return clean_line(text, graphemes=120, code_points=480)


@given(NASTY)
@example("a\ud83d\ude00b")
@example("a \x07 b")
@example(" \u202e \n")
def test_a_line_is_bounded_and_hides_nothing(text: str) -> None:
    cleaned = line(text)
    assert len(regex.findall(r"\X", cleaned)) <= 120
    assert len(cleaned) <= 480
    assert not regex.search(r"[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]", cleaned)
    assert len(cleaned.splitlines()) <= 1
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    cleaned.encode()


@given(NASTY)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert line(line(text)) == line(text)


@given(st.text(st.characters(exclude_categories=["C", "Z", "M"]), min_size=1, max_size=60))
def test_words_without_blanks_or_rubbish_stay_as_they_are(word: str) -> None:
    assert line(word) == word or not regex.search(r"\P{Default_Ignorable_Code_Point}", word)


@pytest.mark.parametrize("end", LINE_ENDS, ids=spelled)
def test_every_white_space_and_line_end_parts_words_by_one_space(end: str) -> None:
    assert line(f"one{end}{end}two") == "one two"


@pytest.mark.parametrize(
    "control", [*BIDI, "\x00", "\x07", "\x1b", "\x1f", "\x7f", "\x80", "\x9f", "\udc00"], ids=spelled
)
def test_controls_go_without_a_trace(control: str) -> None:
    assert line(f"a{control}b") == "ab"


def test_a_control_between_two_blanks_leaves_one_blank() -> None:
    assert line("a \x07 b") == "a b"


@pytest.mark.parametrize("text", ["\u200b\u200d\u2060", "\u00ad\u3164", "\ufe0f", "\u2800 \u2800"], ids=spelled)
def test_a_line_of_which_nothing_can_be_seen_is_empty(text: str) -> None:
    assert line(text) == ""


@pytest.mark.parametrize("count", [119, 120, 200, 9_000])
def test_what_can_be_seen_only_behind_the_cut_does_not_count(count: int) -> None:
    text = "\u200b" * count + "hello"
    seen = text[:120] if count < 120 else ""
    assert line(text) == seen
    assert clean_text(text, graphemes=120, code_points=480) == seen


def test_a_name_of_which_nothing_can_be_seen_is_none() -> None:
    assert clean_name("\u200b", code_points=64) is None
    assert clean_name("\u2800 \u200d", code_points=64) is None


def test_joiners_inside_an_emoji_stay() -> None:
    assert line(f"all of {FAMILY} here") == f"all of {FAMILY} here"


@pytest.mark.parametrize("cluster", [FAMILY, "e\u0301\u0323", "🇩🇪", "👍🏽", "क्षि", "각"], ids=spelled)
def test_a_cut_never_splits_a_cluster(cluster: str) -> None:
    cleaned = clean_line(cluster * 300, graphemes=120, code_points=480)
    assert cleaned == cluster * (len(cleaned) // len(cluster))
    assert len(cleaned) // len(cluster) == min(120, 480 // len(cluster))


def test_a_cluster_longer_than_all_that_is_allowed_is_bounded_all_the_same() -> None:
    assert line("a" + "\u0301" * 100_000) == "a" + "\u0301" * 479
    assert line("x" + "a" + "\u0301" * 100_000) == "x"


def test_a_cut_leaves_no_blank_at_the_end() -> None:
    assert line("x" * 119 + " tail") == "x" * 119


def test_rubbish_before_the_text_is_taken_away_before_the_cut() -> None:
    assert line("\u202e" * 900_000 + "hello") == "hello"
    assert line(" \n" * 400_000 + "hello") == "hello"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (5, "5"),
        (5.0, "5"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (10**400, "Infinity"),
        (float("nan"), "NaN"),
        ([1, None, [True, "x"]], "1,,true,x"),
        ({"a": 1}, "[object Object]"),
    ],
)
def test_values_become_text_as_in_javascript(value: Json, text: str) -> None:
    assert stringify(value) == text


def test_a_deeply_nested_value_costs_no_recursion() -> None:
    nested: Json = "x"
    for _ in range(5_000):
        nested = [nested]
    assert stringify(nested) == ""


@pytest.mark.parametrize(("depth", "text"), [(1, "x"), (31, "x"), (32, "x"), (33, "")])
def test_values_nested_deeper_than_is_said_are_empty(depth: int, text: str) -> None:
    nested: Json = "x"
    for _ in range(depth):
        nested = [nested]
    assert stringify(nested) == text


@given(st.text(string.printable + FAMILY + "\u0301", max_size=300), st.integers(1, 20))
def test_a_cut_is_the_longest_start_of_whole_clusters(text: str, graphemes: int) -> None:
    clusters = regex.findall(r"\X", text)
    assert cut(text, graphemes=graphemes, code_points=10_000) == "".join(clusters[:graphemes])


def test_names_are_cleaned_but_never_cut() -> None:
    assert clean_name(" build\u202e status ", code_points=64) == "build status"
    assert clean_name("x" * 64, code_points=64) == "x" * 64
    assert clean_name("x" * 65, code_points=64) is None
    assert clean_name("", code_points=64) is None
    assert clean_name("XX ciXX ", code_points=64) == "XX ciXX"
    assert clean_name("x" * 64 + " \u202e ", code_points=64) == "x" * 64
    assert clean_name("x" * 64 + " y", code_points=64) is None
    assert clean_name(7, code_points=64) == "7"


def test_text_of_several_lines_keeps_its_lines() -> None:
    text = clean_text("  one\r\ntwo\u2028three\x07\tend \ud800 ", graphemes=500, code_points=2000)
    assert text == "one\ntwo\nthree\tend"


@given(NASTY)
def test_text_of_several_lines_can_be_sent(text: str) -> None:
    cleaned = clean_text(text, graphemes=50, code_points=200)
    assert len(cleaned) <= 200
    assert json.loads(json.dumps(cleaned, ensure_ascii=False).encode()) == cleaned


@given(st.one_of(NASTY, st.none(), st.booleans(), st.integers(), st.floats()))
def test_a_shown_value_fits_one_visible_line(value: Json) -> None:
    text = shown(value)
    assert len(text) <= 80
    assert not regex.search(r"[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]", text)


def test_a_shown_value_escapes_what_hides_and_is_cut_between_escapes() -> None:
    assert shown("a'b\\\u202e\n\U000e0001") == "a\\'b\\\\\\u202e\\u000a\\u{e0001}"
    assert shown("x" * 80) == "x" * 80
    assert shown("x" * 100_000) == "x" * 79 + "…"
    assert shown("\u202e" * 100) == "\\u202e" * 13 + "…"
    assert shown(None) == "null"


def test_only_blanks_go_from_the_ends() -> None:
    assert line(" XX boXX ") == "XX boXX"
    assert clean_text("\n XX bo\nXX \n", graphemes=50, code_points=200) == "XX bo\nXX"
    assert clean_text(" \n" * 50_000 + "late", graphemes=50, code_points=200) == "late"
    assert clean_text("four\ufeff more", graphemes=5, code_points=200) == "four"
