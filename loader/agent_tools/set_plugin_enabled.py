"""The tool `set_plugin_enabled`: turns on or off what a person installed and approved."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader.agent_tools.packaged import called, path_of, said, service_of
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.home import Home


class EnabledArguments(Arguments):
    id: str = Field(max_length=128, description="The installed plugin's id.")
    enabled: bool = Field(description="true turns it on, false off.")


async def _run(desk: Desk, given: EnabledArguments) -> Answer:
    home, endpoint = await service_of(desk)
    if endpoint is not None:
        return await called(endpoint, "PUT", path_of(given.id, "/enabled"), {"enabled": given.enabled})
    await asyncio.to_thread(_switch, home, given.id, given.enabled)
    return said({"id": given.id, "enabled": given.enabled})


def _switch(home: Home, package_id: str, on: bool) -> None:
    from loader.cli.access import OwnLook
    from loader.packages.audit import Audit
    from loader.packages.install import Packages

    packages = Packages(home)
    if packages.get(package_id).kind == "web-app":
        packages.switch_app(package_id, on)
        Audit(home).note("mcp", "enable" if on else "disable", package_id, "done")
    else:
        OwnLook(home, "off", caller="mcp").choose(package_id, on)


TOOL = AgentTool(
    "set_plugin_enabled",
    "Switch an installed plugin",
    "Turn an installed plugin on or off. On only where the person approved all APIs that it asks for; the answer names "
    "what lacks.",
    EnabledArguments,
    _run,
    changes_something=True,
)
