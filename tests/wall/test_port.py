"""Who speaks over the port of a frame, and what no word and no flood over it does."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from loader.packages.walled import host_of
from tests.wall.conftest import Site
from tests.wall.installed import BURGLAR, NEIGHBOUR
from tests.wall.opened import inside
from tests.wall.opened import page as page

pytestmark = pytest.mark.real

# The bridge's own port, taken from under it: what a page can do at most.
PORT = """
() => new Promise((yes) => {
  const own = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (...words) {
    window.port = this
    MessagePort.prototype.postMessage = own
    own.apply(this, words)
    yes(true)
  }
  window.meithPlugin.tools.list().catch(() => {})
})
"""
SAY = """
([method, params, more]) => new Promise((yes) => {
  const id = `stolen-${Math.random()}`
  window.port.addEventListener('message', ({ data }) => data.id === id && yes(data.result))
  window.port.postMessage({ kind: 'call', id, method, params, ...more })
})
"""


def test_no_word_on_the_port_makes_it_another_or_gives_what_was_not_approved(page: Page, site: Site) -> None:
    frame = inside(page, BURGLAR)
    assert frame.evaluate("Object.keys(window.meithPlugin).sort().join(' ')") == "identity tools"
    frozen = "() => { 'use strict'; try { window.meithPlugin = 1 } catch (e) { return e.name } }"
    assert frame.evaluate(frozen) == "TypeError"
    assert frame.evaluate("Object.isFrozen(window.meithPlugin) && Object.isFrozen(window.meithPlugin.identity.apis)")
    assert frame.evaluate(PORT)

    def say(method: str, params: Any = None, **more: Any) -> Any:
        return frame.evaluate(SAY, [method, params, more])

    as_other = {"pluginId": NEIGHBOUR, "plugin": NEIGHBOUR, "owner": f"plugin:{NEIGHBOUR}", "frame_token": "x"}
    assert say("identity", as_other, **as_other)["data"]["pluginId"] == BURGLAR
    refusals = {
        "storage.getBrowserTabs": "PERMISSION_DENIED",
        "storage.getWorkspaceTabs": "PERMISSION_DENIED",
        "cdp.send": "PERMISSION_DENIED",
        "ai.streamText": "PERMISSION_DENIED",
        "runAction": "NOT_FOUND",
        "pet.say": "NOT_FOUND",
        "wall/call": "NOT_FOUND",
        "reload": "NOT_FOUND",
        "__proto__": "NOT_FOUND",
    }
    before = len(site.asked)
    found = {method: say(method, as_other, **as_other)["error"]["code"] for method in refusals}
    assert found == refusals
    for name, code in (("click", "PERMISSION_DENIED"), ("install_plugin", "NOT_FOUND"), ("", "NOT_FOUND")):
        assert say("tools.call", {"name": name, "arguments": {}, **as_other})["error"]["code"] == code
    assert len(site.asked) == before, "nothing of it reached the app's window"
    assert say("tools.call", {"name": "read_page", "arguments": {}, **as_other})["ok"] is True
    assert site.asked[-1]["params"]["owner"] == f"plugin:{BURGLAR}"
    assert "frame_token" not in frame.evaluate("JSON.stringify(Object.keys(window))")


# All that the page sends to the service from here on.
LISTEN = """
() => {
  window.sent = []
  const own = WebSocket.prototype.send
  WebSocket.prototype.send = function (text) {
    window.sent.push(text)
    return own.call(this, text)
  }
}
"""
FLOOD = """
() => {
  for (let count = 0; count < 20000; count += 1) window.port.postMessage({ kind: 'cancel', id: count % 7 })
  for (const id of ['x'.repeat(2e6), { x: 'x'.repeat(2e6) }, ['x'.repeat(2e6)], 1e300, NaN, null])
    for (const kind of ['call', 'cancel']) window.port.postMessage({ kind, id, method: 'identity' })
  for (const method of ['x'.repeat(2e6), { x: 'x'.repeat(2e6) }])
    window.port.postMessage({ kind: 'call', id: 1, method })
}
"""


def test_no_flood_over_the_port_reaches_the_connection_of_the_page(page: Page, site: Site) -> None:
    frame = inside(page, BURGLAR)
    assert frame.evaluate(PORT)
    assert frame.evaluate(SAY, ["identity", None, {}])["ok"] is True, "what was asked before has been sent"
    page.evaluate(LISTEN)
    frame.evaluate(FLOOD)
    assert frame.evaluate(SAY, ["identity", None, {}])["ok"] is True, "heard after all of it"
    sent = page.evaluate("window.sent")
    assert [text for text in sent if "wall/cancel" in text] == []
    assert max(map(len, sent)) < 1000
    assert len([text for text in sent if "wall/call" in text]) == 3
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")


def test_an_app_knows_no_credential_and_cannot_speak_to_the_page_beside_its_port(page: Page, site: Site) -> None:
    heard: list[str] = []
    page.expose_function("heard", lambda origin: heard.append(origin))
    frame = inside(page, BURGLAR)
    page.evaluate("addEventListener('message', ({ origin }) => window.heard(origin))")
    # Another ready is a second page, as far as anybody can tell.
    frame.evaluate("parent.postMessage({ kind: 'hermes:ready' }, '*')")
    expect(page.locator(".app-stage")).to_contain_text("it left its page")
    assert heard == [f"http://{host_of(BURGLAR)}:{site.service.port}"]
