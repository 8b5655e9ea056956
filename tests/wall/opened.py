"""The page with an app in it, and the realm of that app."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from tests.wall.conftest import Site
from tests.workbench.browsing import enter, see


@pytest.fixture(scope="module")
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """One for all tests but those that cost it: entering takes longer than most of them."""
    context = entered(browser, site)
    yield context.pages[0]
    context.close()


def entered(browser: Browser, site: Site) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1360, "height": 840})
    # Whatever the page itself may do, its frames may not. (Not notifications: a browser lets a frame show them as soon
    # as the page around it may, and ours never asks.)
    allowed = ["geolocation", "camera", "microphone", "clipboard-read", "clipboard-write"]
    context.grant_permissions(allowed, origin=site.service.endpoint.url)
    enter(context.new_page(), site.service)
    return context


def inside(page: Page, plugin_id: str) -> Frame:
    """The realm of an app that the page shows."""
    see(page, "#/app")
    expect(page.locator(".apps")).to_be_visible()
    see(page, f"#/app/{plugin_id}")
    expect(page.frame_locator("iframe.walled-frame").locator("#who")).to_have_text(plugin_id)
    return shown(page)


def shown(page: Page) -> Frame:
    element = page.locator("iframe.walled-frame").element_handle()
    frame = element.content_frame() if element is not None else None
    assert frame is not None
    frame.wait_for_function("document.readyState === 'complete'")
    return frame
