from typing import Any

import httpx
import pytest

from loader.inventory.history import Revision
from loader.inventory.subject import Subject
from loader.nouns import (
    Candidate,
    ConsoleLine,
    Contribution,
    Diagnostic,
    Leak,
    Rehearsal,
    Span,
    Verdict,
)
from loader.reports.inside import MARKUP_LIMIT_LETTERS
from loader.server.routes.insight import ChainRow, Findings, Past, RehearsalReport, RuleText
from tests.server.conftest import InProcess
from tests.server.fakes import source_of

pytestmark = pytest.mark.anyio

KEY = "standalone:clock"
CANDIDATE = Candidate("standalone", "clock", "/root/desktop-plugins/clock/plugin.js", "/root")


def played(text: str, rehearsal: Rehearsal | None) -> Subject:
    source = source_of(text)
    verdict = Verdict(source.sha256, rehearsal=rehearsal, timings_ms=(("compile", 1.25), ("rehearse", 8.0)))
    return Subject(CANDIDATE, source, verdict)


async def found(app: InProcess, path: str) -> Any:
    response = await app.tool.get(path)
    assert response.status_code == 200, response.text
    return response.json()


def kind(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["type"].rpartition(":")[2]


async def test_a_rehearsal_is_told_with_what_it_drew(app: InProcess) -> None:
    app.pipeline.save("clock")
    drawn = Contribution("statusBar.right", "now", "clock:now", html="<b>12:00</b>", wireframe="12:00")
    rehearsal = Rehearsal(
        True,
        contributions=(drawn,),
        console=(ConsoleLine("warn", "<script>"),),
        actions=("notify('x')",),
        leaks=(Leak("timer", "setInterval", Span(3, 1, 3, 5)),),
        timers_fired=2,
    )
    app.pipeline.subjects[KEY] = played("export default {}", rehearsal)
    told = await found(app, "/v1/plugins/clock/rehearsal")
    assert RehearsalReport.model_validate(told).model_dump() == told
    assert told["timings"] == [{"name": "compile", "ms": 1.25}, {"name": "rehearse", "ms": 8.0}]
    assert told["rehearsal"]["contributions"][0]["html"] == "<b>12:00</b>"
    assert told["rehearsal"]["leaks"] == [{"kind": "timer", "detail": "setInterval", "line": 3}]
    assert told["rehearsal"]["console"] == [{"level": "warn", "text": "<script>"}]


async def test_markup_without_end_is_left_out_and_said(app: InProcess) -> None:
    app.pipeline.save("clock")
    large = Contribution("panes", "a", "clock:a", html="x" * (MARKUP_LIMIT_LETTERS + 1))
    small = Contribution("panes", "b", "clock:b", html="<p>b</p>")
    app.pipeline.subjects[KEY] = played("export default {}", Rehearsal(True, contributions=(large, small)))
    first, second = (await found(app, "/v1/plugins/clock/rehearsal"))["rehearsal"]["contributions"]
    assert (first["html"], first["too_large"]) == (None, True)
    assert (second["html"], second["too_large"]) == ("<p>b</p>", False)


async def test_a_plugin_that_nothing_looked_inside_has_no_rehearsal(app: InProcess) -> None:
    app.pipeline.save("clock")
    assert (await found(app, "/v1/plugins/clock/rehearsal"))["rehearsal"] is None


async def test_findings_stand_in_their_code(app: InProcess) -> None:
    app.pipeline.fail("clock", "const = 1")
    app.pipeline.subjects[KEY] = Subject(CANDIDATE, source_of("const = 1"), None)
    told = await found(app, "/v1/plugins/clock/findings")
    assert Findings.model_validate(told).model_dump() == told
    frame = told["diagnostics"][0]["frame"]
    assert [line["number"] for line in frame] == [1, None]
    assert frame[0]["text"] == "const = 1" and frame[1]["text"] == "^"
    assert "HP101" in told["for_agents"] and "clock/plugin.js:1:1" in told["for_agents"]


async def test_findings_without_a_text_have_no_frame(app: InProcess) -> None:
    app.pipeline.fail("clock")
    assert (await found(app, "/v1/plugins/clock/findings"))["diagnostics"][0]["frame"] == []


async def test_the_past_is_told_newest_first_and_compared(app: InProcess) -> None:
    app.pipeline.save("clock")
    wrong = Diagnostic("HP101", "syntax-error", "error", "broken")
    app.pipeline.revisions[KEY] = (
        Revision("aa", "2026-01-01T00:00:00.000Z", "ready", (), "one\n"),
        Revision("bb", "2026-01-01T00:00:01.000Z", "failed", (wrong,), "two\n"),
        Revision("cc", "2026-01-01T00:00:02.000Z", "ready", (), None),
    )
    told = await found(app, "/v1/plugins/clock/history")
    assert Past.model_validate(told).model_dump() == told
    assert [each["revision"] for each in told["revisions"]] == ["cc", "bb", "aa"]
    assert told["revisions"][1]["codes"] == ["HP101"] and not told["revisions"][0]["has_text"]
    diff = (await found(app, "/v1/plugins/clock/history/diff?before=aa&after=bb"))["diff"]
    assert "-one\n" in diff and "+two\n" in diff
    assert (await found(app, "/v1/plugins/clock/history/diff?before=aa&after=cc"))["diff"] is None
    unknown = await app.tool.get("/v1/plugins/clock/history/diff?before=aa&after=zz")
    assert kind(unknown) == (404, "unknown-revision")


async def test_a_rule_is_explained(app: InProcess) -> None:
    told = await found(app, "/v1/rules/hp201")
    assert RuleText.model_validate(told).model_dump() == told
    assert told["code"] == "HP201" and told["bad"] and told["good"]
    assert kind(await app.tool.get("/v1/rules/HP999")) == (404, "unknown-rule")


async def test_the_doctor_names_the_broken_link(app: InProcess) -> None:
    app.pipeline.save("clock")
    app.pipeline.fail("broken")
    told = await found(app, "/v1/plugins/broken/doctor")
    assert ChainRow.model_validate(told).model_dump() == told
    assert told["broken_at"] == "check" and "HP101" in told["verdict"]
    both = (await found(app, "/v1/doctor"))["plugins"]
    assert [(each["id"], each["broken_at"]) for each in both] == [("broken", "check"), ("clock", None)]


@pytest.mark.parametrize("path", ["rehearsal", "findings", "history", "doctor"])
async def test_none_of_it_is_told_of_an_unknown_plugin_or_without_a_token(app: InProcess, path: str) -> None:
    app.pipeline.save("clock")
    assert kind(await app.tool.get(f"/v1/plugins/nosuch/{path}")) == (404, "unknown-plugin")
    assert kind(await app.http.get(f"/v1/plugins/clock/{path}")) == (401, "unauthorized")


async def test_a_plugins_own_token_opens_none_of_it(app: InProcess) -> None:
    running = app.pipeline.save("clock")
    token = app.parts.credentials.mint("clock", running.revision)
    for path in ("rehearsal", "findings", "history", "doctor"):
        answer = await app.http.get(f"/v1/plugins/clock/{path}", headers={"Authorization": f"Bearer {token}"})
        assert kind(answer) == (403, "not-yours"), path
