"""A web app and a walled plugin.js in the workbench and in the reference shell: opened, used, by keyboard, trusted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.requirements import peers
from tests.wall.conftest import Site
from tests.wall.installed import BURGLAR, NEIGHBOUR, OUTSIDER, ask
from tests.workbench.browsing import enter, see
from tests.workbench.test_looks import faults
from tests.workbench.test_shell import PAGE as SHELL_PAGE

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def page(browser: Browser, site: Site) -> Iterator[Page]:
    # axe is put in as a script of the test's own, which the page's policy would refuse.
    context = browser.new_context(viewport={"width": 1360, "height": 840}, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    enter(page, site.service)
    page.add_script_tag(path=peers() / "node_modules" / "axe-core" / "axe.min.js")
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
    chips = page.get_by_role("list", name="What it may do").get_by_role("listitem")
    assert chips.all_inner_texts() == ["tools", "read-only"]


def test_lists_of_tabs_reach_an_app_without_those_of_plugins(page: Page, site: Site) -> None:
    see(page, f"#/app/{NEIGHBOUR}")
    frame = page.frame_locator("iframe.walled-frame")
    expect(frame.locator("#apis")).to_have_text("identity storage")
    tabs = frame.locator("body").evaluate("() => window.meithPlugin.storage.getBrowserTabs()")
    assert tabs == [{"id": "1", "title": "A page", "url": "https://a.example/"}]
    assert site.asked[-1]["params"] == {"listing": "browser"}


def test_an_app_is_reached_left_and_used_by_keyboard_alone(page: Page, site: Site) -> None:
    see(page, "#/app")
    link = page.get_by_role("link", name="Open The burglar")
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("Enter")
    frame = page.frame_locator("iframe.walled-frame")
    expect(frame.locator("#who")).to_have_text(BURGLAR)
    page.get_by_role("link", name="All apps").focus()
    before = len(site.asked)
    # The frame follows what stands before it in the page; its button is the first thing in it that takes the focus.
    page.keyboard.press("Tab")
    expect(frame.locator("#read")).to_be_focused()
    page.keyboard.press("Enter")
    expect(frame.locator("#said")).to_contain_text('"ok":true')
    assert len(site.asked) == before + 1
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("link", name="All apps")).to_be_focused()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_list_and_around_a_frame(page: Page, site: Site, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    see(page, "#/app")
    expect(page.locator(".app-card")).to_have_count(2)
    assert faults(page) == []
    see(page, f"#/app/{BURGLAR}")
    expect(page.frame_locator("iframe.walled-frame").locator("#who")).to_have_text(BURGLAR)
    assert faults(page) == []
    see(page, "#/app/com.example.none")
    expect(page.locator(".empty")).to_contain_text("not here")
    assert faults(page) == []


def test_a_plugin_js_from_elsewhere_runs_here_behind_the_wall(page: Page, site: Site) -> None:
    see(page, f"#/plugins/standalone%3A{OUTSIDER}/run")
    page.get_by_role("switch", name="Run this plugin here").click()
    frame = page.frame_locator("iframe.walled-frame")
    expect(frame.locator(".drawn")).to_have_text("drawn behind the wall")
    expect(page.get_by_role("list", name="What it says")).to_contain_text("pet.say: ok")
    where, bridge = frame.locator("body").evaluate("() => [location.host, globalThis.bridge]")
    assert where.startswith("p-") and bridge == "identity"
    page.get_by_role("switch", name="Run this plugin here").click()
    expect(page.locator("iframe.walled-frame")).to_have_count(0)
    page.get_by_role("switch", name="Run this plugin here").click()
    expect(frame.locator(".drawn")).to_be_visible()
    assert frame.locator("body").evaluate("() => globalThis.before") == 1, "what it keeps is there the next time"
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.includes('visits'))") == []
    page.get_by_role("switch", name="Run this plugin here").click()
    expect(page.locator("iframe.walled-frame")).to_have_count(0)


def test_the_reference_shell_opens_it_in_a_frame_and_trust_brings_it_into_the_page(
    browser: Browser, site: Site
) -> None:
    url, token = site.service.endpoint.url, site.service.endpoint.token
    page = browser.new_page()
    page.route(
        f"{url}/test/page.html", lambda route: route.fulfill(body=SHELL_PAGE, content_type="text/html; charset=utf-8")
    )
    page.goto(f"{url}/test/page.html#specifiers=rewrite&token={token}")
    frame = page.frame_locator(f"iframe[data-plugin={OUTSIDER}]")
    expect(frame.locator(".drawn")).to_have_text("drawn behind the wall")
    page.wait_for_function("() => window.shell.settled().then(() => true)")
    ran, denied = frame.locator("body").evaluate("() => [globalThis.ran, globalThis.denied]")
    assert denied["reason"] == "denied" and ran["ok"] is True
    assert page.locator(f"[data-contribution='{OUTSIDER}:pane']").count() == 0
    row = ask(site.service, "GET", f"/v1/plugins/{OUTSIDER}")
    assert row["walled"] is True and "loaded" in {each["state"] for each in row["shells"]}
    try:
        site.installed.packages.trust(OUTSIDER, True)
        expect(page.locator(f"[data-contribution='{OUTSIDER}:pane']")).to_have_text("drawn behind the wall")
        expect(page.locator("iframe.walled-frame")).to_have_count(0)
    finally:
        site.installed.packages.trust(OUTSIDER, False)
    expect(frame.locator(".drawn")).to_have_text("drawn behind the wall")
    expect(page.locator(f"[data-contribution='{OUTSIDER}:pane']")).to_have_count(0)
    page.close()


def test_a_browser_that_does_not_hold_connections_is_not_trusted_before_a_person_says_so(
    browser: Browser, site: Site
) -> None:
    context = browser.new_context()
    page = context.new_page()
    # As if the header meant nothing: the probe comes without it.
    page.route(
        "**/workbench/wall_probe.html",
        lambda route: route.fulfill(
            body="<script>parent.postMessage({ kind: 'hermes:probed', held: false }, '*')</script>",
            content_type="text/html",
        ),
    )
    enter(page, site.service)
    see(page, f"#/app/{BURGLAR}")
    note = page.locator(".app-stage .note")
    expect(note).to_contain_text("does not hold a frame to its own origin")
    assert page.locator("iframe.walled-frame").count() == 0
    page.get_by_role("button", name="Open it all the same").click()
    expect(page.frame_locator("iframe.walled-frame").locator("#who")).to_have_text(BURGLAR)
    context.close()


def test_this_browser_holds_them_and_the_probe_can_tell(page: Page) -> None:
    probe = "async () => (await import('/workbench/wall_holds.js')).wallHolds()"
    assert page.evaluate(probe) is True
    # The same probe where nothing is held: both names of the service answer.
    unheld = """async () => {
      const answers = (host) => fetch(`http://${host}:${location.port}/v1/health`).then(() => true, () => false)
      return [await answers('127.0.0.1'), await answers('localhost')]
    }"""
    assert page.evaluate(unheld) == [True, True]


# What pages do all day; none of it leaves their origin.
ORDINARY = """
async () => {
  const made = (source) => new Promise((yes, no) => { source.onmessage = ({ data }) => yes(data); source.onerror = () => no(new Error('refused')) })
  const drawn = (url) => new Promise((yes, no) => { const image = new Image(); image.onload = () => yes(image.width); image.onerror = () => no(new Error('refused')); image.src = url })
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 2
  canvas.getContext('2d').fillRect(0, 0, 1, 1)
  const tries = {
    fetch: async () => (await fetch('/app.js')).ok,
    relative: async () => (await fetch('app.js')).ok,
    worker: () => made(new Worker('/worker.js')),
    module: async () => Object.keys(await import('/app.js')).length === 0,
    wasm: async () => (await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))).instance !== null,
    dataImage: () => drawn(canvas.toDataURL()),
    blobImage: () => new Promise((yes) => canvas.toBlob((blob) => drawn(URL.createObjectURL(blob)).then(yes, yes))),
    local: () => { localStorage.setItem('x', '1'); return localStorage.getItem('x') },
    session: () => { sessionStorage.setItem('x', '1'); return sessionStorage.getItem('x') },
    indexed: () => new Promise((yes, no) => { const open = indexedDB.open('x'); open.onsuccess = () => yes(true); open.onerror = no }),
    caches: async () => (await caches.keys()).length === 0,
    digest: async () => (await crypto.subtle.digest('SHA-256', new Uint8Array(1))).byteLength,
    route: () => { history.pushState({}, '', '/notes/1?x=1#y'); return location.pathname === '/notes/1' },
    style: () => { const box = document.createElement('p'); box.style.color = 'red'; document.body.append(box); return getComputedStyle(box).color === 'rgb(255, 0, 0)' },
    sheet: () => { const sheet = document.createElement('style'); sheet.textContent = '#who { color: rgb(0, 0, 255) }'; document.head.append(sheet); return getComputedStyle(document.getElementById('who')).color === 'rgb(0, 0, 255)' },
    form: () => new Promise((yes) => { const form = document.createElement('form'); form.innerHTML = '<button></button>'; document.body.append(form); form.onsubmit = (event) => { event.preventDefault(); yes(true) }; form.querySelector('button').click() }),
    dialog: () => { const dialog = document.createElement('dialog'); document.body.append(dialog); dialog.showModal(); dialog.close(); return true },
    markup: () => { const box = document.createElement('div'); box.innerHTML = '<b>bold</b>'; return box.firstChild.tagName },
    animation: () => new Promise((yes) => requestAnimationFrame(() => yes(true))),
    channel: () => { new BroadcastChannel('x').close(); return true },
  }
  const failed = {}
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      if (!(await attempt())) failed[name] = 'no'
    } catch (error) {
      failed[name] = String(error)
    }
  }
  return [Object.keys(tries).length, failed]
}
"""  # noqa: E501 - it is read whole


def test_an_ordinary_app_finds_what_it_needs_in_its_own_origin(browser: Browser, site: Site) -> None:
    context = browser.new_context()
    page = context.new_page()
    enter(page, site.service)
    see(page, f"#/app/{NEIGHBOUR}")
    frame = page.frame_locator("iframe.walled-frame")
    expect(frame.locator("#who")).to_have_text(NEIGHBOUR)
    tried, failed = frame.locator("body").evaluate(ORDINARY)
    assert (tried, failed) == (20, {})
    assert page.locator("iframe.walled-frame").count() == 1
    context.close()
