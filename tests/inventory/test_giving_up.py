"""The analysis gave up for what may pass (no worker, no memory, a busy machine): the plugin must not stay refused."""

from collections.abc import Callable

import pytest

from loader.codes import finding
from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings
from loader.testing import simple_verdict
from tests.inventory.conftest import Bench, plugin

pytestmark = pytest.mark.anyio
DEMO = "desktop-plugins/demo/plugin.js"


def shrugging(code: str, is_ill: Callable[[], bool]) -> Callable[[Source, AnalysisSettings], Verdict]:
    def judge(source: Source, settings: AnalysisSettings) -> Verdict:
        if is_ill():
            return Verdict(source.sha256, diagnostics=(finding(code, "out of breath"),), cacheable=False)
        return simple_verdict(source, settings)

    return judge


async def test_it_is_asked_again_until_the_machine_is_well(bench: Bench) -> None:
    ill = True
    bench.analyzer.judge = shrugging("HP106", lambda: ill)
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    await bench.clock.advance(30)
    assert bench.take() == ["error demo HP106"], "said once, however often it is asked"
    ill = False
    await bench.clock.advance(30)
    assert bench.take() == ["load demo v1 (changed)"]
    asked = len(bench.analyzer.calls)
    await bench.clock.advance(600)
    assert len(bench.analyzer.calls) == asked


@pytest.mark.parametrize(("code", "most"), [("HP106", 7), ("HP404", 1)])
async def test_one_that_is_never_done_is_not_asked_for_ever(bench: Bench, code: str, most: int) -> None:
    bench.analyzer.judge = shrugging(code, lambda: True)
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    await bench.clock.advance(3600)
    assert len(bench.analyzer.calls) == most
    await bench.save(DEMO, plugin("demo", "v2"))
    await bench.clock.advance(3600)
    assert len(bench.analyzer.calls) == 2 * most, "other bytes are another question"


async def test_what_runs_goes_on_meanwhile(bench: Bench) -> None:
    ill = False
    bench.analyzer.judge = shrugging("HP106", lambda: ill)
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    ill = True
    bench.take()
    await bench.save(DEMO, plugin("demo", "v2"))
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP106 (kept)"]
    ill = False
    await bench.clock.advance(20)
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]
