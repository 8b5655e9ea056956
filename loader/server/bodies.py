"""What may come in a body: JSON, at most a mebibyte, read whole and bounded before any handler sees it.

HEAD is a GET whose answer keeps its body to itself: no route of ours has to know of it.
Backends (``/api/plugins``) take what their plugins take and have their own limits.
"""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loader.server.problem_kinds import JSON_ONLY, SLOW_BODY, TOO_LARGE
from loader.server.problems import Problem, refuse

BODY_LIMIT_BYTES = 1024 * 1024
BODY_DEADLINE_S = 30.0
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Bodies:
    def __init__(self, app: ASGIApp, limit_bytes: int = BODY_LIMIT_BYTES, deadline_s: float = BODY_DEADLINE_S) -> None:
        self.app = app
        self.limit_bytes = limit_bytes
        self.deadline_s = deadline_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/api/plugins/"):
            await self.app(scope, receive, send)
            return
        try:
            _judge_headers(scope["method"], Headers(scope=scope), self.limit_bytes)
            async with asyncio.timeout(self.deadline_s):
                body = await self._read(receive)
        except TimeoutError:
            await refuse(Problem(SLOW_BODY, f"more than {self.deadline_s:g} s"), scope, receive, send)
            return
        except Problem as problem:
            await refuse(problem, scope, receive, send)
            return
        if body is not None:
            # The server has its own copy of the scope, and sends no body for it.
            asked = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
            await self.app(asked, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """None when the client left meanwhile."""
        chunks: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            chunk = message.get("body", b"")
            size += len(chunk)
            if size > self.limit_bytes:
                # A chunked body has no length to judge beforehand.
                raise _too_large(self.limit_bytes)
            chunks.append(chunk)
            if not message.get("more_body", False):
                return b"".join(chunks)


def _judge_headers(method: str, headers: Headers, limit_bytes: int) -> None:
    length = headers.get("content-length", "0")
    if length.isascii() and length.isdigit() and int(length[:20]) > limit_bytes:
        raise _too_large(limit_bytes)
    kind = headers.get("content-type")
    has_body = length.strip("0") != "" or "transfer-encoding" in headers
    if method in WRITES and (has_body or kind is not None):
        # Not only tidiness: text/plain and forms are what a foreign page may send without asking.
        media_type = (kind or "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise Problem(JSON_ONLY, "send Content-Type: application/json")


def _too_large(limit_bytes: int) -> Problem:
    return Problem(TOO_LARGE, f"at most {limit_bytes} bytes", headers={"Connection": "close"})


def _replay(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return pending.pop() if pending else await receive()

    return replayed
