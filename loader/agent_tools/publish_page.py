"""The tool `publish_page`: asks for a draft to be kept. Never keeps it."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader.agent_tools.drafting import open_store, said, where
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk


class PublishArguments(Arguments):
    plugin_id: str = Field(max_length=200, description="The draft's id.")


async def _run(desk: Desk, given: PublishArguments) -> Answer:
    approval = await asyncio.to_thread(open_store(desk).ask_to_publish, given.plugin_id, desk.session)
    return said(approval.told() | {"decided_at": where(desk, approval.entry.id)})


TOOL = AgentTool(
    "publish_page",
    "Ask to keep a page",
    "Ask for a draft to be kept. The answer says approval_required: tell the person, who decides on the page itself.",
    PublishArguments,
    _run,
)
