"""``/`` and the page's files: static, without secrets, under a policy that lets them load from here alone."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from loader.server.access import WORKBENCH

WORKBENCH_FOLDER = Path(__file__).parent.parent / "workbench"

# Older WebKit does not count ws: of the same origin as 'self'.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self' ws://127.0.0.1:* ws://localhost:*",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
PAGE_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}


class _PageFiles(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(PAGE_HEADERS)
        return response


def mount_page(app: FastAPI, folder: Path = WORKBENCH_FOLDER) -> None:
    """``<folder>/index.html`` at ``/``, and all its files below ``/workbench/``."""

    async def page(_: Request) -> Response:
        return FileResponse(folder / "index.html", headers=PAGE_HEADERS)

    app.add_route("/", page, methods=["GET"], include_in_schema=False)
    app.mount(WORKBENCH.rstrip("/"), _PageFiles(directory=folder), name="workbench")
