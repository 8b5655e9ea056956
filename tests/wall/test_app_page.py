"""A web app in the workbench: opened, used, changed, switched off, by keyboard too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.wall.conftest import Site
from tests.wall.installed import BURGLAR
from tests.workbench.browsing import enter

pytestmark = pytest.mark.real


@pytest.fixture
def page(browser: Browser, site: Site) -> object:
    context = browser.new_context(viewport={"width": 1360, "height": 840})
    page = context.new_page()
    enter(page, site.service)
    yield page
    context.close()


def test_an_app_opens_in_its_frame_and_calls_a_tool(page: Page, site: Site) -> None:
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Apps").click()
    page.get_by_role("link", name="Open The burglar").click()
    frame = page.frame_locator("iframe.walled-frame")
    expect(frame.locator("#who")).to_have_text(BURGLAR)
    expect(frame.locator("#apis")).to_have_text("identity tools")
    frame.locator("#read").click()
    expect(frame.locator("#said")).to_have_text('{"ok":true,"data":"read"}')
    assert site.asked[-1]["params"]["owner"] == f"plugin:{BURGLAR}"
