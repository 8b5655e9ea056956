"""At rest: the inventory is what disk and choices say, every client sees the same, and nothing was left behind."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any

import httpx
import psutil

from bench.service import Running
from bench.soaking.disk import Disk
from bench.soaking.view import Watcher

SETTLED_WITHIN_S = 60.0
LET_GO_WITHIN_S = 30.0


@dataclass(frozen=True)
class Held:
    """What the service holds: open files, threads, processes, bytes."""

    files: int
    threads: int
    processes: int
    bytes: int


def held(service: Running) -> Held:
    process, workers = service.processes()
    return Held(process.num_fds(), process.num_threads(), 1 + len(workers), process.memory_info().rss)


def expected(disk: Disk, choices: dict[str, bool], known: dict[str, str]) -> dict[str, tuple[str, str]]:
    """By folder: state and revision, from the disk and the state files; ``known``: the id that each row goes by."""
    rows = {}
    for folder, kind in disk.kinds.items():
        revision = disk.revision(folder)
        # What does not pass goes by the id that is known of it, or by its folder's name: the row says which.
        plugin_id = folder if kind == "good" else known.get(folder, folder)
        enabled = choices.get(plugin_id, True)
        fails = kind != "good"
        rows[folder] = ("disabled" if not enabled else "failed" if fails else "ready", revision)
    return rows


def shown(rows: list[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    return {row["folder"]: (row["state"], row["revision"]) for row in rows}


def choices_on_disk(disk: Disk) -> dict[str, bool]:
    path = disk.root / "desktop-loader" / "choices.json"
    if not path.exists():
        return {}
    found: dict[str, bool] = json.loads(path.read_text("utf-8"))["data"]
    return found


async def differences(http: httpx.AsyncClient, disk: Disk, watchers: list[Watcher]) -> list[str]:
    """What is wrong once everything has settled; empty when nothing is. Waits for the settling, not longer."""
    ends = time.monotonic() + SETTLED_WITHIN_S
    while True:
        try:
            rows = (await http.get("/v1/plugins")).raise_for_status().json()["plugins"]
            seq = (await http.get("/v1/health")).json()["seq"]
        except httpx.TimeoutException:
            return ["GET /v1/plugins: no answer"]
        wanted, found = expected(disk, choices_on_disk(disk), {row["folder"]: row["id"] for row in rows}), shown(rows)
        wrong = [
            f"{folder} ({disk.kinds.get(folder)}): is {found.get(folder)}, should be {wanted.get(folder)}"
            for folder in sorted(wanted.keys() | found.keys())
            if wanted.get(folder) != found.get(folder)
        ]
        running = {row["id"]: row["running_revision"] for row in rows if row["running_revision"]}
        wrong += [
            f"ready but not running: {row['key']}"
            for row in rows
            if row["state"] == "ready" and not row["running_revision"]
        ]
        for watcher in watchers:
            if watcher.ended:
                wrong.append(f"{watcher.view.name} lost its connection")
            elif watcher.view.seq != seq or watcher.view.running != running:
                wrong.append(f"{watcher.view.name} sees other plugins running (event {watcher.view.seq} of {seq})")
        if not wrong or time.monotonic() > ends:
            return wrong
        await asyncio.sleep(0.1)


def grown(before: Held, after: Held, *, mb: float) -> list[str]:
    """What the service holds that it did not hold before."""
    wrong = []
    # Each worker is held by some pipes and by three threads of pebble's; how many there may be is judged below.
    workers = max(0, after.processes - before.processes)
    if after.files > before.files + 8 + 8 * workers:
        wrong.append(f"open files grew from {before.files} to {after.files}")
    if after.threads > before.threads + 8 + 4 * workers:
        wrong.append(f"threads grew from {before.threads} to {after.threads}")
    if after.processes > before.processes + 4:
        wrong.append(f"processes grew from {before.processes} to {after.processes}")
    if after.bytes > before.bytes + mb * 1e6:
        wrong.append(f"memory grew from {before.bytes / 1e6:.0f} to {after.bytes / 1e6:.0f} MB")
    return wrong


async def kept(service: Running, before: Held, *, mb: float) -> tuple[Held, list[str]]:
    """What it holds at rest, and what of it is too much. Old watches and workers get time to end: a leak stays."""
    ends = time.monotonic() + LET_GO_WITHIN_S
    while True:
        after = held(service)
        wrong = grown(before, after, mb=mb)
        if not wrong or time.monotonic() > ends:
            return after, wrong
        await asyncio.sleep(0.5)


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
