"""How tests look at the page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from loader import client
from tests.server.served import Served, home_at
from tools.demo_home import fill

# A name of somebody else's that points at this machine.
REBOUND = "rebound.example"
BROWSER_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # The browser's own guard of local addresses is off: what keeps others out has to be the service.
    "--disable-features=LocalNetworkAccessChecks",
    f"--host-resolver-rules=MAP {REBOUND} 127.0.0.1",
)
# What the browser itself says of a service that is away, or of a refusal that the test is about.
LOST_WORDS = ("ERR_CONNECTION_REFUSED", "WebSocket connection to", "status of 401", "status of 403", "status of 404")
PATIENCE_MS = 20_000

expect.set_options(timeout=PATIENCE_MS)


def link(service: Served) -> str:
    """A link with a one-time code, as `hermes-desktop open` prints it."""
    with client.connect(home_at(service.root)) as connected:
        return connected.page_link()


def enter(page: Page, service: Served) -> None:
    page.set_default_timeout(PATIENCE_MS)
    page.goto(link(service))
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")


def row(page: Page, plugin_id: str) -> Locator:
    return page.locator(f"tr[data-key='standalone:{plugin_id}']")


def see(page: Page, hash_: str) -> None:
    page.evaluate("hash => { location.hash = hash }", hash_)


def examples_into(root: Path) -> None:
    fill(root)
