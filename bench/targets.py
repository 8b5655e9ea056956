"""What we set out to reach, and whether this run reached it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Results = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """``measure`` gives the figure (KeyError where that part was left out); it may be at most ``most``."""

    what: str
    unit: str
    most: float
    measure: Callable[[Results], float]


def _median(results: Results, part: str, row: str, name: str) -> float:
    return float(results[part][row][name]["median"])


def _memory(row: Results) -> float:
    workers = row["workers MB"]
    return float((row["service MB"] + sum(workers)) / (120 + 90 * len(workers)))


def _ratio(part: str, row: str, ours: str, theirs: str) -> Callable[[Results], float]:
    return lambda found: _median(found, part, row, ours) / _median(found, part, row, theirs)


TARGETS = (
    Target("25 KB: close to message, median", "ms", 60, lambda found: _median(found, "saves", "25", "ours")),
    Target(
        "25 KB: close to checked module fetched, ours : Vite's with ESLint",
        "×",
        1.0,
        _ratio("saves", "25", "ours, fetched", "vite + eslint, fetched"),
    ),
    # Unlike work, and kept in sight: Vite announces before it looks, and serves without a check.
    Target(
        "25 KB: close to module fetched, ours : Vite's, which checks nothing",
        "×",
        1.0,
        _ratio("saves", "25", "ours, fetched", "vite, fetched"),
    ),
    Target(
        "25 KB: close to message, ours : Vite's, which comes before it looks",
        "×",
        1.0,
        _ratio("saves", "25", "ours", "vite"),
    ),
    Target("100 KB warm: gate : ESLint", "×", 0.5, _ratio("warm", "100", "gate", "eslint")),
    Target("270 KB warm: gate : ESLint", "×", 0.5, _ratio("warm", "270", "gate", "eslint")),
    Target("100 KB warm: gate : acorn", "×", 2.0, _ratio("warm", "100", "gate", "acorn")),
    Target("270 KB warm: gate : acorn", "×", 2.0, _ratio("warm", "270", "gate", "acorn")),
    Target("1.4 MB warm: gate : acorn", "×", 2.0, _ratio("warm", "1400", "gate", "acorn")),
    Target("25 KB as a command, first time : ESLint", "×", 0.7, _ratio("cold", "25", "check, first time", "eslint")),
    Target("25 KB as a command, unchanged : ESLint", "×", 0.7, _ratio("cold", "25", "check, unchanged", "eslint")),
    Target("500 unchanged plugins ready", "s", 2.0, lambda found: _median(found, "starts", "500", "unchanged s")),
    Target(
        "idle, 500 folders watched", "% of a core", 0.7, lambda found: float(found["footprint"]["idle % of a core"])
    ),
    Target(
        "memory: service and workers : 120 MB and 90 MB a worker", "×", 1.0, lambda found: _memory(found["footprint"])
    ),
    Target(
        "200 clients: after the first one, p95",
        "ms",
        20,
        lambda found: float(found["fan_out"]["200"]["after the first client ms"]["p95"]),
    ),
)


def judged(results: Results) -> list[dict[str, Any]]:
    """A row for each target that this run measured."""
    rows = []
    for target in TARGETS:
        try:
            figure = target.measure(results)
        except KeyError:
            continue
        rows.append(
            {
                "what": target.what,
                "unit": target.unit,
                "most": target.most,
                "found": round(figure, 3),
                "ok": figure <= target.most,
            }
        )
    return rows
