"""The service in a process of its own, as a user starts it, and a client on its socket."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect

from bench.measuring import environ, loader
from loader.server.endpoint import Endpoint, find_endpoint

PATIENCE_S = 180.0


class Running:
    """``began_s``: monotonic, just before the process was made."""

    def __init__(self, process: subprocess.Popen[bytes], root: Path, began_s: float, log: Path) -> None:
        self.process = process
        self.root = root
        self.began_s = began_s
        self.log = log

    @property
    def said(self) -> str:
        """What it has printed so far."""
        return self.log.read_text("utf-8", "replace")

    @property
    def endpoint(self) -> Endpoint:
        found = find_endpoint(self.root / "desktop-loader")
        if found is None:
            raise RuntimeError(f"the service is gone: {self.log.read_text('utf-8')[-2000:]}")
        return found

    @property
    def events_url(self) -> str:
        return self.endpoint.url.replace("http", "ws") + "/v1/events"

    def processes(self) -> tuple[psutil.Process, list[psutil.Process]]:
        """The service and its workers."""
        service = psutil.Process(self.process.pid)
        return service, [each for each in service.children(recursive=True) if "resource_tracker" not in _line(each)]

    @asynccontextmanager
    async def client(self) -> AsyncIterator[ClientConnection]:
        endpoint = self.endpoint
        async with connect(
            self.events_url,
            subprotocols=["hermes-plugins.v1", f"bearer.{endpoint.token}"],  # type: ignore[list-item]
            max_size=None,
            compression=None,
            proxy=None,
            close_timeout=2,
        ) as socket:
            yield socket


def _announced(root: Path, pid: int) -> bool:
    """Whether this very process says where it answers. Not by the lock: a starting service wants it too."""
    try:
        found: dict[str, Any] = json.loads((root / "desktop-loader" / "endpoint.json").read_bytes())
    except (OSError, ValueError):
        return False
    return bool(found["pid"] == pid)


def _line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@asynccontextmanager
async def serving(
    root: Path, *arguments: str, command: Sequence[str] = (), pass_fds: Sequence[int] = ()
) -> AsyncIterator[Running]:
    """The service on a home, until the block ends. Ready means that its address can be found.

    ``command`` stands for the loader's own command line; ``pass_fds`` are descriptors that it inherits."""
    began_s = time.monotonic()
    log = Path(tempfile.mkstemp(prefix="bench-serve-", suffix=".log")[1])
    with log.open("wb") as output:  # noqa: ASYNC230 - nothing else runs yet
        process = subprocess.Popen(  # noqa: ASYNC220 - psutil and poll() want a plain one
            [*(command or loader()), "serve", "--port", "0", "--hermes-home", str(root), *arguments],
            env=environ(),
            pass_fds=pass_fds,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    running = Running(process, root, began_s, log)
    try:
        await until(lambda: _announced(root, process.pid) or process.poll() is not None)
        yield running
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                await asyncio.to_thread(process.wait, 10)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()
        log.unlink(missing_ok=True)


async def until(condition: Callable[[], bool], *, deadline_s: float = PATIENCE_S, step_s: float = 0.005) -> None:
    ends = time.monotonic() + deadline_s
    while not condition():
        if time.monotonic() > ends:
            raise TimeoutError("it did not come to pass in time")
        await asyncio.sleep(step_s)


async def received(socket: ClientConnection, *, deadline_s: float = PATIENCE_S) -> dict[str, Any]:
    async with asyncio.timeout(deadline_s):
        frame: dict[str, Any] = json.loads(await socket.recv())
        return frame


async def loaded(socket: ClientConnection, plugin_id: str, revision: str | None = None) -> dict[str, Any]:
    """Params of the next plugin/load of that plugin (and revision)."""
    while True:
        frame = await received(socket)
        if frame.get("method") != "plugin/load":
            continue
        row = frame["params"]["row"]
        if row["id"] == plugin_id and revision in (None, row["running_revision"]):
            params: dict[str, Any] = frame["params"]
            return params


def stalled_client(service: Running) -> socket.socket:
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
