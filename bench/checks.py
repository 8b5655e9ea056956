"""How long a check takes: warm, step by step and through the pool, and cold as a command; beside what others use."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from bench.measuring import HERE, Numbers, environ, loader, node, numbers, run
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
PEERS = ("es-module-lexer", "a pattern lint", "oxc-parser", "acorn", "eslint")
# V8 compiles what it has run a few times; the first turns are nobody's.
_WARM_UP = 4
_LEAST_ROUNDS = 5


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
    """For each size a row of ``{what: numbers}``. In each round everybody has one turn: on a machine that does other
    things, what is measured minutes apart cannot be compared. ``budget_s`` is for each of them."""
    worker.prepare()
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, _peers() as peer_ms, asyncio.Runner() as runner:
        pool = AnalysisPool(1)
        runner.run(pool.start())
        try:
            for size_kb in SIZES_KB:
                text = plugin(size_kb)
                path = Path(folder) / f"plugin-{size_kb}.js"
                path.write_text(text, "utf-8")
                turns = _ours(text, lambda source: runner.run(pool.analyze(source, SETTINGS, "bench")))
                turns |= {name: partial(peer_ms, name, path) for name in PEERS}
                rows[str(size_kb)] = {name: value.json() for name, value in _in_turns(turns, rounds, budget_s).items()}
        finally:
            runner.run(pool.close())
    return rows


def _in_turns(turns: dict[str, Callable[[], float]], rounds: int, budget_s: float) -> dict[str, Numbers]:
    values: dict[str, list[float]] = {name: [] for name in turns}
    for _ in range(_WARM_UP):
        for turn in turns.values():
            turn()
    ends = time.monotonic() + budget_s * len(turns)
    for done in range(rounds):
        if done >= _LEAST_ROUNDS and time.monotonic() > ends:
            break
        for name, turn in turns.items():
            values[name].append(turn())
    return {name: numbers(found) for name, found in values.items()}


def _ours(text: str, through_pool: Callable[[Source], object]) -> dict[str, Callable[[], float]]:
    source = source_of(text)
    checked = worker.check(source, SETTINGS)
    if not checked.verdict.ok:
        raise SystemExit(f"the measured plugin of {len(text)} bytes does not pass: {checked.verdict.diagnostics}")
    number = count()
    works: dict[str, Callable[[], object]] = {
        "compile": lambda: compile_module(text),
        "gate": lambda: gate(text),
        "check": lambda: worker.check(source, SETTINGS),
        "rehearse": lambda: worker.rehearse_checked(source, checked, SETTINGS),
        # Each time another text, as a save makes it: nothing is known of it, the worker is warm.
        "whole, in the service": lambda: through_pool(source_of(f"{text}// {next(number)}\n")),
    }
    return {name: partial(_once_ms, work) for name, work in works.items()}


def _once_ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


@contextmanager
def _peers() -> Iterator[Callable[[str, Path], float]]:
    """A process with the other tools; one call is one turn of one of them, in ms."""
    with subprocess.Popen(
        [node(), str(HERE / "warm.mjs")], cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        asked, told = process.stdin, process.stdout
        if asked is None or told is None or set(json.loads(told.readline() or "[]")) != set(PEERS):
            raise SystemExit("the peers could not be started")

        def turn_ms(tool: str, path: Path) -> float:
            asked.write(json.dumps({"file": str(path), "tool": tool}) + "\n")
            asked.flush()
            return float(told.readline())

        yield turn_ms
        asked.close()


def cold(rounds: int, sizes_kb: tuple[int, ...] = (25,)) -> dict[str, Any]:
    """Whole commands, in turns: ours the first time and again, ESLint, and what only reads the syntax: acorn and V8."""
    rows: dict[str, Any] = {}
    kept = environ()
    with tempfile.TemporaryDirectory(prefix="bench-", dir=HERE) as folder:
        for size_kb in sizes_kb:
            place = Path(folder) / "bench"
            place.mkdir(exist_ok=True)
            path = place / "plugin.js"
            text = plugin(size_kb)
            times: dict[str, list[float]] = {}

            def one(name: str, command: Sequence[str | Path], into: dict[str, list[float]] = times) -> None:
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
                one("acorn", [node(), HERE / "node_modules" / "acorn" / "bin" / "acorn", "--module", "--silent", path])
                one("node --check", [node(), "--check", path])
            shutil.rmtree(place)
            # The first round fills the file system's cache for all of them.
            rows[str(size_kb)] = {name: numbers(values[1:]).json() for name, values in times.items()}
    return rows
