"""How long a check takes: warm, step by step and through the pool, and cold as a command; beside what others use."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from bench.measuring import HERE, Numbers, environ, loader, node, numbers, run, timed_ms
from bench.texts import SIZES_KB, plugin
from loader.analysis import worker
from loader.analysis.decide import decide, with_settings
from loader.analysis.engine import compile_module
from loader.analysis.pool import AnalysisPool
from loader.analysis.reading import read
from loader.analysis.syntax.tree import collector_paused
from loader.nouns import Source
from loader.settings import AnalysisSettings

SETTINGS = AnalysisSettings()
PEERS = ("eslint", "acorn", "oxc-parser", "es-module-lexer", "a pattern lint")


def gate(text: str) -> object:
    """What decides whether the app could load it at all: strict compile, syntax tree, the imports of both compared.

    The rules come after it, and only they walk the whole tree. Both readings are made side by side, as in the service:
    on two processors that are free the time is that of the slower one."""
    with collector_paused():
        reading = read(text, SETTINGS)
        return decide(reading.module(), reading.compiled, SETTINGS, with_settings(SETTINGS))


def source_of(text: str) -> Source:
    data = text.encode()
    return Source(data, text, hashlib.sha256(data).hexdigest())


def warm(rounds: int, budget_s: float) -> dict[str, Any]:
    """For each size a row of ``{what: numbers}``; ours and the peers' turns alternate by size."""
    worker.prepare()
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for size_kb in SIZES_KB:
            text = plugin(size_kb)
            path = Path(folder) / f"plugin-{size_kb}.js"
            path.write_text(text, "utf-8")
            source = source_of(text)
            checked = worker.check(source, SETTINGS)
            if not checked.verdict.ok:
                raise SystemExit(f"the measured plugin of {size_kb} KB does not pass: {checked.verdict.diagnostics}")
            row: dict[str, Numbers] = {
                "compile": timed_ms(partial(compile_module, text), rounds, budget_s=budget_s),
                "gate": timed_ms(partial(gate, text), rounds, budget_s=budget_s),
                "check": timed_ms(partial(worker.check, source, SETTINGS), rounds, budget_s=budget_s),
                "rehearse": timed_ms(
                    partial(worker.rehearse_checked, source, checked, SETTINGS), rounds, budget_s=budget_s
                ),
                "whole, in the service": asyncio.run(_through_pool(text, rounds, budget_s)),
            }
            told = json.loads(run([node(), HERE / "warm.mjs", str(rounds), str(int(budget_s * 1000)), path], cwd=HERE))
            row |= {name: numbers(times) for name, times in told[str(path)].items()}
            rows[str(size_kb)] = {name: value.json() for name, value in row.items()}
    return rows


async def _through_pool(text: str, rounds: int, budget_s: float) -> Numbers:
    """Each time another text, as a save makes it: nothing is known of it, the worker is warm."""
    pool = AnalysisPool(1)
    await pool.start()
    values: list[float] = []
    try:
        ends = time.monotonic() + budget_s
        for number in range(rounds + 2):
            source = source_of(f"{text}// {number}\n")
            began = time.perf_counter()
            await pool.analyze(source, SETTINGS, "bench")
            values.append((time.perf_counter() - began) * 1000)
            if len(values) >= 7 and time.monotonic() > ends:
                break
    finally:
        await pool.close()
    return numbers(values[2:])


def cold(rounds: int, sizes_kb: tuple[int, ...] = (25,)) -> dict[str, Any]:
    """Whole commands, interleaved: ours the first time and again, ESLint, and V8's own check of the syntax."""
    rows: dict[str, Any] = {}
    kept = environ()
    with tempfile.TemporaryDirectory(prefix="bench-", dir=HERE) as folder:
        for size_kb in sizes_kb:
            place = Path(folder) / "bench"
            place.mkdir(exist_ok=True)
            path = place / "plugin.js"
            text = plugin(size_kb)
            times: dict[str, list[float]] = {}

            def one(name: str, command: list[str | Path], into: dict[str, list[float]] = times) -> None:
                began = time.perf_counter()
                run(command, env=kept, cwd=HERE)
                into.setdefault(name, []).append((time.perf_counter() - began) * 1000)

            for number in range(rounds + 1):
                path.write_text(f"{text}// {time.time_ns()} {number}\n", "utf-8")
                ours = loader("check", path)
                one("check, first time", ours)
                one("check, unchanged", ours)
                one("check --no-rehearse", [*loader("check", "--no-rehearse"), path])
                one("eslint", [node(), HERE / "node_modules" / "eslint" / "bin" / "eslint.js", path])
                one("node --check", [node(), "--check", path])
            shutil.rmtree(place)
            # The first round fills the file system's cache for all of them.
            rows[str(size_kb)] = {name: numbers(values[1:]).json() for name, values in times.items()}
    return rows
