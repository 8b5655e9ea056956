"""The worker's second connection: what the host says to it, and what it tells the host."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import socket
import threading
from collections.abc import Callable
from typing import Any

from loader.backends.inside.frames import EVENT, HEAD, HELLO, PING, PONG, frame, said

EVENTS_WAITING = 256


class Control:
    """A connection of its own with threads of its own: it works while the plugin is being imported."""

    def __init__(self, address: dict[str, Any], secret: str) -> None:
        self._socket = connect(address)
        self._sending = threading.Lock()
        self._events: queue.Queue[bytes] = queue.Queue(EVENTS_WAITING)
        self.tell(HELLO, {"secret": secret, "pid": os.getpid()})
        threading.Thread(target=self._pass_events_on, name="events", daemon=True).start()

    def tell(self, kind: bytes, value: object) -> None:
        self._write(said(kind, value))

    def event(self, payload: bytes) -> bool:
        try:
            self._events.put_nowait(payload)
        except queue.Full:
            return False
        return True

    def listen(self, loop: asyncio.AbstractEventLoop, leave: Callable[[], None]) -> None:
        """Answer pings from the loop (one that hangs does not), leave when told to."""

        def run() -> None:
            while True:
                wanted = self._pong if self._read() == PING else leave  # the host says nothing else
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(wanted)

        threading.Thread(target=run, name="control", daemon=True).start()

    def _pong(self) -> None:
        self._write(frame(PONG))

    def _read(self) -> bytes:
        head = b""
        while len(head) < HEAD.size:
            with contextlib.suppress(OSError):
                got = self._socket.recv(HEAD.size - len(head))
                if got:
                    head += got
                    continue
            os._exit(0)  # the service is gone
        kind: bytes = HEAD.unpack(head)[0]  # the host's frames here carry nothing
        return kind

    def _pass_events_on(self) -> None:
        while True:
            self._write(frame(EVENT, self._events.get()))

    def _write(self, data: bytes) -> None:
        with self._sending:
            try:
                self._socket.sendall(data)
            except OSError:
                os._exit(0)


def connect(address: dict[str, Any]) -> socket.socket:
    if "unix" in address:
        made = socket.socket(socket.AF_UNIX)
        made.connect(address["unix"])
        return made
    return socket.create_connection(("127.0.0.1", address["port"]))
