"""What fails later, with nobody of the plugin's own to hear it."""

from __future__ import annotations

import pytest

from loader.analysis.rehearsal.user_event import UserEvent
from tests.analysis.rehearsal.playing import PANE, play

pytestmark = pytest.mark.real

PRESSED = "const View = () => jsx('button', { onClick: HANDLER, children: 'Go' })"


@pytest.mark.parametrize(
    ("body", "before", "said"),
    [
        ("ctx.setTimeout(async () => { await null; null.x }, 5)", "", "a setTimeout callback threw"),
        ("setInterval(async () => { throw new Error('no') }, 900)", "", "a setInterval callback threw"),
        (PANE, PRESSED.replace("HANDLER", "async () => { await null; null.x }"), "the click handler of `pane`"),
        (
            PANE,
            "async function go() { throw new Error('no') }\n" + PRESSED.replace("HANDLER", "go"),
            "the click handler",
        ),
        (
            "ctx.register({ id: 'go', area: PALETTE_AREA, data: { id: 'demo.go', label: 'Go',"
            " run: async () => { await null; null.x } } })",
            "",
            "the press handler of `go`",
        ),
    ],
)
def test_an_async_callback_that_fails_later_is_heard(body: str, before: str, said: str) -> None:
    played = play(body, before=before, events=(UserEvent("click", "Go"),) if "Go" in body + before else ())
    found = [one for one in played.findings if one.code == "HP406"]
    assert len(found) >= 1 and all(said in one.message for one in found), played.findings


@pytest.mark.parametrize(
    "handler",
    [
        "async () => { try { await null; null.x } catch {} }",
        # Somebody else may hear of a promise that a plain function hands out.
        "() => { const failed = Promise.reject(new Error('no')); failed.catch(() => {}); return failed }",
        "() => ({ then(_, no) { no(new Error('no')) } })",
        "async () => { await ctx.rest('board'); null.x }",
        "async () => { const stop = new AbortController(); stop.abort(); await fetch('/x', { signal: stop.signal }) }",
    ],
)
def test_what_is_heard_of_elsewhere_or_never_comes_is_no_failure(handler: str) -> None:
    played = play(f"ctx.setTimeout({handler}, 5)")
    assert [one for one in played.findings if one.code == "HP406"] == []
