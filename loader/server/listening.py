"""uvicorn, as this service runs it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate

import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState

from loader.server.http_protocol import ProblemHttpProtocol
from loader.server.sockets import PluginSocketProtocol

FRAME_LIMIT_BYTES = 1024 * 1024
PING_EVERY_S = 20.0
PING_TIMEOUT_S = 20.0
# For answers that are under way; clients that do not read are cut off sooner (see sockets).
FINISH_WITHIN_S = 1
# Sockets that our own side hangs up say why, before uvicorn closes what is left with a code of its own.
OWN_GOODBYE_S = 0.1


class _State(ServerState):
    """Headers that are right when they are sent, not ten times a second."""

    def __init__(self) -> None:
        self._made_at_s = -1
        self._made: list[tuple[bytes, bytes]] = []
        super().__init__()

    @property
    def default_headers(self) -> list[tuple[bytes, bytes]]:
        now_s = int(time.time())
        if now_s != self._made_at_s:
            self._made_at_s, self._made = now_s, [(b"date", formatdate(now_s, usegmt=True).encode())]
        return self._made

    @default_headers.setter
    def default_headers(self, _: list[tuple[bytes, bytes]]) -> None:
        """uvicorn sets them once a second; ours need no setting."""


class Server(uvicorn.Server):
    """uvicorn raises a captured signal again before its caller has cleaned up; the signals are the service's.

    And it wakes ten times a second to see whether it should end, a quarter of what a quiet service did; this one is
    told.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        self._ending = asyncio.Event()
        super().__init__(config)
        self.server_state = _State()

    @property
    def should_exit(self) -> bool:
        return self._ending.is_set()

    @should_exit.setter
    def should_exit(self, value: bool) -> None:
        if value:
            self._ending.set()
        else:
            self._ending.clear()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        await self._ending.wait()
        if self.server_state.connections:
            await asyncio.sleep(OWN_GOODBYE_S)


def server_for(app: FastAPI) -> Server:
    """To be run as ``await server.serve(sockets=[…])``; ends soon after ``server.should_exit`` was set."""
    return Server(
        uvicorn.Config(
            app,
            http=ProblemHttpProtocol,
            ws=PluginSocketProtocol,
            ws_max_size=FRAME_LIMIT_BYTES,
            ws_ping_interval=PING_EVERY_S,
            ws_ping_timeout=PING_TIMEOUT_S,
            ws_per_message_deflate=False,  # on loopback it costs CPU and saves nothing
            lifespan="off",
            log_config=None,
            # Request lines hold capabilities: none is ever logged.
            access_log=False,
            log_level="warning",
            # Whoever connects over loopback could write those headers too.
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=FINISH_WITHIN_S,
        )
    )
