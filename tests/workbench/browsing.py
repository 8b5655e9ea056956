"""How tests look at the page."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from loader import client
from tests.server.served import Served, home_at

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
LOST_WORDS = (
    "ERR_CONNECTION_REFUSED",
    "ERR_FAILED",
    "WebSocket connection to",
    "status of 401",
    "status of 403",
    "status of 404",
)
PATIENCE_MS = 30_000

expect.set_options(timeout=PATIENCE_MS)


def link(service: Served) -> str:
    """A link with a one-time code, as `hermes-desktop open` prints it."""
    with client.connect(home_at(service.root)) as connected:
        return connected.page_link()


def enter(page: Page, service: Served) -> None:
    page.set_default_timeout(PATIENCE_MS)
    page.goto(link(service))
    live(page)


def live(page: Page) -> None:
    """Wait until the page knows everything: its connection stands before it brings the rows."""
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("p.home")).not_to_be_empty()


def until(page: Page, condition: str) -> None:
    """Wait for something that no element shows. Playwright's own way may need ``eval``, which is refused."""
    page.evaluate(
        f"""async (end) => {{
          while (!({condition})) {{
            if (performance.now() > end) throw new Error('it did not come to pass')
            await new Promise((later) => setTimeout(later, 20))
          }}
        }}""",
        page.evaluate("performance.now()") + PATIENCE_MS,
    )


def row(page: Page, plugin_id: str) -> Locator:
    return page.locator(f"tr[data-key='standalone:{plugin_id}']")


def see(page: Page, hash_: str) -> None:
    page.evaluate("hash => { location.hash = hash }", hash_)


def examples() -> list[Path]:
    """The folders of the example plugins that lie behind a door of the home: no web apps."""
    folder = Path(__file__).parent.parent.parent / "example_plugins"
    found = (each for each in folder.iterdir() if each.is_dir() and each.name != "broken")
    return sorted(each for each in found if not (each / "plugin.json").is_file())


def is_package(example: Path) -> bool:
    """Off until a person turns it on."""
    return (example / "desktop" / "plugin.js").is_file()


def examples_into(root: Path) -> None:
    for example in examples():
        door = "plugins" if is_package(example) else "desktop-plugins"
        shutil.copytree(example, root / door / example.name, ignore=shutil.ignore_patterns("__pycache__"))
