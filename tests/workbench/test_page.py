"""What a person does on the page, in a real browser, with the real service behind it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.served import Served, save, served
from tests.workbench.browsing import enter, link, live, row, see, until
from tests.workbench.plugins import METER

pytestmark = pytest.mark.real

WRONG = METER.replace("import { jsx }", "import { chart } from 'lodash'\nimport { jsx }")


def test_a_code_lets_in_once_and_leaves_the_address(browser: Browser, service: Served) -> None:
    context = browser.new_context()
    page = context.new_page()
    used = link(service)
    page.goto(used)
    live(page)
    assert "code" not in page.url
    assert page.evaluate("sessionStorage.getItem('hermes.session')")
    other = browser.new_context()
    second = other.new_page()
    second.goto(used)
    expect(second.locator("#gate")).to_contain_text("wrong, used or older")
    second.locator("#gate-code").fill(link(service))
    second.keyboard.press("Enter")
    expect(second.locator("#connection")).to_have_attribute("data-state", "live")
    expect(row(second, "scratchpad")).to_be_visible()
    context.close()
    other.close()


def test_nothing_shows_without_a_code(browser: Browser, service: Served) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(service.endpoint.url)
    expect(page.locator("#gate")).to_be_visible()
    assert page.locator("tbody tr").count() == 0
    for _ in range(3):
        page.keyboard.press("Escape")
    page.evaluate("document.getElementById('gate').requestClose?.()")
    expect(page.locator("#gate-code")).to_be_focused()  # there is nothing behind it to go back to
    context.close()


@pytest.mark.parametrize("path", ["/", "/workbench/pages.html"])
def test_an_address_that_cannot_be_decoded_is_still_an_address(page: Page, service: Served, path: str) -> None:
    """People cut links. What the page says of it in its console fails the test."""
    page.goto(f"{service.endpoint.url}{path}?x#/plugins/%E0%A4%A/%")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("main")).to_contain_text("not here" if path == "/" else "no plugin 'plugins'")
    see(page, "#/plugins/%")
    expect(page.locator("main h1, main h2").first).to_be_visible()


def test_a_save_shows_at_once_and_moves_nothing(page: Page, service: Served) -> None:
    save(service.root, "meter", METER.replace("NAME", "one"))
    expect(row(page, "meter")).to_contain_text("Meter one")
    page.evaluate("document.querySelector(\"tr[data-key='standalone:meter']\").dataset.marked = 'yes'")
    boxes = "() => [...document.querySelectorAll('tbody tr')].map((r) => Math.round(r.getBoundingClientRect().top))"
    before = page.evaluate(boxes)
    page.evaluate(
        "() => { window.shifts = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())"
        " if (!entry.hadRecentInput) window.shifts += entry.value }).observe({ type: 'layout-shift' }) }"
    )
    save(service.root, "meter", METER.replace("NAME", "two"))
    expect(row(page, "meter")).to_contain_text("Meter two")
    assert page.evaluate(boxes) == before
    assert row(page, "meter").get_attribute("data-marked") == "yes", "the row must be the same element"
    assert page.evaluate("window.shifts") == 0


def test_a_broken_save_shows_its_code_and_the_way_out(page: Page, service: Served) -> None:
    save(service.root, "meter", METER.replace("NAME", "good"))
    expect(row(page, "meter")).to_contain_text("Meter good")
    save(service.root, "meter", WRONG.replace("NAME", "bad"))
    expect(row(page, "meter").locator(".c-state")).to_contain_text("failed")
    see(page, "#/plugins/standalone%3Ameter/findings")
    finding = page.locator(".finding[data-severity=error]").first
    expect(finding).to_contain_text("HP201")
    expect(finding.locator(".frame")).to_contain_text("from 'lodash'")
    expect(finding.locator(".caret")).to_contain_text("^^^^^^^^")
    finding.locator("summary").click()
    expect(finding.locator(".explained")).to_contain_text("Instead of")
    page.evaluate(
        """() => {
          const write = navigator.clipboard.writeText.bind(navigator.clipboard)
          navigator.clipboard.writeText = (text) => write(text).then(() => { window.copied = text })
        }"""
    )
    page.get_by_role("button", name="Copy for an agent").click()
    until(page, "window.copied")
    assert "HP201" in page.evaluate("window.copied")
    see(page, "#/plugins/standalone%3Ameter/doctor")
    expect(page.locator(".chain li[data-cause=true]")).to_contain_text("HP201")
    see(page, "#/plugins/standalone%3Ameter/history")
    expect(page.locator(".history li").first).to_contain_text("failed")
    expect(page.locator(".diff .plus").first).to_contain_text("lodash")
    save(service.root, "meter", METER.replace("NAME", "mended"))
    expect(page.locator(".history li").first).to_contain_text("ready")
    expect(row(page, "meter")).to_contain_text("Meter mended")


def test_a_plugin_is_switched_and_the_choice_forgotten(page: Page) -> None:
    focus = row(page, "focus-timer")
    control = focus.get_by_role("switch")
    expect(control).to_have_attribute("aria-checked", "true")
    control.click()
    expect(control).to_have_attribute("aria-checked", "false")
    expect(focus.locator(".c-state")).to_contain_text("off")
    forget = focus.get_by_role("button", name=re.compile("forget"))
    forget.click()
    expect(control).to_have_attribute("aria-checked", "true")
    expect(forget).to_be_hidden()


def test_a_plugin_is_pinned_and_unpinned(page: Page) -> None:
    see(page, "#/plugins/standalone%3Anote-card")
    page.get_by_role("button", name="Pin to these bytes", exact=True).click()
    expect(page.locator(".facts")).to_contain_text("pinned")
    page.get_by_role("button", name="Unpin", exact=True).click()
    expect(page.get_by_role("button", name="Pin to these bytes", exact=True)).to_be_visible()


def test_the_overview_names_path_revision_and_what_the_check_took(page: Page, service: Served) -> None:
    see(page, "#/plugins/standalone%3Ascratchpad")
    facts = page.locator(".facts")
    expect(facts).to_contain_text(str(service.root / "desktop-plugins" / "scratchpad" / "plugin.js"))
    expect(facts).to_contain_text("sha256-")
    expect(page.locator(".timings .legend")).to_contain_text("in all")


def test_a_rehearsal_is_seen_drawn_and_as_a_wireframe(page: Page) -> None:
    see(page, "#/plugins/standalone%3Ascratchpad/preview")
    frame = page.frame_locator("iframe.preview")
    expect(frame.locator("textarea")).to_have_attribute("placeholder", re.compile("Write something"))
    assert page.locator("iframe.preview").get_attribute("sandbox") == ""
    page.get_by_role("button", name="Both").click()
    expect(page.locator("iframe.preview")).to_have_count(2)
    both = [page.frame_locator(f"iframe.preview >> nth={number}").locator("body") for number in (0, 1)]
    for body in both:
        expect(body.locator("textarea")).to_be_attached()  # before that it is the body of an empty frame
    grounds = [body.evaluate("b => getComputedStyle(b).backgroundColor") for body in both]
    assert grounds[0] != grounds[1], "light and dark"
    page.get_by_role("button", name="Wireframe").click()
    expect(page.locator(".wireframe")).to_contain_text("Clear")


def test_the_layout_shows_who_is_where_and_who_collides(page: Page, service: Served) -> None:
    save(service.root, "rival", METER.replace("'meter'", "'rival'").replace("NAME", "rival"))
    text = """\
import { ROUTES_AREA } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
export default { id: 'rival', name: 'Rival', register(ctx) {
  ctx.register({ area: ROUTES_AREA, id: 'p', title: 'Rival page', data: { path: '/session-board' }, render: () => jsx('p', {}) })
} }
"""  # noqa: E501 - a line of a plugin
    save(service.root, "rival", text)
    see(page, "#/layout")
    expect(page.locator(".p-right .chip", has_text="Scratchpad")).to_be_visible()
    expect(page.locator(".p-sidebar .chip", has_text="Session board")).to_be_visible()
    expect(page.locator(".p-main-area .chip[data-clash=true]")).to_have_count(2)
    expect(page.get_by_role("region", name="Collisions")).to_contain_text("path /session-board")
    (service.root / "desktop-plugins" / "rival" / "plugin.js").unlink()
    expect(page.locator(".chip[data-clash=true]")).to_have_count(0)


def test_events_are_filtered_paused_and_played_again(page: Page, service: Served) -> None:
    see(page, "#/events")
    save(service.root, "meter", METER.replace("NAME", "event one"))
    first = page.locator(".events tbody tr", has_text="plugin/load").first
    expect(first).to_contain_text("meter")
    page.get_by_role("button", name="Pause").click()
    save(service.root, "meter", METER.replace("NAME", "event two"))
    expect(page.get_by_role("button", name=re.compile(r"Go on \(\d+ new\)"))).to_be_visible()
    page.get_by_role("button", name=re.compile("Go on")).click()
    page.get_by_label("Filter events").fill("no such event anywhere")
    expect(page.locator(".events tbody tr")).to_have_count(0)
    page.get_by_label("Filter events").fill("meter")
    page.get_by_role("button", name="Timeline of meter").first.click()
    timeline = page.get_by_role("region", name="Timeline of a reload")
    expect(timeline).to_contain_text("announced")
    # Pressed and asked in one go: the animation is over after some seconds.
    playing = "button => { button.click(); return button.closest('section').getAnimations({ subtree: true }).length }"
    assert timeline.get_by_role("button", name="Replay").evaluate(playing) > 0


def test_the_pet_says_what_a_plugin_says_unless_the_core_has_a_word(page: Page, service: Served) -> None:
    see(page, "#/policy")
    pet = page.get_by_role("switch", name="The pet is visible")
    pet.click()
    expect(pet).to_have_attribute("aria-checked", "true")  # the service has it: before that a line is refused
    say = """async () => {
      const headers = { authorization: `Bearer ${sessionStorage.getItem('hermes.session')}`, 'content-type': 'application/json' }
      const post = (path, body) => fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      for (let n = 0; n < 12; n += 1) await post('/v1/plugins/scratchpad/pet/lines', { text: `line ${n}`, id: 'a', ttlMs: 30000 })
      await post('/v1/plugins/scratchpad/actions', { action: 'session.archive' })
    }"""  # noqa: E501
    page.evaluate(say)
    bubble = page.get_by_role("log", name="Pet bubble")
    expect(page.locator(".gauge", has_text="scratchpad")).to_contain_text("10 of 10")  # first: it falls by itself
    expect(bubble).to_contain_text("line 9")
    expect(page.locator(".audit tbody tr", has_text="scratchpad").first).to_contain_text("rate 2")
    expect(page.locator(".actions tbody tr", has_text="session.archive")).to_contain_text("scratchpad (1)")
    page.get_by_role("button", name="Error", exact=True).click()
    expect(bubble).not_to_contain_text("line 9")
    page.get_by_role("button", name="Idle", exact=True).click()
    expect(bubble).to_contain_text("line 9")


def test_the_prompts_of_a_preview_frame_are_limited(page: Page) -> None:
    see(page, "#/policy")
    page.get_by_role("button", name="Show the frame").click()
    page.frame_locator("iframe.preview").get_by_role("button", name="Ask ten times at once").click()
    expect(page.locator(".prompts li")).to_have_count(10)
    expect(page.locator(".prompts li", has_text="handed on")).to_have_count(1)


def test_the_page_outlives_a_restart_of_the_service(browser: Browser, tmp_path: Path) -> None:
    root = tmp_path / ".hermes"
    save(root, "clock")
    context = browser.new_context()
    page = context.new_page()
    with served(root) as first:
        port = first.port
        enter(page, first)
        expect(row(page, "clock")).to_be_visible()
        page.evaluate("window.here = 'all the time'")
        page.evaluate(
            "() => { const said = document.getElementById('said'); window.heard = [];"
            " new MutationObserver(() => window.heard.push(said.textContent)).observe(said, { childList: true }) }"
        )
        first.process.terminate()
        first.process.wait()
        expect(page.locator("#connection")).to_have_attribute("data-state", "away")
        page.set_viewport_size({"width": 360, "height": 740})
        words = page.locator("#connection .words").bounding_box()
        assert words is not None and words["width"] > 50, "a red light alone is not seen by everybody"
        expect(row(page, "clock")).to_be_visible()
    save(root, "lamp")
    with served(root, f"--port={port}") as second:
        # Sessions end with the service: the page asks for a code and keeps what it shows.
        expect(page.locator("#gate")).to_contain_text("The session is over")
        page.locator("#gate-code").fill(link(second))
        page.keyboard.press("Enter")
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        expect(row(page, "lamp")).to_be_visible()
        about = [each for each in page.evaluate("window.heard") if each.startswith("The service")]
        assert about == ["The service is away", "The service is back"]
        assert page.evaluate("window.here") == "all the time", "the page must not have been loaded anew"
    context.close()


@pytest.mark.parametrize("path", ["/", "/workbench/pages.html"])
def test_a_session_that_the_service_forgot_asks_for_a_code(page: Page, service: Served, path: str) -> None:
    page.goto(f"{service.endpoint.url}{path}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    page.evaluate("sessionStorage.setItem('hermes.session', 'forgotten')")
    page.evaluate("import('/workbench/session.js').then(({ get }) => get('/v1/plugins').catch(() => {}))")
    expect(page.locator("#gate")).to_be_visible()
    page.locator("#gate-code").fill(link(service))
    page.keyboard.press("Enter")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.locator("#gate")).to_be_hidden()


def test_a_lost_connection_resumes_where_it_was(page: Page) -> None:
    asked: list[str] = []
    page.on("websocket", lambda socket: asked.append(socket.url))
    see(page, "#/events")
    # The socket is closed under the page, as a network would.
    page.evaluate(
        """() => { const send = WebSocket.prototype.send
          WebSocket.prototype.send = function () { WebSocket.prototype.send = send; this.close() }
          return import('/workbench/app.js').then((app) => app.live.request('ping').catch(() => {})) }"""
    )
    expect(page.locator(".events tbody tr", has_text="resumed")).to_be_visible()
    assert asked and "since=" in asked[0]
