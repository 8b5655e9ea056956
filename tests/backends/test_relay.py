"""One request on its way to a worker that says what it likes: its caller gets an answer, or the reason why not."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from loader.backends.failures import Failure, Unavailable
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
    Frame,
    Stream,
)
from loader.backends.process import WorkerProcess
from loader.backends.relay import CutShort, NotReached, relay_http, relay_websocket

pytestmark = pytest.mark.anyio

PATIENCE_S = 60.0
HEAD = {"status": 200, "headers": [["x-a", "b"]]}


def said(value: object) -> bytes:
    return json.dumps(value).encode()


class Scripted:
    """In place of a worker's process: once it has heard the head, it says these frames and ends the connection."""

    def __init__(self, path: Path, frames: list[Frame], stays: bool) -> None:
        self.secret = "s"
        self.name = "board"
        self.failure: Failure | None = None
        self.gone = asyncio.Event()
        self.gone.set()
        self.draining = asyncio.Event()
        self.heard: list[Frame] = []
        self.answering: set[asyncio.Task[None]] = set()
        self.path = path
        self._frames = frames
        self._stays = stays

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.answering.add(asyncio.current_task())  # type: ignore[arg-type]
        stream = Stream(reader, writer)
        with contextlib.suppress(OSError):
            first = await stream.read()
            assert first is not None
            assert first[0] == SCOPE
            for frame in self._frames:
                await stream.write(*frame)
            while self._stays and (got := await stream.read()) is not None:
                self.heard.append(got)
        stream.close()
        await writer.wait_closed()

    @contextmanager
    def request(self) -> Iterator[None]:
        yield

    async def connect(self) -> Stream:
        return Stream(*await asyncio.open_unix_connection(self.path))


class Caller:
    """The ASGI server's side."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.sent: list[dict[str, Any]] = []
        self._messages = list(messages)

    async def receive(self) -> dict[str, Any]:
        if self._messages:
            return self._messages.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Any) -> None:
        self.sent.append(dict(message))


@asynccontextmanager
async def worker(folder: Path, *frames: Frame, stays: bool = False) -> AsyncIterator[Scripted]:
    made = Scripted(folder / "s", list(frames), stays)
    path = made.path
    path.unlink(missing_ok=True)
    async with await asyncio.start_unix_server(made.answer, path):
        yield made
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*made.answering)


def scope(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "method": "GET", "path": "/x", "headers": [], "subprotocols": [], **more}


async def http(here: Scripted, *messages: dict[str, Any], answer_within_s: float = PATIENCE_S) -> list[dict[str, Any]]:
    caller = Caller(*(messages or ({"type": "http.request"},)))
    worker = cast("WorkerProcess", here)
    await relay_http(worker, scope("http"), caller.receive, caller.send, answer_within_s=answer_within_s)
    return caller.sent


async def websocket(here: Scripted, *messages: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    caller = Caller(*messages)
    worker = cast("WorkerProcess", here)
    asked = scope("websocket", **more)
    await relay_websocket(worker, asked, caller.receive, caller.send, answer_within_s=PATIENCE_S)
    return caller.sent


# ---------------------------------------------------------------- HTTP


@pytest.mark.parametrize(
    "first",
    [
        (RESPONSE, b"no JSON"),
        (RESPONSE, b"[]"),
        (RESPONSE, b"7"),
        (RESPONSE, b"[" * 200_000),
        (RESPONSE, said({"status": 200})),
        (RESPONSE, said({**HEAD, "status": "200"})),
        (RESPONSE, said({**HEAD, "status": 101})),
        (RESPONSE, said({**HEAD, "status": 999})),
        (RESPONSE, said({**HEAD, "headers": [["a\r\nb", "c"]]})),
        (RESPONSE, said({**HEAD, "headers": [["\u20ac", "c"]]})),
        (RESPONSE, said({**HEAD, "headers": [[1, 2]]})),
        (RESPONSE, said({**HEAD, "headers": [["a"]]})),
        (RESPONSE, said({**HEAD, "headers": "abc"})),
        (BODY, b"x"),
        (b"?", said(HEAD)),
    ],
)
async def test_an_answer_that_http_cannot_carry_is_none(tmp_path: Path, first: Frame) -> None:
    async with worker(tmp_path, first) as here:
        with pytest.raises(Unavailable, match="none that HTTP can carry"):
            await http(here)
        with pytest.raises(Unavailable, match="none that HTTP can carry"):
            await websocket(here, extensions={"websocket.http.response": {}})


async def test_a_handler_that_raised_is_an_empty_500(tmp_path: Path) -> None:
    async with worker(tmp_path, (BROKEN, b"")) as here:
        denied = await websocket(here, extensions={"websocket.http.response": {}})
    assert [message.get("status") for message in denied] == [500, None]


async def test_a_backend_that_ends_before_it_answers_is_told_with_what_it_left(tmp_path: Path) -> None:
    async with worker(tmp_path) as here:
        with pytest.raises(Unavailable, match="broke off before it answered"):
            await http(here)
        here.failure = Failure("crashed", "it ended with exit code 3", trace="the last line")
        for ask in (http, websocket):
            with pytest.raises(Unavailable, match="exit code 3") as told:
                await ask(here)
            assert told.value.extra == {"trace": "the last line"}


@pytest.mark.parametrize("then", [(), ((BODY, b"a"),), ((BODY, b"a"), (TEXT, b"b"))])
async def test_an_answer_that_breaks_off_is_no_short_one(tmp_path: Path, then: tuple[Frame, ...]) -> None:
    async with worker(tmp_path, (RESPONSE, said(HEAD)), *then) as here:
        with pytest.raises(CutShort):
            await http(here)


async def test_a_caller_that_leaves_is_no_failure_of_the_backend(tmp_path: Path) -> None:
    async with worker(tmp_path, stays=True) as here:
        sent = await http(here, {"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"})
    assert sent == []
    assert here.heard == [(BODY, b"x")]


async def test_a_backend_that_does_not_answer_in_time_is_told(tmp_path: Path) -> None:
    async with worker(tmp_path, stays=True) as here:
        with pytest.raises(Unavailable, match=r"did not answer within 0\.01 s"):
            await http(here, answer_within_s=0.01)
    assert here.heard == [(END, b"")]


async def test_a_worker_that_is_gone_was_not_reached(tmp_path: Path) -> None:
    for ask in (http, websocket):
        with pytest.raises(NotReached):
            await ask(Scripted(tmp_path / "nobody", [], stays=False))


# ---------------------------------------------------------------- WebSocket

ACCEPTED = (ACCEPT, said({"subprotocol": None, "headers": []}))
ACCEPTS: dict[str, Any] = {"type": "websocket.accept", "subprotocol": None, "headers": []}


@pytest.mark.parametrize(
    ("last", "code", "reason"),
    [
        ((CLOSE, said({"code": 4000, "reason": "bye"})), 4000, "bye"),
        ((CLOSE, said({"code": 1005})), 1000, ""),
        ((CLOSE, said({"code": 1006})), 1011, ""),
        ((CLOSE, said({"code": 99})), 1011, ""),
        ((CLOSE, said({"code": "1000"})), 1011, ""),
        ((CLOSE, said({})), 1011, ""),
        ((CLOSE, said({"code": 1000, "reason": "x" * 100})), 1000, "x" * 40),
        ((CLOSE, b"no JSON"), 1011, "the backend ended"),
        ((CLOSE, b"[]"), 1011, "the backend ended"),
        ((CLOSE, b"[" * 200_000), 1011, "the backend ended"),
        ((b"?", b""), 1011, "the backend ended"),
        (None, 1011, "the backend ended"),
    ],
)
async def test_however_a_backend_ends_the_caller_is_told_by_a_close_that_may_be_sent(
    tmp_path: Path, last: Frame | None, code: int, reason: str
) -> None:
    frames = (ACCEPTED, (TEXT, b"\xff"), (BYTES, b"\0"), *((last,) if last is not None else ()))
    async with worker(tmp_path, *frames) as here:
        sent = await websocket(here)
    assert sent == [
        ACCEPTS,
        {"type": "websocket.send", "text": "\ufffd"},
        {"type": "websocket.send", "bytes": b"\0"},
        {"type": "websocket.close", "code": code, "reason": reason},
    ]


@pytest.mark.parametrize(
    "first",
    [
        b"no JSON",
        b"[]",
        b"[" * 200_000,
        said({"subprotocol": None}),
        said({"headers": []}),
        *(
            said({"subprotocol": None, "headers": headers})
            for headers in ("abc", [["\u20ac", "x"]], [[1, 2]], [["a\r\nb", "c"]], 7)
        ),
    ],
)
async def test_an_accept_that_cannot_be_understood_is_none(tmp_path: Path, first: bytes) -> None:
    async with worker(tmp_path, (ACCEPT, first)) as here:
        with pytest.raises(Unavailable, match="none that HTTP can carry"):
            await websocket(here)


async def test_without_a_way_to_deny_it_is_closed(tmp_path: Path) -> None:
    for first in ((CLOSE, said({"code": 1000})), (RESPONSE, said(HEAD)), (BROKEN, b"")):
        async with worker(tmp_path, first) as here:
            assert await websocket(here) == [{"type": "websocket.close", "code": 1000}]


async def test_a_denial_comes_whole_however_it_was_cut(tmp_path: Path) -> None:
    pieces = ((RESPONSE, said({"status": 401, "headers": []})), (BODY, b"not "), (BODY, b"for "), (END, b"you"))
    async with worker(tmp_path, *pieces) as here:
        head, body = await websocket(here, extensions={"websocket.http.response": {}})
    assert (head["status"], body["body"], body["more_body"]) == (401, b"not for you", False)


async def test_to_a_caller_that_is_gone_nothing_more_is_sent(tmp_path: Path) -> None:
    class Gone(Caller):
        async def send(self, message: Any) -> None:
            await super().send(message)
            if message["type"] == "websocket.send":
                raise OSError(32, "Broken pipe")

    caller = Gone()
    async with worker(tmp_path, ACCEPTED, (TEXT, b"one"), (TEXT, b"two"), stays=True) as here:
        await relay_websocket(
            cast("WorkerProcess", here), scope("websocket"), caller.receive, caller.send, answer_within_s=PATIENCE_S
        )
    assert [message["type"] for message in caller.sent] == ["websocket.accept", "websocket.send"]


async def test_what_the_caller_says_goes_on_and_its_leaving_too(tmp_path: Path) -> None:
    messages = (
        {"type": "websocket.receive", "text": "\ud800"},
        {"type": "websocket.receive", "text": None, "bytes": b"\0"},
        {"type": "websocket.disconnect"},
    )
    async with worker(tmp_path, ACCEPTED, stays=True) as here:
        asking = asyncio.create_task(websocket(here, *messages))
        async with asyncio.timeout(PATIENCE_S):
            assert await asking == [ACCEPTS]
    assert here.heard == [(TEXT, b"\xed\xa0\x80"), (BYTES, b"\0"), (GONE, said({"code": 1005, "reason": ""}))]
