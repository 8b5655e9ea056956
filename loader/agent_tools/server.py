"""The MCP server over standard input and output: offers the tools, passes calls on, and ends with its client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from loader import __version__
from loader.agent_tools.answering import answer
from loader.agent_tools.registry import TOOLS
from loader.agent_tools.tool import AgentTool, Desk
from loader.cli.check_now import open_checker
from loader.home import Home

_INSTRUCTIONS = (
    "Plugins of Hermes Desktop are one file each, plugin.js: a plain ES module that imports only '@hermes/plugin-sdk', "
    "'react' and 'react/jsx-runtime'. No JSX, no TypeScript, no build step. The loop: new, edit, check, mend what it "
    "says, rehearse, reload. explain tells what a code means."
)


def make_server(desk: Desk, tools: Sequence[AgentTool] = TOOLS) -> Server[Any]:
    """A server that offers ``tools``, all working with ``desk``."""

    async def list_tools(_: Any, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_declared(tool) for tool in tools])

    async def call_tool(_: Any, call: CallToolRequestParams) -> CallToolResult:
        said = await answer(tools, desk, call.name, call.arguments)
        return CallToolResult(content=[TextContent(type="text", text=said.text)], is_error=said.failed)

    return Server(
        "hermes-desktop",
        version=__version__,
        title="Hermes Desktop plugins",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _declared(tool: AgentTool) -> Tool:
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema,
        annotations=ToolAnnotations(
            read_only_hint=not tool.changes_something, destructive_hint=False, open_world_hint=False
        ),
    )


async def serve_stdio(find_home: Callable[[], Home]) -> None:
    """Serve one client until it closes our standard input. Nothing else may write to standard output meanwhile."""
    async with open_checker() as checker:
        server = make_server(Desk(find_home, checker))
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
