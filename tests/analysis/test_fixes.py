"""An area in the wrong case is mended where it stands, and only there."""

import hashlib

import pytest

from loader.analysis.fixes import with_area_fixes
from loader.analysis.worker import analyze
from loader.codes import finding
from loader.edits import with_fixes
from loader.nouns import Diagnostic, Source
from loader.settings import AnalysisSettings


def about(area: str, contribution: str = "chip") -> Diagnostic:
    message = f"contribution `{contribution}` goes to the unknown area `{area}`: nothing of it will show"
    return finding("HP407", message)


def mended(text: str, *findings: Diagnostic) -> str:
    return with_fixes(text, [one.fix for one in with_area_fixes(text, findings) if one.fix])[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f({ id: 'chip', area: 'Panes' })", "f({ id: 'chip', area: 'panes' })"),
        ('f({ area: "PANES", "id": "chip" })', 'f({ area: "panes", "id": "chip" })'),
        ("'🙂'; f({ id: 'chip', area: 'pAnes' })", "'🙂'; f({ id: 'chip', area: 'panes' })"),
        ("f([{ id: `chip`, area: 'Panes' }])", "f([{ id: `chip`, area: 'panes' }])"),
    ],
)
def test_the_literal_beside_the_contributions_id_is_mended(before: str, after: str) -> None:
    for area in ("Panes", "PANES", "pAnes"):
        if area in before:
            assert mended(before, about(area)) == after


@pytest.mark.parametrize(
    "text",
    [
        "f({ id: 'other', area: 'Panes' })",
        "const area = 'Panes'; f({ id: 'chip', area })",
        "f({ id: 'chip', area: `Panes` })",
        "f({ id: 'chip', data: { area: 'Panes' } })",
        "g({ area: 'Panes' }); f({ id: 'chip', area: A })",
        "f({ id: 'chip', area: 'Pan' + 'es' })",
        "f({ id: 'chip', area: 'Panes' }) )",
    ],
)
def test_where_there_is_doubt_nothing_is_offered(text: str) -> None:
    (found,) = with_area_fixes(text, [about("Panes")])
    assert found.fix is None


def test_a_guess_is_no_fix() -> None:
    (found,) = with_area_fixes("f({ id: 'chip', area: 'panez' })", [about("panez")])
    assert found.fix is None


def test_other_findings_pass_through_untouched() -> None:
    others = (finding("HP407", "no placement"), finding("HP502", "colour"))
    assert with_area_fixes("x", others) == others


def test_the_real_rehearsal_offers_it_and_the_mended_file_has_nothing_left() -> None:
    text = (
        "import { jsx } from 'react/jsx-runtime'\n"
        "export default { id: 'demo', register(ctx) {\n"
        "  ctx.register({ id: 'chip', area: 'statusbar.right', render: () => jsx('span', { children: 'x' }) })\n"
        "} }\n"
    )

    def findings(text: str) -> list[Diagnostic]:
        data = text.encode()
        verdict = analyze(Source(data, text, hashlib.sha256(data).hexdigest()), AnalysisSettings())
        return [one for one in verdict.diagnostics if one.code == "HP407"]

    (found,) = findings(text)
    assert found.fix is not None
    after = with_fixes(text, [found.fix])[0]
    assert after == text.replace("statusbar.right", "statusBar.right")
    assert findings(after) == []


AREAS = "import { STATUSBAR_AREAS } from '@hermes/plugin-sdk'\n"


def told(text: str, message: str) -> Diagnostic:
    (found,) = with_area_fixes(text, [finding("HP407", message, hint="as before")])
    return found


@pytest.mark.parametrize(
    ("area", "hint"),
    [
        ("STATUSBAR_AREAS.rigth", "Did you mean `STATUSBAR_AREAS.right`?"),
        ("STATUSBAR_AREAS.Right", "Did you mean `STATUSBAR_AREAS.right`?"),
        ("STATUSBAR_AREAS.somewhere", "`STATUSBAR_AREAS` has `left`, `right`."),
    ],
)
def test_a_member_that_an_area_has_not_is_told_at_its_place(area: str, hint: str) -> None:
    found = told(f"{AREAS}f({{ id: 'chip', area: {area} }})", "contribution `chip` names no area")
    assert (found.hint, found.span and (found.span.line, found.span.column)) == (hint, (2, 39))


def test_only_a_member_in_the_wrong_case_is_mended() -> None:
    for area, after in (("STATUSBAR_AREAS.Right", "STATUSBAR_AREAS.right"), ("STATUSBAR_AREAS.rigth", None)):
        text = f"{AREAS}f({{ id: 'chip', area: {area} }})"
        fixes = [fix for fix in [told(text, "contribution `chip` names no area").fix] if fix]
        assert with_fixes(text, fixes)[0] == text.replace(area, after or area)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("f({ id: 'chip', slot: 'panes' })", "contribution `chip` names no area", "There is `slot`: call it `area`."),
        (
            "f({ id: 'p', component: Panel })",
            "contribution `p` in `panes`: a pane needs a `render` function",
            "There is `component`: the app calls `render: () => jsx(Panel, {})`.",
        ),
        (
            "f({ id: 'p', render: jsx(Panel, {}) })",
            "contribution `p` in `panes`: a pane needs a `render` function",
            "It is called at once: write a function that does, `render: () => …`.",
        ),
    ],
)
def test_what_stands_in_the_place_of_a_field_is_named(text: str, message: str, hint: str) -> None:
    assert told(text, message).hint == hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f({ id: 'chip' })", "contribution `chip` names no area"),
        ("f({ id: 'chip', area: AREAS.right })", "contribution `chip` names no area"),
        ("f({ id: 'chip', slot: 1 }); g({ id: 'chip', place: 2 })", "contribution `chip` names no area"),
        ("f({ id: 'p', render: null })", "contribution `p` in `panes`: a pane needs a `render` function"),
        ("f({ id: 'p', view: 1 ) })", "contribution `p` in `panes`: a pane needs a `render` function"),
    ],
)
def test_nothing_is_said_of_a_text_that_does_not_tell(text: str, message: str) -> None:
    assert told(text, message).hint == "as before"
