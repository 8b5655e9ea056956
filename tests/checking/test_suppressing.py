"""A comment silences what it names, on its line or in the whole file, and never what keeps a file from loading."""

import pytest

from loader.checking.suppressing import without_suppressed
from loader.codes import finding
from loader.nouns import Candidate, Diagnostic, Rehearsal, Span, Suppression, Verdict

CANDIDATE = Candidate("standalone", "a", "a/plugin.js", "")
COLOUR = finding("HP502", "colour", span=Span(3, 1, 3, 5))


def comment(*codes: str, line: int | None) -> Suppression:
    return Suppression(codes, line, "because", Span(1, 1, 1, 2))


def left(found: Diagnostic, *comments: Suppression) -> int:
    said = without_suppressed(CANDIDATE, Verdict("", diagnostics=(found,), suppressions=comments))
    return len([each for each in said if each.code == found.code])


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


# ---------------------------------------------------------------- comments that do nothing


def unused(
    *comments: Suppression, found: tuple[Diagnostic, ...] = (COLOUR,), rehearsal: Rehearsal | None = None
) -> list[str]:
    verdict = Verdict("", diagnostics=found, suppressions=comments, rehearsal=rehearsal)
    return [each.message.split(": ")[1] for each in without_suppressed(CANDIDATE, verdict) if each.code == "HP520"]


def test_a_comment_that_excuses_nothing_is_said_with_its_reason() -> None:
    assert unused(comment("HP502", line=3)) == []
    assert unused(comment("HP502", line=None)) == []
    assert unused(comment("HP502", line=7)) == ["there is no HP502 on line 7"]
    assert unused(comment("HP503", line=None)) == ["there is no HP503 in this file"]
    assert unused(comment("HP502", "HP503", "HP503", line=3)) == ["there is no HP503 on line 3"]
    assert unused(comment("HP999", line=3)) == ["no finding has the code HP999"]


def test_an_error_that_no_comment_silences_is_said_to_be_one() -> None:
    refused = finding("HP201", "import", span=Span(3, 1, 3, 5))
    assert unused(comment("HP201", line=3), found=(refused,)) == [
        "HP201 is an error here, and this one cannot be ignored"
    ]


def test_where_rules_did_not_look_silence_proves_nothing() -> None:
    broken = finding("HP101", "syntax", span=Span(9, 1, 9, 5))
    assert unused(comment("HP502", line=7), found=(broken,)) == []
    assert unused(comment("HP406", line=7)) == []
    assert unused(comment("HP406", line=7), rehearsal=Rehearsal(ran=False)) == []
    assert unused(comment("HP406", line=7), rehearsal=Rehearsal(ran=True, stopped_by="time")) == []
    assert unused(comment("HP406", line=7), rehearsal=Rehearsal(ran=True)) == ["there is no HP406 on line 7"]


def test_the_finding_about_comments_can_be_silenced_too_without_end() -> None:
    assert unused(comment("HP503", line=7), comment("HP520", line=None)) == []
    assert unused(comment("HP520", line=None)) == []


def test_no_plugin_excuses_itself_for_what_would_freeze_the_window() -> None:
    frozen = finding("HP404", "10 s of CPU time")
    assert left(frozen, comment("HP404", line=None)) == 1
    stack = finding("HP404", "ran out of stack", severity="warning")
    assert left(stack, comment("HP404", line=None)) == 0
