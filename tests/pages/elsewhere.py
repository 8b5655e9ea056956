"""How tests look at pages of a Hermes elsewhere: with a clock of the page's own, and nothing under way then."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from weakref import WeakKeyDictionary

from playwright.sync_api import Locator, Page, Request, expect

from tests.pages.fake_hermes import FakeHermes
from tests.server.served import PATIENCE_S

expect.set_options(timeout=PATIENCE_S * 1000)
CATALOG = "/api/dashboard/plugins"
HOME = "/api/plugins/weather/pages/home"
# What each page has asked and not yet been answered.
PENDING: WeakKeyDictionary[Page, set[Request]] = WeakKeyDictionary()
HIDE = """() => {
  Object.defineProperty(document, 'visibilityState', { get: () => window.seen ?? 'visible', configurable: true })
}"""


def wait_until(holds: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE_S
    while not holds():
        assert monotonic() < end
        sleep(0.02)  # a poll with a deadline: the other side counts in its own threads


def pass_time(page: Page, milliseconds: int) -> None:
    """On the page's own clock; whatever was due then has been asked, answered and read when this returns."""
    quiet(page)
    page.clock.fast_forward(milliseconds)
    quiet(page)


def quiet(page: Page) -> None:
    """Until nothing is under way; a timer for the next look is set then."""
    end = monotonic() + PATIENCE_S
    while True:
        # What was begun or answered meanwhile has been told once this has come back.
        page.evaluate("fetch('/v1/health').then(() => true)")
        if not [one for one in PENDING[page] if "/v1/page" in one.url]:
            return
        assert monotonic() < end


def let_pass_until(page: Page, sign: Locator) -> None:
    """An answer that was read is drawn; what was asked before it is not what is waited for."""
    end = monotonic() + PATIENCE_S
    while not sign.is_visible():
        assert monotonic() < end
        pass_time(page, 5100)


def looks(page: Page, hermes: FakeHermes) -> int:
    """How often the host's catalogue was asked for."""
    quiet(page)
    return hermes.paths().count(CATALOG)


def switch_on(page: Page) -> None:
    office = page.get_by_role("region", name="Pages of office")
    office.get_by_role("switch", name="Pages of").check()
    office.get_by_role("switch", name="May change things in its backend").check()
    expect(office.get_by_role("switch", name="May change things in its backend")).to_be_checked()
