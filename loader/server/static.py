"""``/`` and the page's files: static, without secrets, under a policy that lets them load from here alone."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from loader.server.access import WORKBENCH
from loader.server.modules import JAVASCRIPT
from loader.server.problem_kinds import NOT_FOUND
from loader.server.problems import Problem

WORKBENCH_FOLDER = Path(__file__).parent.parent / "workbench"
# What a rehearsal drew is shown in frames without script, whose policy is the page's own and cannot be wider: their
# stylesheet stands inline, so its hash stands here.
PREVIEW_SHEET = "preview.css"
# A plugin that is run in the page lives in this document, and it alone may be framed, by the page alone.
FRAMES = frozenset({"frame.html", "demo.html"})
# Tells whether the browser holds a frame's connections to the list that its page came with.
PROBE = "wall_probe.html"
# Files of the stubs that a shell ships as they are.
SHARED_FOLDER = Path(__file__).parent.parent.parent / "sdk_stubs"
SHARED = frozenset(
    {"host-policy.js", "host-policy-parts.js", "host-policy-text.js", "host-backend.js", "color.js", "areas.js"}
)


# What a record says of a development server is written into a header only in this form.
_DEVELOPED = re.compile(r"http://(?:localhost|127(?:\.[0-9]{1,3}){3})(?::[0-9]{1,5})?", re.ASCII)


def page_policy(preview_sheet: bytes, port: int | None = None, developed: Iterable[str] = ()) -> str:
    """The Content-Security-Policy of the page. ``port``: where we listen, and plugins' own hosts with us.
    ``developed``: origins of web apps under development, whose servers a person agreed to."""
    # Exactly ours: on another port some other program would answer to any of those names.
    walled = "" if port is None else f" http://*.localhost:{port}"
    walled += "".join(f" {each}" for each in sorted(set(developed)) if _DEVELOPED.fullmatch(each))
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            f"style-src 'self' 'sha256-{base64.b64encode(sha256(preview_sheet).digest()).decode()}'",
            # Style attributes are part of what previews show; the page itself writes none from text.
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            # Older WebKit does not count ws: of the same origin as 'self'.
            "connect-src 'self' ws://127.0.0.1:* ws://localhost:*",
            f"frame-src 'self'{walled}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types preview",
        )
    )


# ``sandbox`` makes its origin opaque also where somebody opens it outside of a sandboxed frame.
FRAME_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        # No document of its own making, where the names that frame.js takes away would be there again.
        "require-trusted-types-for 'script'",
        "trusted-types default",
        "sandbox allow-scripts",
    )
)
# Both names of ours are allowed here, and one of them by the list: what still answers shows who keeps to it.
PROBE_HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "connect-src http://127.0.0.1:* http://localhost:*",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
            "sandbox allow-scripts",
        )
    ),
    "Connection-Allowlist": "(response-origin)",
    "X-Frame-Options": "SAMEORIGIN",
}
COMMON_HEADERS = {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}


def page_headers(
    folder: Path = WORKBENCH_FOLDER, port: int | None = None, developed: Iterable[str] = ()
) -> dict[str, str]:
    sheet = folder / PREVIEW_SHEET
    return {
        "Content-Security-Policy": page_policy(sheet.read_bytes() if sheet.is_file() else b"", port, developed),
        "Cross-Origin-Opener-Policy": "same-origin",
        **COMMON_HEADERS,
    }


class _PageFiles(StaticFiles):
    def __init__(self, folder: Path, headers: dict[str, str]) -> None:
        super().__init__(directory=folder)
        self._headers = headers

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if path in FRAMES:
            framed = {
                "Content-Security-Policy": FRAME_POLICY,
                "X-Frame-Options": "SAMEORIGIN",
                "X-DNS-Prefetch-Control": "off",
                **COMMON_HEADERS,
            }
            response.headers.update(framed)
        elif path == PROBE:
            response.headers.update(PROBE_HEADERS | COMMON_HEADERS)
        else:
            response.headers.update(self._headers)
        return response


def mount_page(app: FastAPI, folder: Path = WORKBENCH_FOLDER) -> None:
    """``<folder>/index.html`` at ``/``, and all its files below ``/workbench/``."""
    headers = page_headers(folder)

    async def page(request: Request) -> Response:
        # The page alone shows plugins' frames, and the port is known only once the socket is bound.
        port = getattr(request.app.state, "port", lambda: None)()
        parts = getattr(request.app.state, "parts", None)
        urls = () if parts is None else (urlsplit(each.url) for each in parts.shelf.all() if each.url is not None)
        developed = [f"{url.scheme}://{url.netloc}" for url in urls]
        fresh = headers if port is None else page_headers(folder, port, developed)
        return FileResponse(folder / "index.html", headers=fresh)

    async def shared(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in SHARED:
            raise Problem(NOT_FOUND, "no such file of the page")
        return FileResponse(SHARED_FOLDER / name, headers=headers)

    async def vendor(request: Request) -> Response:
        react = await request.app.state.react.text()
        if react is None:
            raise Problem(
                NOT_FOUND, "plugins run in the page with React: hermes-desktop react fetch, or serve --react-dir"
            )
        return Response(react, media_type=JAVASCRIPT, headers=headers)

    app.add_route("/", page, methods=["GET"], include_in_schema=False)
    app.add_route(f"{WORKBENCH}shared/{{name}}", shared, methods=["GET"], include_in_schema=False)
    app.add_route(f"{WORKBENCH}vendor/react.js", vendor, methods=["GET"], include_in_schema=False)
    app.mount(WORKBENCH.rstrip("/"), _PageFiles(folder, headers), name="workbench")
