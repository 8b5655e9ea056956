"""The tool `list`: the plugins of the home and how they are."""

from __future__ import annotations

import asyncio
from typing import Any

from loader.agent_tools.rows import row_lines
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.cli.access import open_access
from loader.home import Home
from loader.reports.safe import visible


class ListArguments(Arguments):
    pass


async def _run(desk: Desk, given: ListArguments) -> Answer:
    home = desk.find_home()
    async with desk.turn:
        service, rows = await asyncio.to_thread(_rows, home)
    head = f"{visible(str(home.root))} ({visible(home.rule)}): {len(rows)} plugins; "
    head += f"service: {service}" if service else "no service runs, so nothing is loaded in the app by it"
    return Answer("\n".join([head, *row_lines(rows)]))


def _rows(home: Home) -> tuple[str | None, list[dict[str, Any]]]:
    with open_access(home) as access:
        return access.service, access.rows()


TOOL = AgentTool(
    "list",
    "List plugins",
    "The plugins of the Hermes home: id, state (ready, disabled, failed, shadowed), what runs in the app's windows, "
    "and the findings of those in trouble.",
    ListArguments,
    _run,
)
