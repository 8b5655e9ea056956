"""At rest: the inventory is what disk, choices and pins say, and every client sees the same."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.soaking.disk import Disk
from bench.soaking.patient import Patient
from bench.soaking.view import Watcher
from loader.integrity import integrity_of

SETTLED_WITHIN_S = 60.0


@dataclass(frozen=True)
class Wishes:
    """What a person has said, as it stands on the disk: choices by id, pins by id as (integrity, folder)."""

    choices: dict[str, bool] = field(default_factory=dict)
    pins: dict[str, tuple[str, str | None]] = field(default_factory=dict)


def wishes_on_disk(root: Path) -> Wishes:
    pins = {name: (pin["integrity"], pin["folder"]) for name, pin in _state(root, "pins").items()}
    return Wishes(_state(root, "choices"), pins)


def _state(root: Path, name: str) -> dict[str, Any]:
    path = root / "desktop-loader" / f"{name}.json"
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["data"]
    return found


def expected(disk: Disk, wishes: Wishes, known: dict[str, str]) -> dict[str, tuple[str, str]]:
    """By folder: state and revision, from the disk and the state files; ``known``: the id that each row goes by."""
    rows = {}
    for folder, kind in disk.kinds.items():
        revision = disk.revision(folder)
        row_id = known.get(folder, folder)
        held_back = not _pins_match(wishes, folder, row_id, revision)
        # What does not pass, or may not even be opened, goes by the id that is known of it: the row says which.
        plugin_id = row_id if held_back or kind != "good" else folder
        if plugin_id != folder and known.get(plugin_id) == plugin_id:
            plugin_id = folder  # a copy that names itself like another one, which has the id
        enabled = wishes.choices.get(plugin_id, True)
        fails = held_back or kind != "good"
        rows[folder] = ("disabled" if not enabled else "failed" if fails else "ready", revision)
    return rows


def _pins_match(wishes: Wishes, folder: str, row_id: str, revision: str) -> bool:
    """Against the pins of the folder's name, of the id it goes by, and of what was pinned in this folder."""
    held = [
        integrity for name, (integrity, where) in wishes.pins.items() if name in (folder, row_id) or where == folder
    ]
    return all(integrity == integrity_of(revision) for integrity in held)


def shown(rows: list[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    return {row["folder"]: (row["state"], row["revision"]) for row in rows}


async def differences(
    http: httpx.AsyncClient, disk: Disk, watchers: list[Watcher], *, within_s: float = SETTLED_WITHIN_S
) -> list[str]:
    """What is wrong once everything has settled; empty when nothing is. Waits for the settling, not longer."""
    ends = time.monotonic() + within_s
    while True:
        try:
            rows = (await http.get("/v1/plugins")).raise_for_status().json()["plugins"]
            seq = (await http.get("/v1/health")).json()["seq"]
        except httpx.TimeoutException:
            return ["GET /v1/plugins: no answer"]
        wanted = expected(disk, wishes_on_disk(disk.root), {row["folder"]: row["id"] for row in rows})
        wrong = _compared(disk, wanted, rows)
        running = {row["id"]: row["running_revision"] for row in rows if row["running_revision"]}
        for watcher in watchers:
            if watcher.ended:
                wrong.append(f"{watcher.view.name} lost its connection")
            elif watcher.view.seq != seq or watcher.view.running != running:
                wrong.append(f"{watcher.view.name} sees other plugins running (event {watcher.view.seq} of {seq})")
        if not wrong or time.monotonic() > ends:
            return wrong
        await asyncio.sleep(0.1)


def _compared(disk: Disk, wanted: dict[str, tuple[str, str]], rows: list[dict[str, Any]]) -> list[str]:
    found = shown(rows)
    said = {row["folder"]: [f"{one['code']} {one['message'][:120]}" for one in row["diagnostics"]] for row in rows}
    wrong = [
        f"{folder} ({disk.kinds.get(folder)}): is {found.get(folder)}, should be {wanted.get(folder)}"
        f" ({said.get(folder)})"
        for folder in sorted(wanted.keys() | found.keys())
        if wanted.get(folder) != found.get(folder)
    ]
    for row in rows:
        if row["state"] == "ready" and not row["running_revision"]:
            wrong.append(f"ready but not running: {row['key']}")
        if row["checked_in_ms"] < 0:
            wrong.append(f"checked in less than no time: {row['key']} ({row['checked_in_ms']} ms)")
    return wrong


async def evidence(patient: Patient, disk: Disk, wrong: list[str]) -> dict[str, Any]:
    """What explains it to whoever was not there: rows, files, what was decided, and the service's own log."""
    named = [folder for folder in disk.kinds if any(folder in line for line in wrong)]
    try:
        rows = (await patient.http.get("/v1/plugins")).json()["plugins"]
    except (httpx.HTTPError, ValueError) as error:
        rows = [{"folder": folder, "no answer": repr(error)} for folder in named]
    wishes = await asyncio.to_thread(wishes_on_disk, disk.root)
    return {
        "wrong": wrong,
        "rows": [row for row in rows if not named or row["folder"] in named],
        "files": {folder: await asyncio.to_thread(_shown, disk.file(folder)) for folder in named},
        "decided": {"choices": wishes.choices, "pins": wishes.pins},
        "the service said": patient.service.said[-20_000:].splitlines(),
    }


def _shown(path: Path) -> str:
    try:
        return path.read_bytes()[:2_000].decode("utf-8", "backslashreplace")
    except OSError as error:
        return repr(error)


def leftovers(root: Path) -> list[str]:
    """Files in the state's folder that nobody shall find there: halves of writes, and state that was garbled."""
    return [
        f"{path.name} lies in the state's folder"
        for path in sorted((root / "desktop-loader").glob("*"))
        if ".damaged-" in path.name
    ]
