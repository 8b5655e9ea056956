"""One request on its way to a worker and back: ASGI on the caller's side, frames on the worker's.

Nothing is held: each piece of a body goes on as it comes, and a side that does not read holds up the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from loader.backends.answer_body import AnswerBody, said_length
from loader.backends.failures import Unavailable
from loader.backends.headers import Header, for_backend, from_backend, to_backend
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
from loader.backends.process import WorkerProcess

log = logging.getLogger(__name__)

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

OUR_SUBPROTOCOL = "hermes-plugins.v1"
SETTLE_WITHIN_S = 1.0
DENIAL_LIMIT_BYTES = 64 * 1024
CLOSE_RESTART = 1012
CLOSE_BROKEN = 1011
CLOSE_NO_STATUS = 1005
CLOSE_ABNORMAL = 1006


class CutShort(Exception):
    """The backend ended in the middle of an answer: the caller must see a broken connection, not a short body."""


def scope_json(scope: Scope, secret: str, subprotocols: list[str]) -> dict[str, Any]:
    headers: list[Header] = to_backend(scope["headers"], subprotocols=subprotocols)
    raw_path = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogatepass")
    head = {
        "secret": secret,
        "type": scope["type"],
        "http_version": scope.get("http_version", "1.1"),
        "scheme": scope.get("scheme", "http"),
        "path": scope["path"],
        "raw_path": raw_path.decode("latin-1"),
        "query_string": scope.get("query_string", b"").decode("latin-1"),
        "headers": plain_headers(headers),
        "client": scope.get("client"),
        "server": scope.get("server"),
    }
    if scope["type"] == "websocket":
        return head | {"subprotocols": subprotocols}
    return head | {"method": scope["method"]}


class NotReached(Exception):
    """The worker was gone before anything of the request reached it: another one may be asked."""


async def _settled(worker: WorkerProcess) -> None:
    """Its connection ends before its process is seen to: whoever asks next must find the new state."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SETTLE_WITHIN_S):
            await worker.gone.wait()


async def _crashed(worker: WorkerProcess) -> Unavailable:
    await _settled(worker)
    failure = worker.failure
    if failure is None:
        return Unavailable("crashed", "the backend broke off before it answered")
    return Unavailable("crashed", f"the backend ended before it answered: {failure.error}", {"trace": failure.trace})


async def relay_http(
    worker: WorkerProcess, scope: Scope, receive: Receive, send: Send, *, answer_within_s: float
) -> None:
    """Until the answer is whole, or the caller has left.

    ``answer_within_s``: from the last byte of the request to the first of the answer.
    Raises NotReached before anything reached the worker, Unavailable while nothing has been sent back, CutShort after
    that.
    """
    with worker.request():
        stream = await _opened(worker, scope, [])
        request = _Request(stream, receive)
        try:
            async with asyncio.timeout(None) as deadline:
                request.begin(lambda: deadline.reschedule(asyncio.get_running_loop().time() + answer_within_s))
                first = await stream.read()
                deadline.reschedule(None)
                if first is None:
                    if request.left:
                        return
                    raise await _crashed(worker)
                head = _head_of(first)
            await send({"type": "http.response.start", **head})
            body = AnswerBody(scope["method"], **head)
            while (got := await stream.read()) is not None and got[0] in (BODY, END):
                more = got[0] == BODY
                piece = body.take(got[1])
                if not more and (body.lacks or body.excess):
                    log.warning("an answer of the backend %s has not the length that its header says", worker.name)
                if not more and body.lacks:
                    break
                await send({"type": "http.response.body", "body": piece, "more_body": more})
                if not more:
                    return
            if not request.left:
                if got is None:
                    await _settled(worker)
                raise CutShort
        except TimeoutError:
            raise Unavailable("timed-out", f"the backend did not answer within {answer_within_s:g} s") from None
        finally:
            await request.end()


class _Request:
    """Sends the caller's body on, then listens for the caller to leave, which closes the worker's end too."""

    def __init__(self, stream: Stream, receive: Receive) -> None:
        self.left = False
        self._stream = stream
        self._receive = receive
        self._task: asyncio.Task[None] | None = None

    def begin(self, on_sent: Callable[[], None]) -> None:
        self._task = asyncio.create_task(self._run(on_sent))

    async def end(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._stream.close()

    async def _run(self, on_sent: Callable[[], None]) -> None:
        # An error here is a worker that reads no more: its answer, or its end, is seen by who reads it.
        with contextlib.suppress(OSError):
            while True:
                message = await self._receive()
                if message["type"] != "http.request":
                    self.left = True
                    self._stream.close()
                    return
                body, more = message.get("body", b""), message.get("more_body", False)
                await self._stream.write_body(body, last=not more)
                if not more:
                    on_sent()


async def _opened(worker: WorkerProcess, scope: Scope, subprotocols: list[str]) -> Stream:
    try:
        stream = await worker.connect()
        await stream.tell(SCOPE, scope_json(scope, worker.secret, subprotocols))
    except OSError:
        await _crashed(worker)
        raise NotReached from None
    return stream


def _head_of(first: tuple[bytes, bytes]) -> dict[str, Any]:
    """``{status, headers}`` of an answer that the backend began, or of the one for a handler that raised."""
    kind, payload = first
    if kind == BROKEN:
        return {"status": 500, "headers": [(b"content-length", b"0")]}
    try:
        said = json.loads(payload)
        status, headers = said["status"], from_backend(raw_headers(said["headers"]))
        if kind != RESPONSE or not isinstance(status, int) or not 200 <= status <= 599 or headers is None:
            raise _unfit()
        said_length(headers)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _unfit() from None
    return {"status": status, "headers": headers}


def _unfit() -> Unavailable:
    return Unavailable("crashed", "the backend's answer is none that HTTP can carry")


# ---------------------------------------------------------------- WebSocket


async def relay_websocket(
    worker: WorkerProcess, scope: Scope, receive: Receive, send: Send, *, answer_within_s: float
) -> None:
    """Until one side closes. Raises NotReached or Unavailable while the WebSocket is not accepted."""
    offered: list[str] = list(scope.get("subprotocols", ()))
    theirs = for_backend(offered)
    with worker.request():
        stream = await _opened(worker, scope, theirs)
        try:
            try:
                async with asyncio.timeout(answer_within_s):
                    first = await stream.read()
            except TimeoutError:
                raise Unavailable("timed-out", f"the backend did not answer within {answer_within_s:g} s") from None
            if first is None:
                raise await _crashed(worker)
            if first[0] != ACCEPT:
                await _deny(first, stream, scope, send)
                return
            try:
                said = json.loads(first[1])
                chosen, headers = said["subprotocol"], from_backend(raw_headers(said["headers"]))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise _unfit() from None
            if headers is None:
                raise _unfit()
            if chosen not in theirs:
                chosen = OUR_SUBPROTOCOL if OUR_SUBPROTOCOL in offered else None
            await send({"type": "websocket.accept", "subprotocol": chosen, "headers": headers})
            await _both_ways(worker, stream, receive, send)
        finally:
            stream.close()


async def _both_ways(worker: WorkerProcess, stream: Stream, receive: Receive, send: Send) -> None:
    upwards = asyncio.create_task(_to_worker(stream, receive))
    downwards = asyncio.create_task(_to_caller(stream, send))
    renewed = asyncio.create_task(worker.draining.wait())
    try:
        await asyncio.wait({upwards, downwards, renewed}, return_when=asyncio.FIRST_COMPLETED)
        code, reason = CLOSE_BROKEN, "the backend ended"
        if upwards.done() and upwards.result():
            # The caller closed. Let the backend read so before its connection goes.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SETTLE_WITHIN_S):
                    await downwards
            return
        if downwards.done():
            if downwards.exception() is not None:
                return  # what could not be sent: the caller is gone, and there is nobody to close to
            closed = downwards.result()
            if closed is None and not renewed.done():
                await _settled(worker)
            code, reason = closed or (code, reason)
        elif renewed.done():
            code, reason = CLOSE_RESTART, "the backend is renewed"
    finally:
        for task in (upwards, downwards, renewed):
            task.cancel()
        await asyncio.gather(upwards, downwards, renewed, return_exceptions=True)
    await send({"type": "websocket.close", "code": code, "reason": reason})


async def _to_worker(stream: Stream, receive: Receive) -> bool:
    """Gives whether the caller closed (else the worker reads no more)."""
    with contextlib.suppress(OSError):
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                with contextlib.suppress(OSError):
                    code = message.get("code") or CLOSE_NO_STATUS
                    await stream.tell(GONE, {"code": code, "reason": message.get("reason") or ""})
                return True
            text = message.get("text")
            if text is not None:
                await stream.write(TEXT, text.encode("utf-8", "surrogatepass"))
            else:
                await stream.write(BYTES, message["bytes"])
    return False


async def _to_caller(stream: Stream, send: Send) -> tuple[int, str] | None:
    """How the backend closed; None when it just ended, or said what is no close."""
    while (got := await stream.read()) is not None:
        kind, payload = got
        if kind == TEXT:
            await send({"type": "websocket.send", "text": payload.decode("utf-8", "replace")})
        elif kind == BYTES:
            await send({"type": "websocket.send", "bytes": payload})
        elif kind == CLOSE:
            try:
                said = json.loads(payload)
                return _sendable(said.get("code")), str(said.get("reason") or "")[:40]
            except (ValueError, AttributeError, RecursionError):
                return None
        else:
            return None
    return None


def _sendable(code: object) -> int:
    if not isinstance(code, int):
        return CLOSE_BROKEN
    if code == CLOSE_NO_STATUS:
        return 1000
    return code if code in (1000, 1001, 1002, 1003, *range(1007, 1015)) or 3000 <= code <= 4999 else CLOSE_BROKEN


async def _deny(first: tuple[bytes, bytes], stream: Stream, scope: Scope, send: Send) -> None:
    """The backend did not accept: its own answer if it gave one, else 403, as every ASGI server does."""
    if first[0] == CLOSE:
        await send({"type": "websocket.close", "code": 1000})
        return
    head = _head_of(first)
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1000})
        return
    # Whole before it is sent: a denial that breaks off is taken for an accepted WebSocket that fails.
    body = bytearray()
    while first[0] == RESPONSE and len(body) <= DENIAL_LIMIT_BYTES and (got := await stream.read()) is not None:
        body += got[1]
        if got[0] != BODY:
            break
    headers = [(name, value) for name, value in head["headers"] if name != b"content-length"]
    await send({"type": "websocket.http.response.start", "status": head["status"], "headers": headers})
    await send({"type": "websocket.http.response.body", "body": bytes(body), "more_body": False})
