"""What comes from elsewhere, behind its wall: requests to its own host, its bridge's credential, and Chromium from inside."""

# ruff: noqa: E501 - requests are easier to read whole

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import async_playwright
from websockets.asyncio.client import ClientConnection, connect

from bench.attacking.attempt import Attempt, Field, Through
from bench.attacking.wire import END, WORDS, get, status
from loader.packages.walled import host_of
from tests.wall.installed import BURGLAR, NEIGHBOUR, SILENT, Installed, attempts_script
from tests.workbench.browsing import BROWSER_FLAGS
from tests.workbench.foreign import foreign_site

SCRIPT = attempts_script()
REFUSED = {**WORDS, 409: "not this way, or not again (409)"}
_PATIENCE_S = 60.0


def install(root: Path, beside: Path) -> None:
    """Two web apps: one that attacks, which may call tools that read, and another one. Blocking."""
    installed = Installed(root, beside / "sources")
    installed.app(BURGLAR, "tools", "read-only")
    installed.app(NEIGHBOUR, "storage")


# ---------------------------------------------------------------- bytes

_HOST = host_of(BURGLAR)
_NONE = f"p-{'0' * 32}.localhost"
# {port} is the service's. A host of another spelling may never show what the right one would.
_HOSTS = (
    *(
        f"{_HOST.upper()}:{{port}}",
        f"{_HOST}.:{{port}}",
        f"x.{_HOST}:{{port}}",
        f"{_HOST}",
        f"{_HOST}:1",
        f"{_HOST}:0{{port}}",
    ),
    *(
        f"{_HOST}:{{port}}@evil.example",
        f"{_HOST}:{{port}}, localhost:{{port}}",
        f"{_NONE}:{{port}}",
        f"{_HOST}%2e:{{port}}",
    ),
    *(f"{_HOST[:-1]}:{{port}}", f"[{_HOST}]:{{port}}", f"{_HOST}\x0b:{{port}}"),
)
_ON_IT = (
    *(
        "/v1/plugins",
        "/v1/health",
        "/v1/wall",
        "/v1/events",
        "/openapi.json",
        "/workbench/app.js",
        "/workbench/frame.html",
    ),
    *("/modules/x/plugin.js", "/sdk/x/react.js", "/api/plugins/board/x", "http://127.0.0.1/v1/plugins"),
)
_FILES = (
    *(
        "/../plugin.json",
        "/..%2f..%2fendpoint.json",
        "/%2e%2e/%2e%2e/endpoint.json",
        "/%252e%252e/endpoint.json",
        "/..%5cendpoint.json",
    ),
    *(
        "//etc/passwd",
        "/app.js%00.html",
        "/app.js/",
        "/%c0%ae%c0%ae/endpoint.json",
        "/C:/Windows/win.ini",
        "/.hermes/../endpoint.json",
    ),
)
_SCRIPT = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n"
_FRAME = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"
_BEARER = "{bearer}"


def raw(request: str) -> Callable[[Field], Awaitable[str]]:
    async def run(field: Field) -> str:
        text = request.replace("{port}", str(field.port)).replace(_BEARER, f"Authorization: Bearer {field.token}\r\n")
        found = await status(field, text.encode("latin-1"))
        if found == 0:
            return "the connection was closed"
        if found not in REFUSED:
            raise Through(f"answered {found}")
        return REFUSED[found]

    return run


def _on_host(target: str, headers: str = "", method: str = "GET") -> str:
    return get(target, headers, method, host=f"Host: {_HOST}:{{port}}\r\n")


# ---------------------------------------------------------------- credentials


async def _call(socket: ClientConnection, method: str, /, **params: Any) -> Any:
    await socket.send(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}))
    async with asyncio.timeout(20):
        while True:
            frame = json.loads(await socket.recv())
            if frame.get("id") == method and "method" not in frame:
                return frame.get("result", frame.get("error"))


def credential(name: str) -> Callable[[Field], Awaitable[str]]:
    """Speaks for a frame as an attacker would who has this, and not what is needed."""

    async def run(field: Field) -> str:
        opened = (await field.http.post(f"/v1/wall/{BURGLAR}/frames", json={})).raise_for_status().json()
        url = field.service.events_url
        offered: Any = ["hermes-plugins.v1", f"bearer.{field.token}"]
        async with (
            connect(url, subprotocols=offered, proxy=None) as page,
            connect(url, subprotocols=offered, proxy=None) as thief,
        ):
            await _call(page, "wall/attach", frame_token=opened["token"])
            token = opened["token"]
            match name:
                case "the frame's ticket":
                    token = opened["frame_url"].rpartition("=")[2]
                case "the frame's name":
                    token = opened["frame"]
                case "the endpoint's token":
                    token = field.token
                case "a token after the tab was closed":
                    await _call(page, "wall/close", frame_token=token)
            caller = thief if name == "the token over another connection" else page
            result = await _call(caller, "wall/call", frame_token=token, method="identity")
        if result.get("ok") is not False:
            raise Through(f"it was answered: {json.dumps(result)[:80]}")
        return f"{result['error']['code']}: nobody speaks with that"

    return run


def bridge(method: str, arguments: dict[str, Any], name: str) -> Attempt:
    async def run(field: Field) -> str:
        opened = (await field.http.post(f"/v1/wall/{BURGLAR}/frames", json={})).raise_for_status().json()
        offered: Any = ["hermes-plugins.v1", f"bearer.{field.token}"]
        async with connect(field.service.events_url, subprotocols=offered, proxy=None) as page:
            result = await _call(page, "wall/call", frame_token=opened["token"], method=method, arguments=arguments)
        if result.get("ok") is not False:
            raise Through(f"it was answered: {json.dumps(result)[:80]}")
        return f"{result['error']['code']}"

    return Attempt("wall: its bridge", name, run)


# ---------------------------------------------------------------- from inside


class Inside:
    """Everything in attempts.js, run once in the app's own realm; what arrived elsewhere is the judge."""

    def __init__(self) -> None:
        self._found: dict[str, str] | None = None
        self._arrived: list[str] = []

    async def found(self, field: Field) -> tuple[dict[str, str], list[str]]:
        if self._found is None:
            self._found = await self._run(field)
        return self._found, self._arrived

    async def _run(self, field: Field) -> dict[str, str]:
        code = (await field.http.post("/v1/session/code", json={})).raise_for_status().json()["code"]
        with foreign_site({}, arrived=self._arrived) as elsewhere:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=_chromium(), args=list(BROWSER_FLAGS))
                page = await browser.new_page()
                await page.goto(f"{field.service.endpoint.url}/#code={code}")
                await page.locator("#connection[data-state=live]").wait_for(timeout=_PATIENCE_S * 1000)
                await page.evaluate(f"location.hash = '#/app/{BURGLAR}'")
                await page.frame_locator("iframe.walled-frame").locator("#who").wait_for(timeout=_PATIENCE_S * 1000)
                frame = next(each for each in page.frames if _HOST in each.url)
                found: dict[str, str] = await frame.evaluate(SCRIPT, [elsewhere, field.service.endpoint.url])
                await browser.close()
        return found

    def attempt(self, name: str) -> Attempt:
        async def run(field: Field) -> str:
            found, arrived = await self.found(field)
            if name in SILENT:
                if arrived:
                    raise Through(f"{arrived[0]} arrived elsewhere")
                return "nothing arrived"
            if not found[name].startswith("kept out"):
                raise Through(found[name])
            return found[name]

        return Attempt("wall: from inside, in Chromium", f"`{name}` in [attempts.js](../tests/wall/attempts.js)", run)


def _chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _names() -> list[str]:
    """Of the attempts, as they stand in the file."""
    listed = SCRIPT.partition("const reach = {")[2].partition("\n  }\n")[0]
    return [line.split(":", 1)[0].strip() for line in listed.splitlines() if line.startswith("    ") and ": " in line]


def attempts() -> list[Attempt]:
    found = [
        Attempt(
            "wall: its host",
            f"host `{host!r}`".replace("'", ""),
            raw(get("/app.js", _SCRIPT, host=f"Host: {host}\r\n")),
        )
        for host in _HOSTS
    ]
    found += [
        Attempt(
            "wall: its host", f"`{target}` on a plugin's host with the token", raw(_on_host(target, _SCRIPT + _BEARER))
        )
        for target in _ON_IT
    ]
    found += [Attempt("wall: its files", f"`{target}`", raw(_on_host(target, _SCRIPT))) for target in _FILES]
    found += [
        Attempt("wall: its host", "its page without a ticket", raw(_on_host("/index.html", _FRAME))),
        Attempt(
            "wall: its host", "its page with a guessed ticket", raw(_on_host("/index.html?hermes-ticket=guess", _FRAME))
        ),
        Attempt(
            "wall: its host",
            "its script from another site",
            raw(_on_host("/app.js", _SCRIPT.replace("same-origin", "cross-site"))),
        ),
        Attempt(
            "wall: its host",
            "its page in a window of its own",
            raw(_on_host("/index.html", _FRAME.replace("iframe", "document"))),
        ),
        Attempt("wall: its host", "a service worker", raw(_on_host("/worker.js", "Service-Worker: script\r\n"))),
        Attempt(
            "wall: its host",
            "a post",
            raw(f"POST /app.js HTTP/1.1\r\nHost: {_HOST}:{{port}}\r\nContent-Length: 0\r\n{END}"),
        ),
        Attempt(
            "wall: its host",
            "a socket on it",
            raw(
                _on_host(
                    "/v1/events",
                    "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                    + _BEARER,
                )
            ),
        ),
    ]
    found += [
        Attempt(
            "wall: its origin",
            f"origin `http://{host}` at the service with the token",
            raw(get("/v1/plugins", f"{_BEARER}Origin: http://{host}\r\n", host="Host: 127.0.0.1\r\n")),
        )
        for host in (f"{_HOST}:{{port}}", _HOST, f"{_HOST}.:{{port}}", f"{_HOST.upper()}:{{port}}")
    ]
    found += [
        Attempt("wall: its credential", name, credential(name))
        for name in (
            "the frame's ticket",
            "the frame's name",
            "the endpoint's token",
            "a token after the tab was closed",
            "the token over another connection",
        )
    ]
    found += [
        bridge("storage.getBrowserTabs", {}, "tabs without the approval"),
        bridge("cdp.send", {"tabId": "1", "method": "Page.navigate"}, "the debugging protocol without the approval"),
        bridge("ai.streamText", {"prompt": "hi"}, "the model without the approval"),
        bridge("tools.call", {"name": "install_plugin", "arguments": {}}, "a tool that installs"),
        bridge("tools.call", {"name": "click", "arguments": {}}, "a tool that nobody offers"),
        bridge("runAction", {"action": "nav.settings"}, "a door of the policy"),
        bridge("wall/close", {}, "a method of the page around it"),
    ]
    if _chromium() is not None:
        inside = Inside()
        found += [inside.attempt(name) for name in _names()]
    return found
