"""Random use of the real service: ``python -m bench.soak [--seconds 600] [--seed N]``.

The same seed makes the same changes in the same order. At every rest the inventory is compared with disk and choices,
and each client's replayed view with the inventory; at the end, what the service holds with what it held at first.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import random
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from bench.service import Running, serving
from bench.soaking.disk import WAYS, Disk
from bench.soaking.rest import Held, alive, differences, held, kept
from bench.soaking.view import Watcher

RESULTS = Path(__file__).parent / "results"
CHANGES_BETWEEN_RESTS = 40
MEMORY_MAY_GROW_MB = 60.0


@dataclass
class Soak:
    """``done`` counts what happened, ``wrong`` says what must never be."""

    disk: Disk
    chance: random.Random
    done: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)
    stalled: list[socket.socket] = field(default_factory=list)
    names: int = 0

    # ------------------------------------------------------------ one step

    async def step(self, service: Running, http: httpx.AsyncClient) -> None:
        kind = self.chance.choices(
            ("save", "touch", "remove", "move", "toggle", "reload", "connect", "disconnect", "stall", "kill worker"),
            (60, 4, 5, 4, 8, 4, 5, 4, 1, 2),
        )[0]
        self.done[kind] += 1
        match kind:
            case "save":
                self.log.append(await asyncio.to_thread(self.disk.save, self.chance.choice(WAYS)))
            case "touch" | "remove" | "move":
                self.log.append(await asyncio.to_thread(getattr(self.disk, kind)))
            case "toggle":
                await self._toggle(http)
            case "reload":
                await self._answered(http, "POST", "/v1/reload", {})
            case "connect":
                self.connect(service)
            case "disconnect":
                if len(self.watchers) > 1:
                    self.wrong += (gone := self.watchers.pop(self.chance.randrange(len(self.watchers)))).view.wrong
                    await gone.close()
            case "stall":
                self.stalled.append(_stalled(service))
            case "kill worker":
                self._kill_worker(service)

    def connect(self, service: Running) -> None:
        self.names += 1
        if len(self.watchers) < 6:
            self.watchers.append(Watcher(service, f"client {self.names}"))

    async def _toggle(self, http: httpx.AsyncClient) -> None:
        folder, wanted = self.disk.some(), self.chance.choice((True, False, None))
        if folder:
            self.log.append(f"toggle {folder} {wanted}")
            await self._answered(http, "PUT", f"/v1/plugins/standalone%3A{folder}/enabled", {"enabled": wanted})

    async def _answered(self, http: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]) -> None:
        # 404 and 409: what was named is gone by now. A failure of the service's own is what must not be.
        try:
            answer = await http.request(method, path, json=body)
        except httpx.TimeoutException:
            self.wrong.append(f"{method} {path}: no answer; the last changes: {self.log[-8:]}")
            return
        if answer.status_code >= 500:
            self.wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")

    def _kill_worker(self, service: Running) -> None:
        _, workers = service.processes()
        if workers:
            with contextlib.suppress(psutil.Error):
                self.chance.choice(sorted(workers, key=lambda each: each.pid)).kill()

    # ------------------------------------------------------------ rest

    async def rest(self, http: httpx.AsyncClient) -> None:
        self.done["rest"] += 1
        for stalled in self.stalled:
            stalled.close()
        self.stalled.clear()
        await self._answered(http, "POST", "/v1/reload", {})
        self.wrong += await differences(http, self.disk, self.watchers)
        for watcher in self.watchers:
            self.wrong += watcher.view.wrong
            watcher.view.wrong.clear()

    async def drop(self) -> int:
        """Hang up all clients; how many events they had."""
        events = 0
        for watcher in self.watchers:
            events += watcher.view.events
            await watcher.close()
        self.watchers.clear()
        return events


async def run(seconds: float, seed: int, *, most_steps: float = math.inf) -> dict[str, Any]:
    """One soak. ``most_steps`` ends it earlier, at a count instead of a time."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        root = Path(folder) / "home"
        disk = Disk(root, chance)
        for _ in range(8):
            disk.save("plain")
        soak = Soak(disk, chance)
        ends = float("inf")
        steps, events, restarts = 0, 0, 0
        first: Held | None = None
        last: Held | None = None
        pids: list[int] = []
        while True:
            async with serving(root) as service, _http(service) as http:
                for _ in range(3):
                    soak.connect(service)
                await soak.rest(http)
                if not restarts:
                    ends = time.monotonic() + seconds  # the first start of a home prepares the sandbox
                first = held(service) if first is None or restarts else first
                # A service lives for some rests; then it is killed in the middle of writing its state.
                for _ in range(4):
                    for _ in range(CHANGES_BETWEEN_RESTS):
                        steps += 1
                        await soak.step(service, http)
                        if time.monotonic() > ends or steps >= most_steps:
                            break
                    await soak.rest(http)
                    if soak.wrong or time.monotonic() > ends or steps >= most_steps:
                        break
                last, held_on = await kept(service, first, mb=MEMORY_MAY_GROW_MB)
                soak.wrong += held_on
                events += await soak.drop()
                process, workers = service.processes()
                pids = [process.pid, *(each.pid for each in workers)]
                over = bool(soak.wrong) or time.monotonic() > ends or steps >= most_steps
                if not over or not restarts:
                    await _kill_midway(service, http, disk, chance)
                    soak.done["kill service"] += 1
            await asyncio.sleep(0.5)
            soak.wrong += alive(pids)
            if over and restarts:
                break
            restarts += 1
        return {
            "seed": seed,
            "seconds": seconds,
            "steps": steps,
            "restarts": restarts,
            "events seen": events,
            "done": dict(soak.done),
            "held at first": vars(first),
            "held at last": vars(last),
            "wrong": soak.wrong,
            "last changes": soak.log[-60:] if soak.wrong else [],
            "ok": not soak.wrong,
        }


async def _kill_midway(service: Running, http: httpx.AsyncClient, disk: Disk, chance: random.Random) -> None:
    """SIGKILL while choices are being written; what is on disk afterwards is whole and counts."""
    writes = [
        asyncio.create_task(
            http.put(f"/v1/plugins/standalone%3A{name}/enabled", json={"enabled": chance.random() < 0.5})
        )
        for name in sorted(disk.kinds)
    ]
    await asyncio.sleep(chance.uniform(0.005, 0.05))
    service.process.send_signal(signal.SIGKILL)
    await asyncio.gather(*writes, return_exceptions=True)


def _http(service: Running) -> httpx.AsyncClient:
    endpoint = service.endpoint
    headers = {"Authorization": f"Bearer {endpoint.token}"}
    return httpx.AsyncClient(base_url=endpoint.url, headers=headers, timeout=60, trust_env=False)


def _stalled(service: Running) -> socket.socket:
    """A client that shakes hands and never reads."""
    endpoint = service.endpoint
    port = int(endpoint.url.rpartition(":")[2])
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(
        (
            f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: hermes-plugins.v1, bearer.{endpoint.token}\r\n\r\n"
        ).encode()
    )
    return client


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--out", type=Path, default=RESULTS / "soak.json")
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}", file=sys.stderr, flush=True)
    found = asyncio.run(run(chosen.seconds, chosen.seed))
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    counts = ", ".join(f"{count} {what}" for what, count in sorted(found["done"].items()))
    print(f"{found['steps']} steps, {found['restarts']} restarts, {found['events seen']} events seen: {counts}")
    for line in found["wrong"]:
        print(f"WRONG: {line}")
    print("nothing was wrong" if found["ok"] else f"replay: python -m bench.soak --seed {found['seed']}")
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
