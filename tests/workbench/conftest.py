"""A real browser and a real service for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from loader import client
from tests.requirements import need, peers
from tests.server.served import PATIENCE_S, Served, home_at, served
from tests.workbench.browsing import BROWSER_FLAGS, LOST_WORDS, enter, examples, examples_into
from tests.workbench.plugins import HOSTILE, METER, save_all


# Not for the whole session: while Playwright runs, no other event loop can be begun in this process.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = need("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(BROWSER_FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests, with the sandbox and React: a start costs seconds."""
    need("chromium")
    root = tmp_path_factory.mktemp("workbench") / ".hermes"
    (root / "desktop-plugins").mkdir(parents=True)
    examples_into(root)
    save_all(root, {"meter": METER, **HOSTILE})
    with served(root, "--real", f"--react={peers() / 'node_modules'}") as found:
        wait_for_rows(found, len(examples()) + len(HOSTILE) + 1)
        yield found


def wait_for_rows(service: Served, count: int) -> None:
    """The service is ready when every plugin has its verdict, or after three seconds: on a busy machine wait on."""
    end = monotonic() + PATIENCE_S
    with client.connect(home_at(service.root)) as connected:
        while len(connected.plugins()) < count:
            assert monotonic() < end, service.log
            sleep(0.1)  # a poll with a deadline: the rows are another process's


@pytest.fixture
def page(browser: Browser, service: Served) -> Iterator[Page]:
    """The page, entered, on a new profile. Whatever it says in its console beyond lost connections fails the test."""
    context = browser.new_context(viewport={"width": 1360, "height": 840}, permissions=["clipboard-write"])
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    enter(page, service)
    yield page
    context.close()
    assert [words for words in complaints if not any(known in words for known in LOST_WORDS)] == []
