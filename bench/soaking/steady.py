"""Many saves and nothing else: does what the service holds grow with them?

At first it does: the last 4,096 events (at most 8 MiB) are kept for clients that come back, and caches fill. What
counts is the second half, in which all that has a bound has reached it.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.soaking.disk import Disk
from bench.soaking.held import Held, growth_mb, held
from bench.soaking.patient import patient

PAUSE_S = 0.03
SAMPLES = 20


@dataclass(frozen=True)
class Steady:
    """``samples``: after how many saves what was held."""

    samples: list[tuple[int, Held]]

    @property
    def mb_per_1000(self) -> float | None:
        later = self.samples[len(self.samples) // 2 :]
        return growth_mb([(saves, each.bytes) for saves, each in later])


async def steady(saves: int, seed: int) -> Steady:
    found = []
    with tempfile.TemporaryDirectory(prefix="soak-steady-") as folder:
        disk = Disk(Path(folder) / "home", random.Random(seed))
        disk.begin()
        async with patient(disk.root) as ill:
            for number in range(saves + 1):
                if number % max(1, saves // SAMPLES) == 0:
                    (await ill.http.post("/v1/reload", json={})).raise_for_status()
                    found.append((number, await held(ill)))
                await asyncio.to_thread(disk.save, "renamed")
                await asyncio.sleep(PAUSE_S)
    return Steady(found)
