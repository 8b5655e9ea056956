"""A whole session of an agent, over standard input and output, with the SDK's own client and the real workers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import mcp
import pytest
from mcp.client.stdio import StdioServerParameters

from loader.agent_tools.registry import TOOLS

pytestmark = [pytest.mark.real, pytest.mark.timeout(120)]


@asynccontextmanager
async def client(home: Path, *more: str) -> AsyncIterator[mcp.Client]:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "loader", "mcp", *more],
        env={**os.environ, "HERMES_HOME": str(home)},
        cwd=str(home),
    )
    async with mcp.Client(parameters, read_timeout_seconds=90) as connected:
        yield connected


async def ask(connected: mcp.Client, name: str, **arguments: object) -> tuple[str, bool]:
    result = await connected.call_tool(name, dict(arguments))
    (content,) = result.content
    assert isinstance(content, mcp.types.TextContent)
    return content.text, bool(result.is_error)


@pytest.mark.anyio
async def test_a_whole_session(home: Path) -> None:
    async with client(home) as connected:
        listed = (await connected.list_tools()).tools
        assert [tool.name for tool in listed] == [tool.name for tool in TOOLS]
        assert [tool.input_schema for tool in listed] == [tool.schema for tool in TOOLS]

        text, failed = await ask(connected, "new", id="my-chip", template="status")
        assert not failed
        path = home / "desktop-plugins" / "my-chip" / "plugin.js"
        assert str(path) in text
        assert await ask(connected, "check", paths=[str(path)]) == ("ok: 1 file, no findings.\n", False)

        good = path.read_text()
        path.write_text(good.replace("StatusDot, Tip", "StatusDott, Tip"))
        text, failed = await ask(connected, "check", paths=[str(path)])
        assert not failed, "a plugin's fault is no failure of the tool"
        assert text.startswith("FAILED: ")
        assert f"{path}:3:27 error HP204 unknown-export" in text
        assert "StatusDot" in text
        assert (await ask(connected, "explain", code="HP204"))[0].startswith("HP204 unknown-export")

        path.write_text(good)
        text, failed = await ask(connected, "rehearse", paths=[str(path)])
        assert not failed
        assert "statusBar.right  my-chip:chip" in text
        assert "Idle" in text
        assert "ok: 1 file, no findings." in text

        text, failed = await ask(connected, "list")
        assert not failed
        assert text.splitlines()[1] == "my-chip ready standalone"
        assert (await ask(connected, "reload"))[1]
        assert (await ask(connected, "events_since"))[1]
        assert (await ask(connected, "nonsense"))[1]
        assert (await ask(connected, "check", paths=3))[1]


@pytest.mark.anyio
async def test_calls_at_the_same_time_do_not_disturb_each_other(home: Path) -> None:
    async with client(home) as connected:
        await ask(connected, "new", id="mine", template="pane")
        path = str(home / "desktop-plugins" / "mine" / "plugin.js")
        answers: list[tuple[str, bool]] = []

        async def one(name: str, **arguments: object) -> None:
            answers.append(await ask(connected, name, **arguments))

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(lambda: one("check", paths=[path]))
            group.start_soon(lambda: one("rehearse", paths=[path], events=["change:New item=Milk", "click:Add"]))
        assert answers.count(("ok: 1 file, no findings.\n", False)) == 4
        (played,) = (text for text, _ in answers if "panes  mine:pane" in text)
        assert "- Milk" in played, "the button submits the form that it stands in"


def test_it_ends_with_its_client_and_writes_nothing_but_the_protocol(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "loader", "mcp"],
        input="this is no message\n",
        env={**os.environ, "HERMES_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert all(line.startswith('{"') for line in done.stdout.splitlines())
    assert "Traceback" not in done.stderr
