"""The page of what came from elsewhere: a person looks, ticks, installs, approves, switches and answers agents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from loader import client
from loader.packages.install import Packages
from tests.packages.conftest import make_app, make_package, make_plugin, tar_bytes, write_files
from tests.packages.test_git import Repository
from tests.packages.test_install import put
from tests.requirements import need, peers
from tests.server.served import PATIENCE_S, Served, home_at, served
from tests.workbench.browsing import enter, row, see
from tests.workbench.plugins import METER
from tests.workbench.test_looks import faults

pytestmark = pytest.mark.real

APP = "com.example.board"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packages")


@pytest.fixture(scope="module")
def service(place: Path) -> Iterator[Served]:
    need("chromium")
    root = place / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    with ExitStack() as running:
        with pytest.MonkeyPatch.context() as patch:
            # A user's own table of addresses for git, so that links to repositories need no network.
            patch.setenv("HOME", str(place))
            found = running.enter_context(served(root, "--real"))
        yield found


@pytest.fixture(scope="module")
def entered(browser: Browser, service: Served) -> Iterator[Page]:
    # axe is put in as a script of the test's own, which the page's policy would refuse.
    context = browser.new_context(viewport={"width": 1360, "height": 840}, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    page.on("dialog", lambda question: question.accept())
    enter(page, service)
    page.add_script_tag(path=peers() / "node_modules" / "axe-core" / "axe.min.js")
    yield page
    context.close()


@pytest.fixture
def page(entered: Page) -> Page:
    see(entered, "#/packages")
    expect(entered.locator(".packages .empty:visible, .package").first).to_be_visible()
    return entered


def look(page: Page, source: object) -> Locator:
    page.get_by_label("Install from").fill(str(source))
    page.get_by_role("button", name="Look at it").click()
    dialog = page.locator("#install")
    expect(dialog).to_be_visible()
    return dialog


def card(page: Page, package_id: str) -> Locator:
    return page.locator(f".package[data-id='{package_id}']")


def installed(service: Served) -> dict[str, tuple[frozenset[str], bool]]:
    """What each is granted, and whether it is trusted."""
    found = Packages(home_at(service.root)).entries()
    return {record.id: (entry.consent.approved.apis, entry.consent.trusted) for entry, record in found}


def test_a_web_app_from_an_archive_to_its_removal(page: Page, service: Served, place: Path) -> None:
    folder = make_app(place / "app")
    archive = place / "board-1.tgz"
    members = [(f"board/{path.name}", path.read_bytes()) for path in sorted(folder.iterdir())]
    archive.write_bytes(tar_bytes("board/", *members))
    dialog = look(page, archive)
    expect(dialog.get_by_role("heading")).to_have_text(f"Install {APP}?")
    expect(dialog).to_contain_text(str(archive))
    expect(dialog).to_contain_text("behind the wall, with no more than you approve")
    assert faults(page) == []
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    assert installed(service) == {}, "a look installs nothing"
    dialog = look(page, archive)
    dialog.get_by_label("storage").check()
    dialog.get_by_role("button", name="Install").click()
    expect(dialog).to_be_hidden()
    expect(card(page, APP)).to_contain_text("lacks tools")
    assert installed(service) == {APP: (frozenset({"storage"}), False)}
    control = card(page, APP).get_by_role("switch")
    expect(control).to_have_attribute("aria-checked", "false")
    control.click()
    expect(page.get_by_role("alert")).to_contain_text("asks for tools, which nobody approved")
    card(page, APP).get_by_role("checkbox", name="tools call").check()
    card(page, APP).get_by_role("checkbox", name="read-only").check()
    card(page, APP).get_by_role("button", name="Approve what is ticked").click()
    expect(card(page, APP)).not_to_contain_text("lacks")
    card(page, APP).get_by_role("switch").click()
    expect(card(page, APP).get_by_role("switch")).to_have_attribute("aria-checked", "true")
    assert faults(page) == []
    card(page, APP).get_by_role("link", name="Open").click()
    expect(page.frame_locator("iframe.walled-frame").locator("p")).to_have_text("board")
    see(page, "#/packages")
    card(page, APP).get_by_role("button", name="Uninstall").click()
    expect(page.locator(".packages .empty")).to_be_visible()
    assert installed(service) == {}


def test_a_desktop_plugin_from_a_repository_with_its_drawing_update_and_trust(
    page: Page, service: Served, place: Path
) -> None:
    repository = Repository(place / "repository")
    write_files(repository.folder, {"plugin.js": METER.replace("NAME", "one")})
    repository.commit()
    dialog = look(page, repository.url)
    expect(dialog).to_contain_text("Install meter?")
    expect(dialog.locator("pre[aria-label='How it looks']").first).to_contain_text("one")
    expect(dialog).to_contain_text("The check found nothing")
    dialog.get_by_label("Turn it on at once").check()
    dialog.get_by_role("button", name="Install").click()
    expect(card(page, "meter").get_by_role("switch")).to_have_attribute("aria-checked", "true")
    expect(card(page, "meter")).to_contain_text("behind the wall")
    write_files(repository.folder, {"plugin.js": METER.replace("NAME", "two")})
    repository.commit()
    card(page, "meter").get_by_role("button", name="Look for an update").click()
    dialog = page.locator("#install")
    expect(dialog.locator("pre[aria-label='What changes']")).to_contain_text("~ plugin.js")
    code = dialog.locator("pre[aria-label='The code of plugin.js']")
    expect(code).to_contain_text(re.compile(r"^-.*one.*\n\+.*two", re.MULTILINE))
    dialog.get_by_role("button", name="Update").click()
    expect(dialog).to_be_hidden()
    card(page, "meter").get_by_role("button", name="Trust").click()
    expect(card(page, "meter")).to_contain_text("trusted")
    see(page, "#/plugins")
    expect(row(page, "meter")).to_contain_text("Meter two")
    assert installed(service)["meter"] == (frozenset(), True)
    see(page, "#/packages")
    card(page, "meter").get_by_role("button", name="Put behind the wall").click()
    expect(card(page, "meter")).to_contain_text("behind the wall")
    card(page, "meter").get_by_role("button", name="Uninstall").click()
    expect(card(page, "meter")).to_have_count(0)


def test_what_is_not_ticked_is_not_installed(page: Page, service: Served, place: Path) -> None:
    dialog = look(page, make_package(place / "pack"))
    assert dialog.locator("legend").all_inner_texts() == ["It ships"]
    dialog.get_by_label("agent half").uncheck()
    dialog.get_by_label("backend").uncheck()
    dialog.get_by_role("button", name="Install").click()
    expect(card(page, "pack")).to_be_visible()
    folder = service.root / "plugins" / "pack"
    assert sorted(path.name for path in folder.iterdir()) == ["desktop", "skills"]
    card(page, "pack").get_by_role("button", name="Uninstall").click()
    expect(card(page, "pack")).to_have_count(0)


def test_an_install_link_is_named_looked_at_and_decided_by_a_person(page: Page, service: Served, place: Path) -> None:
    repository = Repository(place / "linked")
    make_package(repository.folder, "linked")
    repository.commit()
    table = f'[url "{repository.url}"]\n\tinsteadOf = https://github.com/owner/linked.git\n'
    (place / ".gitconfig").write_text(table)
    with client.connect(home_at(service.root)) as connected:
        # As `hermes-desktop open LINK` does it.
        page.goto(connected.page_link("/#/packages/" + quote("hermes://plugin/install?repo=owner/linked&enable=1", "")))
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    expect(page.get_by_label("Install from")).to_have_value("hermes://plugin/install?repo=owner/linked&enable=1")
    expect(page.get_by_role("status").filter(has_text="Nothing was fetched yet")).to_be_visible()
    expect(page.get_by_role("button", name="Look at it")).to_be_focused()
    assert page.url.endswith("/#/packages"), "it is not asked again by a reload"
    dialog = page.locator("#install")
    expect(dialog).to_be_hidden()
    assert faults(page) == []
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("heading")).to_have_text("Install linked?")
    expect(dialog).to_contain_text("https://github.com/owner/linked.git")
    expect(dialog.get_by_label("Turn it on at once")).to_be_checked()
    assert installed(service) == {}, "a link installs nothing by itself"
    dialog.get_by_label("backend").uncheck()
    dialog.get_by_role("button", name="Install").click()
    expect(card(page, "linked").get_by_role("switch")).to_have_attribute("aria-checked", "true")
    assert not (service.root / "config.yaml").exists(), "its agent half is Hermes' own matter"
    write_files(repository.folder, {"skills/more/SKILL.md": "# More\n"})
    repository.commit()
    for link, forced in (
        ("hermes-dev://plugin/install?repo=owner%2Flinked", False),
        ("hermes://plugin-agent/install?repo=https%3A%2F%2Fgithub.com%2Fowner%2Flinked.git", False),
        ("hermes://plugin-desktop/install?repo=owner/linked&force=1", True),
    ):
        dialog = look(page, link)
        expect(dialog.locator("pre[aria-label='What changes']")).to_contain_text("+ skills/more/SKILL.md")
        expect(dialog.get_by_label("may be replaced")).to_be_checked(checked=forced)
        expect(dialog.get_by_label("Turn it on at once")).not_to_be_checked()
        if not forced:
            dialog.get_by_role("button", name="Replace").click()
            expect(dialog.get_by_role("alert")).to_contain_text("is there already")
            dialog.get_by_role("button", name="Cancel").click()
    page.locator("#install").get_by_role("button", name="Replace").click()
    expect(page.locator("#install")).to_be_hidden()
    folder = service.root / "plugins" / "linked"
    assert (folder / "skills" / "more" / "SKILL.md").exists()
    card(page, "linked").get_by_role("button", name="Uninstall").click()
    expect(card(page, "linked")).to_have_count(0)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("hermes://plugin/install?repo=file:///etc", "names a repository on this machine"),
        ("hermes://plugin/install?repo=http://localhost:1/x.git", "names a repository on this machine"),
        ("hermes://plugin/remove?repo=owner/linked", "only /install is known"),
        ("hermes://plugin/install?enable=1", "names no repository"),
        ("hermes://plugin/install?repo=a/b&repo=c/d", "says repo twice"),
    ],
)
def test_a_link_that_is_none_says_why(page: Page, service: Served, link: str, said: str) -> None:
    page.get_by_label("Install from").fill(link)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_role("button", name="Look at it")).to_be_enabled()
    expect(page.locator("#install")).to_be_hidden()


def test_an_address_of_the_page_names_links_only(page: Page, service: Served) -> None:
    page.get_by_label("Install from").fill("")
    see(page, "#/packages/" + quote("/etc/passwd", ""))
    expect(page).to_have_url(re.compile("#/packages$"))
    expect(page.get_by_label("Install from")).to_have_value("")
    see(page, "#/packages/" + quote("hermes://plugin/install?repo=<img src=x onerror=alert(1)>", ""))
    expect(page.get_by_label("Install from")).to_have_value(re.compile("<img"))
    assert page.locator(".packages img").count() == 0


def test_what_must_not_be_installed_says_why(page: Page, service: Served, place: Path) -> None:
    broken = make_plugin(place / "broken", "broken", extra={"plugin.js": METER.replace("react/jsx-runtime", "lodash")})
    dialog = look(page, broken)
    expect(dialog.get_by_role("list", name="Findings")).to_contain_text("HP201")
    expect(dialog.get_by_role("button", name="Install")).to_be_disabled()
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_label("Install from").fill("/nothing/at/all")
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("alert")).to_be_visible()
    source = make_plugin(place / "late", "late")
    dialog = look(page, source)
    make_plugin(source, "late", version=2)
    dialog.get_by_role("button", name="Install").click()
    expect(dialog.get_by_role("alert")).to_contain_text("no longer what was looked at")
    dialog.get_by_role("button", name="Cancel").click()
    assert installed(service) == {}


def test_an_agents_request_is_told_seen_and_answered(page: Page, service: Served, place: Path) -> None:
    source = make_app(place / "asked", "com.example.asked")

    def ask() -> None:
        body = {"path": str(source), "approve": {"apis": ["storage"]}}
        agent = client.connect(home_at(service.root))
        with agent, pytest.raises(client.ApprovalRequired):
            agent.request("POST", "/v1/packages/install", body, timeout_s=PATIENCE_S)

    link = page.get_by_role("navigation", name="Views").get_by_role("link", name="Installed")
    ask()
    expect(link).to_have_text("Installed (1)")
    asked = page.locator(".asked")
    expect(asked).to_contain_text("An agent asks to install it: com.example.asked")
    asked.get_by_role("button", name="No").click()
    expect(asked).to_have_count(0)
    expect(link).to_have_text("Installed")
    assert installed(service) == {}
    ask()
    page.locator(".asked").get_by_role("button", name="See what it is").click()
    dialog = page.locator("#install")
    expect(dialog).to_contain_text("It would be granted: storage (read the lists of your tabs).")
    expect(dialog).to_contain_text("It would stay off.")
    assert faults(page) == []
    dialog.get_by_role("button", name="Install").click()
    expect(card(page, "com.example.asked")).to_be_visible()
    assert installed(service) == {"com.example.asked": (frozenset({"storage"}), False)}
    card(page, "com.example.asked").get_by_role("button", name="Uninstall").click()
    expect(card(page, "com.example.asked")).to_have_count(0)


def test_what_the_command_line_does_shows_by_itself(page: Page, service: Served, place: Path) -> None:
    packages = Packages(home_at(service.root))
    source = make_app(place / "by-hand", "com.example.byhand", apis=())
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright's own loop runs in this thread
        elsewhere.submit(put, home_at(service.root), source).result(PATIENCE_S)
    expect(card(page, "com.example.byhand")).to_be_visible()
    packages.switch_app("com.example.byhand", True)
    expect(card(page, "com.example.byhand").get_by_role("switch")).to_have_attribute("aria-checked", "true")
    packages.uninstall("com.example.byhand")
    expect(card(page, "com.example.byhand")).to_have_count(0)
