"""The app on a real socket, and clients that talk to it as shells do."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from loader.server.announcer import Announcer
from loader.server.app import MakePolicy, MakeShelf, create_app, no_policy, no_shelf
from loader.server.endpoint import bind
from loader.server.hub import Hub
from loader.server.listening import server_for
from loader.server.parts import Parts
from tests.server.fakes import TOKEN, FakePipeline, make

PATIENCE_S = 20.0


@dataclass
class Running:
    parts: Parts
    pipeline: FakePipeline
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @asynccontextmanager
    async def client(self, since: str | None = None, token: str = TOKEN) -> AsyncIterator[WsClient]:
        query = "" if since is None else f"?since={since}"
        async with connect(
            f"ws://127.0.0.1:{self.port}/v1/events{query}",
            subprotocols=["hermes-plugins.v1", f"bearer.{token}"],  # type: ignore[list-item]
            max_size=None,
            proxy=None,
            close_timeout=2,
        ) as connection:
            yield WsClient(connection)


@dataclass
class WsClient:
    """Reads frames as they come; answers to requests and events may be told apart."""

    connection: ClientConnection
    waiting: list[dict[str, Any]] = field(default_factory=list)
    _ids: int = 0

    async def frame(self) -> dict[str, Any]:
        if self.waiting:
            return self.waiting.pop(0)
        return await self._receive()

    async def _receive(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            received: dict[str, Any] = json.loads(await self.connection.recv())
            return received

    async def event(self, method: str) -> dict[str, Any]:
        """The next frame, which must be this notification; its params."""
        frame = await self.frame()
        assert frame.get("method") == method, frame
        params: dict[str, Any] = frame["params"]
        return params

    async def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        """Ask, and give the answer's frame; events that come before it are kept."""
        self._ids += 1
        await self.connection.send(json.dumps({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params}))
        while True:
            frame = await self._receive()
            if frame.get("id") == self._ids and "method" not in frame:
                return frame
            self.waiting.append(frame)

    async def result(self, method: str, /, **params: Any) -> Any:
        frame = await self.call(method, **params)
        assert "result" in frame, frame
        return frame["result"]


async def mounted(client: WsClient, **params: Any) -> str:
    """The name of the shell that this client is from now on."""
    await client.event("hello")
    result = await client.result("shell/mount", version="1.0", focused=True, **params)
    shell: str = result["shell"]
    return shell


@asynccontextmanager
async def running(
    *,
    make_policy: MakePolicy = no_policy,
    make_hub: Callable[[Announcer], Hub] = Hub,
    make_shelf: MakeShelf = no_shelf,
) -> AsyncIterator[Running]:
    parts, pipeline = make(make_policy=make_policy, make_hub=make_hub, make_shelf=make_shelf)
    listening = bind(0)
    port: int = listening.getsockname()[1]
    server = server_for(create_app(parts, origins=("https://workbench.example",), port=lambda: port))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield Running(parts, pipeline, port)
    finally:
        parts.hub.close_all(1001, "the test ends")
        server.should_exit = True
        await serving
        listening.close()


def stalled_socket(port: int, token: str = TOKEN) -> sockets.socket:
    """A client that shakes hands and then never reads a byte; its buffer is small, so that it stalls soon."""
    client = sockets.socket()
    client.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(
        (
            f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: hermes-plugins.v1, bearer.{token}\r\n\r\n"
        ).encode()
    )
    return client
