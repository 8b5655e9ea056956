"""All tools in the order in which clients list them. Nothing registers itself: a tool is in this list or it is not."""

from __future__ import annotations

from loader.agent_tools import (
    check,
    draft_page,
    events_since,
    explain,
    list_pages,
    list_plugins,
    new,
    publish_page,
    rehearse,
    reload,
    remove_page,
)
from loader.agent_tools.tool import AgentTool

TOOLS: tuple[AgentTool, ...] = (
    new.TOOL,
    check.TOOL,
    rehearse.TOOL,
    explain.TOOL,
    list_plugins.TOOL,
    reload.TOOL,
    events_since.TOOL,
    draft_page.TOOL,
    list_pages.TOOL,
    publish_page.TOOL,
    remove_page.TOOL,
)
