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
