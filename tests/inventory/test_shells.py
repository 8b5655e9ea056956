"""What shells say of what they run, and what the names that their app exports change."""

import asyncio
from dataclasses import replace

import pytest

from loader.codes import finding
from loader.inventory.shells import Announced, judged_otherwise
from loader.nouns import Identity, ImportRef, PluginChanged, Source, Span, Verdict
from loader.settings import AnalysisSettings
from loader.testing import simple_verdict
from tests.inventory.conftest import BROKEN, Bench, plugin

DEMO = "desktop-plugins/demo/plugin.js"
SDK = "@hermes/plugin-sdk"


async def started(bench: Bench) -> str:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    bench.take()
    return bench.row("demo").revision


def states(bench: Bench) -> list[tuple[str, str, str | None]]:
    return [(report.shell, report.state, report.error) for report in bench.row("demo").shells]


@pytest.mark.anyio
async def test_a_shell_is_pending_until_it_has_spoken(bench: Bench) -> None:
    revision = await started(bench)
    bench.pipeline.shell_mounted("s1", "1.0")
    assert bench.take(changes=True) == ["changed demo ready"]
    assert states(bench) == [("s1", "pending", None)]
    bench.pipeline.report("s1", "demo", revision, "loaded", None)
    assert bench.take(changes=True) == ["changed demo ready"]
    assert states(bench) == [("s1", "loaded", None)]
    bench.pipeline.report("s1", "demo", revision, "loaded", None)
    assert bench.take(changes=True) == []
    bench.pipeline.shell_gone("s1")
    assert states(bench) == []


@pytest.mark.anyio
async def test_a_new_revision_starts_pending_again_and_old_reports_are_ignored(bench: Bench) -> None:
    old = await started(bench)
    bench.pipeline.shell_mounted("s1", "1.0")
    bench.pipeline.report("s1", "demo", old, "loaded", None)
    await bench.save(DEMO, plugin("demo", "v2"))
    assert states(bench) == [("s1", "pending", None)]
    bench.take(changes=True)
    for shell, plugin_id, revision, outcome in (
        ("s1", "demo", old, "failed"),
        ("s1", "other", bench.row("demo").revision, "loaded"),
        ("s9", "demo", bench.row("demo").revision, "loaded"),
        ("s1", "demo", bench.row("demo").revision, "confused"),
    ):
        bench.pipeline.report(shell, plugin_id, revision, outcome, None)
    assert bench.take(changes=True) == []
    assert states(bench) == [("s1", "pending", None)]
    assert bench.pipeline._inventory.shells._said == {}, "what is gone is forgotten"


@pytest.mark.anyio
async def test_the_word_of_a_shell_takes_the_place_of_the_rehearsals(bench: Bench) -> None:
    def judge(source: Source, settings: AnalysisSettings) -> Verdict:
        rehearsed = (finding("HP401", "register() threw in the rehearsal"), finding("HP409", "a timer is left"))
        return Verdict(source.sha256, Identity("demo", "v1"), diagnostics=rehearsed)

    bench.analyzer.judge = judge
    revision = await started(bench)
    bench.pipeline.shell_mounted("s1", "1.0")
    assert [found.code for found in bench.row("demo").diagnostics] == ["HP401", "HP409"]
    bench.pipeline.report("s1", "demo", revision, "loaded", None)
    assert [found.code for found in bench.row("demo").diagnostics] == ["HP409"]
    bench.pipeline.shell_mounted("s2", "2.0")
    bench.pipeline.report("s2", "demo", revision, "failed", "x is not a function", "import")
    row = bench.row("demo")
    assert [found.code for found in row.diagnostics] == ["HP403", "HP409"]
    assert "x is not a function" in row.diagnostics[0].message
    assert "s2" in row.diagnostics[0].message
    assert row.state == "ready", "it is the shell that failed; the file stays what it is"
    assert states(bench) == [("s1", "loaded", None), ("s2", "failed", "x is not a function")]


@pytest.mark.anyio
async def test_reports_are_about_what_runs_not_about_a_broken_save(bench: Bench) -> None:
    revision = await started(bench)
    bench.pipeline.shell_mounted("s1", "1.0")
    await bench.save(DEMO, BROKEN)
    await bench.clock.advance(1)
    bench.take()
    bench.pipeline.report("s1", "demo", revision, "loaded", None)
    assert states(bench) == [("s1", "loaded", None)]
    assert [found.code for found in bench.row("demo").diagnostics] == ["HP101"]


@pytest.mark.anyio
async def test_waiting_for_the_shells(bench: Bench) -> None:
    revision = await started(bench)
    bench.write("desktop-plugins/other/plugin.js", plugin("other"))
    await bench.clock.advance(0)
    assert [row.id for row in await bench.pipeline.wait_shells(None, 5)] == ["demo", "other"], "no shell, no wait"
    bench.pipeline.shell_mounted("s1", "1.0")
    waiting = asyncio.create_task(bench.pipeline.wait_shells(["demo"], 5))
    await bench.clock.advance(1)
    assert not waiting.done()
    bench.pipeline.report("s1", "demo", revision, "loaded", None)
    await bench.clock.advance(0)
    assert [row.shells[0].state for row in await waiting] == ["loaded"]
    waiting = asyncio.create_task(bench.pipeline.wait_shells(None, 5))
    await bench.clock.advance(5.1)
    assert [row.shells[0].state for row in await waiting] == ["loaded", "pending"]


@pytest.mark.anyio
async def test_announced_exports_judge_anew_only_whom_they_concern(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    bench.write("desktop-plugins/plain/plugin.js", "export default { id: 'plain', name: 'v1', register(ctx) {} }\n")
    shipped = ((SDK, ("host", "useState")),)
    bench.pipeline._shipped_exports = lambda: shipped
    await bench.start()
    bench.take()
    bench.pipeline.shell_mounted("s1", "1.0", {SDK: ["host"]})
    await bench.clock.advance(1)
    assert bench.take() == []
    assert len(bench.analyzer.calls) == 2, "neither spells a name in which the lists differ"
    bench.pipeline.shell_mounted("s1", "1.0", {SDK: ["other"]})
    await bench.clock.advance(1)
    assert bench.take() == ["unload demo (failed)", "error demo HP204"], "there is no last good one to keep"
    assert [key for key, _ in bench.analyzer.calls[2:]] == ["standalone:demo"]
    assert bench.analyzer.settings[-1].sdk_exports == ((SDK, ("other",)),)
    assert bench.analyzer.settings[-1].unknown_export == "error"
    bench.pipeline.shell_mounted("s2", "1.1", {SDK: ["other", "host"]})
    await bench.clock.advance(1)
    assert bench.take() == ["load demo v1 (changed)"]
    bench.pipeline.shell_mounted("s3", "1.1", {SDK: ["host", "other"]})
    await bench.clock.advance(1)
    assert len(bench.analyzer.calls) == 4, "the same names in another order are the same"


@pytest.mark.anyio
async def test_an_analysis_under_way_is_begun_anew_when_the_exports_change(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    bench.analyzer.hold("standalone:demo")
    await bench.start()
    bench.pipeline.shell_mounted("s1", "1.0", {SDK: ["other"]})
    await bench.clock.advance(0)
    bench.analyzer.release("standalone:demo")
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP204"]


@pytest.mark.anyio
async def test_a_shrug_does_not_take_away_what_was_found_to_be_fine(bench: Bench) -> None:
    await started(bench)
    bench.analyzer.judge = lambda source, settings: Verdict(
        source.sha256, diagnostics=(finding("HP106", "out of time"),), cacheable=False
    )
    bench.pipeline.shell_mounted("s1", "1.0", {SDK: ["host2"]})
    await bench.clock.advance(2)
    assert bench.take() == []
    assert bench.row("demo").state == "ready"


@pytest.mark.anyio
async def test_a_backend_shows_in_the_row(bench: Bench) -> None:
    await started(bench)
    bench.pipeline.note_backend("standalone:demo", {"state": "running"})
    bench.pipeline.note_backend("standalone:demo", {"state": "running"})
    bench.pipeline.note_backend("standalone:nobody", {"state": "running"})
    (event,) = bench.events
    assert isinstance(event, PluginChanged)
    assert event.plugin.backend == {"state": "running"}


# ---------------------------------------------------------------- pure


def verdict(text: str, *codes: str) -> Verdict:
    found = simple_verdict(Source(text.encode(), text, "0" * 64), AnalysisSettings())
    return Verdict(found.sha256, found.identity, found.imports, tuple(finding(code, "said before") for code in codes))


@pytest.mark.parametrize(
    ("text", "codes", "before", "now", "expected"),
    [
        ("import { host } from '@hermes/plugin-sdk'\n", (), ("host",), ("host",), False),
        ("import { host } from '@hermes/plugin-sdk'\n", (), ("host", "a"), ("host", "b"), False),
        ("import { host } from '@hermes/plugin-sdk'\n", (), ("host",), ("a",), True),
        ("import * as sdk from '@hermes/plugin-sdk'\nsdk.late()\n", (), ("host", "late"), ("host",), True),
        ("import { $late } from '@hermes/plugin-sdk'\n", (), ("$late",), (), True),
        ("import { lat\\u0065 } from '@hermes/plugin-sdk'\n", (), ("late",), (), True),
        ("import { late } from 'react'\n", (), ("late",), (), False),
        ("const late = 1\n", (), ("late",), (), False),
        ("import { host } from '@hermes/plugin-sdk'\n", ("HP204",), ("host",), ("host", "x"), True),
        ("import { host } from '@hermes/plugin-sdk'\n", ("HP502",), ("host",), ("host", "x"), False),
    ],
)
def test_judged_otherwise(
    text: str, codes: tuple[str, ...], before: tuple[str, ...], now: tuple[str, ...], expected: bool
) -> None:
    assert judged_otherwise(text, verdict(text, *codes), ((SDK, before),), ((SDK, now),), ()) is expected


def test_announced_without_a_list_leaves_the_earlier_one() -> None:
    announced = Announced()
    announced.mount("s1", {SDK: ["b", "a", "a"]}, ["one"])
    announced.mount("s2", None, ["two"])
    assert announced.exports == ((SDK, ("a", "b")),)
    assert announced.bundled == {"one", "two"}
    announced.leave("s2")
    assert announced.bundled == {"one"}
    announced.leave("s1")
    assert announced.bundled == {"one"}


def test_an_import_without_a_name_is_no_trouble() -> None:
    said = Verdict("0" * 64, imports=(ImportRef(None, "dynamic", 0, 1, Span(1, 1, 1, 2)),))
    assert judged_otherwise("import(x)", said, None, ((SDK, ("x",)),), ()) is False


@pytest.mark.anyio
async def test_an_answer_that_is_not_kept_is_still_an_answer(bench: Bench) -> None:
    def judge(source: Source, settings: AnalysisSettings) -> Verdict:
        said = simple_verdict(source, settings)
        waits = finding("HP405", "It waits for the host at import.")
        return replace(said, diagnostics=(*said.diagnostics, waits), cacheable=False)

    bench.analyzer.judge = judge
    await started(bench)
    bench.pipeline.shell_mounted("s1", "1.0", {SDK: ["other"]})
    await bench.clock.advance(1)
    assert bench.take() == ["unload demo (failed)", "error demo HP204"]
