"""The web apps that an author begins with, behind the wall in a real browser: the template's and the example."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from loader.authoring.creating import plan_new, write_new
from loader.packages.walled import host_of
from tests.requirements import need, peers
from tests.server.served import Served, served
from tests.wall.installed import Installed, app_window
from tests.workbench.browsing import enter, see

pytestmark = pytest.mark.real

EXAMPLE = Path(__file__).parents[2] / "example_plugins" / "tool-explorer"
EXPLORER, BOARD = "com.example.tool-explorer", "com.example.my-board"
AXE = peers() / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)"  # noqa: E501 - one line of a page


@dataclass
class Shown:
    page: Page
    service: Served
    asked: list[dict[str, Any]]
    installed: Installed
    made: Path

    def open(self, plugin_id: str) -> FrameLocator:
        see(self.page, f"#/app/{plugin_id}")
        frame = self.page.frame_locator("iframe.walled-frame")
        expect(frame.locator("#who")).to_contain_text(plugin_id)
        return frame

    def violations(self, plugin_id: str) -> list[str]:
        frame = next(frame for frame in self.page.frames if host_of(plugin_id) in frame.url)
        frame.add_script_tag(path=AXE)
        found: list[str] = frame.evaluate(SERIOUS)
        return found


@pytest.fixture(scope="module")
def shown(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    need("chromium")
    base = tmp_path_factory.mktemp("ours")
    root = base / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    installed = Installed(root, base / "sources")
    new = plan_new("my-board", "web-app", base / "made")
    write_new(new)
    for folder, plugin_id in ((new.folder, BOARD), (EXAMPLE, EXPLORER)):
        installed._put(folder)
        installed.on(plugin_id, "tools", "read-only")
    asked: list[dict[str, Any]] = []
    with served(root) as service, app_window(service, asked):
        # axe is a script of the test's own, which the wall's policy would refuse.
        context = browser.new_context(viewport={"width": 1360, "height": 840}, bypass_csp=True)
        page = context.new_page()
        enter(page, service)
        yield Shown(page, service, asked, installed, base / "made")
        context.close()


def test_the_template_calls_a_tool_and_keeps_its_note(shown: Shown) -> None:
    frame = shown.open(BOARD)
    expect(frame.locator("#who")).to_have_text(f"{BOARD}, version 0.1.0")
    # What controls the browser was not approved, and our own tools are nobody's.
    expect(frame.get_by_role("listitem")).to_have_count(1)
    frame.get_by_role("button", name="Call read_page").click()
    expect(frame.locator("#said")).to_have_text('"read"')
    assert shown.asked[-1]["params"]["plugin"] == BOARD
    frame.get_by_role("textbox", name="A note of my own").fill("remember")
    see(shown.page, "#/app")
    expect(shown.page.locator("iframe.walled-frame")).to_have_count(0)
    expect(shown.open(BOARD).get_by_role("textbox", name="A note of my own")).to_have_value("remember")


def test_the_example_filters_calls_and_remembers_by_keyboard(shown: Shown) -> None:
    frame = shown.open(EXPLORER)
    expect(frame.locator("#count")).to_have_text("1 of 1")
    frame.get_by_label("Filter tools").fill("nothing like it")
    expect(frame.locator("#count")).to_have_text("0 of 1")
    frame.get_by_label("Filter tools").fill("READ")
    chosen = frame.get_by_role("button", name="read_page read-only")
    chosen.focus()
    shown.page.keyboard.press("Enter")
    call = frame.get_by_role("button", name="Call read_page")
    call.focus()
    shown.page.keyboard.press("Enter")
    expect(frame.get_by_label("Answer")).to_have_text('"read"')
    expect(frame.get_by_role("list", name="Last calls").get_by_role("listitem")).to_have_text("read_page: ok")
    assert (shown.asked[-1]["params"]["plugin"], shown.asked[-1]["params"]["arguments"]) == (EXPLORER, {})


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("plugin_id", [BOARD, EXPLORER])
def test_axe_finds_nothing_by_day_and_by_night(shown: Shown, plugin_id: str, theme: str) -> None:
    shown.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    frame = shown.open(plugin_id)
    if plugin_id == EXPLORER:
        frame.get_by_role("button", name="read_page read-only").click()
        expect(frame.get_by_role("button", name="Call read_page")).to_be_visible()
    shade = frame.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
    assert shade == ("rgb(20, 23, 30)" if theme == "dark" else "rgb(247, 248, 251)")
    assert shown.violations(plugin_id) == []


def test_on_the_hosts_own_port_the_line_for_development_does_nothing(browser: Browser, shown: Shown) -> None:
    new = plan_new("at-home", "web-app", shown.made)
    write_new(new)
    page_file = new.folder / "index.html"
    page_file.write_text(page_file.read_text().replace(":8787/", f":{shown.service.port}/"))
    shown.installed._put(new.folder)
    shown.installed.on(new.id, "tools", "read-only")
    said, scripts = looked_at(browser, shown, new.id)
    assert said == []
    assert [path for path in scripts if path.endswith("bridge.js")] == ["/.hermes/bridge.js"] * 2


def test_on_another_port_it_is_held_back_and_nothing_else_is(browser: Browser, shown: Shown) -> None:
    for plugin_id in (BOARD, EXPLORER):
        said, _ = looked_at(browser, shown, plugin_id)
        assert len(said) == 1
        assert ":8787/.hermes/bridge.js" in said[0] and "Content Security Policy" in said[0]


def looked_at(browser: Browser, shown: Shown, plugin_id: str) -> tuple[list[str], list[str]]:
    """What a page says to the console under the wall's own policy, and which scripts of its origin it got."""
    page = browser.new_page()
    said: list[str] = []
    scripts: list[str] = []
    page.on("console", lambda line: said.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("response", lambda got: scripts.append(urlsplit(got.url).path) if host_of(plugin_id) in got.url else None)
    enter(page, shown.service)
    see(page, f"#/app/{plugin_id}")
    expect(page.frame_locator("iframe.walled-frame").locator("#who")).to_contain_text(plugin_id)
    expect(page.frame_locator("iframe.walled-frame").get_by_text("read_page").first).to_be_visible()
    page.close()
    # The page asks its browser whether it holds connections back, and is refused as it should be.
    return [text for text in said if "ERR_NETWORK_ACCESS_REVOKED" not in text], scripts
