"""What used too much in the rehearsal loads when its user says so: for those bytes, and for no others."""

import json

import pytest

from loader.codes import finding
from loader.errors import UsageError
from loader.inventory.allowances import ALLOWANCES_FILE
from loader.nouns import Severity, Source, Verdict
from loader.settings import AnalysisSettings
from loader.testing import simple_verdict
from tests.inventory.conftest import Bench, plugin

pytestmark = pytest.mark.anyio
DEMO = "desktop-plugins/demo/plugin.js"


def heavy(source: Source, settings: AnalysisSettings) -> Verdict:
    """Whatever calls itself heavy took 10 s; whatever has "other" in it has another error besides."""
    verdict = simple_verdict(source, settings)
    found = [*verdict.diagnostics]
    if "heavy" in source.text:
        found.append(finding("HP404", "took too long"))
    if "other" in source.text:
        found.append(finding("HP402", "never ends"))
    return Verdict(source.sha256, verdict.identity, verdict.imports, tuple(found), cacheable=False)


def said(bench: Bench) -> list[tuple[str, Severity]]:
    return [(found.code, found.severity) for found in bench.row("demo").diagnostics]


async def started(bench: Bench, more: str = "") -> None:
    bench.analyzer.judge = heavy
    bench.write(DEMO, plugin("demo", "heavy", more=more))
    await bench.start()
    await bench.clock.advance(1)
    bench.take()


async def test_an_allowed_revision_loads_with_a_warning_and_without_another_analysis(bench: Bench) -> None:
    await started(bench)
    assert (bench.row("demo").state, said(bench)) == ("failed", [("HP404", "error")])
    analysed = len(bench.analyzer.calls)
    row = await bench.pipeline.allow_heavy("demo")
    assert (row.state, said(bench)) == ("ready", [("HP404", "warning")])
    assert bench.take() == ["load demo heavy (changed)"]
    assert len(bench.analyzer.calls) == analysed


async def test_other_bytes_have_to_be_allowed_anew(bench: Bench) -> None:
    await started(bench)
    await bench.pipeline.allow_heavy("demo")
    bench.take()
    await bench.save(DEMO, plugin("demo", "heavy too"))
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP404 (kept)"]
    assert bench.row("demo").running_revision != bench.row("demo").revision


async def test_the_permission_can_be_taken_back(bench: Bench) -> None:
    await started(bench)
    await bench.pipeline.allow_heavy("demo")
    bench.take()
    row = await bench.pipeline.allow_heavy("demo", False)
    assert (row.state, said(bench)) == ("failed", [("HP404", "error")])


async def test_it_answers_for_nothing_else(bench: Bench) -> None:
    await started(bench, more="note: 'other', ")
    row = await bench.pipeline.allow_heavy("demo")
    assert (row.state, said(bench)) == ("failed", [("HP402", "error"), ("HP404", "warning")])


async def test_it_outlives_a_restart(bench: Bench) -> None:
    await started(bench)
    await bench.pipeline.allow_heavy("demo")
    bench.take()
    await bench.restart()
    assert bench.take() == ["load demo heavy (start)"]


async def test_what_another_process_allows_counts_at_the_next_look(bench: Bench) -> None:
    await started(bench)
    revision = bench.row("demo").revision
    file = bench.path("desktop-loader") / ALLOWANCES_FILE
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"version": 1, "data": {"demo": revision}}))
    await bench.clock.advance(6)
    assert bench.take() == ["load demo heavy (changed)"]


@pytest.mark.parametrize("stored", [True, "", "short", {"revision": "a" * 64}])
async def test_what_is_no_revision_allows_nothing(bench: Bench, stored: object) -> None:
    file = bench.path("desktop-loader") / ALLOWANCES_FILE
    file.parent.mkdir()
    file.write_text(json.dumps({"version": 1, "data": {"demo": stored}}))
    await started(bench)
    assert said(bench) == [("HP404", "error")]


async def test_what_is_not_there_cannot_be_allowed(bench: Bench) -> None:
    await bench.start()
    with pytest.raises(UsageError, match="no plugin"):
        await bench.pipeline.allow_heavy("nosuch")
    bench.path(DEMO).mkdir(parents=True)
    bench.hint(DEMO)
    await bench.clock.advance(1)
    with pytest.raises(UsageError, match="cannot be read"):
        await bench.pipeline.allow_heavy("demo")
