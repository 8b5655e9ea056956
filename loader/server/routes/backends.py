"""``/api/plugins/{id}/…``: the plugin's own backend, and ``/v1/backends``: what is known of all of them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from loader.backends.failures import Unavailable
from loader.backends.headers import TIMEOUT_HEADER
from loader.backends.host import Backends
from loader.backends.paths import BadPath, judge_path
from loader.backends.relay import CutShort, NotReached, relay_http, relay_websocket
from loader.server.backend_problems import KINDS, problem_of
from loader.server.json_answer import JsonAnswer
from loader.server.parts import PartsHere
from loader.server.problems import documented, refuse

router = APIRouter(tags=["backends"])

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
# Of workers that were gone before the request reached them.
TRIES = 3
ANY_PATH = "/api/plugins/{rest:path}"


class BackendRow(BaseModel):
    name: str = Field(examples=["team-board"])
    folder: str | None = Field(examples=["team-board"])
    state: str = Field(
        description="idle, starting, running, failed, crashed, stopped, or why it may not run", examples=["running"]
    )
    detail: str = Field(examples=["starts with the first request"])
    failure: dict[str, Any] | None = Field(description="code, message, file, line, trace", examples=[None])
    pid: int | None = Field(examples=[4711])
    python: str | None = Field(examples=["/usr/bin/python3"])
    sandboxed: bool | None = Field(examples=[False])


class BackendRows(BaseModel):
    backends: list[BackendRow]


BackendName = Annotated[str, Path(description="the name in dashboard/manifest.json", examples=["team-board"])]


@router.get("/v1/backends", response_model=BackendRows)
async def list_backends(parts: PartsHere) -> Any:
    """All backends of the home, sorted by name."""
    return JsonAnswer({"backends": [] if parts.backends is None else await parts.backends.rows()})


@router.post("/v1/backends/{name}/restart", response_model=BackendRow, responses=documented(*KINDS.values()))
async def restart_backend(name: BackendName, parts: PartsHere) -> Any:
    """A new worker for it, also after it crashed too often. Answers its row."""
    try:
        backends = _backends(parts.backends)
        await backends.restart(name)
    except Unavailable as error:
        raise problem_of(error) from error
    return JsonAnswer(await backends.row(name))


class Proxied(Response):
    """An answer that is made while it is sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await proxy(scope, receive, send)


@router.get(
    "/api/plugins/{id}/{path}",
    response_class=Response,
    responses={200: {"description": "What the backend answers", "content": {}}, **documented(*KINDS.values())},
    summary="The plugin's own backend",
)
async def backend(
    request: Request,
    plugin: Annotated[str, Path(alias="id", description="the plugin's id or key", examples=["team-board"])],
    path: Annotated[str, Path(description="any path of the backend's own", examples=["cards"])],
) -> Response:
    """Any method and any deeper path, as the plugin's router has it; bodies of any size stream both ways, and a
    WebSocket goes the same way. `Hermes-Timeout-Ms` bounds the wait for the first byte of the answer."""
    return Proxied()


class Raw:
    """An ASGI app as an endpoint: no method is left out, nothing of the request is touched."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await proxy(scope, receive, send)


# What the documented route above does not match: other methods, the bare root, deeper paths, WebSockets.
router.routes.append(Route(ANY_PATH, Raw(), include_in_schema=False))
router.routes.append(WebSocketRoute(ANY_PATH, Raw()))


async def proxy(scope: Scope, receive: Receive, send: Send) -> None:
    """Find the worker and hand the request over. Every problem leaves as a document, or as a denied WebSocket."""
    is_socket = scope["type"] == "websocket"
    try:
        if is_socket:
            await receive()  # websocket.connect
        backends = _backends(scope["app"].state.parts.backends)
        relay = relay_websocket if is_socket else relay_http
        name, answer_s = _name_of(scope), _deadline_s(Headers(scope=scope), backends)
        for _ in range(TRIES):
            worker = await backends.reach(name)
            with suppress(NotReached):
                await relay(worker, scope, receive, send, answer_within_s=answer_s)
                return
        raise Unavailable("crashed", f"{name} ends as soon as it is started")
    except Unavailable as error:
        await refuse(problem_of(error), scope, receive, send)
        if is_socket:
            await asyncio.sleep(0)  # as in the gate: let uvicorn see the connection end before the handler does
    except CutShort:
        # Nothing honest can be said any more: an answer that is not completed makes the server drop the connection.
        return


def _name_of(scope: Scope) -> str:
    found = judge_path(scope.get("raw_path") or scope["path"].encode("utf-8", "surrogatepass"))
    if isinstance(found, BadPath):
        raise Unavailable("bad-path", found.why)
    plugin = scope["app"].state.parts.pipeline.find(found.name) if ":" in found.name else None
    return found.name if plugin is None else str(plugin.id)


def _deadline_s(headers: Headers, backends: Backends) -> float:
    said = headers.get(TIMEOUT_HEADER.decode(), "")
    if not (said.isascii() and said.isdigit() and 0 < len(said) < 10):
        return backends.settings.answer_s
    return min(max(int(said) / 1000, 0.001), backends.settings.longest_answer_s)


def _backends(found: Backends | None) -> Backends:
    if found is None:
        raise Unavailable("no-manifest", "this service runs no backends")
    return found
