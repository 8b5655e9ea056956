"""ctx.socket's way: subprotocols, both kinds of frames, close codes, and who ends it."""

import asyncio
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from tests.backends.conftest import PATIENCE_S, ROUTER, BackendHome, Served, serving, until
from tests.server.fakes import TOKEN

pytestmark = [pytest.mark.anyio, pytest.mark.real]

API = (
    ROUTER
    + """
import asyncio, os
from fastapi import WebSocket, WebSocketDisconnect
from fastapi.responses import PlainTextResponse
from loader.backend import publish

left = []

@router.websocket("/echo")
async def echo(socket: WebSocket):
    await socket.accept()
    await socket.send_json({"offered": socket.scope["subprotocols"], "headers": dict(socket.headers)})
    try:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                left.append([message["code"], message.get("reason")])
                return
            if message.get("text") == "close":
                await socket.close(4321, "enough")
                return
            if message.get("text") == "die": os._exit(7)
            if message.get("text") == "raise": raise RuntimeError("oops")
            if message.get("text") is not None: await socket.send_text(message["text"])
            else: await socket.send_bytes(message["bytes"])
    except WebSocketDisconnect:
        pass

@router.websocket("/chosen")
async def chosen(socket: WebSocket):
    await socket.accept(subprotocol="chat.v2")
    await socket.close()

@router.websocket("/refused")
async def refused(socket: WebSocket):
    await socket.close()

@router.websocket("/denied")
async def denied(socket: WebSocket):
    await socket.send_denial_response(PlainTextResponse("not for you, " * 10, 418, {"X-Why": "tea"}))

@router.websocket("/silent")
async def silent(socket: WebSocket):
    await asyncio.sleep(600)

@router.websocket("/dies")
async def dies(socket: WebSocket): os._exit(7)

@router.get("/left")
def all_left(): return left

@router.post("/publish")
def push(event: str = "cards.changed", times: int = 1):
    return [publish(event, {"id": 7}) for _ in range(times)].count(True)

@router.get("/badly")
def badly():
    found = []
    for event, payload in (("a b", {}), ("", {}), ("x" * 200, {}), ("ok", [1]), ("ok", {"a": "x" * 70000}),
                           ("ok", {"a": {1}})):
        try: publish(event, payload)
        except (ValueError, TypeError) as error: found.append(type(error).__name__)
    return found
"""
)


def opened(served: Served, path: str, *subprotocols: str) -> Any:
    return connect(
        f"ws://127.0.0.1:{served.port}/api/plugins/{path}",
        subprotocols=[*subprotocols, f"bearer.{TOKEN}"],  # type: ignore[list-item]
        proxy=None,
        open_timeout=PATIENCE_S,
    )


async def closed(socket: ClientConnection) -> tuple[int, str]:
    async with asyncio.timeout(PATIENCE_S):
        await socket.wait_closed()
    assert socket.close_code is not None
    return socket.close_code, socket.close_reason or ""


async def test_messages_subprotocols_and_close_codes(at: BackendHome) -> None:
    at.package("board", API)
    at.enable("board")
    async with serving(at.home) as served:
        async with opened(served, "board/echo?x=1", "hermes-plugins.v1", "chat.v2") as socket:
            assert socket.subprotocol == "hermes-plugins.v1"
            hello = await socket.recv()
            assert '"offered":["chat.v2"]' in hello and TOKEN not in hello and "hermes-plugins" not in hello
            for message in ("héllo", b"\x00\xff", "x" * 900_000):
                await socket.send(message)
                assert await socket.recv() == message
            await socket.send("close")
            assert await closed(socket) == (4321, "enough")
        async with opened(served, "board/chosen", "hermes-plugins.v1", "chat.v2") as socket:
            assert socket.subprotocol == "chat.v2"
            assert (await closed(socket))[0] == 1000
        async with opened(served, "board/echo") as socket:
            assert socket.subprotocol is None
            await socket.recv()
            await socket.close(4000, "bye")
        async with asyncio.timeout(PATIENCE_S):
            while [4000, "bye"] not in (await served.get("board/left")).json():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        async with opened(served, "board/echo", "hermes-plugins.v1") as socket:
            await socket.send("raise")
            assert (await closed(socket))[0] == 1011


@pytest.mark.parametrize(
    ("path", "status"), [("board/refused", 403), ("board/nowhere", 403), ("nosuch/x", 404), ("board/%2e%2e/x", 400)]
)
async def test_refusals_come_before_an_accept(at: BackendHome, path: str, status: int) -> None:
    at.package("board", API)
    at.enable("board")
    async with serving(at.home) as served:
        with pytest.raises(InvalidStatus) as refused:
            async with opened(served, path, "hermes-plugins.v1"):
                pass
        assert refused.value.response.status_code == status


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("denied", 418, "not for you, " * 10),
        ("silent", 504, "did not answer within 0.2 s"),
        ("dies", 502, "it ended with exit code 7"),
    ],
)
async def test_a_backend_denies_with_its_own_answer_or_it_is_said_that_it_gave_none(
    at: BackendHome, path: str, status: int, said: str
) -> None:
    at.package("board", API)
    at.enable("board")
    async with serving(at.home, answer_s=0.2 if path == "silent" else PATIENCE_S) as served:
        await served.backends.reach("board", PATIENCE_S)
        with pytest.raises(InvalidStatus) as refused:
            async with opened(served, f"board/{path}", "hermes-plugins.v1"):
                pass
        answer = refused.value.response
        assert (answer.status_code, said in (answer.body or b"").decode()) == (status, True)
        assert answer.headers.get("x-why") == ("tea" if path == "denied" else None)


async def test_a_burst_of_events_that_nobody_can_take_up_is_told_to_the_plugin(at: BackendHome) -> None:
    # While it publishes nothing else of its process runs, so that what waits is not sent meanwhile.
    burst = "    sys.setswitchinterval(1000)\n    return [publish('e') for _ in range(2000)].count(False)\n"
    api = "import sys\nfrom loader.backend import publish\n" + ROUTER
    at.package("board", api + "@router.get('/burst')\nasync def burst():\n" + burst)
    at.enable("board")
    async with serving(at.home) as served:
        assert 1500 < (await served.get("board/burst")).json() < 2000
        await until(lambda: len(served.events) > 1)


async def test_a_crash_and_a_renewal_are_told_apart(at: BackendHome) -> None:
    at.package("board", API)
    at.enable("board")
    async with serving(at.home) as served:
        async with opened(served, "board/echo", "hermes-plugins.v1") as socket:
            await socket.recv()
            await socket.send("die")
            assert await closed(socket) == (1011, "the backend ended")
        async with opened(served, "board/echo", "hermes-plugins.v1") as socket:
            await socket.recv()
            await served.backends.restart("board")
            assert await closed(socket) == (1012, "the backend is renewed")


async def test_events_go_out_named_after_the_plugin_and_not_too_many(at: BackendHome) -> None:
    at.package("board", API)
    at.enable("board")
    async with serving(at.home, events_per_s=2.0) as served:
        assert (await served.http.post("/api/plugins/board/publish")).json() == 1
        await until(lambda: len(served.events) == 1)
        assert (served.events[0].plugin, served.events[0].event, served.events[0].payload) == (
            "board",
            "cards.changed",
            {"id": 7},
        )
        assert (await served.get("board/badly")).json() == ["ValueError"] * 3 + ["TypeError", "ValueError", "TypeError"]
        await served.http.post("/api/plugins/board/publish?times=200")
        await served.http.post("/api/plugins/board/publish?event=last")
        assert 1 < len(served.events) < 15
        text = served.parts.hub._ring.after(served.parts.hub.seq - 1)
        assert text and '"method":"plugin.board.' in text[0]
