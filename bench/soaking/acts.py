"""What happens at random: saves, names, switches, pins, clients, and processes that die."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import socket
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx
import psutil

from bench.service import Running, stalled_client
from bench.soaking.disk import BACKEND, WAYS, Disk
from bench.soaking.patient import Patient
from bench.soaking.rest import differences, evidence, leftovers, wishes_on_disk
from bench.soaking.view import Watcher

ACTS = {
    **{"save": 60, "touch": 4, "remove": 5, "move": 4, "toggle": 8, "pin": 5, "unpin": 6, "reload": 4},
    **{"connect": 5, "disconnect": 4, "stall": 1, "kill worker": 2, "crash backend": 1},
}
BACKEND_ANSWERS_WITHIN_S = 60.0
MOST_CLIENTS = 6


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
    evidence: list[dict[str, Any]] = field(default_factory=list)
    """Of each rest at which something was wrong: what explains it."""

    # ------------------------------------------------------------ one step

    async def step(self, patient: Patient) -> None:
        kind = self.chance.choices(tuple(ACTS), tuple(ACTS.values()))[0]
        self.done[kind] += 1
        match kind:
            case "save":
                self.log.append(await asyncio.to_thread(self.disk.save, self.chance.choice(WAYS)))
            case "touch" | "remove" | "move":
                self.log.append(await asyncio.to_thread(getattr(self.disk, kind)))
            case "toggle":
                await self.toggle(patient)
            case "pin":
                await self._pin(patient)
            case "unpin":
                await self._unpin(patient)
            case "reload":
                await self.answered(patient, "POST", "/v1/reload", {})
            case "connect":
                self.connect(patient.service)
            case "disconnect":
                if len(self.watchers) > 1:
                    self.wrong += (gone := self.watchers.pop(self.chance.randrange(len(self.watchers)))).view.wrong
                    await gone.close()
            case "stall":
                self.stalled.append(stalled_client(patient.service))
            case "kill worker":
                self.kill_workers(patient, 1)
            case "crash backend":
                await self.crash_backend(patient)

    def connect(self, service: Running) -> None:
        self.names += 1
        if len(self.watchers) < MOST_CLIENTS:
            self.watchers.append(Watcher(service, f"client {self.names}"))

    async def toggle(self, patient: Patient) -> None:
        folder, wanted = self.disk.some(), self.chance.choice((True, False, None))
        if folder:
            self.log.append(f"toggle {folder} {wanted}")
            await self.answered(patient, "PUT", f"/v1/plugins/standalone%3A{folder}/enabled", {"enabled": wanted})

    async def _pin(self, patient: Patient) -> None:
        """The bytes that are there now. Only of what passes: a pin goes by the id that stands in the file."""
        good = sorted(folder for folder, kind in self.disk.kinds.items() if kind == "good")
        if good:
            folder = self.chance.choice(good)
            self.log.append(f"pin {folder}")
            await self.answered(patient, "PUT", f"/v1/plugins/standalone%3A{folder}/integrity", {"integrity": None})

    async def _unpin(self, patient: Patient) -> None:
        pinned = sorted(await asyncio.to_thread(lambda: wishes_on_disk(self.disk.root).pins))
        if pinned:
            plugin_id = self.chance.choice(pinned)
            self.log.append(f"unpin {plugin_id}")
            await self.answered(patient, "DELETE", f"/v1/plugins/{plugin_id}/integrity")

    async def answered(
        self, patient: Patient, method: str, path: str, body: dict[str, Any] | None = None
    ) -> httpx.Response | None:
        """404 and 409: what was named is gone by now. A failure of the service's own is what must not be."""
        try:
            answer = await patient.http.request(method, path, json=body)
        except httpx.TimeoutException:
            self.wrong.append(f"{method} {path}: no answer; the last changes: {self.log[-8:]}")
            return None
        if answer.status_code >= 500:
            self.wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
        return answer

    def kill_workers(self, patient: Patient, count: int) -> int:
        """How many were killed of those that check plugins or run a backend."""
        _, workers = patient.service.processes()
        killed = 0
        for worker in self.chance.sample(sorted(workers, key=lambda each: each.pid), min(count, len(workers))):
            with contextlib.suppress(psutil.Error):
                worker.kill()
                killed += 1
        return killed

    async def crash_backend(self, patient: Patient) -> int:
        """The status of a request in whose midst the backend ends."""
        answer = await patient.http.get(f"/api/plugins/{BACKEND}/crash")
        if answer.status_code not in (502, 503):
            self.wrong.append(f"a backend that crashed answers {answer.status_code}")
        return answer.status_code

    # ------------------------------------------------------------ rest

    async def rest(self, patient: Patient) -> None:
        self.done["rest"] += 1
        for stalled in self.stalled:
            stalled.close()
        self.stalled.clear()
        await self.answered(patient, "POST", "/v1/reload", {})
        before = len(self.wrong)
        self.wrong += await differences(patient.http, self.disk, self.watchers)
        self.wrong += leftovers(self.disk.root)
        await self._backend_answers(patient)
        self.take_views()
        if len(self.wrong) > before:
            self.evidence.append(await evidence(patient, self.disk, self.wrong[before:]))

    def take_views(self) -> None:
        """What clients saw that could not follow what they had seen before."""
        for watcher in self.watchers:
            self.wrong += watcher.view.wrong
            watcher.view.wrong.clear()

    async def _backend_answers(self, patient: Patient) -> None:
        """It may rest after too many crashes; a person's restart brings it back."""
        answer = await patient.http.get(f"/api/plugins/{BACKEND}/ok")
        if answer.status_code != 200:
            self.done["restart backend"] += 1
            await patient.http.post(f"/v1/backends/{BACKEND}/restart")
            async with asyncio.timeout(BACKEND_ANSWERS_WITHIN_S):
                while (answer := await patient.http.get(f"/api/plugins/{BACKEND}/ok")).status_code == 503:  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.2)
        if (answer.status_code, answer.text) != (200, '"ok"'):
            self.wrong.append(f"the backend does not answer again: {answer.status_code} {answer.text[:200]}")

    async def drop(self) -> int:
        """Hang up all clients; how many events they had."""
        events = 0
        for watcher in self.watchers:
            events += watcher.view.events
            await watcher.close()
        self.watchers.clear()
        return events

    # ------------------------------------------------------------ the end of a life

    async def kill_midway(self, patient: Patient) -> Acknowledged:
        """SIGKILL while choices are being written; gives what had been answered by then."""
        self.done["kill service"] += 1
        said: dict[str, bool] = {}
        under_way = {name: self.chance.random() < 0.5 for name in sorted(self.disk.kinds)}
        rows = (await patient.http.get("/v1/plugins")).json()["plugins"]
        # Copies go by an id that is another folder's name: what is decided of either may stand there.
        shared = Counter(name for row in rows for name in {row["id"], row["folder"]})

        async def write(folder: str, wanted: bool) -> None:
            answer = await patient.http.put(f"/v1/plugins/standalone%3A{folder}/enabled", json={"enabled": wanted})
            if answer.status_code != 200 or shared[folder] > 1:
                return
            if answer.json()["id"] == folder and answer.json()["choice"] != wanted:
                self.wrong.append(f"{folder} was to be {wanted}, and the answer says {answer.json()['choice']}")
            # Whatever a file calls itself, what was decided is kept for its folder's name too.
            said[folder] = wanted

        writes = [asyncio.create_task(write(*each)) for each in under_way.items()]
        if self.chance.random() < 0.7:
            # So that something was promised by then; else the kill comes before any answer.
            await asyncio.wait(writes, timeout=30, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(self.chance.uniform(0.005, 0.05))
        patient.service.process.send_signal(signal.SIGKILL)
        await asyncio.gather(*writes, return_exceptions=True)
        await asyncio.to_thread(patient.service.process.wait)
        return Acknowledged(said)


@dataclass(frozen=True)
class Acknowledged:
    """Choices that the service had answered before it was killed."""

    choices: dict[str, bool]

    def lost(self, choices: dict[str, bool]) -> list[str]:
        """``choices`` as they stand on the disk. What was on its way may be there; what was answered must."""
        return [
            f"{plugin_id} was answered with {wanted} before the kill, and is {choices.get(plugin_id)} on the disk"
            for plugin_id, wanted in sorted(self.choices.items())
            if choices.get(plugin_id) != wanted
        ]
