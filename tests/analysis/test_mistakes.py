"""Authors' mistakes: one finding each, on the true line, that names the thing and the way out."""

from __future__ import annotations

import pytest

from loader.analysis.engine import compile_module
from loader.analysis.judge import Judgement
from loader.analysis.static import check_text
from loader.nouns import Diagnostic
from tests.analysis.compiling import SETTINGS, check, only
from tests.analysis.mistakes.mistake import Mistake
from tests.analysis.mistakes.pasted import PASTED
from tests.analysis.mistakes.slips import SLIPS
from tests.analysis.mistakes.syntax import SYNTAX

MISTAKES = (*SYNTAX, *SLIPS, *PASTED)

# What may be lost where esprima cannot run (a file over its bound): the engine's line and the tree stand in.
WORSE_WITHOUT_THE_JUDGE = 12


def of_the_text(mistake: Mistake) -> Diagnostic:
    """The one finding about the text itself: whether it can be rehearsed is another matter."""
    (found,) = [one for one in check(mistake.text).findings if one.code < "HP4"]
    return found


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_found_on_its_line(mistake: Mistake) -> None:
    found = of_the_text(mistake)
    assert (found.code, found.severity) == (mistake.code, mistake.severity)
    assert found.span is not None
    assert found.span.line == mistake.line
    said = f"{found.message} {found.hint}".lower()
    assert all(name.lower() in said for name in mistake.names), said


def test_messages_are_one_line_and_short() -> None:
    for mistake in MISTAKES:
        message = of_the_text(mistake).message
        assert "\n" not in message
        assert len(message) <= 120, message


def test_most_lines_hold_without_the_judge() -> None:
    silent = Judgement(None, gave_up="size")
    wrong = []
    for mistake in SYNTAX:
        result = check_text(mistake.text, compile_module(mistake.text), SETTINGS, judge=lambda _text: silent)
        first = next((one for one in result.findings if one.severity == "error"), None)
        if first is None or first.span is None or first.span.line != mistake.line:
            wrong.append(mistake.name)
    assert len(wrong) <= WORSE_WITHOUT_THE_JUDGE, wrong


def test_a_place_counts_utf16_units() -> None:
    found = only("const face = '😀'; const x = ;\nexport default face\n")
    assert found.span is not None
    assert (found.span.line, found.span.column) == (1, 30)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("const face = '😀😀'; const = 2\n", (1, 28)),
        ("const face = '😀😀'\nconst = 2\n", (2, 7)),
        ("let h\ndelete h\nconst b = 1\n", (2, 1)),
        ("const face = '😀'; var q\nclass q {}\n", (2, 7)),
        ("let a = 1\nlet a = 2\n", (2, 5)),
        ("let h\nif (delete (h)) {}\n", (2, 5)),
        ("let h\n  with (h) { }\n", (2, 3)),
    ],
)
def test_a_place_is_exact(text: str, place: tuple[int, int]) -> None:
    span = only(text).span
    assert span is not None
    assert (span.line, span.column) == place


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_lines_count_with_every_line_end(end: str) -> None:
    found = only(f"const a = 1{end}const b = 2{end}const c = ;{end}")
    assert found.span is not None
    assert (found.span.line, found.span.column) == (3, 11)


def test_a_phase_import_of_an_allowed_module_says_so() -> None:
    found = only("import defer * as r from 'react'\nexport default { id: 'demo', register() { r } }\n")
    assert found.code == "HP209"
    assert "defer" in found.message


def test_typescript_generics_that_happen_to_be_comparisons_are_left_alone() -> None:
    assert check("const [s] = useState<string | null>(null)\nexport default { id: 'demo', register() { s } }\n").ok


def test_an_update_through_a_chain_at_the_end_of_the_text_is_told_too() -> None:
    assert "`?.`" in only("let h\n++h?.x").message


@pytest.mark.parametrize("share", [3, 2])
def test_a_text_that_is_cut_off_anywhere_is_told(share: int) -> None:
    for mistake in MISTAKES:
        text = mistake.text[: len(mistake.text) // share]
        assert all(one.message for one in check(text).findings)


def test_of_pasted_quotes_the_first_is_told_with_how_many_follow() -> None:
    found = only("import { a } from ‘react’\nconst b = “x”\nexport default { id: ‘demo’ }\n")
    assert found.span is not None and (found.span.line, found.span.column) == (1, 19)
    assert found.hint == "Write '…' with plain quotes. 5 more of them follow."
    assert only("const a = ‘b’").hint == "Write '…' with plain quotes."
