"""Where workers report: one listening socket for all, each known by its own secret."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sys
from pathlib import Path
from typing import Any

from loader.backends.inside.frames import HELLO, Stream

HELLO_WITHIN_S = 10.0
SOCKET_NAME = "c"


class ControlServer:
    """``folder`` holds the socket; where there are no Unix sockets it is a port of the loopback address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: asyncio.Server | None = None
        self._waiting: dict[str, asyncio.Future[Stream]] = {}
        self.address: dict[str, Any] = {}

    async def open(self) -> None:
        if sys.platform != "win32":
            path = self._folder / SOCKET_NAME
            self._server = await asyncio.start_unix_server(self._connected, path)
            path.chmod(0o600)
            self.address = {"unix": str(path)}
        else:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
            self.address = {"port": self._server.sockets[0].getsockname()[1]}

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    def expect(self) -> tuple[str, asyncio.Future[Stream]]:
        """A new secret, and the connection of whoever brings it."""
        secret = secrets.token_urlsafe(32)
        coming: asyncio.Future[Stream] = asyncio.get_running_loop().create_future()
        self._waiting[secret] = coming
        coming.add_done_callback(lambda _: self._waiting.pop(secret, None))
        return secret, coming

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stream = Stream(reader, writer)
        # Whoever it is may say anything: what is no greeting is hung up on.
        with contextlib.suppress(TimeoutError, ValueError, AttributeError, RecursionError, OSError):
            first = await asyncio.wait_for(stream.read(), HELLO_WITHIN_S)
            if first is not None and first[0] == HELLO:
                # A dictionary of 256-bit secrets: the time of a look-up tells nothing about a guess.
                coming = self._waiting.get(str(json.loads(first[1]).get("secret")))
                if coming is not None and not coming.done():
                    coming.set_result(stream)
                    return
        stream.close()
