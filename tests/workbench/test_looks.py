"""How the page looks and feels: contrast and names (axe), dark mode, keyboard alone, narrow and very wide screens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.requirements import peers
from tests.server.served import Served, save
from tests.workbench.browsing import enter, row, see
from tests.workbench.plugins import METER

pytestmark = pytest.mark.real

PLACES = (
    ("#/plugins", "tbody tr"),
    ("#/plugins/standalone%3Ascratchpad", ".timings"),
    ("#/plugins/standalone%3Ascratchpad/preview", "iframe.preview"),
    ("#/plugins/standalone%3Ahalf/findings", ".finding"),
    ("#/plugins/standalone%3Ascratchpad/rehearsal", ".numbers"),
    ("#/plugins/standalone%3Ascratchpad/history", ".history li"),
    ("#/plugins/standalone%3Ascratchpad/doctor", ".chain"),
    ("#/plugins/standalone%3Ascratchpad/run", ".tab-panel [role=switch]"),
    ("#/layout", ".chip"),
    ("#/events", ".events tr"),
    ("#/policy", ".actions tr"),
    ("#/doctor", ".doctor"),
    ("#/packages", "#package-source"),
    ("#/app", "h1"),
)


@pytest.fixture(scope="module", autouse=True)
def half(service: Served) -> None:
    """A plugin with a finding, for pages that show one."""
    save(service.root, "half", METER.replace("'meter'", "'half'").replace("react/jsx-runtime", "lodash"))


@pytest.fixture
def inspected(browser: Browser, service: Served) -> Iterator[Page]:
    # axe is put in as a script of the test's own, which the page's policy would refuse.
    context = browser.new_context(viewport={"width": 1360, "height": 840}, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    enter(page, service)
    page.add_script_tag(path=peers() / "node_modules" / "axe-core" / "axe.min.js")
    yield page
    context.close()


def faults(page: Page) -> list[str]:
    rules = {
        "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    }
    found = page.evaluate(
        "rules => axe.run(document, {...rules, iframes: false}).then((done) => done.violations)", rules
    )
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}" for each in found for node in each["nodes"]
    ]


@pytest.mark.parametrize(("theme", "width"), [("light", 1360), ("dark", 1360), ("light", 360)])
def test_axe_finds_nothing(inspected: Page, theme: str, width: int) -> None:
    inspected.set_viewport_size({"width": width, "height": 840})
    inspected.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    found: dict[str, list[str]] = {}
    for hash_, settled in PLACES:
        see(inspected, hash_)
        inspected.locator(settled).first.wait_for()
        found[hash_] = faults(inspected)
    assert {hash_: each for hash_, each in found.items() if each} == {}


def ground(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def expect_ground(page: Page, colour: str) -> None:
    expect(page.locator("body")).to_have_css("background-color", colour)


def test_the_theme_follows_the_system_and_then_the_person(page: Page) -> None:
    light = ground(page)
    page.emulate_media(color_scheme="dark")
    expect(page.locator("body")).not_to_have_css("background-color", light)
    dark = ground(page)
    page.keyboard.press("t")
    expect_ground(page, light)
    expect(page.locator("#theme")).to_have_attribute("aria-label", "Theme: light")
    page.keyboard.press("t")
    page.emulate_media(color_scheme="light")
    expect(page.locator("#theme")).to_have_attribute("aria-label", "Theme: dark")
    expect_ground(page, dark)
    page.reload()
    expect(row(page, "scratchpad")).to_be_visible()
    expect_ground(page, dark)  # it is remembered


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("scratch")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(row(page, "scratchpad").locator("a.name")).to_be_focused()
    page.keyboard.press("e")
    expect(row(page, "scratchpad").get_by_role("switch")).to_have_attribute("aria-checked", "false")
    page.keyboard.press("e")
    expect(row(page, "scratchpad").get_by_role("switch")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".facts")).to_be_visible()
    page.keyboard.press("]")
    expect(page.get_by_role("tab", name="Preview")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Unpin", exact=True)).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Pin to these bytes", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(row(page, "scratchpad").locator("a.name")).to_be_focused()
    for key, title in zip("12345", ["Plugins", "Layout", "Events", "Policy", "Doctor"], strict=True):
        page.keyboard.press(key)
        expect(page.locator("nav [aria-current=page]")).to_have_text(title)
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#shortcuts")).to_be_hidden()


def test_every_control_is_reached_and_shows_its_focus(page: Page) -> None:
    seen: list[str] = []
    for _ in range(30):
        page.keyboard.press("Tab")
        told = page.evaluate(
            "() => { const at = document.activeElement; const style = getComputedStyle(at);"
            " return [at.getAttribute('role') || at.className || at.tagName, style.outlineStyle] }"
        )
        assert told[1] != "none", told
        seen.append(told[0])
    assert "skip" in seen[0] and any("switch" in each for each in seen)


@pytest.mark.parametrize(("width", "height"), [(320, 640), (3840, 2160)])
def test_narrow_and_very_wide_screens_hold_it(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for hash_, settled in PLACES:
        see(page, hash_)
        page.locator(settled).first.wait_for()
        wide = page.evaluate(
            "[document.documentElement.scrollWidth, document.querySelector('main').scrollWidth, innerWidth]"
        )
        assert max(wide[:2]) <= wide[2], f"{hash_} is wider than the screen: {wide}"
    letters = page.evaluate(
        "() => { const box = document.querySelector('nav a').getBoundingClientRect(); return box.height / innerHeight }"
    )
    assert letters > 0.012, "readable from where one sits"
