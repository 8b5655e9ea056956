"""The tool `list_pages`: the drafted pages that this session may see."""

from __future__ import annotations

import asyncio

from loader.agent_tools.drafting import open_store, rows, said
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk


class ListPagesArguments(Arguments):
    pass


async def _run(desk: Desk, given: ListPagesArguments) -> Answer:
    listed = await asyncio.to_thread(open_store(desk).listed, desk.session)
    return said(rows(listed.entries) | ({"faults": list(listed.faults)[:10]} if listed.faults else {}))


TOOL = AgentTool(
    "list_pages",
    "List drafted pages",
    "The drafted and kept pages with their revisions: this session's, and those that are kept.",
    ListPagesArguments,
    _run,
)
