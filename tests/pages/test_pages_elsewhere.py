"""Pages of a Hermes elsewhere in a real browser: seen, switched on, pressed, polled while visible, and kept apart."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.pages.elsewhere import CATALOG, HOME, let_pass_until, looks, pass_time, switch_on, wait_until
from tests.pages.fake_hermes import FakeHermes, words
from tests.server.served import Served

pytestmark = pytest.mark.real
EXAMPLE = Path(__file__).parent.parent.parent / "example_plugins" / "weather-pages"


def test_a_page_elsewhere_is_switched_on_shown_pressed_and_kept_fresh(page: Page, hermes: FakeHermes) -> None:
    switch_on(page)
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_text("hello from afar")).to_be_visible()
    expect(page.locator(".around")).to_contain_text("office")
    page.get_by_role("button", name="save").click()
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    expect(page.locator("#said")).to_have_text("Done")
    assert hermes.paths("POST") == ["/api/plugins/weather/save"]

    # Its manifest wishes every second; it is asked every five.
    wait_until(lambda: hermes.paths().count(HOME) == 2)
    hermes.answers[HOME] = words("changed meanwhile")
    let_pass_until(page, page.get_by_text("changed meanwhile"))
    before = hermes.paths().count(HOME)
    hermes.answers[HOME] = words("and once more")
    pass_time(page, 4500)
    assert hermes.paths().count(HOME) == before
    let_pass_until(page, page.get_by_text("and once more"))


def test_the_hub_asks_every_five_seconds_and_only_while_it_is_seen(page: Page, hermes: FakeHermes) -> None:
    expect(page.get_by_role("region", name="Weather")).to_be_visible()
    hermes.offer("climate")
    let_pass_until(page, page.get_by_role("region", name="Climate"))
    known = looks(page, hermes)
    hermes.offer("soil")
    pass_time(page, 4500)
    assert looks(page, hermes) == known
    let_pass_until(page, page.get_by_role("region", name="Soil"))

    page.evaluate("window.seen = 'hidden'; document.dispatchEvent(new Event('visibilitychange'))")
    known = looks(page, hermes)
    pass_time(page, 120_000)
    assert looks(page, hermes) == known
    page.evaluate("window.seen = 'visible'; document.dispatchEvent(new Event('visibilitychange'))")
    wait_until(lambda: looks(page, hermes) == known + 1)


def test_a_host_that_is_away_or_ill_mannered_costs_its_own_part_of_the_hub(
    page: Page, hermes: FakeHermes, service: Served
) -> None:
    markup = '<img src=x onerror="window.owned = 1"><script>window.owned = 1</script>'
    expect(page.get_by_role("region", name="Weather")).to_be_visible()
    hermes.offer("weather", markup, display_name=markup)
    let_pass_until(page, page.get_by_role("region", name=markup))
    hermes.answers[CATALOG] = "huge"
    office = page.get_by_role("region", name="Pages of office")
    let_pass_until(page, office.get_by_role("alert"))
    expect(office.get_by_role("alert")).to_contain_text("more than")
    # What was known stays, and our own part is as it was.
    expect(office.get_by_role("region", name=markup)).to_be_visible()
    expect(page.get_by_text("No plugin offers pages, and nothing is drafted.")).to_be_visible()
    assert page.evaluate("window.owned") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_backend_of_ours_that_comes_is_pushed_not_polled(page: Page, service: Served) -> None:
    """The page's clock stands still, so whatever it learns was pushed."""
    expect(page.get_by_role("region", name="Pages of office")).to_be_visible()
    shutil.copytree(EXAMPLE, service.root / "plugins" / EXAMPLE.name, ignore=shutil.ignore_patterns("__pycache__"))
    config = service.root / "config.yaml"
    config.write_text(f"plugins:\n  enabled: [{EXAMPLE.name}]\n", "utf-8")
    ours = page.locator(f"[data-plugin={EXAMPLE.name}]")
    expect(ours).to_contain_text("Weather")

    # A save of its code is another worker, and maybe another manifest.
    api = service.root / "plugins" / EXAMPLE.name / "dashboard" / "plugin_api.py"
    text = api.read_text("utf-8")
    assert '"display_name": "Weather"' in text
    api.write_text(text.replace('"display_name": "Weather"', '"display_name": "Sky"'), "utf-8")
    expect(ours).to_contain_text("Sky")
    config.write_text("plugins:\n  enabled: []\n", "utf-8")
    expect(ours).to_have_count(0)
