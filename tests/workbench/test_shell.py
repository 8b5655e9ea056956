"""The reference shell in a real browser: module URLs with an import map and rewritten, swaps, panes, reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from loader.nouns import ALLOWED_SPECIFIERS
from loader.server.service import shipped_names
from loader.server.shims import MODULE_OF, shim
from tests.server.served import Served, save
from tests.workbench.browsing import PATIENCE_MS, examples, is_package
from tests.workbench.plugins import HOSTILE, METER

pytestmark = pytest.mark.real

PAGE = Path(__file__).with_name("shell_page.html").read_text("utf-8")
PANES = """\
import { PANES_AREA } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
const pane = (id) => ({ area: PANES_AREA, id, title: id, data: { placement: 'right' }, render: () => jsx('p', { children: `pane ${id}` }) })
export default { id: 'ID', name: 'ID', register(ctx) { for (const id of NAMES) ctx.register(pane(id)) } }
"""  # noqa: E501 - a line of a plugin
LOADED = "() => window.shell && window.shell.plugins().map((plugin) => plugin.id)"


class Shell:
    """A page on the service's own origin that is a shell, and nothing else."""

    def __init__(self, page: Page, service: Served) -> None:
        self.page = page
        self.service = service
        self.headers = {"Authorization": f"Bearer {service.endpoint.token}"}

    def open(self, specifiers: str) -> None:
        url = self.service.endpoint.url
        files = {"/test/page.html": ("text/html", PAGE)} | {
            f"/test/{MODULE_OF[name]}.js": ("text/javascript", shim(name, shipped_names(name)))
            for name in ALLOWED_SPECIFIERS
        }

        def serve(route: Route) -> None:
            kind, text = files[route.request.url.removeprefix(url).partition("#")[0]]
            route.fulfill(body=text, content_type=f"{kind}; charset=utf-8")

        self.page.route(f"{url}/test/*", serve)
        self.page.goto(f"{url}/test/page.html#specifiers={specifiers}&token={self.service.endpoint.token}")

    def wait_for(self, *ids: str) -> None:
        self.page.wait_for_function(
            "ids => window.shell && ids.every((id) => window.shell.plugins().some((plugin) => plugin.id === id))",
            arg=list(ids),
        )

    def row(self, plugin_id: str) -> Any:
        url = f"{self.service.endpoint.url}/v1/plugins/{plugin_id}"
        return httpx.get(url, headers=self.headers, trust_env=False).json()

    def wait_gone(self, plugin_id: str) -> None:
        """A row that went away later would move the page of a test that comes after."""
        self._asked(plugin_id, "answer.status === 404")

    def switch(self, plugin_id: str, enabled: bool | None) -> None:
        url = f"{self.service.endpoint.url}/v1/plugins/{plugin_id}/enabled"
        httpx.put(url, headers=self.headers, json={"enabled": enabled}, trust_env=False).raise_for_status()

    def reported(self, plugin_id: str, state: str, error: str = "") -> Any:
        """The row once the shell has said this of it, with an error that holds these words."""
        self.page.wait_for_function("() => window.shell")
        # No shells while the save is not a row yet.
        wanted = "(row.shells ?? []).some((shell) => shell.state === state && (shell.error ?? '').includes(error))"
        return self._asked(plugin_id, wanted, state, error)

    def _asked(self, plugin_id: str, wanted: str, state: str = "", error: str = "") -> Any:
        """The row for which this holds. A loop in the page: what a polled predicate promises is not waited for."""
        return self.page.evaluate(
            f"""async ([url, token, state, error, patience]) => {{
              const end = performance.now() + patience
              for (;;) {{
                const answer = await fetch(url, {{ headers: {{ authorization: `Bearer ${{token}}` }} }})
                const row = await answer.json()
                if ({wanted}) return row
                if (performance.now() > end) throw new Error(`still ${{JSON.stringify(row)}}`)
                await new Promise((later) => setTimeout(later, 100))
              }}
            }}""",
            [
                f"{self.service.endpoint.url}/v1/plugins/{plugin_id}",
                self.service.endpoint.token,
                state,
                error,
                PATIENCE_MS,
            ],
        )


@pytest.fixture
def shell(browser: Browser, service: Served) -> Iterator[Shell]:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    uncaught: list[str] = []
    page.on("pageerror", lambda error: uncaught.append(str(error)))
    shell = Shell(page, service)
    # In a shell plugins live in the page's own realm: those that mean ill stay out of this one.
    for name in HOSTILE:
        shell.switch(name, False)
    yield shell
    context.close()
    for name in HOSTILE:
        shell.switch(name, None)
    assert uncaught == []


NAMES = [example.name for example in examples()]
PACKAGES = [example.name for example in examples() if is_package(example)]


@pytest.mark.parametrize("specifiers", ["rewrite", "map"])
def test_every_example_registers_in_a_real_engine(shell: Shell, specifiers: str) -> None:
    for name in PACKAGES:
        shell.switch(name, True)
    asked: list[str] = []
    shell.page.on("request", lambda request: asked.append(request.url))
    shell.open(specifiers)
    shell.wait_for(*NAMES)
    for name in NAMES:
        assert all(told["error"] is None for told in shell.reported(name, "loaded")["shells"]), name
    modules = [url for url in asked if "/modules/" in url]
    assert modules and all(("sdk=rewrite" in url) == (specifiers == "rewrite") for url in modules)
    assert any("/sdk/" in url for url in asked) == (specifiers == "rewrite")
    expect(shell.page.locator("[data-contribution='scratchpad:pane'] textarea")).to_be_visible()
    shell.page.locator("[data-contribution='scratchpad:pane'] textarea").fill("kept")
    expect(shell.page.locator("[data-contribution='scratchpad:pane']")).to_contain_text("4 of 4000")
    for name in PACKAGES:
        shell.switch(name, None)


def test_a_save_is_one_swap_and_leaves_nothing_of_the_old_one(shell: Shell) -> None:
    save(shell.service.root, "meter", METER.replace("NAME", "first"))
    shell.open("rewrite")
    number = shell.page.locator("[data-contribution='meter:number']")
    expect(number).to_have_text("first percent")
    save(shell.service.root, "meter", METER.replace("NAME", "second"))
    expect(number).to_have_text("second percent")
    assert number.count() == 1


def test_what_fails_to_register_is_reported_with_its_error(shell: Shell) -> None:
    text = METER.replace("'meter'", "'faulty'").replace(
        "register(ctx) {", "register(ctx) { if (self.shell) throw new Error('only here')"
    )
    save(shell.service.root, "faulty", text)
    shell.open("rewrite")
    told = shell.reported("faulty", "failed", "only here")["shells"]
    assert any("only here" in (each["error"] or "") for each in told)
    assert "faulty" not in shell.page.evaluate(LOADED)
    (shell.service.root / "desktop-plugins" / "faulty" / "plugin.js").unlink()
    shell.wait_gone("faulty")


def test_closing_the_only_pane_switches_off_and_one_of_several_is_dismissed(shell: Shell) -> None:
    save(shell.service.root, "single", PANES.replace("ID", "single").replace("NAMES", "['only']"))
    save(shell.service.root, "several", PANES.replace("ID", "several").replace("NAMES", "['left', 'right']"))
    shell.open("rewrite")
    shell.wait_for("single", "several")
    panes = shell.page.locator("[data-plugin=several]")
    expect(panes).to_have_count(2)
    shell.page.evaluate("window.shell.closePane('several:left')")
    expect(panes).to_have_count(1)
    assert shell.row("several")["enabled"] is True
    save(shell.service.root, "several", PANES.replace("ID", "several").replace("NAMES", "['left', 'right', 'third']"))
    expect(panes).to_have_count(2)
    shell.page.evaluate("window.shell.reset()")
    expect(panes).to_have_count(3)
    shell.page.evaluate("window.shell.closePane('single:only')")
    expect(shell.page.locator("[data-plugin=single]")).to_have_count(0)
    row = shell.row("single")
    assert (row["enabled"], row["choice"], row["state"]) == (False, False, "disabled")


def test_an_action_of_the_app_runs_in_the_shell_in_the_same_tick(shell: Shell) -> None:
    shell.open("rewrite")
    shell.wait_for("browser-toggle")
    shell.page.evaluate("window.shell.mounted")
    url = f"{shell.service.endpoint.url}/v1/plugins/browser-toggle/actions"
    answer = httpx.post(url, headers=shell.headers, json={"action": "view.showBrowser"}, trust_env=False).json()
    assert answer == {"ok": True}
    assert shell.page.evaluate("window.told") == ["browser"]
