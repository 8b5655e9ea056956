"""What a hostile app tries from behind the wall, in a real browser. Its network is judged by what arrives elsewhere."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Dialog, Frame, Page, expect

from loader.packages.walled import host_of
from tests.wall.conftest import Site
from tests.wall.installed import BURGLAR, NEIGHBOUR, SILENT, ask, attempts_script
from tests.wall.opened import entered, inside, shown
from tests.wall.opened import page as page
from tests.wall.test_port import PORT
from tests.workbench.browsing import enter, see
from tests.workbench.foreign import foreign_site

pytestmark = pytest.mark.real

TRY = attempts_script()
KEEPER = "com.attack.keeper"


def stays(page: Page, site: Site) -> None:
    """The page is where it was, with its session."""
    assert page.url.startswith(site.service.endpoint.url)
    assert page.evaluate("sessionStorage.getItem('hermes.session')")


# ---------------------------------------------------------------- what it reaches


def test_nothing_that_an_app_tries_leaves_its_origin(page: Page, site: Site) -> None:
    context = page.context
    arrived: list[str] = []
    dialogs: list[str] = []
    downloads: list[str] = []

    def shut(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", shut)
    page.on("download", lambda download: downloads.append(download.url))
    with foreign_site({"/here": "here"}, arrived=arrived) as elsewhere:
        frame = inside(page, BURGLAR)
        came: dict[str, str] = frame.evaluate(TRY, [elsewhere, site.service.endpoint.url])
        outside = context.new_page()
        outside.goto(f"{elsewhere}/here")
        outside.close()
    # The site is there and says who came: this visitor alone (and its browser's question for an icon).
    assert [line for line in arrived if "favicon" not in line] == ["GET /here"]
    assert {name: said for name, said in came.items() if name not in SILENT and not said.startswith("kept out")} == {}
    assert len(came) - len(SILENT) >= 40 and set(came) >= SILENT
    assert dialogs == [] and downloads == [] and len(context.pages) == 1
    assert context.cookies([site.service.endpoint.url, "http://localhost/", elsewhere]) == []
    stays(page, site)


@contextmanager
def listener(kind: int) -> Iterator[tuple[int, list[int]]]:
    """A port at which every connection (or datagram) is counted, also one that says nothing."""
    came: list[int] = []
    with socket.socket(socket.AF_INET, kind) as listening:
        listening.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            listening.listen(50)

        def count() -> None:
            try:
                while True:
                    if kind == socket.SOCK_STREAM:
                        listening.accept()[0].close()
                    else:
                        listening.recvfrom(4096)
                    came.append(1)
            except OSError:
                return

        threading.Thread(target=count, daemon=True).start()
        yield listening.getsockname()[1], came
        listening.shutdown(socket.SHUT_RDWR) if kind == socket.SOCK_STREAM else None


PEER = """
async ([stream, datagram]) => {
  for (const rel of ['preconnect', 'dns-prefetch']) {
    const link = document.createElement('link')
    link.rel = rel
    link.href = `http://127.0.0.1:${stream}/`
    document.head.append(link)
  }
  await new Promise((yes) => setTimeout(yes, 500))
  const inner = document.createElement('iframe')
  document.body.append(inner)
  const servers = [`stun:127.0.0.1:${datagram}`, `turn:127.0.0.1:${stream}?transport=tcp`]
  const peer = new inner.contentWindow.RTCPeerConnection({ iceServers: servers.map((urls) => ({ urls, username: 'x', credential: 'x' })) })
  peer.createDataChannel('x')
  await peer.setLocalDescription(await peer.createOffer())
  await new Promise((yes) => setTimeout(yes, 1500))
}
"""  # noqa: E501 - it is read whole


def test_peer_connections_and_hints_to_connect_reach_nothing_even_from_a_document_of_its_own_making(
    browser: Browser, site: Site
) -> None:
    """The names are gone in the app's own realm and there again in one that it makes; the browser ends it there."""
    context = entered(browser, site)
    page, witness = context.pages[0], context.new_page()
    enter(witness, site.service)
    witness.evaluate("() => { window.beats = 0; new BroadcastChannel('beat').onmessage = () => { window.beats += 1 } }")
    frame = inside(page, BURGLAR)
    assert frame.evaluate("Object.getOwnPropertyNames(window).filter((name) => /RTC|WebTransport/.test(name))") == []
    page.evaluate(
        "() => { const channel = new BroadcastChannel('beat'); setInterval(() => channel.postMessage(1), 50) }"
    )
    with listener(socket.SOCK_STREAM) as (stream, connected), listener(socket.SOCK_DGRAM) as (datagram, sent):
        with pytest.raises(Exception, match=r"crashed|closed|detached"):
            frame.evaluate(PEER, [stream, datagram])
        witness.wait_for_timeout(1500)
        assert (len(connected), len(sent)) == (0, 0)
        # The listeners listen: one visitor of each kind is counted.
        socket.create_connection(("127.0.0.1", stream), 5).close()
        witness.wait_for_timeout(300)
        assert len(connected) == 1
    beats = witness.evaluate("window.beats")
    witness.wait_for_function("before => window.beats > before + 3", arg=beats)
    context.close()


LEAVE = {
    "its own address": "(to) => { location.href = `${to}/?secret` }",
    "a replaced address": "(to) => { location.replace(`${to}/?secret`) }",
    "a link in its frame": "(to) => { const a = document.createElement('a'); a.href = `${to}/?secret`; document.body.append(a); a.click() }",  # noqa: E501
    "a download": "(to) => { const a = document.createElement('a'); a.href = `${to}/?secret`; a.download = 'x'; document.body.append(a); a.click() }",  # noqa: E501
    "a window of its own name": "(to) => { window.open(`${to}/?secret`, '_self') }",
    "a refresh": "(to) => { const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = `0; url=${to}/?secret`; document.head.append(m) }",  # noqa: E501
    "a form": "(to) => { const f = document.createElement('form'); f.action = `${to}/`; f.method = 'post'; document.body.append(f); f.submit() }",  # noqa: E501
    "a form that reads": "(to) => { const f = document.createElement('form'); f.action = `${to}/`; document.body.append(f); f.submit() }",  # noqa: E501
}


@pytest.mark.parametrize("way", LEAVE)
def test_a_frame_that_goes_elsewhere_arrives_nowhere_and_has_no_authority_left(
    page: Page, site: Site, way: str
) -> None:
    arrived: list[str] = []
    with foreign_site({"/": "elsewhere"}, arrived=arrived) as elsewhere:
        frame = inside(page, BURGLAR)
        frame.evaluate(LEAVE[way], elsewhere)
        expect(page.locator(".app-stage")).to_contain_text("it left its page")
    assert arrived == []
    assert page.locator("iframe.walled-frame").count() == 0
    stays(page, site)


def test_a_second_page_of_its_own_is_not_shown_and_ends_its_authority(page: Page, site: Site) -> None:
    for way in ("location.reload()", "location.href = '/index.html'", "location.href = '/worker.js'"):
        inside(page, BURGLAR).evaluate(f"() => {{ {way} }}")
        expect(page.locator(".app-stage")).to_contain_text("it left its page")
        see(page, "#/app")


# ---------------------------------------------------------------- who it is

FRAMED = """
async ([id, origin]) => {
  const { walledFrame } = await import('/workbench/walled.js')
  const { call } = await import('/workbench/session.js')
  const opened = await call('POST', `/v1/wall/${id}/frames`, {})
  return new Promise((yes) => {
    const request = async () => ({ ok: true })
    const onEnd = (why, reason) => yes(reason)
    const frame = walledFrame({ opened: { ...opened, origin }, request, title: 'one', onEnd })
    document.body.append(frame.element)
  })
}
"""


def test_a_page_of_another_origin_is_handed_nothing_though_it_stands_in_the_frame(page: Page, site: Site) -> None:
    see(page, "#/app")
    another = f"http://{host_of(BURGLAR)}:{site.service.port}"
    assert page.evaluate(FRAMED, [NEIGHBOUR, another]) == "left"
    assert page.locator("iframe[title=one]").count() == 0


def test_each_app_has_its_own_storage_and_no_other(page: Page, site: Site) -> None:
    keep = "() => { localStorage.setItem('mine', 'burglar'); return new Promise((yes) => { const open = indexedDB.open('mine'); open.onsuccess = () => yes(true) }) }"  # noqa: E501
    assert inside(page, BURGLAR).evaluate(keep)
    look = "async () => [localStorage.mine ?? null, (await indexedDB.databases()).length, localStorage.length]"
    assert inside(page, NEIGHBOUR).evaluate(look) == [None, 0, 0]
    assert inside(page, BURGLAR).evaluate(look) == ["burglar", 1, 1], "and it is there again next time"
    assert page.evaluate("Object.keys(localStorage).includes('mine')") is False


def test_what_an_app_kept_is_found_by_itself_alone_and_by_nobody_after_a_purge(page: Page, site: Site) -> None:
    keep = "text => { localStorage.setItem('mine', text); document.cookie = 'mine=x; max-age=9999' }"
    kept = "() => localStorage.getItem('mine')"

    def again(source: str, *, purge: bool = False) -> Frame:
        site.installed.packages.uninstall(KEEPER, purge=purge)
        see(page, "#/app")
        expect(page.locator(".apps")).not_to_contain_text(KEEPER)
        site.installed.app(KEEPER, source=source)
        expect(page.locator(".apps")).to_contain_text(KEEPER)
        return inside(page, KEEPER)

    site.installed.app(KEEPER)
    try:
        inside(page, KEEPER).evaluate(keep, "one")
        assert again(KEEPER).evaluate(kept) == "one", "the same package, from where it was"
        squatter = again("a squatter of its name")
        assert squatter.evaluate(kept) is None
        assert squatter.evaluate("document.cookie") == ""
        squatter.evaluate(keep, "two")
        purged = again("a squatter of its name", purge=True)
        assert purged.evaluate(kept) is None
        assert purged.evaluate("document.cookie") == ""
    finally:
        site.installed.packages.uninstall(KEEPER)


def test_an_app_cannot_go_to_another_apps_page_or_show_it(page: Page, site: Site) -> None:
    other = f"http://{host_of(NEIGHBOUR)}:{site.service.port}"
    frame = inside(page, BURGLAR)
    assert (
        frame.evaluate(
            "to => fetch(`${to}/app.js`, { mode: 'no-cors' }).then(() => 'read', (error) => error.name)", other
        )
        == "TypeError"
    )
    frame.evaluate("to => { location.href = `${to}/index.html?secret` }", other)
    expect(page.locator(".app-stage")).to_contain_text("it left its page")


# ---------------------------------------------------------------- how long

ENDS: dict[str, tuple[Callable[[Site], object], str]] = {
    "switched off": (lambda site: site.installed.off(BURGLAR), "it was switched off"),
    "uninstalled": (
        lambda site: site.installed.packages.uninstall(BURGLAR),
        "it no longer stands behind the wall",
    ),
}


@pytest.mark.parametrize("how", ENDS)
def test_authority_ends_with_the_switch_and_with_the_package(page: Page, site: Site, how: str) -> None:
    end, said = ENDS[how]
    frame = inside(page, BURGLAR)
    assert frame.evaluate(PORT)
    address = frame.url
    try:
        end(site)
        # Seen by the service within its half second, which nobody has to wait for here.
        expect(page.locator(".app-page")).to_contain_text(re.compile(f"{said}|not here"))
        assert page.locator("iframe.walled-frame").count() == 0
        there = page.context.new_page()
        answer = there.goto(address)
        assert answer is not None and answer.status == 421
    finally:
        site.installed.app(BURGLAR, "tools", "read-only")
    see(page, "#/app")
    inside(page, BURGLAR)


def test_what_is_approved_anew_is_what_the_next_page_may(page: Page, site: Site) -> None:
    frame = inside(page, BURGLAR)
    assert frame.evaluate("window.meithPlugin.identity.capabilities") == ["read-only"]
    site.installed.on(BURGLAR, "tools", "")
    try:
        page.wait_for_function("() => document.querySelector('.grants').textContent === 'tools'")
        expect(page.frame_locator("iframe.walled-frame").locator("#who")).to_have_text(BURGLAR)
        fresh = shown(page)
        fresh.wait_for_function("window.meithPlugin.identity.capabilities.length === 0")
        denied = fresh.evaluate("window.meithPlugin.tools.call('read_page', {})")
        assert denied["error"]["code"] == "PERMISSION_DENIED" and "read-only" in denied["error"]["message"]
    finally:
        site.installed.on(BURGLAR, "tools", "read-only")
    page.wait_for_function("() => document.querySelector('.grants').textContent === 'toolsread-only'")


# ---------------------------------------------------------------- its host

HOSTS = [
    *(
        "{host}.:{port}/index.html",
        "x.{host}:{port}/index.html",
        "p-00000000000000000000000000000000.localhost:{port}/",
    ),
    *("{host}:{port}/index.html", "{host}:{port}/v1/plugins", "{host}:{port}/v1/health", "{host}:{port}/"),
    *("{upper}:{port}/index.html", "{host}:{port}/index.html?hermes-ticket=guess", "{host}:{port}/workbench/app.js"),
]


def test_nobody_else_is_shown_an_apps_page_by_any_spelling(browser: Browser, site: Site) -> None:
    host, port = host_of(BURGLAR), site.service.port
    urls = [f"http://{address.format(host=host, upper=host.upper(), port=port)}" for address in HOSTS]
    context = browser.new_context()
    outside = context.new_page()
    for url in urls:
        answer = outside.goto(url)
        assert answer is not None and answer.status in (404, 409, 421), url
    frames = "".join(f"<iframe src='{url}'></iframe>" for url in urls)
    with foreign_site({"/": f"{frames}<script src='http://{host}:{port}/app.js'></script>"}) as elsewhere:
        outside.goto(elsewhere)
        outside.wait_for_load_state("networkidle")
        assert all("An app" not in (frame.title() or "") for frame in outside.frames)
        assert outside.evaluate("typeof api") == "undefined"
    context.close()


def test_a_stolen_address_of_a_frame_is_good_for_nothing_after_its_page(
    page: Page, site: Site, browser: Browser
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    inside(page, BURGLAR)
    (address,) = [url for url in asked if "hermes-ticket=" in url]
    frame = shown(page)
    assert "hermes-ticket" not in frame.evaluate("location.href")
    with foreign_site({"/": f"<iframe src='{address}'></iframe>"}) as elsewhere:
        outside = browser.new_page()
        outside.goto(elsewhere)
        outside.wait_for_load_state("networkidle")
        assert all("An app" not in (each.title() or "") for each in outside.frames)
        outside.close()


def test_the_service_lets_no_apps_origin_in_even_with_a_good_token(page: Page, site: Site) -> None:
    """The network wall aside: asked from such an origin, with what somebody stole, the service refuses."""
    frame = inside(page, BURGLAR)
    script = """([url, token]) => fetch(url, { headers: { authorization: `Bearer ${token}` } })
      .then((answer) => answer.status, (error) => error.name)"""
    assert (
        frame.evaluate(script, [f"{site.service.endpoint.url}/v1/plugins", site.service.endpoint.token]) == "TypeError"
    )
    assert frame.evaluate(script, ["/v1/plugins", site.service.endpoint.token]) == 404
    assert {app["id"] for app in ask(site.service, "GET", "/v1/wall")["apps"]} >= {BURGLAR, NEIGHBOUR}
