"""One plot as SVG: how the time of a check grows with the size of the file, both axes in decades."""

from __future__ import annotations

import math
from typing import Any

SERIES = (
    ("whole, in the service", "whole analysis in the service", "#d9480f"),
    ("check", "check (gate and rules)", "#f08c00"),
    ("gate", "gate", "#2f9e44"),
    ("eslint", "ESLint, two rules", "#495057"),
    ("acorn", "acorn", "#1971c2"),
    ("es-module-lexer", "es-module-lexer", "#9c36b5"),
)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 64, 210, 24, 48


def growth(rows: dict[str, Any]) -> str:
    """``rows``: the warm part of the results, by size in KB."""
    sizes = sorted(map(int, rows))
    least, most = 0.01, 10_000.0

    def x(size_kb: float) -> float:
        share = math.log(size_kb / sizes[0]) / math.log(sizes[-1] / sizes[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(time_ms: float) -> float:
        share = math.log(max(time_ms, least) / least) / math.log(most / least)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="16">Time to check a plugin by its size (ms, both axes logarithmic)</text>',
    ]
    for power in range(-2, 5):
        value = 10.0**power
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#dee2e6"/>'
            f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    down = HEIGHT - BOTTOM + 18
    parts += [f'<text x="{x(size):.1f}" y="{down}" text-anchor="middle">{size} KB</text>' for size in sizes]
    for name, label, color in SERIES:
        points = [(x(size), y(rows[str(size)][name]["median"])) for size in sizes if name in rows[str(size)]]
        if not points:
            continue
        line = " ".join(f"{across:.1f},{height:.1f}" for across, height in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{across:.1f}" cy="{height:.1f}" r="3" fill="{color}"/>' for across, height in points]
        across, end = points[-1]
        parts.append(f'<text x="{across + 8:.1f}" y="{end + 4:.1f}" fill="{color}">{label}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
