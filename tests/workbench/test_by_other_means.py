"""The page by keyboard, on a phone, in the system's own colours, and with a service that does not answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.served import Served, save
from tests.workbench.browsing import enter, row, see
from tests.workbench.plugins import METER
from tests.workbench.test_page import WRONG

pytestmark = pytest.mark.real


def test_a_row_that_goes_elsewhere_takes_the_focus_with_it(page: Page, service: Served) -> None:
    save(service.root, "meter", METER.replace("NAME", "still"))
    expect(row(page, "meter")).to_contain_text("Meter still")
    page.get_by_role("button", name="State", exact=True).click()  # what failed comes first
    page.get_by_label("Filter plugins").fill("me")
    name = row(page, "meter").locator("a.name")
    name.focus()
    before = name.bounding_box()
    save(service.root, "meter", WRONG.replace("NAME", "moved"))
    expect(row(page, "meter").locator(".c-state")).to_contain_text("failed")
    assert name.bounding_box() != before
    expect(name).to_be_focused()
    save(service.root, "meter", METER.replace("NAME", "mended"))
    expect(row(page, "meter").locator(".c-state")).to_contain_text("ready")


def test_what_is_drawn_anew_keeps_the_focus(page: Page, service: Served) -> None:
    """A press, or a save of some plugin, draws lists anew; the keyboard stays where it was."""
    see(page, "#/layout")
    legend = page.get_by_role("group", name="Plugins").get_by_role("button", name="Scratchpad")
    legend.focus()
    page.keyboard.press("Enter")
    expect(legend).to_have_attribute("aria-pressed", "true")
    expect(legend).to_be_focused()
    page.keyboard.press("Enter")

    see(page, "#/doctor")
    summary = page.locator("summary", has_text="Scratchpad")
    summary.focus()
    save(service.root, "meter", METER.replace("NAME", "drawn anew"))
    expect(page.locator("summary", has_text="Meter drawn anew")).to_be_visible()
    expect(summary).to_be_focused()


def test_on_a_phone_the_focus_goes_into_a_plugin_and_comes_back(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    name = row(page, "scratchpad").locator("a.name")
    name.focus()
    page.keyboard.press("Enter")
    back = page.get_by_role("button", name="Back to the list")
    expect(back).to_be_focused()
    expect(page.locator(".detail-head .tag")).to_have_text("ready")
    page.keyboard.press("Enter")
    expect(name).to_be_focused()


def test_on_a_phone_the_bar_shows_where_one_is(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    see(page, "#/packages")
    current = page.locator("#views [aria-current=page]")
    expect(current).to_have_text("Installed")
    box = current.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360
    see(page, "#/plugins/standalone%3Ascratchpad/run")
    expect(page.get_by_role("tab", name="Run here")).to_be_in_viewport(ratio=0.95)


def test_on_and_off_differ_in_the_systems_own_colours(browser: Browser, service: Served) -> None:
    context = browser.new_context(forced_colors="active", viewport={"width": 1360, "height": 840})
    page = context.new_page()
    enter(page, service)
    looks = "found => { const style = getComputedStyle(found); return [style.backgroundColor, style.borderColor] }"
    on, off = (
        page.locator(f"button.switch[aria-checked={state}] >> nth=0").evaluate(looks) for state in ("true", "false")
    )
    assert on[0] != off[0]
    chosen, other = (page.locator(f".segments [data-state={name}]").evaluate(looks) for name in ("all", "ready"))
    assert chosen[0] != other[0]
    context.close()


def test_what_failed_names_its_cause_and_is_put_away_by_keyboard(page: Page, service: Served) -> None:
    expect(row(page, "scratchpad")).to_be_visible()
    page.route("**/v1/plugins/**", lambda route: route.abort())
    row(page, "scratchpad").get_by_role("switch").click()
    notice = page.locator("#notice")
    expect(notice).to_contain_text("does not answer")
    expect(notice).to_contain_text("hermes-desktop serve")
    expect(row(page, "scratchpad").get_by_role("switch")).to_have_attribute("aria-checked", "true")
    notice.get_by_role("button", name="Dismiss").focus()
    page.keyboard.press("Enter")
    expect(notice).to_have_count(0)
