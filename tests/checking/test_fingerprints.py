"""A finding stays the same finding when lines move, and is another one when its own line is."""

from loader.checking.checked import CheckedFile
from loader.checking.fingerprints import fingerprints
from loader.codes import finding
from loader.nouns import Diagnostic, Span


def marks(text: str, *findings: Diagnostic) -> list[str]:
    return [mark for _, mark in fingerprints(CheckedFile("p", "p", text=text, diagnostics=findings))]


def at(line: int, column: int = 1, message: str = "colour", code: str = "HP502") -> Diagnostic:
    return finding(code, message, span=Span(line, column, line, column + 1))


def test_lines_above_and_white_space_do_not_matter() -> None:
    assert marks("x = '#fff'", at(1)) == marks("// new\n\n    x = '#fff'  ", at(3, 5))


def test_the_message_does_not_matter_where_there_is_a_place() -> None:
    assert marks("x", at(1, message="1 of 3")) == marks("x", at(1, message="2 of 4"))


def test_another_line_or_rule_is_another_finding() -> None:
    assert marks("x = '#fff'", at(1)) != marks("x = '#ffe'", at(1))
    assert marks("x", at(1)) != marks("x", at(1, code="HP503"))


def test_equal_lines_are_told_apart_by_their_order() -> None:
    one, two = marks("x\nx", at(1), at(2))
    assert one != two
    assert marks("y\nx\nx\nx", at(2), at(3))[:2] == [one, two]


def test_of_a_bundles_one_line_only_the_surroundings_count() -> None:
    code = "a" * 200 + "COLOR" + "b" * 300
    column = code.index("COLOR") + 1
    assert marks(code, at(1, column)) == marks(code + "c" * 50, at(1, column))


def test_without_a_place_the_words_count_and_numbers_do_not() -> None:
    assert marks("", finding("HP003", "600 KiB")) == marks("", finding("HP003", "601.5 KiB"))
    assert marks("", finding("HP003", "600 KiB")) != marks("", finding("HP003", "600 MiB"))
