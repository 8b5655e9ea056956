"""The tool `list_plugins`: what was installed from elsewhere, and what each may do."""

from __future__ import annotations

import asyncio
from typing import Any

from loader.agent_tools.packaged import called, said, service_of
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.home import Home


class ListPluginsArguments(Arguments):
    pass


async def _run(desk: Desk, given: ListPluginsArguments) -> Answer:
    home, endpoint = await service_of(desk)
    if endpoint is not None:
        return await called(endpoint, "GET", "/v1/packages")
    return said({"packages": await asyncio.to_thread(_installed, home)})


def _installed(home: Home) -> list[Any]:
    from loader.packages.install import Packages
    from loader.packages.shelf import walled_of
    from loader.packages.standings import standing_of
    from loader.reports.package_data import package_json

    found = (standing_of(home, entry) for entry, _ in Packages(home).entries())
    return [package_json(standing, walled_of(standing, None), None) for standing in found if standing is not None]


TOOL = AgentTool(
    "list_plugins",
    "List installed plugins",
    "What was installed from elsewhere: web apps, plugins and packages, what each asks for and was granted, whether it "
    "is on, where it came from. The tool list shows all desktop plugins.",
    ListPluginsArguments,
    _run,
)
