"""Asks one of our own routes from within, with the caller's own token: through the gate, bounded in bytes and time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.types import Message

from loader.pages.host import ANSWER_LIMIT_BYTES, Fetched

_KEPT = ("asgi", "http_version", "scheme", "server", "client")
_CARRIED = ("host", "authorization")


class _TooMuch(BaseException):
    """No Exception: the handlers on the way turn those into answers, and nobody would stop sending."""


async def inner_fetch(
    request: Request, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout_s: float
) -> Fetched:
    """The answer of ``path`` to whoever made ``request``. What goes wrong on the other side is said in ``problem``."""
    status = 0
    data = bytearray()
    payload = b"" if body is None else json.dumps(body).encode("ascii")
    to_send: list[Message] = [{"type": "http.request", "body": payload, "more_body": False}]
    ended = asyncio.Event()

    async def receive() -> Message:
        if to_send:
            return to_send.pop()
        await ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif message["type"] == "http.response.body":
            data.extend(message.get("body", b""))
            if len(data) > ANSWER_LIMIT_BYTES:
                raise _TooMuch

    scope = _scope(request, method, path, len(payload) if body is not None else None)
    try:
        async with asyncio.timeout(timeout_s):
            await request.app(scope, receive, send)
    except TimeoutError:
        return Fetched(0, "", f"the backend did not answer within {timeout_s:g} s")
    except _TooMuch:
        return Fetched(0, "", f"the backend answered with more than {ANSWER_LIMIT_BYTES} bytes")
    finally:
        ended.set()
    try:
        return Fetched(status, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Fetched(0, "", "the backend's answer is no UTF-8")


def _scope(request: Request, method: str, path: str, body_bytes: int | None) -> dict[str, Any]:
    headers = [(name, value) for name, value in request.scope["headers"] if name.decode("latin-1").lower() in _CARRIED]
    if body_bytes is not None:
        headers += [(b"content-type", b"application/json"), (b"content-length", str(body_bytes).encode("ascii"))]
    kept = {key: request.scope[key] for key in _KEPT if key in request.scope}
    return kept | {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("ascii"),
        "root_path": "",
        "query_string": b"",
        "headers": headers,
        "extensions": {},
    }
