"""``/v1/events``: one reader, one sender, and the hub's word when to end."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket

from loader.server.desk import Aside
from loader.server.hub import CLOSE_TEXT_ONLY, Client
from loader.server.jsonrpc import Malformed
from loader.server.parts import CallerHere, PartsHere
from loader.server.problem_kinds import BAD_REQUEST, TOO_MANY
from loader.server.problems import Problem, refuse
from loader.server.protocol import SUBPROTOCOL, Failure
from loader.server.requests import Request, decode
from loader.server.sockets import hang_up

router = APIRouter()


@router.websocket("/v1/events")
async def events(
    websocket: WebSocket, parts: PartsHere, caller: CallerHere, since: Annotated[str | None, Query()] = None
) -> None:
    offered = [name for name in websocket.scope["subprotocols"] if not name.startswith("bearer.")]
    if offered and SUBPROTOCOL not in offered:
        await _deny(websocket, Problem(BAD_REQUEST, f"offer the subprotocol {SUBPROTOCOL}"))
        return
    if parts.hub.is_full:
        await _deny(websocket, Problem(TOO_MANY, "close some"))
        return
    await websocket.accept(SUBPROTOCOL if offered else None)
    client = parts.hub.connect(since)
    client.credential = caller
    aside = Aside(parts.desk, client)
    reader = asyncio.create_task(_read(websocket, client, aside))
    sender = asyncio.create_task(_send(websocket, client))
    try:
        ends: tuple[asyncio.Future[Any], ...] = (reader, sender, client.closed)
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        # First the lists, so that nothing is queued or asked any more; then the tasks.
        parts.hub.disconnect(client)
        parts.desk.leave(client)
        for task in (reader, sender):
            task.cancel()
        await asyncio.gather(reader, sender, aside.stop(), return_exceptions=True)
    if client.closed.done():
        await hang_up(websocket, *client.closed.result())


async def _deny(websocket: WebSocket, problem: Problem) -> None:
    await refuse(problem, websocket.scope, websocket.receive, websocket.send)
    await asyncio.sleep(0)  # as in the gate: let uvicorn see the connection end before the handler does


async def _send(websocket: WebSocket, client: Client) -> None:
    """The only one that sends, so one client's slowness is its own."""
    while True:
        await websocket.send_text(await client.next_text())


async def _read(websocket: WebSocket, client: Client, aside: Aside) -> None:
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None:
            client.close(CLOSE_TEXT_ONLY, "text frames only")
            return
        try:
            received = decode(text)
        except Malformed as malformed:
            if malformed.wants_answer:
                client.send(Failure(malformed.id, malformed.code, str(malformed)))
        else:
            if isinstance(received, Request):
                await aside.handle(received)
            else:
                client.settle(received)
        # Who does not read the answers is asked no further questions.
        await client.queue.has_room()
