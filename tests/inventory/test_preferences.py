"""The settings beside a plugin count in the service too, at once when they change, and never for what loads."""

import pytest

from loader.codes import finding
from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings
from loader.testing import simple_verdict
from tests.inventory.conftest import Bench, plugin

pytestmark = pytest.mark.anyio
DEMO = "desktop-plugins/demo/plugin.js"
TABLE = "desktop-plugins/demo/.hermes-desktop.toml"


def coloured(source: Source, settings: AnalysisSettings) -> Verdict:
    verdict = simple_verdict(source, settings)
    found = (*verdict.diagnostics, finding("HP502", "a colour"))
    return Verdict(source.sha256, verdict.identity, verdict.imports, found)


def codes(bench: Bench) -> list[str]:
    return [found.code for found in bench.row("demo").diagnostics]


async def started(bench: Bench, text: str = "") -> None:
    bench.analyzer.judge = coloured
    bench.write(DEMO, text or plugin("demo"))
    await bench.start()
    bench.take(changes=True)


async def test_a_table_that_appears_changes_what_the_row_says_and_nothing_else(bench: Bench) -> None:
    await started(bench)
    assert codes(bench) == ["HP502"]
    analysed = len(bench.analyzer.calls)
    await bench.save(TABLE, 'ignore = ["HP502"]')
    assert codes(bench) == []
    assert bench.take(changes=True) == ["changed demo ready"]
    assert len(bench.analyzer.calls) == analysed
    bench.path(TABLE).unlink()
    bench.hint(TABLE)
    await bench.clock.advance(1)
    assert codes(bench) == ["HP502"]


async def test_without_an_event_the_reconcile_finds_it(bench: Bench) -> None:
    await started(bench)
    bench.deaf = True
    await bench.save(TABLE, 'ignore = ["HP5"]')
    assert codes(bench) == ["HP502"]
    await bench.clock.advance(6)
    assert codes(bench) == []


async def test_a_table_that_is_wrong_is_said_and_the_plugin_runs(bench: Bench) -> None:
    await started(bench)
    await bench.save(TABLE, 'ignroe = ["HP502"]')
    assert codes(bench) == ["HP502", "HP521"]
    assert bench.row("demo").state == "ready"


async def test_no_table_makes_an_error_go_away(bench: Bench) -> None:
    await started(bench, "import 'lodash'\n" + plugin("demo"))
    await bench.clock.advance(1)
    await bench.save(TABLE, 'select = []\nignore = ["HP"]')
    await bench.clock.advance(1)
    assert codes(bench) == ["HP201"]
    assert bench.row("demo").state == "failed"
