"""Random use of the real service, and faults: ``python -m bench.soak [--seconds 600] [--seed N]``.

The same seed makes the same changes in the same order. At every rest the inventory is compared with disk, choices and
pins, and each client's replayed view with the inventory; at the end of a life of the service, what it holds with what
it held at first. First come the faults of the table in ``bench.soaking.faults``, then short lives that end in a kill
while state is written, then one long life; at last memory is measured
over many saves.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import loader
from bench.soaking import faults
from bench.soaking.acts import Acknowledged, Soak
from bench.soaking.disk import Disk
from bench.soaking.held import Held, alive, held, kept
from bench.soaking.patient import Patient, patient
from bench.soaking.rest import wishes_on_disk
from bench.soaking.steady import steady

RESULTS = Path(__file__).parent / "results"
CHANGES_BETWEEN_RESTS = 40
RESTS_OF_A_SHORT_LIFE = 4
SHORT_LIVES_SHARE = 0.4
LEAST_RANDOM_S = 20.0
MEMORY_MAY_GROW_MB = 60.0


@dataclass
class Run:
    """What one soak has gone through so far."""

    soak: Soak
    steps: int = 0
    events: int = 0
    restarts: int = 0
    first: Held | None = None
    last: Held | None = None
    program: int = field(default_factory=lambda: program())

    async def life(self, *, rests: float, over: Callable[[], bool], killed: bool) -> list[int]:
        """One life of the service; gives the process ids that must be gone after it."""
        soak = self.soak
        told = Acknowledged({})
        async with patient(soak.disk.root) as ill:
            for _ in range(3):
                soak.connect(ill.service)
            await soak.rest(ill)
            self.first = await held(ill)
            done = 0
            while done < rests and not soak.wrong and (done == 0 or not over()):
                await self._until_rest(ill, over)
                done += 1
            self.last, held_on = await kept(ill, self.first, mb=MEMORY_MAY_GROW_MB)
            soak.wrong += held_on
            self.events += await soak.drop()
            process, workers = ill.service.processes()
            pids = [process.pid, *(each.pid for each in workers)]
            if killed and not soak.wrong:
                told = await soak.kill_midway(ill)
        soak.wrong += told.lost(wishes_on_disk(soak.disk.root).choices)
        return pids

    async def _until_rest(self, ill: Patient, over: Callable[[], bool]) -> None:
        for _ in range(CHANGES_BETWEEN_RESTS):
            self.steps += 1
            await self.soak.step(ill)
            if over():
                break
        await self.soak.rest(ill)


async def run(seconds: float, seed: int, *, most_steps: float = math.inf, with_faults: bool = True) -> dict[str, Any]:
    """One soak. ``most_steps`` ends it earlier, at a count instead of a time."""
    began = time.monotonic()
    rows = await faults.run(seed) if with_faults else []
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        disk = Disk(Path(folder) / "home", chance)
        disk.begin()
        soak = Soak(disk, chance)
        found = Run(soak)
        soak.wrong += [f"{row['fault']}: {line}" for row in rows for line in row["wrong"]]
        now = time.monotonic()
        ends = max(began + seconds, now + min(seconds, LEAST_RANDOM_S))
        short_lives_end = now + SHORT_LIVES_SHARE * (ends - now)

        def over(at: float = ends) -> bool:
            return time.monotonic() > at or found.steps >= most_steps

        while not soak.wrong:
            last_one = over(short_lives_end) and found.restarts > 0
            rests = math.inf if last_one else RESTS_OF_A_SHORT_LIFE
            pids = await found.life(rests=rests, over=over, killed=not last_one)
            await asyncio.sleep(0.5)
            soak.wrong += alive(pids)
            if last_one:
                break
            found.restarts += 1
    return report(found, rows, seed, seconds)


def program() -> int:
    """The time of the last change of the program's own files: a worker that is started later is another program."""
    return max(path.stat().st_mtime_ns for path in Path(loader.__file__).parent.rglob("*.py"))


def report(found: Run, rows: list[dict[str, Any]], seed: int, seconds: float) -> dict[str, Any]:
    soak = found.soak
    return {
        "seed": seed,
        "seconds": seconds,
        "steps": found.steps,
        "saves": soak.disk.saves,
        "restarts": found.restarts,
        "events seen": found.events,
        "done": dict(soak.done),
        "faults": rows,
        "held at first": vars(found.first) if found.first else {},
        "held at last": vars(found.last) if found.last else {},
        "wrong": soak.wrong,
        "evidence": soak.evidence,
        "the program changed meanwhile": found.program != program(),
        "last changes": soak.log[-60:] if soak.wrong else [],
        "ok": not soak.wrong,
    }


async def _memory(saves: int, seed: int) -> dict[str, Any]:
    """Memory for each thousand saves, once all that has a bound has reached it."""
    grown = await steady(saves, seed) if saves else None
    return {
        "steady saves": saves,
        "steady": [(count, vars(each)) for count, each in grown.samples] if grown else [],
        "MB per 1,000 saves": grown.mb_per_1000 if grown else None,
    }


def told(found: dict[str, Any]) -> str:
    """For the terminal."""
    counts = ", ".join(f"{count} {what}" for what, count in sorted(found["done"].items()))
    lines = [
        f"{'all well after it' if not row['wrong'] else 'WRONG':17}  {row['fault']} ({row['how']}): {row['seen']}; "
        f"mended {row['mended']}"
        for row in found["faults"]
    ]
    lines.append(f"{found['steps']} steps, {found['restarts']} restarts, {found['events seen']} events seen: {counts}")
    growth = found["MB per 1,000 saves"]
    if growth is not None:
        lines.append(
            f"memory of the service: {growth:+.2f} MB per 1,000 saves (second half of {found['steady saves']})"
        )
    lines += [f"WRONG: {line}" for line in found["wrong"]]
    if found["wrong"] and found["the program changed meanwhile"]:
        lines.append(
            "The program's own files changed while this ran, so this may be no fault of it: repeat it on a copy."
        )
    lines.append("nothing was wrong" if found["ok"] else f"replay: python -m bench.soak --seed {found['seed']}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--no-faults", dest="faults", action="store_false", help="only the random part")
    parser.add_argument("--saves", type=int, default=6000, help="in the measuring of memory at the end; 0: none")
    parser.add_argument("--out", type=Path, default=RESULTS / "soak.json")
    chosen = parser.parse_args()
    # Ended from outside, it takes its services and its small disk along.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"seed {chosen.seed}", file=sys.stderr, flush=True)
    found = asyncio.run(run(chosen.seconds, chosen.seed, with_faults=chosen.faults))
    found |= asyncio.run(_memory(chosen.saves, chosen.seed))
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(told(found))
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
