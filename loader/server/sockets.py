"""uvicorn's WebSocket protocol, plus a way to hang up on a client that no longer reads.

A stalled client cannot be closed through ASGI: ``send`` waits for its buffer to drain first, and a transport that is
closed politely waits for the same. Measured: such a socket outlives its ping timeout, and it would outlive the stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias, cast

from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

HangUp: TypeAlias = Callable[[int, str], None]

HANG_UP = "hermes.hang_up"
CLOSE_SESSION_OVER = 4001
# How long a closed client may still drain what the system holds for it, the close frame at the end.
LINGER_S = 10.0
LINGER_AT_STOP_S = 0.3


class PluginSocketProtocol(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and hasattr(self, "scope"):
            # The app's task has been made but has not run yet.
            cast("dict[str, object]", self.scope)[HANG_UP] = self.hang_up

    def hang_up(self, code: int, reason: str) -> None:
        """Queue a close frame behind what is buffered; after the linger the connection is gone, read or not."""
        if self.close_sent or self.transport.is_closing():
            return
        self.stop_keepalive()
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:
            # The peer's own close frame has to be read.
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(LINGER_S, self.transport.abort)

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(LINGER_AT_STOP_S, self.transport.abort)


async def hang_up(websocket: WebSocket, code: int, reason: str) -> None:
    """Close at once where the server can; else (another server, a test) as ASGI has it, without waiting long."""
    at_once: HangUp | None = websocket.scope.get(HANG_UP)
    if at_once is not None:
        at_once(code, reason)
        return
    try:
        async with asyncio.timeout(1.0):
            await websocket.close(code, reason)
    except (TimeoutError, RuntimeError, OSError):
        # Gone already, or it does not read: both are the end that was wanted.
        return


def until(left_s: float, scope: Scope, receive: Receive, send: Send) -> Receive:
    """``receive`` of a socket that may stay open for so long: then it is closed, and its handler sees it gone."""
    loop = asyncio.get_running_loop()
    ends_at_s = loop.time() + left_s

    async def received() -> Message:
        try:
            async with asyncio.timeout_at(ends_at_s):
                return await receive()
        except TimeoutError:
            await hang_up(WebSocket(scope, receive, send), CLOSE_SESSION_OVER, "the session is over")
            return {"type": "websocket.disconnect", "code": CLOSE_SESSION_OVER}

    return received
