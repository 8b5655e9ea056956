"""A web app under development in a real browser: its own server's page, the bridge, live reload, and the end of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from loader.packages.grants import Grants
from loader.packages.install import Packages
from loader.packages.planning import Word
from loader.packages.probe import fetch, probed, staging
from loader.packages.sources import parse_source
from loader.packages.walled import host_of
from loader.server.static import page_policy
from loader.testing import FakeAnalyzer
from tests.packages.dev_server import DevServer, dev_server
from tests.requirements import need
from tests.server.served import Served, home_at, served
from tests.wall.installed import APP_SCRIPT, app_window
from tests.workbench.browsing import enter, see, until

APP = "com.example.board"
GRANTS = Grants(frozenset({"tools"}), frozenset({"read-only"}))
MANIFEST = {
    "kind": "web-app",
    "id": APP,
    "name": "Board",
    "version": "1.2.0",
    "requestedApis": ["tools"],
    "permissions": ["read-only"],
}


def page_text(port: int, heading: str = "An app") -> str:
    return f"""\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>An app</title>
<script src="http://{host_of(APP)}:{port}/.hermes/bridge.js"></script></head>
<body><h1>{heading}</h1><p id="who"></p><p id="apis"></p><button id="read">Read</button><p id="said"></p>
<script src="app.js"></script></body></html>
"""


@dataclass
class Bench:
    service: Served
    server: DevServer
    packages: Packages
    asked: list[dict[str, Any]]

    def install(self) -> None:
        def act() -> None:
            with staging(self.packages.home) as place:
                probe = asyncio.run(probed(fetch(parse_source(self.server.url)[0], place), FakeAnalyzer()))
                self.packages.install(probe, self.packages.plan(probe), Word(GRANTS, enable=True))

        # While Playwright runs, this thread has an event loop already, and a probe wants one of its own.
        with ThreadPoolExecutor(1) as another:
            another.submit(act).result()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    need("chromium")
    root: Path = tmp_path_factory.mktemp("development") / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    asked: list[dict[str, Any]] = []
    with served(root) as service, app_window(service, asked), dev_server({"app.js": APP_SCRIPT}) as server:
        server.files |= {"plugin.json": json.dumps(MANIFEST), "index.html": page_text(service.port)}
        yield Bench(service, server, Packages(home_at(root)), asked)


def open_app(page: Page) -> FrameLocator:
    see(page, f"#/app/{APP}")
    return page.frame_locator("iframe.walled-frame")


def read(frame: FrameLocator) -> None:
    frame.locator("#read").click()
    expect(frame.locator("#said")).to_have_text('{"ok":true,"data":"read"}')


@pytest.mark.real
def test_it_is_shown_by_its_own_server_reloads_and_ends_with_the_switch(browser: Browser, bench: Bench) -> None:
    page = browser.new_page()
    enter(page, bench.service)
    see(page, "#/packages")
    page.get_by_label("Install from").fill(bench.server.url)
    page.get_by_role("button", name="Look at it").click()
    dialog = page.locator("#install")
    expect(dialog).to_contain_text(f"whatever {bench.server.url} sends at any time runs, unseen by any check")
    expect(dialog).to_contain_text("but no network wall")
    expect(dialog).not_to_contain_text("behind the wall")
    for box in dialog.get_by_role("checkbox").all():
        box.check()
    dialog.get_by_role("button", name="Install").click()
    expect(page.locator(f".package[data-id='{APP}']")).to_contain_text("Board")
    assert bench.packages.entry(APP).consent.approved == GRANTS
    # The page's policy names the servers that were agreed to when it was opened: it asks to be loaded anew.
    see(page, f"#/app/{APP}")
    page.get_by_role("button", name="Load this page anew").click()
    frame = page.frame_locator("iframe.walled-frame")
    expect(frame.locator("#who")).to_have_text(APP)
    expect(frame.locator("#apis")).to_have_text("identity tools")
    expect(page.get_by_role("status").filter(has_text="without the network wall")).to_be_visible()
    assert frame.locator("body").evaluate("() => location.href") == bench.server.url
    assert frame.locator("body").evaluate("() => meithPlugin.identity.version") == "1.2.0"
    read(frame)
    assert bench.asked[-1]["params"]["owner"] == f"plugin:{APP}"

    # What a development server's live reload does, twice: the page comes anew and its bridge with it.
    for heading in ("Changed", "Changed again"):
        bench.server.files["index.html"] = page_text(bench.service.port, heading)
        frame.locator("body").evaluate("() => { location.reload() }")
        expect(frame.locator("h1")).to_have_text(heading)
        expect(frame.locator("#who")).to_have_text(APP)
        read(frame)

    # The sandbox holds without any header of its server's.
    refused = frame.locator("body").evaluate(
        """() => {
          const said = []
          for (const act of [() => parent.document, () => top.location.href, () => { top.location = '/' }]) {
            try { act(); said.push('done') } catch (error) { said.push(error.name) }
          }
          said.push(String(open('about:blank')))
          return said
        }"""
    )
    assert refused == ["SecurityError", "SecurityError", "SecurityError", "null"]

    bridge = f"http://127.0.0.1:{bench.service.port}/.hermes/bridge.js"
    host = {"Host": f"{host_of(APP)}:{bench.service.port}"}
    assert httpx.get(bridge, headers=host, trust_env=False).status_code == 200
    bench.packages.switch_app(APP, False)
    expect(page.locator("iframe.walled-frame")).to_have_count(0)
    expect(page.locator(".empty")).to_contain_text("it was switched off")
    assert httpx.get(bridge, headers=host, trust_env=False).status_code != 200
    before = len(bench.asked)

    bench.packages.switch_app(APP, True)
    expect(frame.locator("#who")).to_have_text(APP)
    read(frame)
    assert len(bench.asked) == before + 1
    page.close()


@pytest.mark.real
def test_what_is_not_approved_is_not_there_and_another_server_gets_nothing(browser: Browser, bench: Bench) -> None:
    bench.install()
    page = browser.new_page()
    enter(page, bench.service)
    frame = open_app(page)
    expect(frame.locator("#who")).to_have_text(APP)
    assert frame.locator("body").evaluate("() => 'ai' in meithPlugin || 'cdp' in meithPlugin") is False
    with dev_server({"index.html": "<h1>Elsewhere</h1>"}, "127.0.0.1") as elsewhere:
        # Where it goes by itself is held by the page around it: no other server is shown in that frame.
        frame.locator("body").evaluate("(_, url) => { location.href = url }", elsewhere.url)
        until(page, "document.querySelector('iframe.walled-frame') === null")
        assert elsewhere.asked == []
    page.close()


def test_only_what_reads_as_a_loopback_origin_comes_into_the_policy() -> None:
    def frames(*origins: str) -> str:
        policy = page_policy(b"", 8787, origins)
        return next(part for part in policy.split("; ") if part.startswith("frame-src"))

    own = "frame-src 'self' http://*.localhost:8787"
    assert frames() == own
    assert frames("http://localhost:5173", "http://127.0.0.2") == f"{own} http://127.0.0.2 http://localhost:5173"
    for wrong in (
        "http://example.org",
        "http://localhost:5173; script-src *",
        "https://localhost",
        "http://localhost\n",
    ):
        assert frames(wrong) == own
