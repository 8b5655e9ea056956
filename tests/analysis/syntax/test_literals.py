"""What literals say once decoded."""

from __future__ import annotations

import pytest

from loader.analysis.syntax.literals import cooked, identifier_name, number_value, string_value, template_value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("plain", "plain"),
        (r"\u0072eact", "react"),
        (r"\x72eact", "react"),
        (r"\u{72}eact", "react"),
        ("a\\\nb", "ab"),
        ("a\\\r\nb", "ab"),
        ("a\\\u2028b", "ab"),
        (r"\n\t\0\'\"\\", "\n\t\0'\"\\"),
        (r"\ud83d\ude00", "😀"),
        (r"\u{1F600}", "😀"),
        (r"\ud800", "\ufffd"),
        (r"\q\-", "q-"),
    ],
)
def test_escapes_are_decoded(raw: str, value: str) -> None:
    assert cooked(raw) == value


def test_quotes_and_line_ends_of_templates() -> None:
    assert string_value("'re\\x61ct'") == "react"
    assert template_value("`a\r\nb\rc`") == "a\nb\nc"
    assert identifier_name(r"\u0061bc") == "abc"


@pytest.mark.parametrize(
    ("written", "value"),
    [("1_000", 1000), ("0x1F", 31), ("0b11", 3), ("0o17", 15), ("1.5e3", 1500), (".5", 0.5), ("10n", 10), ("x", None)],
)
def test_numbers(written: str, value: float | None) -> None:
    assert number_value(written) == value
