"""What answers on a plugin's own host: that plugin's files and our bridge, and nothing of the service's own.

It stands before every other check and every route: a request for such a host never reaches them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from loader.nouns import Running
from loader.packages.walled import Shelf, Walled
from loader.server.modules import JAVASCRIPT
from loader.server.problem_kinds import FOREIGN_HOST, METHOD_NOT_ALLOWED, NOT_FOUND, REFUSED
from loader.server.problems import Problem, refuse
from loader.server.rewrite import rewrite
from loader.server.shims import MODULE_OF, SPECIFIER_OF, shim
from loader.wall.bridge import identity_of
from loader.wall.files import Asset, parts_of_path, read_asset
from loader.wall.frames import Frame, Frames
from loader.wall.headers import walled_headers
from loader.wall.hosts import walled_host
from loader.wall.injection import with_bridge
from loader.wall.paths import BRIDGE_PATH, FRAME_FILES, MODULE_PATH, RESERVED, SDK_PATH, TICKET

BRIDGE_FILE = Path(__file__).parent.parent / "wall" / "bridge.js"
GRANTED_MARK = "/* granted */ null"
PAGE_FOLDER = Path(__file__).parent.parent / "workbench"
SHARED_FOLDER = Path(__file__).parent.parent.parent / "sdk_stubs"
# What a walled plugin.js runs in: files of the page, under a path of the plugin's own host.
FRAME_PAGE = f"""\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>A plugin, running</title>
    <script src="{BRIDGE_PATH}"></script>
    <link rel="stylesheet" href="{FRAME_FILES}preview.css">
    <link rel="stylesheet" href="{FRAME_FILES}frame.css">
    <script type="module" src="{FRAME_FILES}frame.js"></script>
  </head>
  <body><div id="stage"></div></body>
</html>
"""
_FRAME_FILES = frozenset(
    {"frame.js", "frame_policy.js", "shell_context.js", "shell_sdk.js", "frame.css", "preview.css", "color.js"}
)
_SHARED = frozenset({"areas.js", "color.js", "host-policy.js", "host-policy-parts.js", "host-policy-text.js"})
_READS_AT_A_TIME = 4


@dataclass(frozen=True, slots=True)
class HostParts:
    """What the host works with. ``running`` gives the verified bytes of a plugin that runs, ``exports`` the names that
    a shim exports, ``react`` the text of the module that plugins draw with."""

    shelf: Shelf
    frames: Frames
    port: Callable[[], int | None]
    running: Callable[[str], Running | None]
    exports: Callable[[str], tuple[str, ...]]
    react: Callable[[], Awaitable[str | None]]


class WalledHost:
    def __init__(self, parts: HostParts) -> None:
        self._parts = parts
        self._reads = asyncio.Semaphore(_READS_AT_A_TIME)

    def behind(self, hosts: list[str]) -> Walled | None:
        """The plugin whose host this request is for, when it stands on the shelf and is switched on."""
        name = walled_host(hosts[0], self._parts.port()) if len(hosts) == 1 else None
        if name is None:
            return None
        found = next((each for each in self._parts.shelf.all() if each.host == name), None)
        return found if found is not None and found.enabled else None

    async def answer(self, walled: Walled, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        ancestors: tuple[str, ...] = ()
        try:
            _judge(walled, scope, headers)
            ticket = parse_qs(scope["query_string"].decode("latin-1")).get(TICKET, [""])[0]
            frame = self._parts.frames.redeem(ticket, walled.id) if ticket and scope["method"] == "GET" else None
            ancestors = frame.ancestors if frame is not None else ()
            response = await self._find(walled, scope, headers, frame)
        except Problem as problem:
            if scope["type"] == "websocket":
                await refuse(problem, scope, receive, send)
                await asyncio.sleep(0)  # as in the gate
                return
            response = problem.response()
            response.headers["Connection"] = "close"
        for name, value in walled_headers(walled.grants, ancestors).items():
            response.headers[name] = value
        if walled.url is not None:
            # Its page has another origin, and takes nothing from here but the bridge.
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        await response(scope, receive, send)

    async def _find(self, walled: Walled, scope: Scope, headers: Headers, frame: Frame | None) -> Response:
        path: str = scope["path"]
        raw: bytes = scope.get("raw_path") or path.encode("utf-8", "replace")
        if raw == BRIDGE_PATH.encode():
            return _script(await asyncio.to_thread(bridge_text, walled))
        if walled.url is not None:
            raise Problem(NOT_FOUND, "a plugin from a development address is served there")
        if walled.kind == "desktop":
            return await self._desktop(walled, raw.decode("latin-1"), frame)
        parts = parts_of_path(raw)
        if parts is None or path.startswith(RESERVED.rstrip("/")) or walled.folder is None:
            raise Problem(NOT_FOUND, "no such file of this plugin")
        async with self._reads:
            asset = await asyncio.to_thread(read_asset, walled.folder, parts or tuple(walled.entry.split("/")))
        if asset is None:
            raise Problem(NOT_FOUND, "no such file of this plugin")
        if asset.is_document and not _is_subresource(headers) and frame is None:
            raise Problem(REFUSED, "a plugin's page is opened by the host's own page, once")
        # Only what is shown as a page has a bridge: a piece of one that a page fetches is handed over as it lies there.
        data = with_bridge(asset.data) if asset.is_html and frame is not None else asset.data
        return Response(data, media_type=asset.media_type)

    async def _desktop(self, walled: Walled, path: str, frame: Frame | None) -> Response:
        if path == "/":
            if frame is None:
                raise Problem(REFUSED, "a plugin's page is opened by the host's own page, once")
            return Response(FRAME_PAGE, media_type="text/html; charset=utf-8")
        running = self._parts.running(walled.id)
        if running is None:
            raise Problem(NOT_FOUND, "nothing of this plugin runs")
        if path == MODULE_PATH:
            return _script(rewrite(running.source.text, running.imports, _sdk_url))
        module = path.removeprefix(SDK_PATH).removesuffix(".js")
        if path == f"{SDK_PATH}{module}.js" and module in SPECIFIER_OF:
            return _script(shim(SPECIFIER_OF[module], self._parts.exports(SPECIFIER_OF[module])))
        if path == f"{FRAME_FILES}vendor/react.js" and (react := await self._parts.react()) is not None:
            return _script(react)
        asset = (
            await asyncio.to_thread(_frame_file, path.removeprefix(FRAME_FILES))
            if path.startswith(FRAME_FILES)
            else None
        )
        if asset is None:
            raise Problem(NOT_FOUND, "no such file of the frame")
        return Response(asset.data, media_type=asset.media_type)


def _judge(walled: Walled, scope: Scope, headers: Headers) -> None:
    """What a browser itself says about a request: who made it, and what it is for."""
    if scope["type"] != "http":
        raise Problem(FOREIGN_HOST, "no socket is opened on a plugin's host")
    if scope["method"] not in ("GET", "HEAD"):
        raise Problem(METHOD_NOT_ALLOWED, "a plugin's files are read, and nothing else", headers={"Allow": "GET, HEAD"})
    # A worker of that kind would answer later requests itself, without our headers.
    if "service-worker" in headers or headers.get("sec-fetch-dest") == "serviceworker":
        raise Problem(REFUSED, "no service worker is registered behind the wall")
    site, mode = headers.get("sec-fetch-site"), headers.get("sec-fetch-mode")
    navigates = mode == "navigate" and headers.get("sec-fetch-dest") == "iframe"
    of_the_bridge = walled.url is not None and scope["path"] == BRIDGE_PATH
    if mode == "navigate" and not navigates:
        raise Problem(REFUSED, "a plugin's page is shown in a frame of the host's own page")
    if site is not None and site not in ("same-origin", "none") and not navigates and not of_the_bridge:
        raise Problem(REFUSED, "a plugin's files are its own pages' alone")


def _is_subresource(headers: Headers) -> bool:
    """Whether a browser says that this will not be shown as a page. Who says nothing may be about to."""
    return headers.get("sec-fetch-mode", "navigate") != "navigate" and headers.get("sec-fetch-dest") in (
        *("empty", "image", "style", "font", "script"),
    )


def bridge_text(walled: Walled) -> str:
    """The bridge's script for one plugin: what is approved stands in it, so that a page can look before it asks."""
    told: Mapping[str, object] = {"identity": identity_of(walled), "ticket": TICKET}
    return BRIDGE_FILE.read_text("utf-8").replace(GRANTED_MARK, json.dumps(told, ensure_ascii=True), 1)


def _sdk_url(specifier: str) -> str | None:
    module = MODULE_OF.get(specifier)
    return None if module is None else f"{SDK_PATH}{module}.js"


def _frame_file(name: str) -> Asset | None:
    shared = name.removeprefix("shared/")
    if name.startswith("shared/") and shared in _SHARED:
        return Asset((SHARED_FOLDER / shared).read_bytes(), JAVASCRIPT)
    if name not in _FRAME_FILES:
        return None
    data = (PAGE_FOLDER / name).read_bytes()
    if name.endswith(".css"):
        return Asset(data, "text/css; charset=utf-8")
    # The same files as on our own host, where they import each other from.
    return Asset(data.replace(b"'/workbench/", f"'{FRAME_FILES}".encode()), JAVASCRIPT)


def _script(text: str) -> Response:
    return Response(text.encode("utf-8", "surrogatepass"), media_type=JAVASCRIPT)
