"""All tools in the order in which clients list them. Nothing registers itself: a tool is in this list or it is not."""

from __future__ import annotations

from loader.agent_tools import (
    approve_plugin_grants,
    check,
    draft_page,
    events_since,
    explain,
    install_plugin,
    list_packages,
    list_pages,
    list_plugins,
    new,
    open_plugin_tab,
    publish_page,
    rehearse,
    reload,
    remove_page,
    set_plugin_enabled,
    uninstall_plugin,
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
    list_packages.TOOL,
    install_plugin.TOOL,
    approve_plugin_grants.TOOL,
    set_plugin_enabled.TOOL,
    uninstall_plugin.TOOL,
    open_plugin_tab.TOOL,
)
