"""What the benchmark measures is what it says: texts that pass, targets that can be missed, a page from any results."""

import asyncio

import pytest

from bench.checks import SETTINGS, gate, source_of
from bench.measuring import numbers, timed_ms
from bench.plot import growth
from bench.proof import page
from bench.show import table
from bench.targets import judged
from bench.texts import SIZES_KB, plugin
from loader.analysis import worker
from loader.analysis.pool import AnalysisPool


@pytest.mark.parametrize("size_kb", SIZES_KB)
def test_texts_have_their_size_and_are_always_the_same(size_kb: int) -> None:
    text = plugin(size_kb)
    assert text == plugin(size_kb)
    assert 0.95 < len(text) / (size_kb * 1024) < 1.2


def test_the_measured_plugin_passes_and_draws() -> None:
    verdict = worker.analyze(source_of(plugin(25)), SETTINGS)
    assert verdict.ok, verdict.diagnostics
    assert verdict.rehearsal is not None and verdict.rehearsal.ran
    assert {one.area for one in verdict.contributions} >= {"panes", "palette"}
    assert gate("import 'x' from") != gate("import 'react'")


@pytest.mark.real
def test_the_pool_gives_the_verdict_that_the_worker_gives() -> None:
    async def through_pool() -> object:
        pool = AnalysisPool(1)
        await pool.start()
        try:
            return (await pool.analyze(source_of(plugin(5)), SETTINGS, "bench")).contributions
        finally:
            await pool.close()

    assert asyncio.run(through_pool()) == worker.analyze(source_of(plugin(5)), SETTINGS).contributions


def test_numbers_are_medians_and_too_few_are_none() -> None:
    assert (numbers([5, 1, 3]).median, numbers(range(100)).p95) == (3, 95)
    with pytest.raises(ValueError, match="nothing"):
        numbers([])
    calls: list[int] = []
    assert timed_ms(lambda: calls.append(1), 3, budget_s=0).count == 3
    assert len(calls) == 5, "two to warm up"


def results(ours_ms: float) -> dict[str, object]:
    row = {name: {"median": value, "p95": value, "count": 1} for name, value in (("acorn", 10.0), ("eslint", 100.0))}
    ours = {name: {"median": ours_ms, "p95": ours_ms, "count": 1} for name in ("compile", "gate", "check", "rehearse")}
    ours["whole, in the service"] = ours["check"]
    machine = {"day": "d", "system": "s", "processors": 2, "python": "3", "node": "v", "peers": {"acorn": "1"}}
    found: dict[str, object] = {
        "warm": {"100": {**ours, **row}, "270": {**ours, **row}},
        "rounds": 1,
        "machine": machine,
    }
    found["targets"] = judged(found)
    return found


def test_targets_are_reached_and_missed_by_the_figures() -> None:
    by_ratio = {ours: [row["ok"] for row in judged(results(ours))] for ours in (15.0, 30.0, 80.0)}
    assert by_ratio == {15.0: [True] * 4, 30.0: [True, True, False, False], 80.0: [False] * 4}


def test_what_is_unlike_is_shown_and_said_to_be_unlike() -> None:
    names = ("ours", "ours, fetched", "vite", "vite, fetched", "vite + eslint", "vite + eslint, fetched")
    times = dict(zip(names, (50.0, 55.0, 5.0, 11.0, 6.0, 110.0), strict=True))
    row = {name: {"median": value, "p95": value, "count": 1} for name, value in times.items()}
    found = results(30.0)
    found["saves"], found["homes"] = {"25": row}, {"1": row["ours"], "500": row["ours"]}
    found["targets"] = judged(found)
    by_name = {one["what"]: one for one in judged(found)}
    like = by_name["25 KB: close to checked module fetched, ours : Vite's with ESLint"]
    assert (like["found"], like["ok"]) == (0.5, True)
    assert [one["ok"] for name, one in by_name.items() if "which c" in name] == [False, False]
    assert page(found, None, None).count("Unlike work") == 2


def test_a_page_is_made_of_what_was_measured() -> None:
    found = results(30.0)
    told = page(found, None, None)
    assert "gate : acorn" in told and "**missed**" in told and table(found) in told
    assert growth(found["warm"]).count("<polyline") == 5  # type: ignore[arg-type]
