"""The service's side of ``window.meithPlugin``: each call judged by what was approved, then asked of an app window.

Who calls is the frame behind the credential; nothing that a call says names a plugin, an owner or a grant. Every
answer is a value of ``results``. An answer that comes when the authority has ended is thrown away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias
from urllib.parse import urlsplit

from loader.nouns import Json
from loader.packages.walled import Shelf, Walled
from loader.wall.frames import Frame, Frames
from loader.wall.listings import Listing, tabs_for_plugins
from loader.wall.results import Result, done, from_shell, refused
from loader.wall.shells import WallShells
from loader.wall.streams import Streams
from loader.wall.tools import ANSWER_LIMIT_BYTES, ARGUMENTS_LIMIT_BYTES, Tool, judge, size_bytes, visible

CallShell: TypeAlias = Callable[[str, str, Mapping[str, Json], float], Awaitable[Json]]
"""As ``loader.server.ports.CallShell``: TimeoutError when late, ConnectionError when the shell is not there."""

TOOL_DEADLINE_S = 30.0
LISTING_DEADLINE_S = 5.0
CALLS_OF_A_FRAME = 32
_METHOD_LETTERS = 200

OnText: TypeAlias = Callable[[str], None]


def owner_of(plugin_id: str) -> str:
    """Whose a tab or a session is that an app window makes for a plugin. Stamped here, never taken from a call."""
    return f"plugin:{plugin_id}"


def identity_of(walled: Walled) -> dict[str, Json]:
    """``meithPlugin.identity``: what was approved, not what was asked for."""
    return {
        "pluginId": walled.id,
        "name": walled.name,
        "version": walled.version,
        "apis": [*sorted(walled.grants.apis)],
        "capabilities": [*sorted(walled.grants.capabilities)],
    }


class Bridge:
    def __init__(self, shelf: Shelf, frames: Frames, shells: WallShells, call_shell: CallShell) -> None:
        self._shelf = shelf
        self._frames = frames
        self._shells = shells
        self._call_shell = call_shell
        self.streams = Streams(shells, call_shell)

    async def call(
        self, token: str, method: str, params: Json, call: str = "", on_text: OnText = lambda _: None
    ) -> Result:
        """``call`` is the caller's mark, by which ``cancel`` names it; ``on_text`` gets what streams before the end."""
        frame = self._frames.who(token)
        if frame is None:
            return _closed()
        if frame.calls >= CALLS_OF_A_FRAME:
            return refused("BUSY", f"more than {CALLS_OF_A_FRAME} calls at a time")
        frame.calls += 1
        try:
            result = await self._carry_out(frame, method, params if isinstance(params, dict) else {}, call, on_text)
        finally:
            frame.calls -= 1
        if self._frames.who(token) is not frame:
            return _closed()
        return (
            refused("TOO_LARGE", f"the answer has more than {ANSWER_LIMIT_BYTES} bytes")
            if _too_large(result)
            else result
        )

    async def _carry_out(
        self, frame: Frame, method: str, params: Mapping[str, Json], call: str, on_text: OnText
    ) -> Result:
        walled = frame.walled
        match method:
            case "identity":
                return done(identity_of(walled))
            case "tools.list":
                if (lacks := _lacks(walled, "tools")) is not None:
                    return lacks
                return done([tool.as_json() for tool in visible(walled.grants, self._shells.tools().values())])
            case "tools.call":
                return await self._call_tool(walled, params.get("name"), params.get("arguments", {}))
            case "storage.getBrowserTabs":
                return await self._list(walled, "browser")
            case "storage.getWorkspaceTabs":
                return await self._list(walled, "workspace")
            case "cdp.send":
                return await self._send_cdp(walled, params)
            case "ai.streamText":
                if (lacks := _lacks(walled, "ai")) is not None:
                    return lacks
                return await self.streams.run(frame, owner_of(walled.id), params.get("prompt"), call, on_text)
        return refused("NOT_FOUND", f"the bridge has no {method[:80]!r}")

    async def _call_tool(self, walled: Walled, name: Json, arguments: Json) -> Result:
        tool = judge(walled, name, arguments, self._shells.tools())
        if not isinstance(tool, Tool):
            return tool
        request: dict[str, Json] = {
            "tool": tool.name,
            "arguments": arguments,
            "plugin": walled.id,
            "owner": owner_of(walled.id),
        }
        return await self._ask(self._shells.owner_of(tool.name), "tool/call", request, TOOL_DEADLINE_S)

    async def _list(self, walled: Walled, listing: Listing) -> Result:
        if (lacks := _lacks(walled, "storage")) is not None:
            return lacks
        shell = self._shells.offering("storage")
        answer = await self._ask(shell, "tabs/list", {"listing": listing}, LISTING_DEADLINE_S)
        if answer["ok"] is not True:
            return answer
        return done(tabs_for_plugins(answer["data"], listing, self._is_developed_at))

    async def _send_cdp(self, walled: Walled, params: Mapping[str, Json]) -> Result:
        if (lacks := _lacks(walled, "cdp", "controls-browser")) is not None:
            return lacks
        tab, method, inner = params.get("tabId"), params.get("method"), params.get("params", {})
        if not isinstance(tab, str) or not isinstance(method, str) or not isinstance(inner, dict):
            return refused("INVALID", "cdp.send takes a tab's id, a method and an object of parameters")
        if len(tab) > _METHOD_LETTERS or len(method) > _METHOD_LETTERS or size_bytes(inner) > ARGUMENTS_LIMIT_BYTES:
            return refused("INVALID", f"parameters have at most {ARGUMENTS_LIMIT_BYTES} bytes")
        request: dict[str, Json] = {
            "tab": tab,
            "method": method,
            "params": inner,
            "plugin": walled.id,
            "owner": owner_of(walled.id),
        }
        return await self._ask(self._shells.offering("cdp"), "cdp/send", request, TOOL_DEADLINE_S)

    async def _ask(self, shell: str | None, method: str, request: Mapping[str, Json], deadline_s: float) -> Result:
        if shell is None:
            return refused("UNAVAILABLE", "no connected app window offers this")
        try:
            # The hub keeps the deadline too; ours holds whatever stands behind the port.
            async with asyncio.timeout(deadline_s):
                return from_shell(await self._call_shell(shell, method, request, deadline_s))
        except TimeoutError:
            return refused("UNAVAILABLE", f"the app window did not answer within {deadline_s:g} s")
        except ConnectionError:
            return refused("UNAVAILABLE", "the app window has left")

    def _is_developed_at(self, url: str) -> bool:
        wanted = _site(url)
        return wanted is not None and any(
            each.url is not None and _site(each.url) == wanted for each in self._shelf.all()
        )


def _site(url: str) -> tuple[str, int | None] | None:
    try:
        found = urlsplit(url)
        return (found.hostname, found.port) if found.hostname else None
    except ValueError:
        return None


def _lacks(walled: Walled, api: str, *capabilities: str) -> Result | None:
    lacking = [f"the API '{api}'"] if api not in walled.grants.apis else []
    lacking += [f"the capability '{each}'" for each in capabilities if each not in walled.grants.capabilities]
    return refused("PERMISSION_DENIED", f"{walled.id} lacks {' and '.join(lacking)}") if lacking else None


def _too_large(result: Result) -> bool:
    return size_bytes(result) > ANSWER_LIMIT_BYTES


def _closed() -> Result:
    return refused("CLOSED", "this frame's authority has ended")
