"""A service with two web apps and a walled plugin.js on its shelf."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, sync_playwright

from loader.packages.walled import host_of
from loader.server.app import create_app
from loader.server.parts import Parts
from tests.requirements import need, peers
from tests.server.fakes import TOKEN, FakePipeline, make
from tests.server.served import PATIENCE_S, Served, served
from tests.wall.fakes import NOTES, OTHER, FakeShelf, grants, web_app
from tests.wall.installed import BURGLAR, NEIGHBOUR, OUTSIDER, OUTSIDER_SCRIPT, Installed, app_window, ask
from tests.workbench.browsing import BROWSER_FLAGS

PORT = 8787
AUTH = {"Authorization": f"Bearer {TOKEN}"}
PLAIN = "plain"
IN_FRAME = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
OF_THE_PAGE = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}


def package(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(b"<!doctype html><title>Notes</title><script src=assets/app.js></script>")
    (folder / "second.html").write_bytes(b"<!doctype html><title>Second</title>")
    (folder / "assets" / "app.js").write_bytes(b"document.title += '!'")
    (folder / ".hermes").mkdir()
    (folder / ".hermes" / "bridge.js").write_bytes(b"theirs")
    (folder / "v1").mkdir()
    (folder / "v1" / "health").write_bytes(b"theirs")
    return folder


@dataclass
class Walled:
    parts: Parts
    pipeline: FakePipeline
    shelf: FakeShelf
    http: httpx.AsyncClient
    host: str

    async def get(self, path: str, *, host: str | None = None, method: str = "GET", **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.request(method, path, headers={"Host": host or self.host, **named})

    async def open(self, plugin_id: str = NOTES, **headers: str) -> dict[str, Any]:
        answer = await self.http.post(f"/v1/wall/{plugin_id}/frames", headers={**AUTH, **headers})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def show(self, opened: dict[str, Any], **headers: str) -> httpx.Response:
        """What the frame's first request is answered."""
        path = opened["frame_url"].removeprefix(opened["origin"])
        host = opened["origin"].removeprefix("http://")
        return await self.http.get(path, headers={"Host": host, **IN_FRAME, **headers})


def shelf_of(folder: Path) -> FakeShelf:
    return FakeShelf(
        web_app(folder=package(folder / "notes"), grants=grants("tools", "read-only"), version="1.4.0"),
        web_app(OTHER, folder=package(folder / "other")),
        replace(web_app(PLAIN, folder=folder), kind="desktop", entry="plugin.js"),
    )


@pytest.fixture
async def walled(anyio_backend: str, tmp_path: Path) -> AsyncIterator[Walled]:
    shelf = shelf_of(tmp_path)
    parts, pipeline = make(
        shipped={"react": ("useState",), "@hermes/plugin-sdk": ("host",)}, make_shelf=lambda _: shelf
    )
    asgi = create_app(parts, origins=("https://workbench.example",), port=lambda: PORT)
    transport = httpx.ASGITransport(asgi, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}") as http:
        yield Walled(parts, pipeline, shelf, http, f"{host_of(NOTES)}:{PORT}")


# ---------------------------------------------------------------- a real service and a real browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = need("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(BROWSER_FLAGS))
        yield browser
        browser.close()


@dataclass
class Site:
    """A service with packages on it, and an app window whose questions stand in ``asked``."""

    service: Served
    installed: Installed
    asked: list[dict[str, Any]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    need("chromium")
    base = tmp_path_factory.mktemp("wall")
    root = base / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    installed = Installed(root, base / "sources")
    installed.app(BURGLAR, "tools", "read-only")
    installed.app(NEIGHBOUR, "storage")
    installed.plugin(OUTSIDER, OUTSIDER_SCRIPT)
    asked: list[dict[str, Any]] = []
    with served(root, f"--react={peers() / 'node_modules'}") as service, app_window(service, asked):
        end = monotonic() + 2 * PATIENCE_S
        while len([app for app in ask(service, "GET", "/v1/wall")["apps"] if app["enabled"]]) < 3:
            assert monotonic() < end, service.log
            sleep(0.1)  # a poll with a deadline: the shelf is another process's
        yield Site(service, installed, asked)
