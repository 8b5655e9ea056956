"""Running a plugin in the page: React that a person agrees to fetch, and what the policy doors answer in a frame."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

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
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            patch.delenv(name, raising=False)
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


PRESSER = """\
import { PANES_AREA } from '@hermes/plugin-sdk'
import { useEffect, useState } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'
export default { id: 'presser', name: 'Presser', register(ctx) {
  const press = async (id) => {
    const now = ctx.runAction(id)
    console.info(`now ${JSON.stringify(now)}`)
    console.info(`later ${JSON.stringify(await now)}`)
  }
  const button = (id) => jsx('button', { children: id, onClick: () => press(id) }, id)
  function Pane() {
    const [can, setCan] = useState('')
    useEffect(() => {
      const timer = setInterval(() => setCan(ctx.listActions().map((row) => row.id).join()), 50)
      return () => clearInterval(timer)
    }, [])
    const buttons = ['nav.settings', 'session.archive', 'app.quit'].map(button)
    return jsxs('div', { children: [jsx('p', { children: `can: ${can}` }, 'can'), ...buttons] })
  }
  ctx.register({ area: PANES_AREA, id: 'pane', title: 'Presser', data: { placement: 'right', width: '200px' },
    render: () => jsx(Pane, {}) })
} }
"""


@contextmanager
def app_window(service: Served, answer: Callable[[Any], Any]) -> Iterator[list[Any]]:
    """A window of the app that owns one action; what it was asked. ``answer`` gives None for silence."""
    asked: list[Any] = []
    offered = [Subprotocol("hermes-plugins.v1"), Subprotocol(f"bearer.{service.endpoint.token}")]
    with connect(f"ws://127.0.0.1:{service.port}/v1/events", subprotocols=offered, proxy=None) as socket:

        def listen() -> None:
            try:
                for text in socket:
                    frame = json.loads(text)
                    if frame.get("method") == "action/run":
                        asked.append(frame["params"])
                        said = answer(frame["params"])
                        if said is not None:
                            socket.send(json.dumps({"jsonrpc": "2.0", "id": frame["id"], "result": said}))
            except ConnectionClosed:
                pass  # the test is over

        thread = threading.Thread(target=listen)
        thread.start()
        mount = {"version": "1", "focused": True, "actions": ["nav.settings"]}
        socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "shell/mount", "params": mount}))
        yield asked
        socket.close()
        thread.join()


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


def test_a_plugins_file_is_shown_in_its_folder_or_it_is_said_why_not(page: Page) -> None:
    see(page, "#/plugins/standalone:meter/overview")
    page.get_by_role("button", name="Show in folder").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("not shown: the service runs without a desktop")


def test_a_program_cannot_agree_to_the_fetch(bare_service: Served, mirror: tuple[str, type[Registry]]) -> None:
    headers = {"Authorization": f"Bearer {bare_service.endpoint.token}"}
    answer = httpx.post(
        f"{bare_service.endpoint.url}/v1/react", json={"registry": mirror[0]}, headers=headers, trust_env=False
    )
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:hermes-desktop:problem:approval-required")


def test_an_action_in_a_frame_is_judged_at_once_and_run_by_the_apps_window(browser: Browser, service: Served) -> None:
    save(service.root, "presser", PRESSER)
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    enter(page, service)
    run_here(page, "presser")
    frame = page.frame_locator("iframe.run-frame")
    log = page.get_by_role("list", name="What it says")

    # Nobody is there to run it, and what is refused is refused in the same tick, in the order of the policy.
    for action, reason in (("app.quit", "unknown"), ("session.archive", "denied"), ("nav.settings", "unavailable")):
        frame.get_by_role("button", name=action).click()
        expect(log).to_contain_text(f'now {{"ok":false,"reason":"{reason}","error":"\'{action}\' is ')
        expect(log).to_contain_text(f'later {{"ok":false,"reason":"{reason}","error":"\'{action}\' is ')
    expect(log).to_contain_text("no app window is connected")

    says: list[Any] = [{"ok": True}, {"ok": False, "error": "a dialog is open"}]
    with app_window(service, lambda _: says.pop(0) if says else None) as asked:
        # The window mounts, and the frame hears of it, in their own time.
        expect(frame.get_by_text("can: nav.settings", exact=True)).to_be_visible()
        frame.get_by_role("button", name="nav.settings").click()
        expect(log).to_contain_text('now {"ok":true}')
        expect(log).to_contain_text('later {"ok":true}')
        assert asked == [{"action": "nav.settings", "plugin": "presser"}]
        frame.get_by_role("button", name="nav.settings").click()
        expect(log).to_contain_text("the app window refused (a dialog is open)")
        frame.get_by_role("button", name="nav.settings").click()
        expect(log).to_contain_text("the app window did not answer within 2 s")
    context.close()
