"""The results as Markdown: the targets first, then ratios, then times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Cell = str

UNLIKE = (
    "Vite's message says that a file has changed, before anybody looked at it; ours, that these bytes were checked "
    "and rehearsed. *Fetched* is until the client has the module. Vite with ESLint has checked it by then, for "
    "undeclared names and for imports: that is the nearest to the same work, and what the target is about. The others "
    "are shown for who wants to know what the checking costs."
)


def markdown(head: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def figure(value: float) -> str:
    """Three digits are more than such a measurement knows."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(results: dict[str, Any]) -> str:
    """All parts that were measured."""
    parts = [_targets(results["targets"])] if results.get("targets") else []
    parts += [make(results[name]) for name, make in _PARTS.items() if name in results]
    return "\n\n".join(parts)


def _targets(rows: list[dict[str, Any]]) -> str:
    return markdown(
        ("target", "found", "at most", ""),
        [
            (
                row["what"],
                f"{figure(row['found'])} {row['unit']}",
                f"{row['most']:g} {row['unit']}",
                "reached" if row["ok"] else "**missed**",
            )
            for row in rows
        ],
    )


def _beside(rows: dict[str, Any], ours: Sequence[str], unit: str) -> str:
    """Medians; for each size the columns, ours first."""
    names = [*ours, *(name for name in next(iter(rows.values())) if name not in ours)]
    return markdown(
        ("KB", *(f"{name}" for name in names)),
        [(size, *(figure(row[name]["median"]) + f" {unit}" for name in names)) for size, row in rows.items()],
    )


def _ratios(rows: dict[str, Any], ours: str, peers: Sequence[str]) -> str:
    """How much of a peer's time ours takes: below 1 is less."""
    present = [peer for peer in peers if all(peer in row for row in rows.values())]
    return markdown(
        ("KB", *(f"{ours} : {peer}" for peer in present)),
        [
            (size, *(figure(row[ours]["median"] / row[peer]["median"]) for peer in present))
            for size, row in rows.items()
        ],
    )


def _warm(rows: dict[str, Any]) -> str:
    peers = ("eslint", "acorn", "oxc-parser", "es-module-lexer")
    ours = ("gate", "check", "rehearse", "whole, in the service")
    return "\n\n".join(
        (
            "### Warm",
            _ratios(rows, "gate", peers),
            _ratios(rows, "check", peers[:1]),
            _beside(rows, ("compile", *ours), "ms"),
        )
    )


def _cold(rows: dict[str, Any]) -> str:
    ours = ("check, first time", "check, unchanged", "check --no-rehearse")
    ratios = [_ratios(rows, name, ("eslint",)) for name in ours[:2]]
    return "\n\n".join(("### As a command", *ratios, _beside(rows, ours, "ms")))


def _saves(rows: dict[str, Any]) -> str:
    ratios = [
        _ratios(rows, "ours, fetched", ("vite + eslint, fetched", "vite, fetched")),
        _ratios(rows, "ours", ("vite",)),
    ]
    return "\n\n".join(
        ("### From close(2) to the client", UNLIKE, *ratios, _beside(rows, ("ours", "ours, fetched"), "ms"))
    )


def _homes(rows: dict[str, Any]) -> str:
    return "### The same save in homes of several sizes\n\n" + markdown(
        ("plugins", "median", "p95"),
        [(name, figure(row["median"]) + " ms", figure(row["p95"]) + " ms") for name, row in rows.items()],
    )


def _watchers(rows: dict[str, Any]) -> str:
    return "### The bare event\n\n" + markdown(
        ("watcher", "median", "p95"),
        [(name, figure(row["median"]) + " ms", figure(row["p95"]) + " ms") for name, row in rows.items()],
    )


def _starts(rows: dict[str, Any]) -> str:
    return "### From the start to the last verdict\n\n" + markdown(
        ("plugins", "unchanged", "no verdicts kept", "first start of the home"),
        [
            (
                count,
                figure(row["unchanged s"]["median"]) + " s",
                figure(row["no verdicts kept s"]["median"]) + " s",
                figure(row["first s"]) + " s",
            )
            for count, row in rows.items()
        ],
    )


def _footprint(row: dict[str, Any]) -> str:
    workers = ", ".join(figure(each) for each in row["workers MB"])
    return "### At rest\n\n" + markdown(
        ("folders", "service", "workers", "processor, idle"),
        [
            (
                str(row["folders"]),
                f"{figure(row['service MB'])} MB",
                f"{workers} MB",
                f"{row['idle % of a core']:.2f} % of a core over {row['idle s']:.0f} s",
            )
        ],
    )


def _fan_out(rows: dict[str, Any]) -> str:
    return "### One event to many clients\n\n" + markdown(
        ("clients", "after the first client, median", "p95", "after close(2), median"),
        [
            (
                count,
                figure(row["after the first client ms"]["median"]) + " ms",
                figure(row["after the first client ms"]["p95"]) + " ms",
                figure(row["after close ms"]["median"]) + " ms",
            )
            for count, row in rows.items()
        ],
    )


_PARTS = {
    "warm": _warm,
    "cold": _cold,
    "saves": _saves,
    "homes": _homes,
    "watchers": _watchers,
    "starts": _starts,
    "footprint": _footprint,
    "fan_out": _fan_out,
}
