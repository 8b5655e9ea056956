"""A browser for the renderer, and its files on a port of their own: no service, no network."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.requirements import need

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
