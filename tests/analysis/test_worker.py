"""The whole analysis of one text, as a worker does it; and the table of hostile plugins through one pool."""

import asyncio
import dataclasses
import gc
import hashlib
import random
from pathlib import Path

import pytest

from loader.analysis import worker
from loader.analysis.merge import merged
from loader.analysis.pool import AnalysisPool
from loader.analysis.rehearsal import stage as stage_module
from loader.analysis.rehearsal.user_event import UserEvent
from loader.codes import finding
from loader.nouns import Source, Span, Verdict
from loader.settings import AnalysisSettings
from tests.analysis.rehearsal.hostile_plugins import ROWS

pytestmark = pytest.mark.real

SETTINGS = AnalysisSettings(rehearsal_cpu_s=2.0)
GOOD = (
    "import { PANES_AREA } from '@hermes/plugin-sdk'\n"
    "import { jsx } from 'react/jsx-runtime'\n"
    "export default {\n  id: 'demo',\n  name: 'Demo',\n  register(ctx) {\n"
    "    ctx.register({ id: 'p', area: PANES_AREA, data: { placement: 'left' },\n"
    "      render: () => jsx('p', { children: 'Hi' }) })\n"
    "  },\n}\n"
)


def source(text: str) -> Source:
    data = text.encode()
    return Source(data, text, hashlib.sha256(data).hexdigest())


def codes(verdict: Verdict) -> list[str]:
    return [one.code for one in verdict.diagnostics]


def test_a_check_leaves_nothing_that_grows_for_pythons_collector() -> None:
    def left_by(rows: int) -> int:
        text = GOOD + "".join(
            f"export function F{n}({{ a }}) {{ const b = a; return () => jsx(G{n}, {{ b }}) }}\nconst G{n} = F{n}\n"
            for n in range(rows)
        )
        assert worker.check(source(text), SETTINGS).verdict.ok
        gc.collect()
        gc.disable()
        try:
            worker.check(source(text), SETTINGS)
            return gc.collect()
        finally:
            gc.enable()

    assert left_by(400) < left_by(4) + 200


def test_a_good_plugin_passes_with_everything_known_of_it() -> None:
    verdict = worker.analyze(source(GOOD), SETTINGS)
    assert verdict.ok
    assert verdict.diagnostics == ()
    assert verdict.sha256 == source(GOOD).sha256
    assert (verdict.identity.exported_id, verdict.identity.exact) == ("demo", True)
    assert [ref.specifier for ref in verdict.imports] == ["@hermes/plugin-sdk", "react/jsx-runtime"]
    assert [one.wireframe for one in verdict.contributions] == ["Hi"]
    assert [name for name, _ in verdict.timings_ms] == ["compile", "rules", "rehearse"]
    assert verdict.cacheable


def test_is_not_rehearsed_when_the_text_is_refused() -> None:
    verdict = worker.analyze(source("import x from 'left-pad'\n" + GOOD), SETTINGS)
    assert codes(verdict) == ["HP201"] or "HP201" in codes(verdict)
    assert verdict.rehearsal is None


def test_is_not_rehearsed_when_that_is_off() -> None:
    verdict = worker.analyze(source(GOOD), dataclasses.replace(SETTINGS, rehearsal="off"))
    assert verdict.rehearsal is None
    assert verdict.identity.exported_id == "demo"


def test_missing_exports_are_said_once() -> None:
    text = GOOD.replace("PANES_AREA }", "PANES_AREA, SidePanel2 }")
    verdict = worker.analyze(source(text), dataclasses.replace(SETTINGS, unknown_export="warning"))
    assert codes(verdict).count("HP204") == 1
    assert verdict.ok
    assert verdict.rehearsal is not None


def test_the_declarative_form_is_said_once_and_still_rehearsed() -> None:
    text = "export default { id: 'demo', titlebarButtons: [{ id: 'toggle', label: 'Toggle', icon: 'globe' }] }\n"
    verdict = worker.analyze(source(text), SETTINGS)
    assert codes(verdict).count("HP306") == 1
    assert verdict.ok
    assert [one.area for one in verdict.contributions] == ["titleBar.right"]


@pytest.mark.parametrize(
    "before", ["await new Promise(() => {})\n", "await fetch('https://example.com')\n", "for (;;) {}\n"]
)
def test_what_depends_on_the_machine_is_not_to_be_kept(before: str) -> None:
    assert not worker.analyze(source(before + GOOD), dataclasses.replace(SETTINGS, rehearsal_cpu_s=0.3)).cacheable


def test_events_are_played() -> None:
    text = GOOD.replace(
        "render: () => jsx('p', { children: 'Hi' })",
        "render: () => jsx('button', { onClick: () => console.log('clicked'), children: 'Hi' })",
    )
    verdict = worker.rehearse(source(text), SETTINGS, events=(UserEvent("click", "Hi"),))
    assert verdict.rehearsal is not None
    assert [line.text for line in verdict.rehearsal.console] == ["clicked"]


def test_a_broken_stage_is_never_the_plugins_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise stage_module.StageBroken("the stubs do not evaluate")

    monkeypatch.setattr("loader.analysis.rehearsal.play.stage_image", broken)
    verdict = worker.analyze(source(GOOD), SETTINGS)
    assert verdict.ok
    assert codes(verdict) == ["HP405"]


def test_findings_are_sorted_and_each_said_once() -> None:
    late, early = finding("HP502", "b", span=Span(9, 1, 9, 2)), finding("HP501", "a", span=Span(2, 1, 2, 2))
    nowhere = finding("HP301", "c")
    assert merged((late, early), (early, nowhere)) == (nowhere, early, late)


# ---------------------------------------------------------------- hostile plugins through one pool


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.timeout(240)
async def test_all_hostile_plugins_in_one_pool_in_random_order() -> None:
    psutil = pytest.importorskip("psutil")  # a development dependency
    settings = AnalysisSettings(rehearsal_cpu_s=1.0)
    pool = AnalysisPool(2, slow_after_s=0.5)
    await pool.start()
    try:
        await pool.analyze(source(GOOD), settings, "warm")
        before = psutil.Process().memory_info().rss
        rows = list(ROWS)
        random.shuffle(rows)
        jobs = [asyncio.create_task(pool.analyze(source(row.text), settings, row.name)) for row in rows]
        good = [asyncio.create_task(pool.analyze(source(f"{GOOD}// {n}"), settings, f"good {n}")) for n in range(5)]
        verdicts = await asyncio.gather(*jobs)
        for row, verdict in zip(rows, verdicts, strict=True):
            said = f"{row.name}: {verdict.diagnostics}"
            assert verdict.ok is row.loads, said
            if row.code is not None:
                assert row.code in codes(verdict), said
        for verdict in await asyncio.gather(*good):
            assert verdict.ok
            assert [one.wireframe for one in verdict.contributions] == ["Hi"]
        assert psutil.Process().memory_info().rss - before < 20 * 1024 * 1024
    finally:
        await pool.close()


@pytest.mark.parametrize("path", sorted(Path("example_plugins").glob("*/plugin.js")), ids=lambda path: path.parent.name)
def test_every_example_plugin_passes_without_a_finding(path: Path) -> None:
    verdict = worker.analyze(source(path.read_text(encoding="utf-8")), SETTINGS)
    assert verdict.diagnostics == ()
    assert verdict.rehearsal is not None
    assert verdict.rehearsal.ran
