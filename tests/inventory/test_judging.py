"""What stands against the bytes of one plugin, put together."""

import hashlib

from loader.codes import finding
from loader.inventory.judging import bad_news, judge
from loader.inventory.looking import Look
from loader.nouns import Candidate, Identity, Source, Span, Verdict

DATA = b"export default {}\n"
SOURCE = Source(DATA, DATA.decode(), hashlib.sha256(DATA).hexdigest())
DEMO = Candidate("standalone", "demo", "/home/desktop-plugins/demo/plugin.js", "/home")
OTHER = "sha256-" + "A" * 43 + "="


def codes(verdict: Verdict | None, look: Look | None = None, candidate: Candidate = DEMO, **pins: str) -> list[str]:
    seen = look or Look(candidate, source=SOURCE)
    return [found.code for found in judge(seen, candidate, verdict, pins=pins, id_mismatch="error").findings]


def said(*found: str, exported: str | None = "demo") -> Verdict:
    diagnostics = tuple(finding(code, code, span=Span(9 - n, 1, 9 - n, 2)) for n, code in enumerate(found))
    return Verdict(SOURCE.sha256, Identity(exported), diagnostics=diagnostics)


def test_all_findings_sorted_by_place_each_once() -> None:
    look = Look(DEMO, source=SOURCE, findings=(finding("HP003", "large"),))
    assert codes(said("HP502", "HP501"), look) == ["HP003", "HP501", "HP502"]
    again = Look(DEMO, source=SOURCE, findings=said("HP502").diagnostics)
    assert codes(said("HP502"), again) == ["HP502"]


def test_the_folder_is_judged_with_the_text() -> None:
    assert codes(said(exported="other")) == ["HP303"]
    assert codes(said(exported="../x")) == ["HP304"]
    assert codes(said("HP304", exported="../x")) == ["HP304"]
    assert codes(said(exported=None)) == []
    odd = Candidate("standalone", "My Plugin", "/x/plugin.js", "/x")
    assert codes(said(exported=None), candidate=odd) == ["HP304"]


def test_a_pin_under_an_id_that_only_the_bytes_reveal() -> None:
    assert codes(said(), demo=OTHER) == ["HP010"]
    assert codes(said(), demo="nonsense") == ["HP011"]
    assert codes(said(), somebody=OTHER) == []
    checked = Look(DEMO, source=SOURCE, findings=(finding("HP010", "no"),), pins=(OTHER,))
    assert codes(None, checked, demo=OTHER) == ["HP010"], "not twice"


def test_what_is_excused_is_not_said_again() -> None:
    look = Look(DEMO, source=SOURCE)
    subject = judge(look, DEMO, said("HP502"), pins={}, id_mismatch="error", excuse=lambda candidate, verdict: ())
    assert subject.findings == ()
    assert subject.integrity.startswith("sha256-")


def test_which_news_waits_how_long() -> None:
    assert bad_news(Look(DEMO, absent=True)) == "absence"
    assert bad_news(Look(DEMO, source=SOURCE, fleeting=True)) == "blank"
    assert bad_news(Look(DEMO, source=SOURCE, declared_refused=True)) == "declared-integrity"
    assert bad_news(Look(DEMO, source=SOURCE)) == "failure"
