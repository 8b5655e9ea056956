"""A person connects and disconnects Hermes hosts in the hub, and the hub leaves alone what they are at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from loader.pages.connections import READ_ON_THE_WAY, PageHosts
from tests.pages.elsewhere import let_pass_until, pass_time, quiet
from tests.pages.fake_hermes import TOKEN, FakeHermes, fake_hermes
from tests.requirements import peers
from tests.server.served import Served, home_at

pytestmark = pytest.mark.real


@pytest.fixture
def second(service: Served) -> Iterator[FakeHermes]:
    """A host that nobody has connected yet; whatever a test connects is taken away."""
    hosts = PageHosts(home_at(service.root).state_dir)
    with fake_hermes() as fake:
        fake.offer("climate")
        yield fake
        for entry in hosts.all():
            hosts.disconnect(entry.name)


def form(page: Page) -> Locator:
    page.get_by_text("Connect a Hermes elsewhere").click()
    return page.locator(".connect form")


def filled(page: Page, **values: str) -> Locator:
    found = form(page)
    for label, value in values.items():
        found.get_by_label(label).fill(value)
    return found


def test_a_host_is_connected_and_disconnected_in_the_hub(page: Page, second: FakeHermes, service: Served) -> None:
    entry = filled(page, Name="home", Address=second.url, Token=TOKEN, Profile="work")
    entry.get_by_role("button", name="Connect").click()
    home = page.get_by_role("region", name="Pages of home")
    expect(home).to_contain_text("Climate")
    expect(home).to_contain_text("profile work, as you named it")
    expect(home.get_by_role("switch", name="Pages of Climate")).not_to_be_checked()
    expect(page.locator("#said")).to_contain_text("off until you switch them on")
    expect(page.locator("#host-token")).to_have_value("")
    assert {call[2] for call in second.asked} == {f"Bearer {TOKEN}"}

    gone = home.get_by_role("button", name="Disconnect home")
    gone.click()
    expect(page.get_by_role("dialog")).to_contain_text("what was allowed to its pages count no more")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(home).to_be_visible()
    gone.click()
    page.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
    expect(home).to_have_count(0)
    expect(page.get_by_role("region", name="Pages of office")).to_be_visible()
    assert [entry.name for entry in PageHosts(home_at(service.root).state_dir).all()] == ["office"]


def test_a_person_is_asked_before_a_token_goes_unencrypted(page: Page, second: FakeHermes, service: Served) -> None:
    entry = filled(page, Name="far", Address="http://hermes.invalid:1", Token=TOKEN)
    entry.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("dialog")).to_contain_text(READ_ON_THE_WAY)
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(entry.get_by_label("Token")).to_have_value(TOKEN)  # to be mended, not to be typed again
    assert [each.name for each in PageHosts(home_at(service.root).state_dir).all()] == ["office"]
    entry.get_by_role("button", name="Connect").click()
    page.get_by_role("dialog").get_by_role("button", name="Connect").click()
    expect(page.get_by_role("region", name="Pages of far").get_by_role("alert")).to_contain_text("no answer")


def test_what_is_no_host_is_said_beside_the_form(page: Page, second: FakeHermes) -> None:
    entry = filled(page, Name="office", Address=second.url)
    entry.get_by_role("button", name="Connect").click()
    expect(entry.get_by_role("alert")).to_contain_text("'office' is connected already")


def test_a_hub_that_is_drawn_anew_leaves_alone_what_a_person_is_at(page: Page, hermes: FakeHermes) -> None:
    hermes.answers["/api/dashboard/plugins"].append({"name": "plain", "has_api": False})
    let_pass_until(page, page.get_by_role("region", name="Pages of office").get_by_text("Without pages"))
    office = page.get_by_role("region", name="Pages of office")
    office.get_by_text("Without pages").click()
    expect(office.get_by_text("plain: it has no backend")).to_be_visible()
    office.get_by_role("switch", name="Pages of Weather").check()
    form(page).get_by_label("Name").fill("half a na")
    office.get_by_role("link", name="Home").focus()
    hermes.offer("soil")
    let_pass_until(page, page.get_by_role("region", name="Soil"))
    expect(office.get_by_text("plain: it has no backend")).to_be_visible()
    expect(office.get_by_role("link", name="Home")).to_be_focused()
    expect(page.locator("#host-name")).to_have_value("half a na")
    office.get_by_role("link", name="Home").click()
    expect(page.get_by_text("hello from afar")).to_be_visible()
    page.get_by_role("link", name="Weather").click()
    expect(office.get_by_role("link", name="Home")).to_be_focused()


def test_a_switch_that_could_not_be_thrown_says_so_and_is_as_it_was(page: Page, hermes: FakeHermes) -> None:
    office = page.get_by_role("region", name="Pages of office")
    expect(office.get_by_role("region", name="Weather")).to_be_visible()
    hermes.answers["/api/dashboard/plugins"] = 500
    office.get_by_role("switch", name="Pages of Weather").click()
    expect(office.get_by_role("region", name="Weather").get_by_role("alert")).to_contain_text("500")
    expect(office.get_by_role("switch", name="Pages of Weather")).not_to_be_checked()
    pass_time(page, 5100)
    expect(office.get_by_role("region", name="Weather").get_by_role("alert")).to_contain_text("500")


def test_what_was_granted_can_be_taken_back_when_it_is_no_longer_asked_for(page: Page, hermes: FakeHermes) -> None:
    office = page.get_by_role("region", name="Pages of office")
    office.get_by_role("switch", name="Pages of Weather").check()
    expect(office).to_contain_text("It says why: saves")
    may = office.get_by_role("switch", name="May change things in its backend")
    may.check()
    quiet(page)  # a box is ticked before the service has it
    hermes.offer("weather", requested_capabilities=[])
    let_pass_until(page, office.locator("section:not(:has(q))"))
    may.click()
    expect(may).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_the_hub_nor_on_a_page(page: Page, hermes: FakeHermes, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    office = page.get_by_role("region", name="Pages of office")
    office.get_by_role("switch", name="Pages of Weather").check()
    form(page)
    axe = (peers() / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
    # Beside the page's policy, which would refuse it as a script.
    run = f"(() => {{ {axe}; return axe.run(document) }})().then(({{ violations }}) => violations.map((one) => one.id))"
    for place in (page.get_by_label("Name"), page.get_by_text("hello from afar")):
        expect(place).to_be_visible()
        quiet(page)
        page.clock.resume()
        assert page.evaluate(run) == []
        office.get_by_role("link", name="Home").click() if office.count() else None
