"""Running a plugin in the page: React that a person agrees to fetch, and what the policy doors answer in a frame."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.react.registry import Registry, packages_of, pinned_json, real_texts, registry
from tests.requirements import need, peers
from tests.server.served import Served, save, served
from tests.workbench.browsing import enter, see
from tests.workbench.plugins import METER

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def mirror() -> Iterator[tuple[str, type[Registry]]]:
    need("chromium")
    _, archives = packages_of(real_texts(peers() / "node_modules"))
    with registry(archives) as found:
        yield found


@pytest.fixture(scope="module")
def bare_service(tmp_path_factory: pytest.TempPathFactory, mirror: tuple[str, type[Registry]]) -> Iterator[Served]:
    """Without React, and with a registry that has one."""
    root = tmp_path_factory.mktemp("run-here") / ".hermes"
    save(root, "meter", METER)
    pinned = root.parent / "pinned.json"
    pinned.write_text(pinned_json(packages_of(real_texts(peers() / "node_modules"))[0]), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NPM_CONFIG_REGISTRY", mirror[0])
        with served(root, f"--pinned={pinned}") as found:
            yield found


@pytest.fixture
def page(browser: Browser, bare_service: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    uncaught: list[str] = []
    page.on("pageerror", lambda error: uncaught.append(str(error)))
    enter(page, bare_service)
    yield page
    context.close()
    assert uncaught == []


def run_here(page: Page, plugin_id: str) -> None:
    see(page, f"#/plugins/standalone:{plugin_id}/run")
    control = page.get_by_role("switch", name="Run this plugin here")
    expect(control).to_be_visible()
    control.click()


def test_react_is_fetched_once_after_a_persons_yes(
    page: Page, bare_service: Served, mirror: tuple[str, type[Registry]]
) -> None:
    run_here(page, "meter")
    need_react = page.locator(".react-need")
    for said in (f"{mirror[0]}/react-dom/-/react-dom-19.0.0.tgz", "react 19.0.0", "sha512-"):
        expect(need_react).to_contain_text(said)
    expect(page.locator("iframe.run-frame")).to_have_count(0)
    assert mirror[1].asked == [], "nothing before somebody agreed"

    mirror[1].how = "wrong"
    need_react.get_by_role("button", name="Fetch React").click()
    expect(need_react.get_by_role("alert")).to_contain_text("is not react 19.0.0")
    kept = bare_service.root / "desktop-loader" / "react"
    assert not kept.exists()

    mirror[1].how = "whole"
    mirror[1].asked.clear()
    need_react.get_by_role("button", name="Fetch React").click()
    expect(page.frame_locator("iframe.run-frame").get_by_text("NAME percent")).to_be_visible()
    expect(need_react).to_be_hidden()
    assert [path.name for path in kept.iterdir()] == ["19.0.0"]
    assert len(mirror[1].asked) == 3

    page.reload()
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    run_here(page, "meter")
    expect(page.frame_locator("iframe.run-frame").get_by_text("NAME percent")).to_be_visible()
    assert len(mirror[1].asked) == 3, "once"


def test_a_program_cannot_agree_to_the_fetch(bare_service: Served, mirror: tuple[str, type[Registry]]) -> None:
    import httpx

    headers = {"Authorization": f"Bearer {bare_service.endpoint.token}"}
    answer = httpx.post(
        f"{bare_service.endpoint.url}/v1/react", json={"registry": mirror[0]}, headers=headers, trust_env=False
    )
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:hermes-desktop:problem:approval-required")
