"""What a worker says to whoever connects: to a stranger nothing, to the host one answer for each request."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from loader.backends.inside.frames import (
    ACCEPT,
    BODY,
    BROKEN,
    BYTES,
    CHUNK_BYTES,
    CLOSE,
    END,
    RESPONSE,
    SCOPE,
    TEXT,
    Frame,
    Stream,
)
from loader.backends.inside.serving import Serving

pytestmark = pytest.mark.anyio

SECRET = "the host's"
PATIENCE_S = 60.0
Heard = list[Frame]
App = Callable[[Any, Any, Any], Awaitable[None]]


def scope(kind: str = "http", secret: str = SECRET) -> dict[str, Any]:
    return {
        "secret": secret,
        "type": kind,
        "method": "GET",
        "path": "/x",
        "raw_path": "/x",
        "query_string": "",
        "headers": [],
        "client": None,
        "server": ["127.0.0.1", 1],
        "subprotocols": [],
    }


@asynccontextmanager
async def worker_of(app: App, folder: Path) -> AsyncIterator[Callable[[], Awaitable[Stream]]]:
    path = folder / "s"
    serving = Serving(app, SECRET)
    answering: set[asyncio.Task[Any]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answering.add(asyncio.current_task())  # type: ignore[arg-type]
        await serving.connected(reader, writer)
        await writer.wait_closed()

    server = await asyncio.start_unix_server(connected, path)

    async def connect() -> Stream:
        return Stream(*await asyncio.open_unix_connection(path))

    async with server:
        yield connect
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*answering)


async def heard(stream: Stream) -> Heard:
    """All that the worker says until it ends the connection."""
    found: Heard = []
    async with asyncio.timeout(PATIENCE_S):
        while (got := await stream.read()) is not None:
            found.append(got)
    stream.close()
    return found


async def answers(app: App, folder: Path, kind: bytes, said: object, *more: Frame) -> Heard:
    async with worker_of(app, folder) as connect:
        stream = await connect()
        await stream.tell(kind, said)
        for each in more:
            await stream.write(*each)
        return await heard(stream)


async def never(*_: object) -> None:
    raise AssertionError("the plugin was asked")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (SCOPE, scope(secret="guessed")),
        (SCOPE, {key: value for key, value in scope().items() if key != "secret"}),
        (SCOPE, scope(secret="")),
        (SCOPE, [SECRET]),
        (BODY, scope()),
    ],
)
async def test_a_stranger_on_its_socket_is_answered_nothing_and_reaches_no_plugin(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], kind: bytes, said: object
) -> None:
    assert await answers(never, tmp_path, kind, said) == []
    assert SECRET not in capfd.readouterr().err


async def test_one_who_leaves_without_a_word_disturbs_nobody(tmp_path: Path) -> None:
    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async with worker_of(app, tmp_path) as connect:
        (await connect()).close()
        stream = await connect()
        await stream.tell(SCOPE, scope())
        assert [kind for kind, _ in await heard(stream)] == [RESPONSE, END]


async def test_a_handler_that_ends_without_an_answer_is_told_as_broken(tmp_path: Path) -> None:
    async def app(*_: object) -> None:
        return None

    assert await answers(app, tmp_path, SCOPE, scope()) == [(BROKEN, b"")]
    assert await answers(app, tmp_path, SCOPE, scope("websocket")) == [(BROKEN, b"")]


async def test_nothing_follows_the_end_of_an_answer(tmp_path: Path) -> None:
    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"whole"})
        await send({"type": "http.response.body", "body": b" and more"})
        await send({"type": "http.response.trailers"})

    assert (await answers(app, tmp_path, SCOPE, scope()))[1:] == [(END, b"whole")]


async def test_a_large_body_comes_in_pieces_that_the_host_takes(tmp_path: Path) -> None:
    whole = bytes(range(256)) * (3 * CHUNK_BYTES // 256) + b"!"

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": whole})

    first, *pieces = await answers(app, tmp_path, SCOPE, scope())
    assert first[0] == RESPONSE
    assert [kind for kind, _ in pieces] == [BODY, BODY, BODY, END]
    assert b"".join(piece for _, piece in pieces) == whole


async def test_a_body_is_read_once_and_then_the_caller_may_only_leave(tmp_path: Path) -> None:
    seen: list[Any] = []

    async def app(_: Any, receive: Any, __: Any) -> None:
        seen.extend([await receive(), await receive(), await receive()])

    more = ((BODY, b"one"), (END, b"two"), (END, b"what no caller sends"))
    assert await answers(app, tmp_path, SCOPE, scope(), *more) == []
    assert [message["type"] for message in seen] == ["http.request", "http.request", "http.disconnect"]
    assert [(message.get("body"), message.get("more_body")) for message in seen[:2]] == [
        (b"one", True),
        (b"two", False),
    ]


async def test_a_websocket_may_be_denied_with_an_answer_of_its_own(tmp_path: Path) -> None:
    async def app(_: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.http.response.start", "status": 401, "headers": [(b"x-why", b"no")]})
        await send({"type": "websocket.http.response.body", "body": b"not ", "more_body": True})
        await send({"type": "websocket.http.response.body", "body": b"you"})

    first, *body = await answers(app, tmp_path, SCOPE, scope("websocket"))
    assert first[0] == RESPONSE
    assert json.loads(first[1]) == {"status": 401, "headers": [["x-why", "no"]]}
    assert body == [(BODY, b"not "), (END, b"you")]


async def test_a_websocket_that_is_closed_takes_no_more(tmp_path: Path) -> None:
    refused: list[str] = []

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "bytes": b"\x00"})
        await send({"type": "websocket.close"})
        try:
            await send({"type": "websocket.send", "text": "late"})
        except OSError as error:
            refused.append(str(error))

    said = await answers(app, tmp_path, SCOPE, scope("websocket"))
    assert [kind for kind, _ in said] == [ACCEPT, BYTES, CLOSE]
    assert json.loads(said[-1][1]) == {"code": 1000, "reason": ""}
    assert refused == ["the WebSocket is closed"]


async def test_a_websocket_whose_host_is_gone_is_told_of_an_abnormal_end(tmp_path: Path) -> None:
    left: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        left.set_result([await receive(), await receive()])

    async with worker_of(app, tmp_path) as connect:
        stream = await connect()
        await stream.tell(SCOPE, scope("websocket"))
        await stream.write(TEXT, b"\xed\xa0\x80 is half a pair")
        assert (await stream.read() or (b"",))[0] == ACCEPT
        stream.close()
        async with asyncio.timeout(PATIENCE_S):
            text, end = await left
    assert text == {"type": "websocket.receive", "text": "\ud800 is half a pair"}
    assert end == {"type": "websocket.disconnect", "code": 1006, "reason": ""}
