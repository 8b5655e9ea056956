"""A comment silences what it names, on its line or in the whole file, and never what keeps a file from loading."""

import pytest

from loader.checking.suppressing import without_suppressed
from loader.codes import finding
from loader.nouns import Candidate, Diagnostic, Span, Suppression, Verdict

CANDIDATE = Candidate("standalone", "a", "a/plugin.js", "")
COLOUR = finding("HP502", "colour", span=Span(3, 1, 3, 5))


def comment(*codes: str, line: int | None) -> Suppression:
    return Suppression(codes, line, "because", Span(1, 1, 1, 2))


def left(found: Diagnostic, *comments: Suppression) -> int:
    return len(without_suppressed(CANDIDATE, Verdict("", diagnostics=(found,), suppressions=comments)))


def test_without_comments_everything_stays() -> None:
    assert left(COLOUR) == 1


def test_a_comment_silences_its_code_on_its_line() -> None:
    assert left(COLOUR, comment("HP502", line=3)) == 0
    assert left(COLOUR, comment("HP611", "HP502", line=3)) == 0


@pytest.mark.parametrize("other", [comment("HP502", line=2), comment("HP502", line=4), comment("HP503", line=3)])
def test_another_line_or_code_silences_nothing(other: Suppression) -> None:
    assert left(COLOUR, other) == 1


def test_a_comment_for_the_file_silences_every_line_and_findings_without_place() -> None:
    assert left(COLOUR, comment("HP502", line=None)) == 0
    assert left(finding("HP504", "socket"), comment("HP504", line=None)) == 0
    assert left(finding("HP504", "socket"), comment("HP504", line=3)) == 1


@pytest.mark.parametrize("code", ["HP004", "HP101", "HP201", "HP301", "HP303"])
def test_what_keeps_a_file_from_loading_is_never_silenced(code: str) -> None:
    assert left(finding(code, "no", severity="error"), comment(code, line=None)) == 1


@pytest.mark.parametrize("code", ["HP206", "HP207", "HP306"])
def test_a_warning_of_the_same_family_may_be(code: str) -> None:
    assert left(finding(code, "hm", severity="warning"), comment(code, line=None)) == 0
