"""uvicorn, as this service runs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from loader.server.sockets import PluginSocketProtocol

FRAME_LIMIT_BYTES = 1024 * 1024
PING_EVERY_S = 20.0
PING_TIMEOUT_S = 20.0
# For answers that are under way; clients that do not read are cut off sooner (see sockets).
FINISH_WITHIN_S = 1


class Server(uvicorn.Server):
    """uvicorn raises a captured signal again before its caller has cleaned up; the signals are the service's."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def server_for(app: FastAPI) -> Server:
    """To be run as ``await server.serve(sockets=[…])``; ends soon after ``server.should_exit`` was set."""
    return Server(
        uvicorn.Config(
            app,
            http="h11",
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
