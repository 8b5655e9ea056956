"""A browser; the renderer's files on a port of their own, without a service; and a service with a Hermes elsewhere."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from loader import client
from loader.pages.connections import PageHosts
from tests.pages.elsewhere import HIDE, PENDING
from tests.pages.fake_hermes import TOKEN, FakeHermes, fake_hermes
from tests.requirements import need
from tests.server.served import PATIENCE_S, Served, home_at, served

PACKAGE = Path(__file__).parent.parent.parent / "loader"
HARNESS = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Pages</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/workbench/pages.css">
<style>:root { color-scheme: light dark } body { margin: 0; background: light-dark(#fbfbfa, #141518) }</style></head>
<body><main></main><script type="module">
import * as pages from '/workbench/pages.js'
window.pages = pages
window.show = (document_, id) => {
  window.sent = []
  const drawn = pages.renderPage(document_, id, { onAction: (item, state) => void window.sent.push([item.id, state]) })
  window.drawn = drawn
  document.querySelector('main').replaceChildren(drawn.element)
}
window.ready = true
</script></body></html>"""
# What the page's own policy forbids, this one does too; the harness's script is its own.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


class _Files(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        body = HARNESS.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture(scope="session")
def files() -> Iterator[str]:
    """The address of the harness: ``window.show(document, page)`` draws."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(PACKAGE)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = need("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    need("chromium")
    root = tmp_path_factory.mktemp("elsewhere") / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    with served(root) as found:
        yield found


@pytest.fixture
def hermes(service: Served) -> Iterator[FakeHermes]:
    """Connected as `office`."""
    hosts = PageHosts(home_at(service.root).state_dir)
    with fake_hermes() as fake:
        fake.offer("weather", updates={"poll_seconds": 1})
        hosts.connect("office", fake.url, token=TOKEN)
        yield fake
        hosts.disconnect("office")


@pytest.fixture
def page(browser: Browser, service: Served, hermes: FakeHermes) -> Iterator[Page]:
    """The hub, entered, with a clock of the test's own. It may speak to our service and to nobody else."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    pending = PENDING[page] = set()
    page.on("request", lambda request: pending.add(request))
    page.on("requestfinished", lambda request: pending.discard(request))
    page.on("requestfailed", lambda request: pending.discard(request))
    told: list[str] = []
    page.on("response", lambda answer: told.append(answer.text()) if "/v1/page" in answer.url else None)
    page.clock.install(time=0)
    page.add_init_script(f"({HIDE})()")
    with client.connect(home_at(service.root)) as connected:
        code = connected.page_link().partition("#")[2]
    page.goto(f"{service.endpoint.url}/workbench/pages.html#{code}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    # From here on the page's time stands still, but for what a test lets pass.
    page.clock.pause_at(3_600_000)
    yield page
    context.close()
    assert [url for url in asked if not url.startswith(service.endpoint.url)] == []
    assert told and all(TOKEN not in text for text in told)
