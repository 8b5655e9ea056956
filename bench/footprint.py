"""Start, memory, idle processor time and fan-out of the real service."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench.measuring import HERE, node, numbers
from bench.saves import save
from bench.service import Running, serving
from bench.texts import home_with, plugin

_SLICE_S = 5.0


async def starts(counts: tuple[int, ...], rounds: int) -> dict[str, Any]:
    """Seconds from the process's begin until every plugin has its verdict: without and with what was kept."""
    rows: dict[str, Any] = {}
    for count in counts:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            root = home_with(Path(folder) / "home", count)
            # What comes with the first start on a machine (the sandbox's code) is not what is measured here.
            async with serving(root) as running:
                cold_s = await _all_ready(running, count)
            state = root / "desktop-loader"
            kept = [await _start(root, count) for _ in range(rounds)]
            for verdicts in state.glob("verdicts"):
                shutil.rmtree(verdicts)
            cold = [await _cold_start(root, count) for _ in range(1 if count > 100 or rounds <= 3 else 3)]
            rows[str(count)] = {
                "first s": round(cold_s, 3),
                "no verdicts kept s": numbers(cold).json(),
                "unchanged s": numbers(kept).json(),
            }
    return rows


async def _start(root: Path, count: int) -> float:
    async with serving(root) as running:
        return await _all_ready(running, count)


async def _cold_start(root: Path, count: int) -> float:
    shutil.rmtree(root / "desktop-loader" / "verdicts", ignore_errors=True)
    return await _start(root, count)


async def _all_ready(running: Running, count: int) -> float:
    """Seconds from the process's begin until all have loaded, as a client sees it that connects at once."""
    known: set[str] = set()
    async with running.client() as shell:
        async with asyncio.timeout(600):
            while len(known) < count:
                frame = json.loads(await shell.recv())
                if frame.get("method") == "hello":
                    known |= {
                        each["row"]["id"] for each in frame["params"]["plugins"] if each["row"]["running_revision"]
                    }
                elif frame.get("method") == "plugin/load":
                    known.add(frame["params"]["row"]["id"])
        return time.monotonic() - running.began_s


async def footprint(folders: int, idle_s: float) -> dict[str, Any]:
    """Resident memory after the work, and processor time while nothing happens."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = home_with(Path(folder) / "home", folders, size_kb=2)
        heavy = root / "desktop-plugins" / "heavy" / "plugin.js"
        heavy.parent.mkdir()
        heavy.write_text(plugin(270, "heavy"), "utf-8")
        async with serving(root) as running:
            await _all_ready(running, folders + 1)
            await asyncio.sleep(min(10.0, idle_s))
            began = time.monotonic()
            slices = await _at_rest(running, idle_s)
            passed = time.monotonic() - began
            service, workers = running.processes()
            return {
                "folders": folders + 1,
                "service MB": _mb(service),
                "workers MB": [_mb(each) for each in workers],
                "idle % of a core": round(
                    100 * sum(each["service s"] + each["workers s"] for each in slices) / passed, 3
                ),
                "idle s": round(passed, 1),
                # Where a minute reads too much, these tell whether all of it did, and who.
                "idle slices": slices,
                "said": running.said.splitlines()[-20:],
            }


async def _at_rest(running: Running, idle_s: float) -> list[dict[str, float]]:
    """Processor time, page faults and processes, for each slice of so many seconds while nothing happens."""
    slices: list[dict[str, float]] = []
    service, workers = running.processes()
    before = _used([service]), _used(workers)
    ends = time.monotonic() + idle_s
    while (left_s := ends - time.monotonic()) > 0:
        await asyncio.sleep(min(_SLICE_S, left_s))
        service, workers = running.processes()
        now = _used([service]), _used(workers)
        (own, other), (own_before, other_before) = now, before
        slices.append(
            {
                "service s": round(own.user_s + own.system_s - own_before.user_s - own_before.system_s, 3),
                "of it system s": round(own.system_s - own_before.system_s, 3),
                # A worker that was replaced in between takes its own past with it.
                "workers s": round(
                    max(0.0, other.user_s + other.system_s - other_before.user_s - other_before.system_s), 3
                ),
                "faults": own.faults + other.faults - own_before.faults - other_before.faults,
                "workers": len(workers),
            }
        )
        before = now
    return slices


@dataclass(frozen=True)
class _Used:
    user_s: float = 0.0
    system_s: float = 0.0
    faults: int = 0
    """Pages that had to be brought in, minor and major; 0 where the system does not tell (not Linux)."""


def _used(processes: list[psutil.Process]) -> _Used:
    total = _Used()
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total = _Used(total.user_s + times.user, total.system_s + times.system, total.faults + _faults(process.pid))
    return total


def _faults(pid: int) -> int:
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return 0
    return int(after_name[7]) + int(after_name[9])


def _mb(process: psutil.Process) -> float:
    return round(process.memory_info().rss / 1e6, 1)


async def fan_out(counts: tuple[int, ...], rounds: int) -> dict[str, Any]:
    """From the first client that has an event to the last ones, in milliseconds; and from close(2)."""
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = home_with(Path(folder) / "home", 10)
        path = root / "desktop-plugins" / "plugin-000" / "plugin.js"
        text = path.read_text("utf-8")
        async with serving(root) as running:
            await _all_ready(running, 10)
            for count in counts:
                rows[str(count)] = await _fan_out(running, path, text, count, rounds)
    return rows


async def _fan_out(running: Running, path: Path, text: str, count: int, rounds: int) -> dict[str, Any]:
    endpoint = running.endpoint
    process = await asyncio.create_subprocess_exec(
        node(), str(HERE / "clients.mjs"), running.events_url, endpoint.token, str(count),
        cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=1 << 20,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdin is not None
    spread: list[float] = []
    from_close: list[float] = []
    try:
        async with asyncio.timeout(60):
            while await process.stdout.readline() != b"ready\n":
                pass
        for number in range(rounds + 1):
            await asyncio.sleep(0.4)
            began = save(path, f"{text}// {count} {number}\n")
            async with asyncio.timeout(60):
                times = [int(each) for each in (await process.stdout.readline()).split()]
            if number:
                spread += [(each - times[0]) / 1e6 for each in times]
                from_close += [(each - began) / 1e6 for each in times]
    finally:
        process.stdin.close()
        await process.wait()
    return {"after the first client ms": numbers(spread).json(), "after close ms": numbers(from_close).json()}
