"""A client that believes nothing but the events: what it thinks is running must be what the inventory says."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from bench.service import Running


@dataclass
class View:
    """``wrong`` collects every event that could not follow the one before."""

    name: str
    running: dict[str, str] = field(default_factory=dict)
    seq: int = 0
    instance: str = ""
    events: int = 0
    hellos: int = 0
    wrong: list[str] = field(default_factory=list)

    def take(self, frame: dict[str, Any]) -> None:
        method, params = frame.get("method"), frame.get("params", {})
        if method == "hello":
            self._hello(params)
            return
        if "id" in frame or "seq" not in params:
            return
        self.events += 1
        if params["seq"] != self.seq + 1:
            self.wrong.append(f"{self.name}: event {params['seq']} after {self.seq}")
        self.seq = params["seq"]
        match method:
            case "plugin/load":
                row = params["row"]
                if row["id"] in self.running:
                    self.wrong.append(f"{self.name}: {row['id']} loaded while {self.running[row['id']][:8]} runs")
                self.running[row["id"]] = row["running_revision"]
            case "plugin/unload":
                if self.running.pop(params["id"], None) != params["revision"]:
                    self.wrong.append(f"{self.name}: {params['id']} unloaded at a revision that did not run")

    def _hello(self, params: dict[str, Any]) -> None:
        self.hellos += 1
        if params["resumed"]:
            return
        self.instance, self.seq = params["instance"], params["seq"]
        rows = [each["row"] for each in params["plugins"]]
        self.running = {row["id"]: row["running_revision"] for row in rows if row["running_revision"]}


class Watcher:
    """Keeps a view up to date until it is closed; connects once."""

    def __init__(self, service: Running, name: str) -> None:
        self.view = View(name)
        self._service = service
        self._task = asyncio.create_task(self._read())
        self._socket: ClientConnection | None = None

    async def _read(self) -> None:
        async with self._service.client() as socket:
            self._socket = socket
            try:
                while True:
                    self.view.take(json.loads(await socket.recv()))
            except ConnectionClosed:
                return

    @property
    def ended(self) -> bool:
        return self._task.done()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
