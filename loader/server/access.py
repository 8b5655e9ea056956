"""The gate: Host, Origin and token are judged here, before any handler runs and before a WebSocket is accepted.

Why each check is needed, though the service listens on loopback only:

- Host: a web page can point its own name at 127.0.0.1 (DNS rebinding) and is then *same-origin* with us; only the
  Host header still shows the foreign name.
- Origin: every web page may open a WebSocket to localhost or send simple requests, without asking anybody.
- Token: any local program can connect. Only who can read endpoint.json (0600), or was let in by such a one, gets on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loader.errors import UsageError
from loader.nouns import PluginCaller
from loader.server.problem_kinds import BAD_REQUEST, FOREIGN_HOST, FOREIGN_ORIGIN, NOT_YOURS, UNAUTHORIZED
from loader.server.problems import Problem, refuse
from loader.server.sessions import Caller, Credentials
from loader.server.sockets import until
from loader.server.walled_host import WalledHost
from loader.wall.hosts import is_walled_origin

OriginKind: TypeAlias = Literal["none", "own", "configured", "app", "foreign"]

BEARER = "bearer."
HOST = re.compile(
    r"(?P<name>localhost|\[::1\]|(?:[0-9]{1,3}\.){3}[0-9]{1,3})(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE
)
HEADER_NAMES = re.compile(r"[A-Za-z0-9-]{1,64}(?: ?, ?[A-Za-z0-9-]{1,64}){0,30}", re.ASCII)
MODULE_DOORS = ("/modules/", "/sdk/")
WORKBENCH = "/workbench/"
PLUGIN_SUBJECTS = frozenset({"actions", "pet", "notifications"})
PREFLIGHT_AGE_S = 600
DEFAULT_PORTS = {"http": 80, "https": 443}

# Modules are fetched by import() from any page or frame that holds the capability, and by nobody else.
MODULE_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "no-store",
}
OWN_HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Frame-Options": "DENY",
}
ALL_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def host_is_loopback(host: str | None) -> bool:
    """``localhost``, ``127.0.0.0/8`` or ``[::1]``, with or without a port, whole and spelled plainly."""
    found = HOST.fullmatch(host or "")
    if found is None:
        return False
    name = found["name"].lower()
    if name in ("localhost", "[::1]"):
        return True
    try:
        return IPv4Address(name).is_loopback
    except ValueError:
        return False


def origin_kind(origin: str | None, host: str, configured: frozenset[str], port: int | None) -> OriginKind:
    """Web origins are compared whole (scheme, host, port). ``port``: where we listen, None when unknown."""
    if origin is None:
        return "none"
    spelled = origin.strip().lower()
    if not spelled.startswith(("http:", "https:")):
        return "app"
    if is_walled_origin(spelled):
        return "foreign"  # also where somebody configured it: behind the wall there is the bridge alone
    own = {f"http://{host.lower()}"}
    if port is not None:
        own |= {f"http://127.0.0.1:{port}", f"http://localhost:{port}"}
    if spelled in own:
        return "own"
    return "configured" if spelled in configured else "foreign"


def needs_no_token(method: str, path: str, raw_path: bytes | None) -> bool:
    """The open doors of protocol.md. A path that is not spelled plainly is no open door, whatever it decodes to."""
    if raw_path is not None and raw_path != path.encode("utf-8", "replace"):
        return False
    if "//" in path or "\\" in path or any(part in (".", "..") for part in path.split("/")):
        return False
    if method in ("GET", "HEAD"):
        return path in ("/", "/v1/health") or path.startswith((*MODULE_DOORS, WORKBENCH))
    return method == "POST" and path == "/v1/session"


def is_module_path(path: str) -> bool:
    return path.startswith(MODULE_DOORS)


def plugin_may(caller: PluginCaller, path: str, id_of: Callable[[str], str | None]) -> bool:
    """Whether a plugin's token opens this path: its own policy and backend routes, and nothing else.

    ``id_of`` gives the id behind a key, since a path may name a plugin by either.
    """
    match path.split("/")[1:]:
        case ["v1", "plugins", name, subject, *_]:
            opened = subject in PLUGIN_SUBJECTS
        case ["api", "plugins", name, *_]:
            opened = True
        case _:
            return False
    return opened and (name == caller.plugin or id_of(name) == caller.plugin)


def bearer_of(scope: Scope, headers: Headers) -> str | None:
    """The token that was presented; a WebSocket of a browser can carry it in its subprotocols only."""
    authorization = headers.get("authorization")
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    for offered in scope.get("subprotocols", ()) if scope["type"] == "websocket" else ():
        if offered.startswith(BEARER):
            return str(offered[len(BEARER) :])
    return None


@dataclass(frozen=True, slots=True)
class Gate:
    """What the checks compare with. ``port`` is asked each time: it is known only once the socket is bound."""

    credentials: Credentials
    origins: frozenset[str]
    port: Callable[[], int | None]
    id_of: Callable[[str], str | None]


def normal_origins(origins: Iterable[str]) -> frozenset[str]:
    """As browsers write them. Raises UsageError for one that no browser sends: it would let nobody in."""
    return frozenset(map(_as_browsers_write, origins))


def _as_browsers_write(origin: str) -> str:
    try:
        parts = urlsplit(origin.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if (
        not host
        or not origin.isascii()
        or parts.scheme not in DEFAULT_PORTS
        or parts.path not in ("", "/")
        or any((parts.query, parts.fragment, "@" in parts.netloc))
    ):
        raise UsageError(
            f"--origin {origin!r} is no web origin: give scheme, host and port, no path (https://app.example:8443). "
            "An app's own pages (file:, its own scheme) need none."
        )
    where = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{where}" + ("" if port in (None, DEFAULT_PORTS[parts.scheme]) else f":{port}")


class Access:
    """ASGI middleware. The judged caller stands in ``scope["state"]["caller"]`` (None at the open doors)."""

    def __init__(self, app: ASGIApp, gate: Gate, walled: WalledHost | None = None) -> None:
        self.app = app
        self.gate = gate
        self.walled = walled

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self.walled is not None and (plugin := self.walled.behind(headers.getlist("host"))) is not None:
            # Another origin, another world: nothing of what follows answers there.
            await self.walled.answer(plugin, scope, receive, send)
            return
        answer = _with_headers(send, scope, headers.get("origin"))
        try:
            self._judge_host_and_origin(scope, headers)
            if is_preflight(scope, headers):
                await _answer_preflight(scope, headers, answer)
                return
            scope.setdefault("state", {})["caller"] = self._judge_token(scope, headers)
            if not scope["path"].startswith("/"):
                raise Problem(BAD_REQUEST, "the request's target is an address or no path: it must begin with a slash")
        except Problem as problem:
            # A foreign page gets no permission to read why it was turned away.
            foreign = problem.kind in (FOREIGN_HOST, FOREIGN_ORIGIN)
            await refuse(problem, scope, receive, _with_headers(send, scope, None) if foreign else answer)
            # uvicorn complains about an unfinished handshake unless the connection is seen to be gone first.
            await asyncio.sleep(0)
            return
        left_s = self.gate.credentials.left_s(scope["state"]["caller"])
        if scope["type"] == "websocket" and left_s is not None:
            # What was opened with a session ends with it: else its events and calls would outlive what let them in.
            receive = until(left_s, scope, receive, answer)
        await self.app(scope, receive, answer)

    def _judge_host_and_origin(self, scope: Scope, headers: Headers) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not host_is_loopback(hosts[0]):
            raise Problem(FOREIGN_HOST, "the Host header names no loopback address")
        if scope["type"] == "http" and is_module_path(scope["path"]):
            return
        port = self.gate.port()
        for origin in headers.getlist("origin"):
            if origin_kind(origin, hosts[0], self.gate.origins, port) == "foreign":
                raise Problem(FOREIGN_ORIGIN, "start the service with --origin to let a web page in")

    def _judge_token(self, scope: Scope, headers: Headers) -> Caller | None:
        token = bearer_of(scope, headers)
        caller = self.gate.credentials.who(token) if token else None
        path: str = scope["path"]
        if scope["type"] == "http" and needs_no_token(scope["method"], path, scope.get("raw_path")):
            return caller
        if caller is None:
            raise Problem(UNAUTHORIZED, "send the endpoint's token as bearer", headers={"WWW-Authenticate": "Bearer"})
        if isinstance(caller, PluginCaller):
            if not plugin_may(caller, path, self.gate.id_of):
                raise Problem(NOT_YOURS, f"this token belongs to the plugin {caller.plugin!r}")
            if not caller.alive and path.startswith("/api/"):
                # The policy has its own words for a dead token; a backend belongs to the revision that runs.
                raise Problem(UNAUTHORIZED, "the revision that held this token no longer runs")
        return caller


def is_preflight(scope: Scope, headers: Headers) -> bool:
    return (
        scope["type"] == "http"
        and scope["method"] == "OPTIONS"
        and "origin" in headers
        and "access-control-request-method" in headers
    )


async def _answer_preflight(scope: Scope, headers: Headers, send: Send) -> None:
    """Before the token check: a browser sends no token with it. The origin was found good already."""
    answer = MutableHeaders()
    wanted = headers.get("access-control-request-headers", "")
    answer["Access-Control-Allow-Methods"] = "GET, HEAD, POST, PUT, PATCH, DELETE"
    # Backends have headers of their own, and "*" would not cover Authorization.
    answer["Access-Control-Allow-Headers"] = wanted if HEADER_NAMES.fullmatch(wanted) else "authorization, content-type"
    answer["Access-Control-Max-Age"] = str(PREFLIGHT_AGE_S)
    answer["Content-Length"] = "0"
    if headers.get("access-control-request-private-network") == "true":
        answer["Access-Control-Allow-Private-Network"] = "true"
    await send({"type": "http.response.start", "status": 204, "headers": answer.raw})
    await send({"type": "http.response.body", "body": b""})


def _with_headers(send: Send, scope: Scope, origin: str | None) -> Send:
    """Put the safe headers on every answer of ours, and the permission to read it for an origin that was let in."""
    module = is_module_path(scope["path"])
    # A plugin's backend says for itself how its answers may be used.
    safe = {} if scope["path"].startswith("/api/") else {**ALL_HEADERS, **(MODULE_HEADERS if module else OWN_HEADERS)}

    async def sent(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            for name, value in safe.items():
                headers.setdefault(name, value)
            if origin is not None and not module:
                headers["Access-Control-Allow-Origin"] = origin
                headers["Access-Control-Expose-Headers"] = "*"
                headers.add_vary_header("Origin")
            message = {**message, "headers": headers.raw}
        await send(message)

    return sent
