"""The tool `open_plugin_tab`: where a person sees a plugin's tab."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader import client
from loader.agent_tools.packaged import path_of, said, service_of
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.errors import UsageError


class OpenArguments(Arguments):
    id: str = Field(max_length=128, description="The installed plugin's id.")


async def _run(desk: Desk, given: OpenArguments) -> Answer:
    home, endpoint = await service_of(desk)
    if endpoint is None:
        raise UsageError(f"No service runs for {home.root}. A person starts it with `hermes-desktop serve`.")

    def act() -> str:
        with client.Client(endpoint, face="mcp") as connected:
            return str(connected.request("POST", path_of(given.id, "/open"))["url"])

    return said({"id": given.id, "url": f"{endpoint.url}{await asyncio.to_thread(act)}"})


TOOL = AgentTool(
    "open_plugin_tab",
    "Open a plugin's tab",
    "The address at which the person sees the tab of an installed plugin that is on. It lets nobody in by itself: "
    "where the page asks for a code, the person runs `hermes-desktop open`.",
    OpenArguments,
    _run,
)
