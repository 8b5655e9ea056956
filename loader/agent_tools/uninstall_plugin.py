"""The tool `uninstall_plugin`: removes what was installed from elsewhere; what it stored stays."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader.agent_tools.packaged import called, path_of, said, service_of
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.home import Home


class UninstallArguments(Arguments):
    id: str = Field(max_length=128, description="The installed plugin's id.")


async def _run(desk: Desk, given: UninstallArguments) -> Answer:
    home, endpoint = await service_of(desk)
    if endpoint is not None:
        return await called(endpoint, "DELETE", path_of(given.id))
    await asyncio.to_thread(_remove, home, given.id)
    return said({"id": given.id, "uninstalled": True, "purged": False})


def _remove(home: Home, package_id: str) -> None:
    from loader.packages.audit import Audit
    from loader.packages.install import Packages

    Packages(home).uninstall(package_id)
    Audit(home).note("mcp", "uninstall", package_id, "done")


TOOL = AgentTool(
    "uninstall_plugin",
    "Uninstall a plugin",
    "Remove an installed plugin: its folder, record and approvals. What it stored stays, and what a person made by "
    "hand is never touched.",
    UninstallArguments,
    _run,
    changes_something=True,
)
