"""The tool `remove_page`: takes back a draft of this session; asks about everything else."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader.agent_tools.drafting import open_store, said, where
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.pages.draft_rules import normal_draft_id


class RemoveArguments(Arguments):
    plugin_id: str = Field(max_length=200, description="The page's id.")


async def _run(desk: Desk, given: RemoveArguments) -> Answer:
    approval = await asyncio.to_thread(open_store(desk).withdraw, given.plugin_id, desk.session)
    if approval is None:
        return said({"ok": True, "id": normal_draft_id(given.plugin_id)})
    return said(approval.told() | {"decided_at": where(desk, approval.entry.id)})


TOOL = AgentTool(
    "remove_page",
    "Remove a drafted page",
    "Take back a draft that this session made. Of any other page the answer is approval_required: the person decides.",
    RemoveArguments,
    _run,
    changes_something=True,
)
