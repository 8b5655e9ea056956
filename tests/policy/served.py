"""A real server on a real socket with the real policy; only the inventory behind it is faked."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from loader.nouns import (
    Contribution,
    Event,
    Json,
    Plugin,
    PluginLoaded,
    PluginUnloaded,
    Running,
    Source,
    UnloadReason,
)
from loader.policy.actions import ActionTable
from loader.policy.service import PolicyService, Schedule, on_the_loop
from loader.server.announcer import About
from loader.server.app import create_app, make_parts
from loader.server.parts import Parts
from loader.server.ports import CallShell, PipelinePort, PolicyPort, Publish
from loader.server.sessions import Credentials
from loader.server.sockets import PluginSocketProtocol
from loader.testing import until

TOKEN = "endpoint-token"


def row(plugin_id: str, *, name: str | None = None, directives: Sequence[str] = ()) -> Plugin:
    area = "transcript.directives"
    return Plugin(
        key=f"standalone:{plugin_id}",
        id=plugin_id,
        exported_id=plugin_id,
        name=name or plugin_id,
        description=None,
        door="standalone",
        folder=plugin_id,
        path=f"{plugin_id}/plugin.js",
        copied_to=None,
        enabled=True,
        choice=None,
        choice_from="plugin",
        default_enabled=True,
        state="ready",
        revision="r1",
        running_revision=None,
        integrity="",
        pinned=False,
        size_bytes=0,
        contributions=tuple(Contribution(area, n, f"{plugin_id}:{n}", payload={"name": n}) for n in directives),
    )


@dataclass(slots=True)
class FakePipeline:
    """Rows that a test loads and unloads by hand."""

    emit: Callable[[Event], None]
    rows: dict[str, Plugin] = field(default_factory=dict)
    runs: dict[str, Running] = field(default_factory=dict)

    def load(self, plugin: Plugin, revision: str = "r1") -> None:
        """Announce a revision; one that ran before is unloaded right before, as a hot reload does."""
        old = self.runs.pop(plugin.id, None)
        plugin = self.rows[plugin.id] = replace(plugin, revision=revision, running_revision=revision)
        if old is not None:
            self.emit(PluginUnloaded(plugin.id, old.revision, "changed"))
        running = Running(plugin.id, plugin.key, revision, Source(b"", "", revision), ())
        self.runs[plugin.id] = running
        self.emit(PluginLoaded(plugin, running, "changed" if old else "new"))

    def unload(self, plugin_id: str, reason: UnloadReason = "disabled") -> None:
        old = self.runs.pop(plugin_id)
        self.rows[plugin_id] = replace(self.rows[plugin_id], running_revision=None, state="disabled")
        self.emit(PluginUnloaded(plugin_id, old.revision, reason))

    async def run(self) -> None: ...

    async def wait_ready(self, timeout_s: float, /) -> object: ...

    def plugins(self) -> tuple[Plugin, ...]:
        return tuple(sorted(self.rows.values(), key=lambda plugin: plugin.key))

    def find(self, id_or_key: str, /) -> Plugin | None:
        return next((plugin for plugin in self.rows.values() if id_or_key in (plugin.id, plugin.key)), None)

    def running(self, plugin_id: str, /) -> Running | None:
        return self.runs.get(plugin_id)

    def source_of(self, key: str, /) -> Source | None:
        return None

    async def reload(self, ids: Sequence[str] | None = None, /) -> tuple[Plugin, ...]:
        return self.plugins()

    async def set_choice(self, plugin_id: str, enabled: bool | None, /) -> Plugin:
        return self.rows[plugin_id]

    async def set_pin(self, plugin_id: str, integrity: str | None, /) -> Plugin:
        return self.rows[plugin_id]

    async def unpin(self, plugin_id: str, /) -> Plugin:
        return self.rows[plugin_id]

    async def allow_heavy(self, plugin_id: str, allowed: bool, /) -> Plugin:
        return self.rows[plugin_id]

    def shell_mounted(
        self, shell: str, version: str, exports: Mapping[str, tuple[str, ...]] | None, bundled: tuple[str, ...], /
    ) -> None: ...

    def shell_gone(self, shell: str, /) -> None: ...

    def report(
        self, shell: str, plugin_id: str, revision: str, outcome: Literal["loaded", "failed"], error: str | None, /
    ) -> None: ...

    async def wait_shells(self, ids: Sequence[str] | None, wait_s: float, /) -> None: ...


class Shell:
    """One WebSocket client: requests, all that came in, and what it answers to ``action/run``."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.asked: list[dict[str, Any]] = []
        self.answer: Callable[[dict[str, Any]], Awaitable[Json]] | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._last = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._came = asyncio.Event()

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer frame, with ``result`` or ``error``."""
        self._last += 1
        waiting = self._waiting[self._last] = asyncio.get_running_loop().create_future()
        await self.connection.send(json.dumps({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}))
        return await asyncio.wait_for(waiting, 30)

    async def result(self, method: str, **params: Any) -> Any:
        return (await self.request(method, **params))["result"]

    async def read(self) -> None:
        async for text in self.connection:
            frame = json.loads(text)
            if "method" in frame and "id" in frame:
                self.asked.append(frame["params"])
                task = asyncio.create_task(self._answer(frame))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            elif "method" in frame:
                self.events.append((frame["method"], frame["params"]))
            else:
                self._waiting.pop(frame["id"]).set_result(frame)
            self._came.set()

    async def _answer(self, frame: dict[str, Any]) -> None:
        result = {"ok": True} if self.answer is None else await self.answer(frame["params"])
        await self.connection.send(json.dumps({"jsonrpc": "2.0", "id": frame["id"], "result": result}))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that comes in."""
        async with asyncio.timeout(30):
            while not condition():
                self._came.clear()
                await self._came.wait()

    def of(self, method: str) -> list[dict[str, Any]]:
        return [params for name, params in self.events if name == method]

    def texts_out(self) -> list[list[str]]:
        return [[line["text"] for line in params["lines"]] for params in self.of("pet/lines")]

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()


@dataclass(slots=True)
class Served:
    url: str
    parts: Parts
    pipeline: FakePipeline
    policy: PolicyService
    http: httpx.AsyncClient

    def as_plugin(self, token: str) -> dict[str, str]:
        return {"authorization": f"Bearer {token}"}

    @asynccontextmanager
    async def shell(self, token: str = TOKEN) -> AsyncIterator[Shell]:
        connection = await connect(
            self.url.replace("http", "ws") + "/v1/events",
            subprotocols=[Subprotocol("hermes-plugins.v1"), Subprotocol(f"bearer.{token}")],
        )
        shell = Shell(connection)
        reader = asyncio.create_task(shell.read())
        try:
            await shell.until(lambda: bool(shell.of("hello")))
            yield shell
        finally:
            shell.stop()
            await connection.close()
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)


@asynccontextmanager
async def serving(
    *,
    table: ActionTable | None = None,
    clock_s: Callable[[], float] | None = None,
    schedule: Schedule = on_the_loop,
    deadline_s: float = 2.0,
) -> AsyncIterator[Served]:
    made: dict[str, Any] = {}

    def make_pipeline(emit: Callable[[Event], None]) -> PipelinePort:
        made["pipeline"] = FakePipeline(emit)
        return made["pipeline"]  # type: ignore[no-any-return]

    def make_policy(publish: Publish, call_shell: CallShell, pipeline: Callable[[], PipelinePort]) -> PolicyPort:
        def label_of(plugin_id: str) -> str | None:
            plugin = pipeline().find(plugin_id)
            return plugin.name if plugin else None

        times = {} if clock_s is None else {"clock_s": clock_s}
        made["policy"] = PolicyService(
            publish=publish,
            call_shell=call_shell,
            label_of=label_of,
            table=table,
            schedule=schedule,
            deadline_s=deadline_s,
            **times,
        )
        return made["policy"]  # type: ignore[no-any-return]

    parts = make_parts(About("0", "/root", "/root", "instance"), Credentials(TOKEN), make_pipeline, make_policy)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    app = create_app(parts, port=lambda: port)
    config = uvicorn.Config(
        app,
        ws=PluginSocketProtocol,
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="warning",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(
        base_url=url, headers={"authorization": f"Bearer {TOKEN}"}, timeout=30, verify=False
    ) as http:
        try:
            await until(lambda: server.started)
            yield Served(url, parts, made["pipeline"], made["policy"], http)
        finally:
            server.should_exit = True
            parts.hub.close_all(1001, "over")
            await task
            made["policy"].close()


def token_of(shell: Shell, plugin: str) -> str:
    loads = [params for params in shell.of("plugin/load") if params["row"]["id"] == plugin]
    token: str = loads[-1]["plugin_token"]
    return token


async def load(here: Served, shell: Shell, plugin: str, revision: str = "r1", **about: Any) -> str:
    before = len(shell.of("plugin/load"))
    here.pipeline.load(row(plugin, **about), revision)
    await shell.until(lambda: len(shell.of("plugin/load")) > before)
    return token_of(shell, plugin)
