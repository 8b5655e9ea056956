"""Calls over the bridge: who asks, what is asked of the app window, and every way in which it may not answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from loader.nouns import Json
from loader.packages.grants import APIS, CAPABILITIES
from loader.packages.walled import host_of
from loader.wall.bridge import CALLS_OF_A_FRAME, Bridge
from loader.wall.frames import Frames
from loader.wall.shells import WallShells
from loader.wall.streams import PROMPT_LIMIT_LETTERS, STREAMS_OF_A_FRAME, TEXT_LIMIT_LETTERS
from loader.wall.tools import ARGUMENTS_LIMIT_BYTES, announced
from tests.wall.fakes import NOTES, OTHER, FakeShelf, FakeWindow, grants, until, web_app

pytestmark = pytest.mark.anyio
TOOLS: Json = [
    {"name": "read_page", "description": "Reads", "capability": "read-only"},
    {"name": "click", "description": "Clicks", "capability": "controls-browser"},
]
ALL = grants(" ".join(APIS), " ".join(CAPABILITIES))


class Setting:
    def __init__(self) -> None:
        self.window = FakeWindow()
        self.shelf = FakeShelf(web_app(grants=ALL), web_app(OTHER))
        self.shells = WallShells()
        self.frames = Frames(self.shelf, on_end=lambda frame: self.bridge.streams.frame_ended(frame))
        self.bridge = Bridge(self.shelf, self.frames, self.shells, self.window)
        self.shelf.subscribe(self.frames.changed)
        self.mount("shell-1")
        self.token = self.open()

    def mount(self, shell: str, *, focused: bool = False, tools: Json = TOOLS, offers: str = "storage cdp ai") -> None:
        self.shells.mount(shell, focused=focused, tools=announced(tools), offers=frozenset(offers.split()))

    def open(self, plugin_id: str = NOTES) -> str:
        opened = self.frames.open(plugin_id)
        assert opened is not None
        return opened.token

    async def call(self, method: str, token: str | None = None, /, **params: Any) -> dict[str, Any]:
        return await self.bridge.call(token or self.token, method, params, "c1")

    async def code(self, method: str, token: str | None = None, /, **params: Any) -> str:
        result = await self.call(method, token, **params)
        assert result["ok"] is False and result["error"]["message"], result
        return str(result["error"]["code"])


@pytest.fixture
async def set_up(anyio_backend: str) -> AsyncIterator[Setting]:
    yield Setting()
    await asyncio.sleep(0)


async def test_the_identity_is_the_frames_whatever_the_call_says(set_up: Setting) -> None:
    told = await set_up.call("identity", pluginId=OTHER, plugin=OTHER, owner="plugin:x")
    assert told["data"]["pluginId"] == NOTES
    other = await set_up.call("identity", set_up.open(OTHER), pluginId=NOTES)
    assert other["data"] == {"pluginId": OTHER, "name": OTHER, "version": "0.0.0", "apis": [], "capabilities": []}


METHODS = [
    "tools.list",
    "tools.call",
    "storage.getBrowserTabs",
    "storage.getWorkspaceTabs",
    "cdp.send",
    "ai.streamText",
]


@pytest.mark.parametrize("method", METHODS)
async def test_without_the_approval_nothing_is_asked_of_anybody(set_up: Setting, method: str) -> None:
    token = set_up.open(OTHER)
    params = {"name": "read_page", "tabId": "1", "method": "Page.navigate", "prompt": "hi"}
    assert await set_up.code(method, token, **params) == "PERMISSION_DENIED"
    assert set_up.window.asked == []


@pytest.mark.parametrize(
    "method", ["", "tools", "tools.install", "constructor", "runAction", "tools.call\0", "cdp", "TOOLS.LIST"]
)
async def test_there_is_no_other_method(set_up: Setting, method: str) -> None:
    assert await set_up.code(method) == "NOT_FOUND"


async def test_a_tool_is_called_in_the_window_under_the_plugins_own_name(set_up: Setting) -> None:
    set_up.window.answers["tool/call"] = {"ok": True, "data": {"text": "hello"}, "secret": 1}
    told = await set_up.call("tools.call", name="read_page", arguments={"a": 1}, plugin=OTHER, owner="me")
    assert told == {"ok": True, "data": {"text": "hello"}}
    request = {"tool": "read_page", "arguments": {"a": 1}, "plugin": NOTES, "owner": f"plugin:{NOTES}"}
    assert set_up.window.asked == [("shell-1", "tool/call", request)]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (TimeoutError(), "UNAVAILABLE"),
        (ConnectionError("gone"), "UNAVAILABLE"),
        ({"ok": False, "error": "no tab"}, "FAILED"),
        ({"ok": False, "error": {"code": "PERMISSION_DENIED", "message": "not mine to give"}}, "FAILED"),
        ({"ok": False}, "FAILED"),
        ({"ok": "yes"}, "FAILED"),
        (None, "FAILED"),
        ("x", "FAILED"),
        ({"ok": True, "data": "x" * 300_000}, "TOO_LARGE"),
    ],
)
async def test_whatever_a_window_does_a_result_comes_back(set_up: Setting, answer: Any, code: str) -> None:
    set_up.window.answers["tool/call"] = answer
    assert await set_up.code("tools.call", name="read_page") == code


async def test_without_a_window_nothing_is_there(set_up: Setting) -> None:
    set_up.shells.unmount("shell-1")
    assert (await set_up.call("tools.list"))["data"] == []
    assert await set_up.code("tools.call", name="read_page") == "NOT_FOUND"
    for method in ("storage.getBrowserTabs", "storage.getWorkspaceTabs"):
        assert await set_up.code(method) == "UNAVAILABLE"
    assert await set_up.code("cdp.send", tabId="1", method="Page.enable") == "UNAVAILABLE"
    assert await set_up.code("ai.streamText", prompt="hi") == "UNAVAILABLE"


async def test_a_window_that_offers_less_is_not_asked_for_more(set_up: Setting) -> None:
    set_up.mount("shell-1", offers="everything tools")
    assert await set_up.code("cdp.send", tabId="1", method="Page.enable") == "UNAVAILABLE"
    assert await set_up.code("ai.streamText", prompt="hi") == "UNAVAILABLE"
    assert set_up.window.asked == []


async def test_the_focused_window_is_asked_else_the_one_mounted_last(set_up: Setting) -> None:
    set_up.mount("shell-2")
    await set_up.call("tools.call", name="click")
    set_up.shells.focus("shell-1", True)
    await set_up.call("tools.call", name="click")
    set_up.mount("shell-3", focused=True, tools=[])
    await set_up.call("tools.call", name="click")
    assert [shell for shell, _, _ in set_up.window.asked] == ["shell-2", "shell-1", "shell-1"]


@pytest.mark.parametrize(
    "end",
    [lambda s: s.shelf.change(enabled=False), lambda s: s.shelf.take(), lambda s: s.shelf.change(grants=grants())],
)
async def test_an_answer_that_comes_after_the_authority_ended_is_nobodys(set_up: Setting, end: Any) -> None:
    waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
    set_up.window.answers["tool/call"] = waiting
    calling = asyncio.ensure_future(set_up.call("tools.call", name="read_page"))
    await until(lambda: bool(set_up.window.asked))
    end(set_up)
    waiting.set_result({"ok": True, "data": "late"})
    assert (await calling)["error"]["code"] == "CLOSED"
    assert await set_up.code("identity") == "CLOSED"


async def test_one_frame_has_so_many_calls_at_a_time(set_up: Setting) -> None:
    waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
    set_up.window.answers["tool/call"] = waiting
    calls = [asyncio.ensure_future(set_up.call("tools.call", name="read_page")) for _ in range(CALLS_OF_A_FRAME)]
    await until(lambda: len(set_up.window.asked) == CALLS_OF_A_FRAME)
    assert await set_up.code("tools.list") == "BUSY"
    waiting.set_result({"ok": True, "data": 1})
    assert all(result["ok"] for result in await asyncio.gather(*calls))
    assert (await set_up.call("tools.list"))["ok"]


# ---------------------------------------------------------------- storage


async def test_lists_of_tabs_are_without_plugins_and_without_fields_that_are_not_for_them(set_up: Setting) -> None:
    set_up.shelf.put(web_app("com.example.dev", url="http://localhost:5173/app/"))
    own = host_of(NOTES)
    set_up.window.answers["tabs/list"] = {
        "ok": True,
        "data": [
            {"id": "1", "title": "A page", "url": "https://a.example/", "active": True, "cookie": "secret"},
            {"id": "2", "title": "a plugin", "url": "https://b.example/", "plugin": NOTES},
            {"id": "3", "url": f"http://{own}:8787/index.html"},
            {"id": "4", "url": f"blob:http://{own.upper()}:8787/x"},
            {"id": "5", "url": "http://localhost:5173/elsewhere"},
            {"id": "6", "url": f"http://{host_of(OTHER)}.:1/"},
            {"id": 7, "url": "https://c.example/"},
            "x",
            {"id": "8", "title": 5, "url": "http://localhost:8000/", "active": "yes"},
        ],
    }
    told = await set_up.call("storage.getBrowserTabs")
    assert told["data"] == [
        {"id": "1", "title": "A page", "url": "https://a.example/", "active": True},
        {"id": "8", "url": "http://localhost:8000/"},
    ]
    set_up.window.answers["tabs/list"] = {
        "ok": True,
        "data": [{"id": "1", "title": "t", "kind": "terminal", "url": "u"}],
    }
    assert (await set_up.call("storage.getWorkspaceTabs"))["data"] == [{"id": "1", "title": "t", "kind": "terminal"}]
    assert [params["listing"] for _, _, params in set_up.window.asked] == ["browser", "workspace"]


# ---------------------------------------------------------------- cdp and ai


async def test_cdp_needs_both_words_and_carries_the_owner_that_we_stamp(set_up: Setting) -> None:
    set_up.shelf.put(web_app(OTHER, grants=grants("cdp", "read-only")))
    assert await set_up.code("cdp.send", set_up.open(OTHER), tabId="1", method="Page.enable") == "PERMISSION_DENIED"
    await set_up.call("cdp.send", tabId="1", method="Page.enable", params={"a": 1}, owner="plugin:x")
    request = {"tab": "1", "method": "Page.enable", "params": {"a": 1}, "plugin": NOTES, "owner": f"plugin:{NOTES}"}
    assert set_up.window.asked == [("shell-1", "cdp/send", request)]
    for wrong in ({"tabId": 1, "method": "a"}, {"tabId": "1"}, {"tabId": "1", "method": "a", "params": "x" * 9}):
        assert await set_up.code("cdp.send", **wrong) == "INVALID"


def names(window: FakeWindow) -> list[str]:
    return [method for _, method, _ in window.asked]


async def ended(window: FakeWindow) -> None:
    await until(lambda: names(window)[-1:] == ["ai/end"])


async def test_text_of_the_model_comes_as_it_is_made_and_the_session_is_deleted(set_up: Setting) -> None:
    told: list[str] = []

    async def answer(params: Any) -> Json:
        assert params["ephemeral"] is True and params["owner"] == f"plugin:{NOTES}" and params["prompt"] == "hi"
        assert set_up.bridge.streams.text("shell-1", params["stream"], "he")
        assert not set_up.bridge.streams.text("shell-2", params["stream"], "not yours")
        assert set_up.bridge.streams.text("shell-1", params["stream"], "llo")
        return {"ok": True, "data": {"text": "hello", "session": "s9"}}

    set_up.window.answers["ai/stream"] = answer
    result = await set_up.bridge.call(set_up.token, "ai.streamText", {"prompt": "hi"}, "c1", told.append)
    assert result == {"ok": True, "data": {"text": "hello"}}
    assert told == ["he", "llo"]
    await ended(set_up.window)
    stream = set_up.window.asked[0][2]["stream"]
    assert set_up.window.asked[-1][2] == {"stream": stream}
    assert not set_up.bridge.streams.text("shell-1", str(stream), "after the end")


@pytest.mark.parametrize("prompt", [None, 7, "", " \n", "x" * (PROMPT_LIMIT_LETTERS + 1)])
async def test_a_prompt_is_a_text_of_bounded_length(set_up: Setting, prompt: Json) -> None:
    assert await set_up.code("ai.streamText", prompt=prompt) == "INVALID"
    assert set_up.window.asked == []


async def test_one_frame_has_so_many_streams_at_a_time_and_the_other_frame_its_own(set_up: Setting) -> None:
    waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
    set_up.window.answers["ai/stream"] = lambda _: asyncio.shield(waiting)
    running = [
        asyncio.ensure_future(set_up.bridge.call(set_up.token, "ai.streamText", {"prompt": "hi"}, f"c{number}"))
        for number in range(STREAMS_OF_A_FRAME)
    ]
    await until(lambda: len(set_up.window.asked) == STREAMS_OF_A_FRAME)
    assert await set_up.code("ai.streamText", prompt="one more") == "BUSY"
    set_up.shelf.change(OTHER, grants=ALL)
    other = asyncio.ensure_future(set_up.call("ai.streamText", set_up.open(OTHER), prompt="hi"))
    await until(lambda: len(set_up.window.asked) == STREAMS_OF_A_FRAME + 1)
    waiting.set_result({"ok": True, "data": 7})
    for each in (*running, other):
        assert (await each)["data"] == {"text": ""}
    await ended(set_up.window)


async def test_a_model_that_does_not_come_to_its_end_is_given_up(
    set_up: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loader.wall.streams.STREAM_DEADLINE_S", 0.01)
    set_up.window.answers["ai/stream"] = lambda _: asyncio.Event().wait()
    assert await set_up.code("ai.streamText", prompt="hi") == "UNAVAILABLE"
    await ended(set_up.window)


async def test_parameters_of_cdp_are_bounded(set_up: Setting) -> None:
    for given in (
        {"tabId": "t", "method": "m", "params": {"x": "y" * ARGUMENTS_LIMIT_BYTES}},
        {"tabId": "t" * 1000, "method": "m"},
        {"tabId": "t", "method": "m" * 1000},
        {"tabId": "t", "method": "m", "params": []},
    ):
        assert await set_up.code("cdp.send", **given) == "INVALID"
    assert set_up.window.asked == []


@pytest.mark.parametrize("how", ["cancel", "disable", "too much", "gone", "failed"])
async def test_a_stream_that_ends_in_another_way_is_ended_in_the_window_too(set_up: Setting, how: str) -> None:
    waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
    set_up.window.answers["ai/stream"] = waiting
    calling = asyncio.ensure_future(set_up.call("ai.streamText", prompt="hi"))
    await until(lambda: bool(set_up.window.asked))
    stream = str(set_up.window.asked[0][2]["stream"])
    frame = set_up.frames.who(set_up.token)
    assert frame is not None
    match how:
        case "cancel":
            assert not set_up.bridge.streams.cancel(frame, "another call")
            assert set_up.bridge.streams.cancel(frame, "c1")
        case "disable":
            set_up.shelf.change(enabled=False)
        case "too much":
            assert not set_up.bridge.streams.text("shell-1", stream, "x" * (TEXT_LIMIT_LETTERS + 1))
        case "gone":
            waiting.set_exception(ConnectionError("gone"))
        case _:
            waiting.set_result({"ok": False, "error": "no model"})
    wanted = {
        "cancel": "CANCELLED",
        "disable": "CLOSED",
        "too much": "TOO_LARGE",
        "gone": "UNAVAILABLE",
        "failed": "FAILED",
    }
    assert (await calling)["error"]["code"] == wanted[how]
    await ended(set_up.window)
