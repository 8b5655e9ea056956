"""The WebSocket byte by byte, as no library would write it, and what one client may do to another."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from websockets.asyncio.client import ClientConnection

from bench.attacking.attempt import Attempt, Field, Through
from bench.attacking.frames import answered, opened, request

_KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
_PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
TEXT, CONTINUED, CLOSE, PING = 0x1, 0x0, 0x8, 0x9


def framed(opcode: int, data: bytes, *, fin: bool = True, masked: bool = True, reserved: int = 0) -> bytes:
    """One frame; the mask is of zeros, which leaves the data as it is."""
    size = len(data)
    bit = 0x80 if masked else 0
    length = bytes([bit | size]) if size < 126 else bytes([bit | 127]) + struct.pack("!Q", size)
    return bytes([(0x80 if fin else 0) | reserved | opcode]) + length + (b"\0\0\0\0" if masked else b"") + data


def ends_with(wanted: int, *frames: bytes) -> Callable[[Field], Awaitable[str]]:
    """The connection is closed with this code, and no other client notices."""

    async def run(field: Field) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", field.port)
        try:
            head = f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{_KEY}"
            writer.write(f"{head}Authorization: Bearer {field.token}\r\n\r\n".encode())
            async with asyncio.timeout(20):
                if not (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101"):
                    raise Through("no socket was opened, so nothing was shown")
                writer.write(b"".join(frames))
                received = await reader.read()
        finally:
            writer.close()
        at = received.rfind(b"\x88")
        code = struct.unpack("!H", received[at + 2 : at + 4])[0] if at >= 0 else None
        if code != wanted:
            raise Through(f"closed with {code}")
        (await field.http.get("/v1/health")).raise_for_status()
        return f"closed: {code}"

    return run


def refused_handshake(
    *lines: str, target: str = "/v1/events", method: str = "GET"
) -> Callable[[Field], Awaitable[str]]:
    """A handshake with the right token that no browser would make."""

    async def run(field: Field) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", field.port)
        try:
            head = f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {field.token}\r\n"
            writer.write((head + "\r\n".join(lines) + "\r\nConnection: Upgrade, close\r\n\r\n").encode())
            async with asyncio.timeout(20):
                line = await reader.readline()
        finally:
            writer.close()
        if not line.startswith(b"HTTP/1.1 4"):
            raise Through(line.decode("latin-1").strip())
        return f"refused before it was accepted ({line.split()[1].decode()})"

    return run


async def another_answers(field: Field) -> str:
    """A second client answers what the shell in front was asked, before that does."""
    async with opened(field) as shell, opened(field) as other:
        for client, focused in ((shell, True), (other, False)):
            await client.recv()
            await client.send(request("shell/mount", version="1", focused=focused, actions=["nav.settings"]))
            await answered(client, "1")
        headers = {"Authorization": f"Bearer {field.plugin_token}"}
        action = {"action": "nav.settings"}
        asked = asyncio.create_task(field.http.post("/v1/plugins/board/actions", json=action, headers=headers))
        call = await _call(shell)
        for answer in ({"result": {"ok": True}}, {"error": {"code": 1, "message": "no"}}):
            await other.send(json.dumps({"jsonrpc": "2.0", "id": call, **answer}))
        await other.send(request("ping"))
        await answered(other, "1")
        if asked.done():
            raise Through("the plugin was answered by somebody else")
        await shell.send(json.dumps({"jsonrpc": "2.0", "id": call, "result": {"ok": False, "error": "not now"}}))
        said = (await asked).json()
        if said.get("ok"):
            raise Through("the other one's word counted")
    return "a call belongs to the connection that was asked"


async def _call(shell: ClientConnection) -> Any:
    async with asyncio.timeout(20):
        while True:
            frame = json.loads(await shell.recv())
            if frame.get("method") == "action/run":
                return frame["id"]


async def notified(field: Field) -> str:
    """A thousand notifications that mean nothing: none of them is answered, and the next question is."""
    async with opened(field) as client:
        await client.recv()
        for number in range(1000):
            await client.send(json.dumps({"jsonrpc": "2.0", "method": ("nosuch", "plugin/report")[number % 2]}))
        await client.send(request("ping"))
        if "result" not in await answered(client, None):
            raise Through("a notification was answered")
    return "a notification is never answered"


async def pinged(field: Field) -> str:
    """Ten thousand pings at once; somebody else asks meanwhile."""
    async with opened(field) as client:
        await client.recv()
        client.transport.write(framed(PING, b"x" * 125) * 10_000)
        async with asyncio.timeout(20):
            (await field.http.get("/v1/health")).raise_for_status()
            await client.send(request("ping"))
            await answered(client, "1")
    return "everybody else is answered, and so is who sent them"


_HALVES = (framed(TEXT, b"x" * (1 << 19), fin=False), framed(CONTINUED, b"x" * (1 << 19), fin=False))
_BYTES: Sequence[tuple[str, int, tuple[bytes, ...]]] = (
    ("a frame without a mask", 1002, (framed(TEXT, _PING, masked=False),)),
    ("a frame with a reserved bit", 1002, (framed(TEXT, _PING, reserved=0x40),)),
    ("a frame of no known kind", 1002, (framed(0x3, _PING),)),
    ("a continuation of nothing", 1002, (framed(CONTINUED, _PING),)),
    ("a text within a text", 1002, (framed(TEXT, b"{", fin=False), framed(TEXT, _PING))),
    ("a ping in pieces", 1002, (framed(PING, b"x", fin=False),)),
    ("a ping of 126 bytes", 1002, (framed(PING, b"x" * 126),)),
    ("a close of one byte", 1002, (framed(CLOSE, b"\x03"),)),
    ("a text that is no UTF-8", 1007, (framed(TEXT, b"\xff\xfe"),)),
    ("a megabyte and more in pieces", 1009, (*_HALVES, framed(CONTINUED, b"x"))),
    ("a frame of 2^62 bytes", 1009, (bytes([0x81, 0xFF]) + struct.pack("!Q", 1 << 62) + b"\0\0\0\0",)),
)
_UPGRADE = "Upgrade: websocket"
_HANDSHAKES: Sequence[tuple[str, Callable[[Field], Awaitable[str]]]] = (
    ("a handshake without a key", refused_handshake(_UPGRADE, "Sec-WebSocket-Version: 13")),
    ("a handshake of version 8", refused_handshake(_UPGRADE, _KEY.replace("13", "8").strip())),
    ("a handshake by POST", refused_handshake(_UPGRADE, _KEY + "Content-Length: 0", method="POST")),
    ("a handshake with the inventory", refused_handshake(_UPGRADE, _KEY.strip(), target="/v1/plugins")),
    ("a handshake by another spelling", refused_handshake(_UPGRADE, _KEY.strip(), target="//v1/events")),
)


def attempts() -> list[Attempt]:
    found = [Attempt("frames", name, ends_with(code, *frames)) for name, code, frames in _BYTES]
    found += [Attempt("frames", name, run) for name, run in _HANDSHAKES]
    found += [
        Attempt("another's rights", "another client answers for a shell", another_answers),
        Attempt("frames", "a thousand notifications that mean nothing", notified),
        Attempt("holding on", "ten thousand pings", pinged),
    ]
    return found
