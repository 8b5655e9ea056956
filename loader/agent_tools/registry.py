"""All tools in the order in which clients list them. Nothing registers itself: a tool is in this list or it is not."""

from __future__ import annotations

from loader.agent_tools import check, events_since, explain, list_plugins, new, rehearse, reload
from loader.agent_tools.tool import AgentTool

TOOLS: tuple[AgentTool, ...] = (
    new.TOOL,
    check.TOOL,
    rehearse.TOOL,
    explain.TOOL,
    list_plugins.TOOL,
    reload.TOOL,
    events_since.TOOL,
)
