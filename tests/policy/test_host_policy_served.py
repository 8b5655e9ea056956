"""sdk_stubs/host-policy.js in a Node shell, against the real service."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.policy.served import TOKEN, Served, row, serving
from tests.requirements import node

pytestmark = [pytest.mark.anyio, pytest.mark.real]
HERE = Path(__file__).parent


class NodeShell:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def do(self, name: str, **params: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": name, **params}).encode() + b"\n")
        line = await asyncio.wait_for(self._process.stdout.readline(), 60)
        assert line, f"the shell ended at {name}"
        return json.loads(line)


@asynccontextmanager
async def node_shell(here: Served) -> AsyncIterator[NodeShell]:
    process = await asyncio.create_subprocess_exec(
        node(),
        str(HERE / "shell.mjs"),
        *(here.url, TOKEN),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**20,
    )
    try:
        shell = NodeShell(process)
        assert await shell.do("mounted") > 21
        yield shell
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 10)
        except TimeoutError:
            process.kill()
            await process.wait()


async def test_actions_run_in_the_same_tick_and_the_service_hears_of_them() -> None:
    async with serving() as here:
        here.pipeline.load(row("demo"))
        async with node_shell(here) as shell:
            await shell.do("untilLoaded", plugin="demo")
            ran = await shell.do("runAndLook", plugin="demo", action="view.showBrowser")
            assert ran == [{"ok": True}, ["view.showBrowser"]]
            results = [
                await shell.do("run", plugin="demo", action=action)
                for action in ("app.quit", "session.archive", "nav.cron", "nav.settings", "constructor")
            ]
            reasons = [result["reason"] for result in results]
            assert reasons == ["unknown", "denied", "unavailable", "unavailable", "unknown"]
            assert "(locked)" in results[3]["error"]
            listed = await shell.do("list", plugin="demo")
            assert [action["id"] for action in listed] == ["view.showBrowser", "nav.settings"]
            assert listed == (await here.http.get("/v1/plugins/demo/actions")).json()["actions"]
            assert await shell.do("ran") == ["view.showBrowser"]
            assert (await shell.do("said"))[0] == f"[plugin:demo] runAction: {results[0]['error']}"
            await shell.do("settle")
            rows = (await here.http.get("/v1/policy/audit")).json()["rows"]
            told = {entry["what"]: entry["outcomes"] for entry in rows}
            assert told == {
                "(unknown)": {"unknown": 2},
                "nav.cron": {"unavailable": 1},
                "nav.settings": {"unavailable": 1},
                "session.archive": {"denied": 1},
                "view.showBrowser": {"ok": 1},
            }


async def test_a_framed_caller_reaches_the_shells_handler_through_the_service() -> None:
    async with serving() as here:
        here.pipeline.load(row("framed"))
        async with node_shell(here) as shell:
            path = "/v1/plugins/framed/actions"
            assert (await here.http.post(path, json={"action": "view.showBrowser"})).json() == {"ok": True}
            refused = (await here.http.post(path, json={"action": "nav.settings"})).json()
            assert (refused["reason"], "locked" in refused["error"]) == ("unavailable", True)
            assert (await here.http.post(path, json={"action": "session.archive"})).json()["reason"] == "denied"
            assert await shell.do("ran") == ["view.showBrowser"]


async def test_lines_come_stay_and_go_as_the_plugin_says() -> None:
    async with serving() as here:
        here.pipeline.load(row("demo", name="Demo"))
        async with node_shell(here) as shell:
            await shell.do("untilLoaded", plugin="demo")
            assert await shell.do("visible", plugin="demo") is False
            await shell.do("setPet", state={"visible": True})
            assert await shell.do("visible", plugin="demo") is True
            long = {"ttlMs": 30_000}
            await shell.do("say", plugin="demo", text="one\u202e\n", options={"id": "x", **long}, **{"as": "first"})
            await shell.do("untilLines", texts=["one"])
            await shell.do("say", plugin="demo", text="two", options={"id": "x", **long}, **{"as": "second"})
            await shell.do("untilLines", texts=["two"])
            await shell.do("dispose", **{"as": "first"})
            await shell.do("say", plugin="demo", text="other", options=long, **{"as": "third"})
            await shell.do("untilLines", texts=["two", "other"])
            await shell.do("dispose", **{"as": "second"})
            await shell.do("untilLines", texts=["other"])
            # Said and disposed in one breath: the line must not stay.
            await shell.do("say", plugin="demo", text="brief", options=long, **{"as": "brief"})
            await shell.do("dispose", **{"as": "brief"})
            await shell.do("settle")
            assert [line["text"] for line in (await here.http.get("/v1/pet")).json()["lines"]] == ["other"]
            await shell.do("clear", plugin="demo")
            await shell.do("untilLines", texts=[])
            for _ in range(10):
                await shell.do("say", plugin="demo", text="again", options={"id": "x"}, **{"as": "many"})
            await shell.do("settle")
            assert await shell.do("said") == ["[plugin:demo] pet.say: too many calls"]


async def test_a_reload_gives_a_new_context_and_a_service_that_goes_leaves_refusals() -> None:
    async with serving() as here:
        here.pipeline.load(row("demo"))
        async with node_shell(here) as shell:
            await shell.do("untilLoaded", plugin="demo")
            await shell.do("setPet", state={"visible": True})
            await shell.do("say", plugin="demo", text="old", options={"ttlMs": 30_000}, **{"as": "old"})
            await shell.do("untilLines", texts=["old"])
            here.pipeline.load(row("demo"), "r2")
            await shell.do("untilLines", texts=[])
            assert await shell.do("run", plugin="demo", action="view.showBrowser") == {"ok": True}
            await shell.do("say", plugin="demo", text="new", options={"ttlMs": 30_000}, **{"as": "new"})
            await shell.do("untilLines", texts=["new"])
            here.parts.hub.close_all(1001, "over")
            await shell.do("untilAway")
            assert (await shell.do("run", plugin="demo", action="view.showBrowser"))["reason"] == "unavailable"
            assert (await shell.do("run", plugin="demo", action="app.quit"))["reason"] == "unknown"
            assert await shell.do("list", plugin="demo") == []
            assert await shell.do("visible", plugin="demo") is False
            await shell.do("say", plugin="demo", text="nobody hears", options=None, **{"as": "away"})
            await shell.do("dispose", **{"as": "away"})
