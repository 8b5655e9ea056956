"""The frames that host and worker speak: ``kind`` (one letter), length (4 bytes), payload.

The host uses it as the worker does. Standard library only, like all of this folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import struct
from typing import Any

SCOPE, BODY, END, GONE = b"S", b"B", b"E", b"D"
TEXT, BYTES, ACCEPT, CLOSE = b"T", b"Y", b"A", b"C"
RESPONSE, BROKEN = b"R", b"X"
# On the control connection.
HELLO, READY, FAILED, PING, PONG, EVENT, QUIT = b"h", b"r", b"f", b"p", b"o", b"e", b"q"

HEAD = struct.Struct(">cI")
FRAME_LIMIT_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 256 * 1024
FINISH_S = 30.0

Frame = tuple[bytes, bytes]


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    return HEAD.pack(kind, len(payload)) + payload


def said(kind: bytes, value: object) -> bytes:
    return frame(kind, json.dumps(value).encode("ascii"))


class Stream:
    """Frames over an asyncio connection. ``read`` may be cancelled at any point without losing a byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._head: tuple[bytes, int] | None = None
        self._reading = asyncio.Lock()

    async def read(self) -> Frame | None:
        """The next frame; None when the other side is gone, or sends what is no frame."""
        async with self._reading:
            try:
                if self._head is None:
                    self._head = HEAD.unpack(await self._reader.readexactly(HEAD.size))
                kind, size = self._head
                if size > FRAME_LIMIT_BYTES:
                    self.close()
                    return None
                payload = await self._reader.readexactly(size)
            except (asyncio.IncompleteReadError, OSError):
                return None
            self._head = None
            return kind, payload

    async def write(self, kind: bytes, payload: bytes = b"") -> None:
        """Raises OSError when the other side is gone."""
        if self._writer.is_closing():
            raise ConnectionResetError
        self._writer.write(HEAD.pack(kind, len(payload)))
        if payload:
            self._writer.write(payload)
        # Only when there is something to wait for: a handler that is cancelled inside of our send, and not at an await
        # of its own, leaves its generators unfinished.
        if self._writer.transport.get_write_buffer_size() > CHUNK_BYTES // 2:
            await self._writer.drain()

    async def tell(self, kind: bytes, value: object) -> None:
        await self.write(kind, json.dumps(value).encode("ascii"))

    async def write_body(self, body: bytes, last: bool) -> None:
        """A body in pieces that no frame refuses."""
        view = memoryview(body)
        while len(view) > CHUNK_BYTES:
            await self.write(BODY, bytes(view[:CHUNK_BYTES]))
            view = view[CHUNK_BYTES:]
        await self.write(END if last else BODY, bytes(view))

    def close(self) -> None:
        self._writer.close()

    async def finish(self) -> None:
        """Close, once the host has: a socket closed over bytes that nobody read takes with it what was sent last."""
        with contextlib.suppress(Exception):  # the host has left: there is nobody to finish for
            self._writer.write_eof()
            await asyncio.wait_for(self._discard(), FINISH_S)
        self._writer.close()

    async def _discard(self) -> None:
        while await self._reader.read(CHUNK_BYTES):
            pass


def plain_headers(headers: Any) -> list[list[str]]:
    return [[bytes(name).decode("latin-1"), bytes(value).decode("latin-1")] for name, value in headers]


def raw_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
