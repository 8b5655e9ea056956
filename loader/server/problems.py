"""Errors over HTTP: RFC 9457 problem documents with a stable ``type``. Other parts make their own ``Kind``."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loader.errors import LoaderError, NeedsPerson, TimedOut, UsageError
from loader.nouns import Json
from loader.server.problem_kinds import (
    APPROVAL_REQUIRED,
    BAD_REQUEST,
    INTERNAL,
    INVALID,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    REFUSED,
    TIMED_OUT,
    Kind,
)

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"


class ProblemDocument(BaseModel):
    """RFC 9457."""

    type: str = Field(examples=["urn:hermes-desktop:problem:unknown-plugin"])
    title: str = Field(examples=["No such plugin"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["'dmeo' is neither an id nor a key of a plugin here"])


@dataclass(eq=False)
class Problem(Exception):
    """Raise it in a handler, or send it with ``refuse`` before one. ``extra`` adds members to the document."""

    kind: Kind
    detail: str
    extra: Mapping[str, Json] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        document = {
            "type": self.kind.type,
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            **self.extra,
        }
        # Escaped: what a caller wrote may hold a lone surrogate, which UTF-8 cannot carry.
        body = json.dumps(document, ensure_ascii=True, allow_nan=False).encode("ascii")
        return Response(body, self.kind.status, headers=dict(self.headers), media_type=MEDIA_TYPE)


def documented(*kinds: Kind) -> dict[int | str, dict[str, Any]]:
    """For a route's ``responses``: the problems it may answer beside its own words."""
    found: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        entry = found.setdefault(kind.status, {"description": kind.title, "content": {MEDIA_TYPE: {"examples": {}}}})
        content = entry["content"][MEDIA_TYPE]
        content["schema"] = {"$ref": "#/components/schemas/ProblemDocument"}
        document = {"type": kind.type, "title": kind.title, "status": kind.status, "detail": "why, in one line"}
        content["examples"][kind.slug] = {"value": document}
    return found


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer instead of the app: over HTTP, or as a denial before a WebSocket is accepted."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": problem.kind.slug})
        return
    await problem.response()(scope, receive, send)


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """How an error of a layer below leaves over HTTP. ``more`` gives members of the document beside its words."""

    error: type[LoaderError]
    kind: Kind
    more: Callable[[Any], Mapping[str, Json]] = lambda _: {}
    retry_after_s: int | None = None


GENERAL_ERRORS = (
    ErrorRow(UsageError, INVALID),
    ErrorRow(NeedsPerson, APPROVAL_REQUIRED, lambda _: {"approval_required": True}),
    ErrorRow(TimedOut, TIMED_OUT),
    ErrorRow(LoaderError, REFUSED),
)


def problem_for(error: LoaderError, rows: Sequence[ErrorRow] = GENERAL_ERRORS) -> Problem:
    """By the first row that fits: those of a part stand before the general ones."""
    row = next(row for row in rows if isinstance(error, row.error))
    headers = {} if row.retry_after_s is None else {"Retry-After": str(row.retry_after_s)}
    return Problem(row.kind, str(error), row.more(error), headers)


def install(app: FastAPI, *rows: ErrorRow) -> None:
    """Every error of the app leaves as a problem document; ``rows`` are those of its parts."""
    table = (*rows, *GENERAL_ERRORS)

    def on_loader_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, LoaderError)  # noqa: S101 - Starlette hands over what was registered
        return problem_for(error, table).response()

    app.add_exception_handler(Problem, _on_problem)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(LoaderError, on_loader_error)


def _on_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)  # noqa: S101 - Starlette hands over what was registered
    return error.response()


def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    kinds = {404: NOT_FOUND, 405: METHOD_NOT_ALLOWED, 400: BAD_REQUEST}
    kind = kinds.get(error.status_code) or Kind(
        f"http-{error.status_code}", error.status_code, HTTPStatus(error.status_code).phrase
    )
    headers = dict(error.headers or {})
    if kind is METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_allowed(request))
    return Problem(kind, f"{request.method}: {error.detail}", headers=headers).response()


def _allowed(request: Request) -> list[str]:
    """Starlette names the methods of the first route of a path; others take the others."""
    routes = [route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE]
    methods = {method for route in routes for method in getattr(route, "methods", None) or ()}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


def _on_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    # Only where and what: the value itself may be a secret (a code), so it is never echoed.
    found = [(".".join(str(part) for part in item["loc"]), str(item["msg"])) for item in error.errors()][:20]
    errors: list[Json] = [{"field": where, "message": message} for where, message in found]
    return Problem(INVALID, "; ".join(f"{where}: {message}" for where, message in found), {"errors": errors}).response()


class Bugs:
    """ASGI middleware: a failure of ours is logged once, without the path (it may hold a capability), and said.

    Starlette's own place for this stands outside every other middleware, so its answers lack the safe headers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def sent(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except Exception as error:  # whatever it is, it is the last stop before the wire
            log.error("%s failed", getattr(scope.get("route"), "path", "a request"), exc_info=error)
            if not started:
                await refuse(Problem(INTERNAL, "see the service's log"), scope, receive, send)
