"""Measures us beside what does the same job or marks the limit: ``python -m bench [--quick] [--only PART …]``.

Prints one table and writes bench/results/bench.json. Times are medians of one run on one machine: compare ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from bench import checks, footprint, saves
from bench.measuring import HERE, node, run
from bench.show import table
from bench.targets import judged
from bench.texts import SIZES_KB

RESULTS = HERE / "results"
PARTS = ("warm", "cold", "saves", "homes", "watchers", "starts", "footprint", "fan_out")


async def measure(parts: list[str], rounds: int, quick: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "machine": machine(),
        "rounds": rounds,
        # Now, not the average of the last minute: what has just ended disturbs nothing.
        "busy before %": await asyncio.to_thread(psutil.cpu_percent, 1.0),
    }
    for part in parts:
        began = time.monotonic()
        match part:
            case "warm":
                found[part] = await asyncio.to_thread(checks.warm, rounds, 2.0 if quick else 12.0)
            case "cold":
                found[part] = await asyncio.to_thread(checks.cold, rounds, (25,) if quick else SIZES_KB)
            case "saves":
                found[part] = await saves.beside_vite(rounds, (25,) if quick else (5, 25, 100, 270))
            case "homes":
                found[part] = await saves.in_homes((1, 100) if quick else (1, 10, 100, 500), rounds)
            case "watchers":
                found[part] = await saves.bare_watchers(rounds)
            case "starts":
                found[part] = await footprint.starts((10, 100, 500), 3 if quick else 7)
            case "footprint":
                found[part] = await footprint.footprint(500, 15.0 if quick else 60.0)
            case "fan_out":
                found[part] = await footprint.fan_out((1, 10, 200), rounds)
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return found


def machine() -> dict[str, Any]:
    packages = json.loads((HERE / "package.json").read_text("utf-8"))["devDependencies"]
    return {
        "system": platform.platform(terse=True),
        "processors": os.cpu_count(),
        "python": platform.python_version(),
        "node": run([node(), "--version"]).strip(),
        "peers": packages,
        "day": time.strftime("%Y-%m-%d"),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--quick", action="store_true", help="fewer rounds and sizes; minutes instead of a quarter of an hour"
    )
    parser.add_argument("--rounds", type=int, help="how often each thing is timed (15, quick: 7)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--out", type=Path, default=RESULTS / "bench.json")
    chosen = parser.parse_args()
    rounds = chosen.rounds or (7 if chosen.quick else 15)
    results = asyncio.run(measure(chosen.only, rounds, chosen.quick))
    results["quick"] = chosen.quick
    results["targets"] = judged(results)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print(table(results))
    print(f"\nWritten to {chosen.out}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
