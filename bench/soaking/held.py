"""What the service holds on to, and whether it became more: a leak shows at rest, when nothing asks for it."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.soaking.patient import Patient

LET_GO_WITHIN_S = 30.0


@dataclass(frozen=True)
class Held:
    """Open files, threads, processes, bytes; inotify watches and tasks of the event loop."""

    files: int
    threads: int
    processes: int
    bytes: int
    watches: int = 0
    tasks: int = 0


async def held(patient: Patient) -> Held:
    process, workers = patient.service.processes()
    standing = await patient.make()
    return Held(
        process.num_fds(),
        process.num_threads(),
        1 + len(workers),
        process.memory_info().rss,
        watches(process.pid),
        standing.tasks,
    )


def watches(pid: int) -> int:
    """How many folders the kernel watches for a process."""
    count = 0
    for entry in Path(f"/proc/{pid}/fdinfo").glob("*"):
        try:
            count += sum(line.startswith("inotify ") for line in entry.read_text().splitlines())
        except OSError:
            continue  # closed since it was listed
    return count


def grown(before: Held, after: Held, *, mb: float) -> list[str]:
    """What the service holds that it did not hold before."""
    wrong = []
    # Each worker is held by some pipes and a thread of its own; how many there may be is judged below.
    workers = max(0, after.processes - before.processes)
    if after.files > before.files + 8 + 8 * workers:
        wrong.append(f"open files grew from {before.files} to {after.files}")
    if after.threads > before.threads + 8 + 4 * workers:
        wrong.append(f"threads grew from {before.threads} to {after.threads}")
    if after.processes > before.processes + 4:
        wrong.append(f"processes grew from {before.processes} to {after.processes}")
    if after.bytes > before.bytes + mb * 1e6:
        wrong.append(f"memory grew from {before.bytes / 1e6:.0f} to {after.bytes / 1e6:.0f} MB")
    # Folders come and go, and clients: some tasks each. What grows with time grows past this within minutes.
    if after.watches > before.watches + 24:
        wrong.append(f"watches grew from {before.watches} to {after.watches}")
    if after.tasks > before.tasks + 40:
        wrong.append(f"tasks grew from {before.tasks} to {after.tasks}")
    return wrong


async def kept(patient: Patient, before: Held, *, mb: float) -> tuple[Held, list[str]]:
    """What it holds at rest, and what of it is too much. Old watches and workers get time to end: a leak stays."""
    ends = time.monotonic() + LET_GO_WITHIN_S
    while True:
        after = await held(patient)
        wrong = grown(before, after, mb=mb)
        if not wrong or time.monotonic() > ends:
            return after, wrong
        await asyncio.sleep(0.5)


def growth_mb(samples: Sequence[tuple[int, int]]) -> float | None:
    """Memory for each thousand saves, from (saves, bytes): the median slope, which single peaks do not move.

    The first third is left out: caches fill. None for too few samples to say anything.
    """
    steady = samples[len(samples) // 3 :]
    slopes = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for index, earlier in enumerate(steady)
        for later in steady[index + 1 :]
        if later[0] > earlier[0]
    ]
    return statistics.median(slopes) * 1000 / 1e6 if len(steady) >= 4 and slopes else None


def alive(pids: list[int]) -> list[str]:
    """Processes of a service that has ended."""
    left = []
    for pid in pids:
        try:
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                left.append(f"process {pid} outlived its service")
        except psutil.NoSuchProcess:
            continue
    return left
