"""Pages of a Hermes elsewhere in a real browser: seen, switched on, pressed, polled while visible, and kept apart."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from loader import client
from loader.pages.connections import PageHosts
from tests.pages.fake_hermes import TOKEN, FakeHermes, fake_hermes, words
from tests.requirements import need
from tests.server.served import PATIENCE_S, Served, home_at, served

pytestmark = pytest.mark.real
EXAMPLE = Path(__file__).parent.parent.parent / "example_plugins" / "weather-pages"
CATALOG = "/api/dashboard/plugins"
HOME = "/api/plugins/weather/pages/home"
# What each page has asked and not yet been answered.
PENDING: WeakKeyDictionary[Page, set[Request]] = WeakKeyDictionary()
HIDE = """() => {
  Object.defineProperty(document, 'visibilityState', { get: () => window.seen ?? 'visible', configurable: true })
}"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    need("chromium")
    root = tmp_path_factory.mktemp("elsewhere") / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    with served(root) as found:
        yield found


@pytest.fixture
def hermes(service: Served) -> Iterator[FakeHermes]:
    """Connected as `office`."""
    hosts = PageHosts(home_at(service.root).state_dir)
    with fake_hermes() as fake:
        fake.offer("weather", updates={"poll_seconds": 1})
        hosts.connect("office", fake.url, token=TOKEN)
        yield fake
        hosts.disconnect("office")


@pytest.fixture
def page(browser: Browser, service: Served, hermes: FakeHermes) -> Iterator[Page]:
    """The hub, entered, with a clock of the test's own. It may speak to our service and to nobody else."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    pending = PENDING[page] = set()
    page.on("request", lambda request: pending.add(request))
    page.on("requestfinished", lambda request: pending.discard(request))
    page.on("requestfailed", lambda request: pending.discard(request))
    told: list[str] = []
    page.on("response", lambda answer: told.append(answer.text()) if "/v1/page" in answer.url else None)
    page.clock.install(time=0)
    page.add_init_script(f"({HIDE})()")
    with client.connect(home_at(service.root)) as connected:
        code = connected.page_link().partition("#")[2]
    page.goto(f"{service.endpoint.url}/workbench/pages.html#{code}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    # From here on the page's time stands still, but for what a test lets pass.
    page.clock.pause_at(3_600_000)
    yield page
    context.close()
    assert [url for url in asked if not url.startswith(service.endpoint.url)] == []
    assert told and all(TOKEN not in text for text in told)


def wait_until(holds: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE_S
    while not holds():
        assert monotonic() < end
        sleep(0.02)  # a poll with a deadline: the other side counts in its own threads


def pass_time(page: Page, milliseconds: int) -> None:
    """On the page's own clock; whatever was due then has been asked, answered and read when this returns."""
    quiet(page)
    page.clock.fast_forward(milliseconds)
    quiet(page)


def quiet(page: Page) -> None:
    """Until nothing is under way; a timer for the next look is set then."""
    end = monotonic() + PATIENCE_S
    while True:
        # What was begun or answered meanwhile has been told once this has come back.
        page.evaluate("fetch('/v1/health').then(() => true)")
        if not [one for one in PENDING[page] if "/v1/page" in one.url]:
            return
        assert monotonic() < end


def let_pass_until(page: Page, sign: Locator) -> None:
    """An answer that was read is drawn; what was asked before it is not what is waited for."""
    end = monotonic() + PATIENCE_S
    while not sign.is_visible():
        assert monotonic() < end
        pass_time(page, 5100)


def looks(page: Page, hermes: FakeHermes) -> int:
    """How often the host's catalogue was asked for."""
    quiet(page)
    return hermes.paths().count(CATALOG)


def switch_on(page: Page) -> None:
    office = page.get_by_role("region", name="Pages of office")
    office.get_by_role("switch", name="Pages of Weather").check()
    office.get_by_role("switch", name="May change things in its backend").check()
    expect(office.get_by_role("switch", name="May change things in its backend")).to_be_checked()


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
