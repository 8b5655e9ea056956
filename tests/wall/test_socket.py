"""The wall over the real socket: an app window that announces tools, a page that speaks for a frame, and their ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from loader.packages.walled import host_of
from tests.server.fakes import TOKEN
from tests.server.running import PATIENCE_S, Running, WsClient, running
from tests.wall.conftest import PLAIN, shelf_of
from tests.wall.fakes import NOTES, FakeShelf, grants

pytestmark = pytest.mark.anyio
TOOLS = [
    {"name": "read_page", "description": "Reads", "capability": "read-only", "inputSchema": {}},
    {"name": "click", "description": "Clicks", "capability": "controls-browser"},
    {"name": "install_plugin", "description": "ours", "capability": "read-only"},
    {"name": "write_file", "description": "of another power", "capability": "writes-files"},
]


@dataclass
class Wired:
    service: Running
    shelf: FakeShelf
    page: WsClient
    window: WsClient

    async def open(self, plugin_id: str = NOTES) -> str:
        url = f"{self.service.url}/v1/wall/{plugin_id}/frames"
        async with httpx.AsyncClient(trust_env=False) as http:
            answer = await http.post(url, headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200, answer.text
        token: str = answer.json()["token"]
        return token

    async def call(self, token: str, method: str, client: WsClient | None = None, **arguments: Any) -> Any:
        return await (client or self.page).result(
            "wall/call", frame_token=token, method=method, arguments=arguments, call="c1"
        )

    async def asked(self) -> dict[str, Any]:
        """The next request that the app window gets; events before it are passed over."""
        while True:
            frame = await self.window.frame()
            if "method" in frame and "id" in frame:
                return frame

    async def answer(self, request: dict[str, Any], result: Any) -> None:
        await self.window.connection.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}))

    async def told(self, method: str) -> dict[str, Any]:
        while True:
            frame = await self.page.frame()
            if frame.get("method") == method:
                params: dict[str, Any] = frame["params"]
                return params


@pytest.fixture
async def wired(anyio_backend: str, tmp_path: Path) -> AsyncIterator[Wired]:
    shelf = shelf_of(tmp_path)
    async with running(make_shelf=lambda _: shelf) as service, service.client() as page, service.client() as window:
        await window.result("shell/mount", version="1", focused=True, tools=TOOLS, offers=["storage", "ai"])
        yield Wired(service, shelf, page, window)


async def test_a_tool_goes_from_the_page_to_the_window_and_back(wired: Wired) -> None:
    token = await wired.open()
    listed = await wired.call(token, "tools.list")
    assert [tool["name"] for tool in listed["data"]] == ["read_page"]
    calling = asyncio.create_task(wired.call(token, "tools.call", name="read_page", arguments={"a": 1}))
    request = await wired.asked()
    assert request["method"] == "tool/call"
    assert request["params"] == {
        "tool": "read_page",
        "arguments": {"a": 1},
        "plugin": NOTES,
        "owner": f"plugin:{NOTES}",
    }
    await wired.answer(request, {"ok": True, "data": "text"})
    assert await calling == {"ok": True, "data": "text"}
    for name, code in (("click", "PERMISSION_DENIED"), ("install_plugin", "NOT_FOUND"), ("write_file", "NOT_FOUND")):
        assert (await wired.call(token, "tools.call", name=name))["error"]["code"] == code


async def test_a_window_that_leaves_midway_is_a_refusal_and_its_late_answer_is_dropped(wired: Wired) -> None:
    token = await wired.open()
    calling = asyncio.create_task(wired.call(token, "tools.call", name="read_page"))
    request = await wired.asked()
    await wired.window.result("shell/unmount")
    assert (await calling)["error"]["code"] == "UNAVAILABLE"
    await wired.answer(request, {"ok": True, "data": "late"})
    assert (await wired.call(token, "tools.list"))["data"] == []
    await wired.window.result("shell/mount", version="1", focused=True, tools=TOOLS[:1])
    assert [tool["name"] for tool in (await wired.call(token, "tools.list"))["data"]] == ["read_page"]


async def test_switching_off_ends_the_frame_and_tells_the_page_that_spoke_for_it(wired: Wired) -> None:
    token = await wired.open()
    assert await wired.page.result("wall/attach", frame_token=token) == {"ok": True}
    calling = asyncio.create_task(wired.call(token, "tools.call", name="read_page"))
    request = await wired.asked()
    wired.shelf.change(enabled=False)
    await wired.answer(request, {"ok": True, "data": "late"})
    assert (await calling)["error"]["code"] == "CLOSED"
    assert (await wired.told("wall/changed"))["app"]["enabled"] is False
    told = await wired.told("wall/closed")
    assert (told["plugin"], told["reason"]) == (NOTES, "disabled")
    assert await wired.page.result("wall/attach", frame_token=token) == {"ok": False}


async def test_only_the_connection_that_speaks_for_a_frame_is_heard(wired: Wired) -> None:
    token = await wired.open()
    assert (await wired.call(token, "identity"))["data"]["pluginId"] == NOTES
    assert (await wired.call(token, "identity", wired.window))["error"]["code"] == "CLOSED"
    assert await wired.window.result("wall/attach", frame_token=token) == {"ok": False}
    assert await wired.window.result("wall/cancel", frame_token="guess", call="c1") == {"ok": False}
    await wired.page.result("wall/close", frame_token=token)
    assert (await wired.call(token, "identity"))["error"]["code"] == "CLOSED"


async def test_a_page_that_comes_back_over_another_connection_goes_on(wired: Wired) -> None:
    token = await wired.open()
    async with wired.service.client() as first:
        assert await first.result("wall/attach", frame_token=token) == {"ok": True}
    # The server learns of a closed socket a moment later: asked until it has.
    async with asyncio.timeout(PATIENCE_S):
        while await wired.page.result("wall/attach", frame_token=token) != {"ok": True}:
            await wired.page.result("ping")
    assert (await wired.call(token, "identity"))["ok"] is True


async def test_text_of_the_model_is_told_to_the_page_as_it_comes(wired: Wired) -> None:
    wired.shelf.change(grants=grants("ai"))
    token = await wired.open()
    calling = asyncio.create_task(wired.call(token, "ai.streamText", prompt="hi"))
    request = await wired.asked()
    assert request["method"] == "ai/stream" and request["params"]["owner"] == f"plugin:{NOTES}"
    stream = request["params"]["stream"]
    assert await wired.window.result("ai/text", stream=stream, text="he") == {"ok": True}
    async with wired.service.client() as other:
        await other.result("shell/mount", version="1", focused=False, offers=["ai"])
        assert await other.result("ai/text", stream=stream, text="forged") == {"ok": False}
    await wired.answer(request, {"ok": True, "data": {"text": "he said"}})
    assert await calling == {"ok": True, "data": {"text": "he said"}}
    told = await wired.told("wall/text")
    assert (told["call"], told["text"]) == ("c1", "he")
    ended = await wired.asked()
    assert (ended["method"], ended["params"]) == ("ai/end", {"stream": stream})


async def test_a_walled_plugin_js_has_the_policy_doors_under_its_own_name_and_a_web_app_has_not(wired: Wired) -> None:
    wired.service.pipeline.save(PLAIN)
    token = await wired.open(PLAIN)
    said = await wired.call(token, "pet.say", text="hi", plugin="other")
    assert said["reason"] == "unavailable", "the value of the policy, not of the bridge"
    assert (await wired.call(await wired.open(), "pet.say", text="hi"))["error"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("wall/call", {}),
        ("wall/call", {"frame_token": 1, "method": "identity"}),
        ("wall/call", {"frame_token": "x"}),
        ("wall/attach", {}),
        ("wall/cancel", {"frame_token": "x"}),
        ("ai/text", {"stream": "s", "text": 1}),
    ],
)
async def test_what_does_not_fit_is_said_by_its_field(wired: Wired, method: str, params: dict[str, Any]) -> None:
    assert (await wired.page.call(method, **params))["error"]["code"] == -32602


async def test_no_socket_is_opened_on_a_plugins_own_host_even_with_the_token(wired: Wired) -> None:
    address = f"ws://{host_of(NOTES)}:{wired.service.port}/v1/events"
    protocols: Any = ["hermes-plugins.v1", f"bearer.{TOKEN}"]
    with pytest.raises(InvalidStatus) as refused:
        await connect(address, host="127.0.0.1", port=wired.service.port, subprotocols=protocols, proxy=None)
    assert refused.value.response.status_code == 421


async def test_an_answer_that_is_nested_without_end_is_a_refusal(wired: Wired) -> None:
    token = await wired.open()
    calling = asyncio.create_task(wired.call(token, "tools.call", name="read_page"))
    request = await wired.asked()
    deep = "[" * 800 + "]" * 800
    await wired.window.connection.send(
        f'{{"jsonrpc":"2.0","id":{json.dumps(request["id"])},"result":{{"ok":true,"data":{deep}}}}}'
    )
    result = await calling
    assert result["error"]["code"] == "TOO_LARGE"
    assert (await wired.call(token, "identity"))["ok"] is True
