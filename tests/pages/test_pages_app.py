"""The host's page in a real browser with a real service: an agent drafts over MCP, a person sees and keeps."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import TextContent
from playwright.sync_api import Browser, Locator, Page, expect

from loader import client
from loader.pages.drafts import DraftStore
from tests.pages.building import LABEL, document, group
from tests.requirements import peers
from tests.server.served import Served, home_at, served

pytestmark = pytest.mark.real

PATIENCE_MS = 30_000

expect.set_options(timeout=PATIENCE_MS)
EXAMPLE = Path(__file__).parent.parent.parent / "example_plugins" / "weather-pages"
KEEP_IN = os.environ.get("PAGE_SCREENSHOTS")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("pages") / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    shutil.copytree(EXAMPLE, root / "plugins" / EXAMPLE.name, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "config.yaml").write_text(f"plugins:\n  enabled: [{EXAMPLE.name}]\n", "utf-8")
    with served(root) as found:
        yield found


@pytest.fixture
def page(browser: Browser, service: Served) -> Iterator[Page]:
    """The host's page, entered, at phone width."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    with client.connect(home_at(service.root)) as connected:
        code = connected.page_link().partition("#")[2]
    page.goto(f"{service.endpoint.url}/workbench/pages.html#{code}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    yield page
    context.close()
    assert complaints == []


async def _session(root: Path, calls: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    command = [sys.executable, "-m", "loader", "mcp", "--hermes-home", str(root)]
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    answers = []
    async with stdio_client(parameters) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        await session.initialize()
        for tool, arguments in calls:
            found = await session.call_tool(tool, arguments)
            (content,) = found.content
            assert isinstance(content, TextContent)
            answers.append(json.loads(content.text))
    return answers


def agent(root: Path, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """An agent's session over MCP; the parsed answers. In a thread: Playwright holds this one's event loop."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(asyncio.run(_session(root, list(calls)))))
    thread.start()
    thread.join(100)
    assert found
    return found


def trip(words: str, **more: Any) -> dict[str, Any]:
    content = group({"type": "text", "id": "t", "text": {**LABEL, "value": words}})
    return {"plugin_id": "trip", "title": "Trip", "document": document(content, page="trip"), **more}


def allow(page: Page) -> None:
    """A person switches drafted pages on, and lets them be kept and removed."""
    drafts = page.get_by_role("region", name="Drafted pages")
    chosen(page, drafts, "Pages of Drafted pages", True)
    chosen(page, drafts, "May keep and remove pages", True)


def chosen(page: Page, region: Locator, name: str, wanted: bool) -> None:
    """Set a switch and wait for the service's word: the box itself shows the wish before it is known."""
    switch = region.get_by_role("switch", name=name)
    expect(switch).to_be_visible()
    if switch.is_checked() == wanted:
        return
    with page.expect_response(lambda answer: "/v1/pages/" in answer.url and answer.request.method == "PUT") as told:
        switch.click()
    assert told.value.ok
    expect(switch).to_be_checked(checked=wanted)


def test_an_agents_draft_is_seen_live_and_a_person_keeps_the_very_revision(page: Page, service: Served) -> None:
    asking = {"type": "button", "id": "b", "label": LABEL, "action": {"id": "a", "request": {"path": "x"}}}
    refused, drafted, approval = agent(
        service.root,
        ("draft_page", trip("x", document=document(asking, page="trip"))),
        ("draft_page", trip("Pack the tent")),
        ("publish_page", {"plugin_id": "trip"}),
    )
    assert any("HP714" in line for line in refused["findings"])
    assert approval["approval_required"] is True
    assert drafted["shown_at"].startswith(service.endpoint.url)

    # Pushed, not polled: nothing was pressed since.
    allow(page)
    page.get_by_role("link", name="Draft: Trip").click()
    expect(page.get_by_text("Pack the tent")).to_be_visible()
    expect(page.get_by_text("Draft preview")).to_be_visible()

    # While the person is asked, a newer revision comes by the store's other face: what was meant is no longer there.
    store = DraftStore(service.root)
    entry = store.get("trip")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("dialog")).to_contain_text("Trip")
    newer, _ = store.draft(trip("Pack the boat"), entry.session)
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.get_by_role("alert")).to_contain_text("has changed since")
    assert store.get("trip").status == "draft"

    # What a person sees now is kept.
    page.reload()
    expect(page.get_by_text("Pack the boat")).to_be_visible()
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.get_by_text("Published")).to_be_visible()
    kept = store.get("trip")
    assert (kept.status, kept.revision) == ("published", newer.revision + 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_kept_page_is_removed_by_a_person_after_a_question(page: Page, service: Served) -> None:
    store = DraftStore(service.root)
    store.draft({**trip("x"), "plugin_id": "gone", "document": document(group(), page="gone")}, "s")
    page.reload()
    allow(page)
    page.evaluate("location.hash = '#/drafts/gone'")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert store.get("gone")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("heading", name="Pages", exact=True)).to_be_visible()
    assert "gone" not in [entry.id for entry in store.listed().entries]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_hub_and_a_page_have_no_accessibility_fault(browser: Browser, service: Served, theme: Any) -> None:
    DraftStore(service.root).draft({**trip("x"), "plugin_id": "axe", "document": document(group(), page="axe")}, "s")
    # axe is put in as a script of the test's own, which the page's policy would refuse.
    context = browser.new_context(viewport={"width": 360, "height": 740}, bypass_csp=True, color_scheme=theme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    with client.connect(home_at(service.root)) as connected:
        code = connected.page_link().partition("#")[2]
    page.goto(f"{service.endpoint.url}/workbench/pages.html#{code}")
    allow(page)
    page.add_script_tag(path=peers() / "node_modules" / "axe-core" / "axe.min.js")
    told = "axe.run(document).then((done) => done.violations.map((one) => [one.id, one.nodes[0].html]))"
    assert page.evaluate(told) == []
    if KEEP_IN:
        page.screenshot(path=Path(KEEP_IN) / f"hub-{theme}.png")
    page.evaluate("location.hash = '#/drafts/axe'")
    expect(page.get_by_role("button", name="Keep")).to_be_enabled()
    expect(page.locator(".hp-page")).to_be_visible()
    assert page.evaluate(told) == []
    if KEEP_IN:
        page.screenshot(path=Path(KEEP_IN) / f"page-{theme}.png")
    context.close()


def test_the_weather_example_saves_what_a_person_confirms(page: Page, service: Served) -> None:
    """A real backend: its page, its write, and the page loaded anew afterwards."""
    weather = page.get_by_role("region", name="Weather")
    chosen(page, weather, "Pages of Weather", True)
    chosen(page, weather, "May change things in its backend", True)
    weather.get_by_role("link", name="Alerts").click()
    city = page.get_by_label("City")
    expect(city).to_have_value("Bergen")
    city.fill("")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    city.fill("Oslo")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_contain_text("Replace the saved alerts?")
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(page.locator("#said")).to_have_text("Done")
    page.reload()
    expect(page.get_by_label("City")).to_have_value("Oslo")
    page.evaluate("location.hash = '#/'")
    chosen(page, weather, "May change things in its backend", False)
    weather.get_by_role("link", name="Alerts").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert")).to_contain_text("not granted")
