"""One page in a real browser: what is pressed and decided about is what a person sees, and what they type stays."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.pages.building import LABEL, document, group
from tests.pages.elsewhere import HOME, let_pass_until, pass_time, quiet, switch_on, wait_until
from tests.pages.fake_hermes import FakeHermes, button, words

pytestmark = pytest.mark.real

SAVE = "/api/plugins/weather/save"
FIELD = {"type": "text_input", "id": "name", "label": {**LABEL, "value": "Name"}, "binding": "name"}


def opened(page: Page) -> None:
    switch_on(page)
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_text("hello from afar")).to_be_visible()


def typed(text: str, revision: int | None = None) -> Any:
    """A page with a field, and a line that may change."""
    line = {"type": "text", "id": "t", "text": {**LABEL, "value": text}}
    found = document(group(line, FIELD), state={"name": {"type": "string", "value": ""}})
    return found if revision is None else {**found, "host_revision": revision}


def test_a_confirmed_press_sends_what_was_shown_though_the_page_has_changed_meanwhile(
    page: Page, hermes: FakeHermes
) -> None:
    """Else a page could swap the action under its own question."""
    opened(page)
    page.get_by_role("button", name="save").click()
    expect(page.get_by_role("dialog")).to_contain_text("Really save?")
    evil = button("save", request={"path": "wipe"}, confirmation={**LABEL, "value": "Really save?"})
    hermes.answers[HOME] = document(group({"type": "text", "id": "t", "text": {**LABEL, "value": "swapped"}}, evil))
    hermes.answers["/api/plugins/weather/wipe"] = {}
    let_pass_until(page, page.get_by_text("swapped"))
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(page.locator("#said")).to_have_text("Done")
    assert hermes.paths("POST") == [SAVE]


def test_a_question_says_whose_it_is(page: Page, hermes: FakeHermes) -> None:
    """Its words are the plugin's: it may speak as if it were the host."""
    opened(page)
    page.get_by_role("button", name="save").click()
    expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text("Weather asks")


def test_names_without_end_fit_on_a_phone(page: Page, hermes: FakeHermes) -> None:
    hermes.offer("weather", display_name="long" * 60, updates={"poll_seconds": 1})
    let_pass_until(page, page.get_by_role("heading", name="longlong"))
    opened(page)
    expect(page.locator(".around")).to_contain_text("longlong")
    assert page.evaluate("document.querySelector('main').scrollWidth") <= 360


def test_a_question_goes_with_its_page(page: Page, hermes: FakeHermes) -> None:
    opened(page)
    page.get_by_role("button", name="save").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate("location.hash = '#/'")
    expect(page.get_by_role("region", name="Weather")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert hermes.paths("POST") == []


def test_after_a_press_the_page_is_read_anew_though_a_look_was_under_way(page: Page, hermes: FakeHermes) -> None:
    opened(page)
    before = hermes.paths().count(HOME)
    hermes.answers[HOME] = "stall"
    page.clock.fast_forward(5100)
    wait_until(lambda: hermes.paths().count(HOME) == before + 1)
    page.get_by_role("button", name="save").click()
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(page.locator("#said")).to_have_text("Done")
    hermes.answers[HOME] = words("after the press")
    hermes.let_go.set()  # the look that was under way is answered last, and is not the end of it
    expect(page.get_by_text("after the press")).to_be_visible()


def test_whoever_types_goes_on_typing_while_the_page_changes(page: Page, hermes: FakeHermes) -> None:
    hermes.answers[HOME] = typed("hello from afar", revision=3)
    opened(page)
    page.get_by_label("Name").press_sequentially("Berge")
    page.get_by_label("Name").press("Home")
    hermes.answers[HOME] = typed("changed meanwhile", revision=3)
    let_pass_until(page, page.get_by_text("changed meanwhile"))
    page.keyboard.type("Oslo ")
    expect(page.get_by_label("Name")).to_have_value("Oslo Berge")
    expect(page.get_by_label("Name")).to_be_focused()


def test_what_is_typed_outlives_a_lost_connection(page: Page, hermes: FakeHermes) -> None:
    hermes.answers[HOME] = typed("hello from afar")
    opened(page)
    page.get_by_label("Name").fill("Bergen")
    before = hermes.paths().count(HOME)
    # The socket is closed under the page, as a network would: it comes back by itself and is told where it stands.
    page.evaluate(
        """async () => {
          const { live } = await import('/workbench/pages_app.js')
          const send = WebSocket.prototype.send
          WebSocket.prototype.send = function () { WebSocket.prototype.send = send; this.close() }
          await live.request('ping').catch(() => {})
        }"""
    )
    expect(page.locator("#connection")).not_to_have_attribute("data-state", "live")
    while hermes.paths().count(HOME) == before:
        pass_time(page, 1000)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    quiet(page)
    expect(page.get_by_label("Name")).to_have_value("Bergen")


def test_what_became_of_a_press_stays_to_be_read(page: Page, hermes: FakeHermes) -> None:
    hermes.answers[SAVE] = 500
    opened(page)
    page.get_by_role("button", name="save").click()
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert")).to_contain_text("answered 500")
    hermes.answers[HOME] = words("and on it goes")
    let_pass_until(page, page.get_by_text("and on it goes"))
    expect(page.get_by_role("alert")).to_contain_text("answered 500")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_page_that_is_switched_off_elsewhere_is_shown_no_longer(page: Page, hermes: FakeHermes) -> None:
    opened(page)
    page.evaluate(
        """async () => {
          const { call, get } = await import('/workbench/session.js')
          const [host] = (await get('/v1/page-hosts')).hosts
          await call('PUT', `/v1/page-hosts/${host.id}/pages/weather`, { enabled: false })
        }"""
    )
    let_pass_until(page, page.get_by_role("alert"))
    expect(page.get_by_role("alert")).to_contain_text("switched off")
    expect(page.get_by_role("button", name="save")).to_have_count(0)
    expect(page.get_by_role("heading", name="Home")).to_be_visible()


def drafted(hermes: FakeHermes, revision: int) -> None:
    draft = {
        **{"id": "trip", "title": "Trip", "document": {"path": "mobile/pages/trip"}, "status": "draft"},
        **{"revision": revision, "digest": f"sha256:{revision}"},
    }
    hermes.offer("hermes-relay", contributions=[draft], updates={"poll_seconds": 5})


def trip(revision: int) -> Any:
    line = {"type": "text", "id": "t", "text": {**LABEL, "value": f"revision {revision}"}}
    return {**document(group(line), page="trip"), "host_revision": revision}


def test_only_the_revision_that_is_seen_can_be_kept(page: Page, hermes: FakeHermes) -> None:
    """The digest comes from the list, the sight from the document: they must be of one revision."""
    drafted(hermes, 1)
    hermes.answers["/api/plugins/hermes-relay/mobile/pages/trip"] = trip(1)
    promote = "/api/plugins/hermes-relay/mobile/plugins/trip/promote"
    hermes.answers[promote] = {"ok": True}
    relay = page.locator("[data-plugin=hermes-relay]")
    let_pass_until(page, relay)
    relay.get_by_role("switch", name="Pages of").check()
    relay.get_by_role("switch", name="May keep and remove").check()
    expect(relay.get_by_role("switch", name="May keep and remove")).to_be_checked()
    # Drafted again behind the list's back.
    hermes.answers["/api/plugins/hermes-relay/mobile/pages/trip"] = trip(2)
    relay.get_by_role("link", name="Trip").click()
    expect(page.get_by_text("revision 2")).to_be_visible()
    keep = page.get_by_role("button", name="Keep", exact=True)
    expect(keep).to_be_disabled()
    expect(page.locator(".around")).to_contain_text("It has changed")
    assert hermes.paths("POST") == []

    drafted(hermes, 3)
    hermes.answers["/api/plugins/hermes-relay/mobile/pages/trip"] = trip(3)
    let_pass_until(page, page.get_by_text("revision 3"))
    keep.click()
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    wait_until(lambda: hermes.paths("POST") == [promote])
    assert [body for method, _, _, body in hermes.asked if method == "POST"] == [{"expected_digest": "sha256:3"}]
