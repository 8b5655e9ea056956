"""Real packages on a real service: installed, approved and switched on as the command line would, without its words."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from loader.home import Home
from loader.inventory.choices import Choices
from loader.packages.grants import Grants
from loader.packages.install import Packages
from tests.packages.conftest import make_plugin, write_files
from tests.packages.test_install import put
from tests.server.served import Served, home_at

BURGLAR = "com.attack.burglar"
NEIGHBOUR = "com.attack.neighbour"
OUTSIDER = "outsider"

# What it shows is what it may; the rest is done to it by the tests, in its own realm.
APP_SCRIPT = """\
const api = window.meithPlugin
const show = (id, text) => { document.getElementById(id).textContent = text }
show('who', api ? api.identity.pluginId : 'nobody')
show('apis', api ? Object.keys(api).sort().join(' ') : 'none')
document.getElementById('read').addEventListener('click', async () => {
  show('said', JSON.stringify(await api.tools.call('read_page', { tab: '1' })))
})
addEventListener('meithplugin:closed', () => show('said', 'closed'))
"""
APP_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>An app</title></head>
<body><h1>An app</h1><p id="who"></p><p id="apis"></p><button id="read">Read</button><p id="said"></p>
<script src="app.js"></script></body></html>
"""
OUTSIDER_SCRIPT = """\
import { PANES_AREA } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
export default {
  id: 'outsider',
  name: 'Outsider',
  register(ctx) {
    ctx.register({ area: PANES_AREA, id: 'pane', title: 'Outsider', data: { placement: 'right' }, render: () => jsx('p', { className: 'drawn', children: 'drawn behind the wall' }) })
    ctx.pet.say('from outside')
    globalThis.before = ctx.storage.get('visits', 0)
    ctx.storage.set('visits', globalThis.before + 1)
    globalThis.ran = ctx.runAction('nav.settings')
    globalThis.denied = ctx.runAction('session.archive')
    globalThis.bridge = Object.keys(globalThis.meithPlugin ?? {}).sort().join(' ')
  },
}
"""  # noqa: E501 - a line of a plugin


# These make a request that the browser stops without a word to the page: what arrives is the judge.
SILENT = {
    *(
        "beacon",
        "image",
        "picture",
        "style",
        "attribute",
        "script",
        "video",
        "track",
        "object",
        "embed",
        "frame",
        "srcdoc",
    ),
    *("blankImage", "formTop", "formNew", "ping", "anchor", "preload", "prefetch", "prerender", "modulepreload"),
    *(
        "stylesheet",
        "icon",
        "manifest",
        "preconnect",
        "dnsPrefetch",
        "speculation",
        "refresh",
        "report",
        "svg",
        "markup",
    ),
    *("relative", "servicePage", "cookieOfTheHost"),
}


def attempts_script() -> str:
    """The function in attempts.js, as a browser is given it."""
    text = Path(__file__).with_name("attempts.js").read_text("utf-8")
    return text.partition("\n// `site`")[2].partition("\n")[2].strip()


def app_files(
    plugin_id: str, apis: tuple[str, ...], capabilities: tuple[str, ...], version: str = "1.0.0"
) -> dict[str, str]:
    manifest = {
        "kind": "web-app",
        "id": plugin_id,
        "name": f"The {plugin_id.rpartition('.')[2]}",
        "version": version,
        "requestedApis": [*apis],
        "permissions": [*capabilities],
    }
    worker = "self.addEventListener('fetch', () => {})\npostMessage('ran')\n"
    return {"plugin.json": json.dumps(manifest), "index.html": APP_PAGE, "app.js": APP_SCRIPT, "worker.js": worker}


class Installed:
    """A home's packages, changed from outside of the service as another process would."""

    def __init__(self, root: Path, sources: Path) -> None:
        self.home: Home = home_at(root)
        self.sources = sources
        self.packages = Packages(self.home)

    def app(self, plugin_id: str, apis: str = "", capabilities: str = "", *, source: str | None = None) -> None:
        wanted = tuple(apis.split()), tuple(capabilities.split())
        folder = write_files(self.sources / (source or plugin_id), app_files(plugin_id, *wanted))
        self._put(folder)
        self.on(plugin_id, apis, capabilities)

    def on(self, plugin_id: str, apis: str = "", capabilities: str = "") -> None:
        if apis or capabilities:
            self.packages.approve(plugin_id, Grants(frozenset(apis.split()), frozenset(capabilities.split())))
        self.packages.switch_app(plugin_id, True)

    def off(self, plugin_id: str) -> None:
        self.packages.switch_app(plugin_id, False)

    def plugin(self, plugin_id: str, script: str) -> None:
        self._put(make_plugin(self.sources / plugin_id, plugin_id, extra={"plugin.js": script}))
        Choices.of(self.home).set(plugin_id, True)

    def _put(self, folder: Path) -> None:
        # While Playwright runs, this thread has an event loop already, and a probe wants one of its own.
        with ThreadPoolExecutor(1) as another:
            another.submit(put, self.home, folder, self.packages).result()


def ask(service: Served, method: str, path: str, **body: Any) -> Any:
    headers = {"Authorization": f"Bearer {service.endpoint.token}"}
    answer = httpx.request(
        method, f"{service.endpoint.url}{path}", headers=headers, json=body or None, trust_env=False, timeout=30
    )
    answer.raise_for_status()
    return answer.json()


Answers = dict[str, Callable[[dict[str, Any]], Any]]
TOOLS = [
    {"name": "read_page", "description": "Reads a page", "capability": "read-only", "inputSchema": {}},
    {"name": "click", "description": "Clicks", "capability": "controls-browser", "inputSchema": {}},
    {"name": "install_plugin", "description": "Ours", "capability": "read-only", "inputSchema": {}},
]
TABS = [
    {"id": "1", "title": "A page", "url": "https://a.example/"},
    {"id": "2", "title": "An app", "url": "http://p-0f1e2d3c4b5a69788796a5b4c3d2e1f0.localhost:8787/index.html"},
]


@contextmanager
def app_window(service: Served, asked: list[dict[str, Any]]) -> Iterator[None]:
    """A shell with tools and tabs, and no page: what it is asked stands in ``asked``."""
    url = service.endpoint.url.replace("http", "ws")
    protocols: Any = ["hermes-plugins.v1", f"bearer.{service.endpoint.token}"]
    answers: dict[str, Any] = {"tool/call": "read", "tabs/list": TABS, "action/run": None}
    mounted = threading.Event()
    with connect(f"{url}/v1/events", subprotocols=protocols, proxy=None, max_size=None) as socket:

        def serve() -> None:
            try:
                for text in socket:
                    frame = json.loads(text)
                    if frame.get("id") == "mount":
                        mounted.set()
                    elif "method" in frame and "id" in frame:
                        asked.append(frame)
                        result = {"ok": True, "data": answers.get(frame["method"])}
                        socket.send(json.dumps({"jsonrpc": "2.0", "id": frame["id"], "result": result}))
            except ConnectionClosed:
                return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        params = {"version": "1", "focused": True, "tools": TOOLS, "offers": ["storage"]}
        socket.send(json.dumps({"jsonrpc": "2.0", "id": "mount", "method": "shell/mount", "params": params}))
        assert mounted.wait(30)
        try:
            yield
        finally:
            socket.close()
            thread.join(10)
