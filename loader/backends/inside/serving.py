"""Plays the plugin's ASGI app to the host: one connection is one request or one WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import traceback
from typing import Any

from loader.backends.inside.frames import (
    ACCEPT,
    BODY,
    BROKEN,
    BYTES,
    CLOSE,
    END,
    GONE,
    RESPONSE,
    SCOPE,
    TEXT,
    Stream,
    plain_headers,
    raw_headers,
)

Message = dict[str, Any]
Scope = dict[str, Any]


class Serving:
    """Plays an ASGI app to the host, one connection for each request."""

    def __init__(self, app: Any, secret: str) -> None:
        self._app = app
        self._secret = secret

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stream = Stream(reader, writer)
        try:
            first = await asyncio.wait_for(stream.read(), 10)
            if first is None or first[0] != SCOPE:
                return
            head = json.loads(first[1])
            if not hmac.compare_digest(str(head.pop("secret", "")), self._secret):
                return
            scope = self._scope_of(head)
            if scope["type"] == "websocket":
                await WebSocket(self._app, scope, stream).run()
            else:
                await Http(self._app, scope, stream).run()
        except Exception:  # of older interpreters too, where a timeout has another name; the connection ends alone
            traceback.print_exc()
        finally:
            await stream.finish()

    def _scope_of(self, head: dict[str, Any]) -> Scope:
        scope: Scope = dict(head)
        scope["headers"] = raw_headers(head["headers"])
        scope["raw_path"] = head["raw_path"].encode("latin-1")
        scope["query_string"] = head["query_string"].encode("latin-1")
        for end in ("client", "server"):
            scope[end] = tuple(head[end]) if head.get(end) else None
        # 2.3: Starlette then listens for the disconnect itself.
        scope["asgi"] = {"version": "3.0", "spec_version": "2.3"}
        scope["root_path"] = ""
        scope["state"] = {}
        if scope["type"] == "websocket":
            scope["extensions"] = {"websocket.http.response": {}}
        return scope


class Http:
    def __init__(self, app: Any, scope: Scope, stream: Stream) -> None:
        self._app, self._scope, self._stream = app, scope, stream
        self._body_read = self._started = self._ended = self._gone = False

    async def run(self) -> None:
        try:
            await self._app(self._scope, self._receive, self._send)
        except Exception:
            if not self._gone:
                traceback.print_exc()
        if not self._ended and not self._gone:
            with contextlib.suppress(OSError):
                await self._stream.write(BROKEN)

    async def _receive(self) -> Message:
        got = await self._stream.read()
        if got is not None and not self._body_read and got[0] in (BODY, END):
            self._body_read = got[0] == END
            return {"type": "http.request", "body": got[1], "more_body": not self._body_read}
        self._gone = True
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if self._gone or self._ended:
            return
        try:
            if message["type"] == "http.response.start":
                self._started = True
                head = {"status": int(message["status"]), "headers": plain_headers(message.get("headers", ()))}
                await self._stream.tell(RESPONSE, head)
            elif message["type"] == "http.response.body":
                self._ended = not message.get("more_body", False)
                await self._stream.write_body(message.get("body", b""), self._ended)
        except OSError:
            self._gone = True


class WebSocket:
    def __init__(self, app: Any, scope: Scope, stream: Stream) -> None:
        self._app, self._scope, self._stream = app, scope, stream
        self._greeted = self._accepted = self._ended = False

    async def run(self) -> None:
        code = 1000
        try:
            await self._app(self._scope, self._receive, self._send)
        except Exception:
            traceback.print_exc()
            code = 1011
        if self._ended:
            return
        with contextlib.suppress(OSError):
            if self._accepted:
                await self._stream.tell(CLOSE, {"code": code, "reason": ""})
            else:
                await self._stream.write(BROKEN)

    async def _receive(self) -> Message:
        if not self._greeted:
            self._greeted = True
            return {"type": "websocket.connect"}
        got = await self._stream.read()
        if got is not None and got[0] == TEXT:
            return {"type": "websocket.receive", "text": got[1].decode("utf-8", "surrogatepass")}
        if got is not None and got[0] == BYTES:
            return {"type": "websocket.receive", "bytes": got[1]}
        self._ended = True
        left = json.loads(got[1]) if got is not None and got[0] == GONE else {"code": 1006, "reason": ""}
        return {"type": "websocket.disconnect", "code": left["code"], "reason": left["reason"]}

    async def _send(self, message: Message) -> None:
        kind = message["type"]
        if self._ended:
            raise ConnectionResetError("the WebSocket is closed")
        if kind == "websocket.accept":
            self._accepted = True
            accepted = {
                "subprotocol": message.get("subprotocol"),
                "headers": plain_headers(message.get("headers", ())),
            }
            await self._stream.tell(ACCEPT, accepted)
        elif kind == "websocket.send":
            text = message.get("text")
            if text is not None:
                await self._stream.write(TEXT, text.encode("utf-8", "surrogatepass"))
            else:
                await self._stream.write(BYTES, bytes(message["bytes"]))
        elif kind == "websocket.close":
            self._ended = True
            closing = {"code": int(message.get("code", 1000)), "reason": message.get("reason") or ""}
            await self._stream.tell(CLOSE, closing)
        elif kind == "websocket.http.response.start":
            head = {"status": int(message["status"]), "headers": plain_headers(message.get("headers", ()))}
            await self._stream.tell(RESPONSE, head)
        elif kind == "websocket.http.response.body":
            self._ended = not message.get("more_body", False)
            await self._stream.write_body(message.get("body", b""), self._ended)
