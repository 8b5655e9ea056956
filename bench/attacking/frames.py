"""The WebSocket as an attacker uses it, and connections that only hold on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.attacking.attempt import Attempt, Field, Through
from bench.service import stalled_client

_DEEP = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + "[" * 60_000 + "]" * 60_000 + "}}"


def handshake(token: str | None, **more: Any) -> Callable[[Field], Awaitable[str]]:
    """``{token}`` and ``{plugin}`` stand for the real ones."""

    async def run(field: Field) -> str:
        offered = ["hermes-plugins.v1"]
        if token is not None:
            offered.append("bearer." + token.replace("{token}", field.token).replace("{plugin}", field.plugin_token))
        try:
            async with connect(_url(field), subprotocols=offered, proxy=None, **more):  # type: ignore[arg-type]
                raise Through("the socket was opened")
        except InvalidHandshake as error:
            return f"refused before it was accepted ({str(error).rpartition(' ')[2]})"

    return run


def frame(data: str | bytes, *, stays: bool) -> Callable[[Field], Awaitable[str]]:
    """An authorised client sends it; ``stays``: answered with an error, and the connection lives on."""

    async def run(field: Field) -> str:
        async with opened(field) as socket:
            await socket.recv()
            try:
                await socket.send(data)
                if not stays:
                    async with asyncio.timeout(20):
                        while True:
                            await socket.recv()
                answer = await answered(socket, None)
                await socket.send('{"jsonrpc":"2.0","id":"after","method":"ping"}')
                if "result" not in await answered(socket, "after"):
                    raise Through("the connection is of no use any more")
            except ConnectionClosed as closed:
                if closed.rcvd is None:
                    raise Through("the connection broke") from None
                if stays:
                    raise Through(f"the connection was closed: {closed.rcvd.code}") from None
                return f"closed: {closed.rcvd.code}"
        if "error" not in answer:
            raise Through(f"it was answered: {json.dumps(answer)[:80]}")
        return f"error {answer['error']['code']}, the connection stays"

    return run


async def answered(socket: ClientConnection, wanted: str | None) -> dict[str, Any]:
    """The next answer, or the one to that id; events are passed over."""
    async with asyncio.timeout(20):
        while True:
            answer: dict[str, Any] = json.loads(await socket.recv())
            if "method" not in answer and (wanted is None or str(answer.get("id")) == wanted):
                return answer


async def loris(field: Field) -> str:
    """A hundred connections that send a letter now and then; somebody else asks meanwhile."""
    held = [await asyncio.open_connection("127.0.0.1", field.port) for _ in range(100)]
    try:
        for letter in b"GET /v1/pl":
            for _, writer in held:
                writer.write(bytes([letter]))
            async with asyncio.timeout(10):
                (await field.http.get("/v1/health")).raise_for_status()
    finally:
        for _, writer in held:
            writer.close()
    return "everybody else is answered at once"


async def stalled(field: Field) -> str:
    """A client that reads nothing while events pour; another one has to get them all."""
    sleeping = [stalled_client(field.service) for _ in range(5)]
    try:
        async with opened(field) as socket:
            await socket.recv()
            for number in range(20):
                await field.http.put("/v1/plugins/other/enabled", json={"enabled": bool(number % 2)})
            async with asyncio.timeout(20):
                for _ in range(20):
                    await socket.recv()
    finally:
        for client in sleeping:
            client.close()
    return "each client has a queue of its own"


async def long_version(field: Field) -> str:
    """A shell that calls itself by a name of a megabyte, which every row would carry to everybody."""
    async with opened(field) as socket:
        await socket.recv()
        await socket.send(request("shell/mount", version="1" * 1_000_000, focused=True))
        await answered(socket, "1")
        rows = (await field.http.get("/v1/plugins")).json()["plugins"]
        longest = max((len(shell["version"]) for row in rows for shell in row["shells"]), default=0)
    if longest > 1000:
        raise Through(f"rows carry {longest} letters")
    return f"cut to {longest} letters"


async def unread(field: Field) -> str:
    """A thousand requests without reading an answer."""
    async with opened(field) as socket:
        for number in range(1000):
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}))
        async with asyncio.timeout(10):
            (await field.http.get("/v1/health")).raise_for_status()
    return "answers are queued and bounded; everybody else is answered"


def _url(field: Field) -> str:
    return field.service.events_url


def opened(field: Field) -> connect:
    """A client with the endpoint's token."""
    offered: Any = ["hermes-plugins.v1", f"bearer.{field.token}"]
    return connect(_url(field), subprotocols=offered, proxy=None, max_size=None, close_timeout=2)


def request(method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


_FRAMES: tuple[tuple[str, str | bytes, bool], ...] = (
    ("a frame over the limit", "x" * ((1 << 20) + 1), False),
    ("a binary frame", b"\x00\xff" * 10, False),
    ("broken JSON", "{", True),
    ("an empty frame", "", True),
    ("JSON nested 60,000 deep", _DEEP, True),
    (
        "a number of a million digits",
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + "9" * 100_000 + "}}",
        True,
    ),
    ("a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', True),
    ("a method that does not exist", request("shell/destroy"), True),
    ("a method of Python", request("__class__"), True),
    ("params that are no object", '{"jsonrpc":"2.0","id":1,"method":"shell/focus","params":[1]}', True),
    (
        "a report without a shell",
        request("plugin/report", id="board", revision="x", outcome="loaded", phase="import"),
        True,
    ),
    ("an action with a made-up token", request("runAction", plugin_token="A" * 43, action="nav.settings"), True),
    ("a line with a made-up token", request("pet.say", plugin_token="A" * 43, text="hi"), True),
    ("a mount with a million names", request("shell/mount", version="1", focused=True, actions=["a"] * 200_000), True),
)


def attempts() -> list[Attempt]:
    found = [
        Attempt("frames", "no token", handshake(None)),
        Attempt("frames", "a wrong token", handshake("A" * 43)),
        Attempt("frames", "a plugin's token", handshake("{plugin}")),
        Attempt("frames", "the right token from a foreign page", handshake("{token}", origin="https://evil.example")),
        Attempt(
            "frames",
            "the right token for a foreign host",
            handshake("{token}", additional_headers={"X-Forwarded-Host": "x"}, origin="http://evil.example"),
        ),
    ]
    found += [Attempt("frames", name, frame(data, stays=stays)) for name, data, stays in _FRAMES]
    found += [
        Attempt("holding on", "a hundred connections, a letter at a time", loris),
        Attempt("frames", "a mount with a version of a megabyte", long_version),
        Attempt("holding on", "five clients that read nothing", stalled),
        Attempt("holding on", "a thousand requests unread", unread),
    ]
    return found
