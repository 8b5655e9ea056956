"""The tool `install_plugin`: looks at a source and asks a person to install it. Never installs."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from pydantic import Field

from loader.agent_tools.packaged import LOOK_TIMEOUT_S, called, needs_person, service_of
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk, Texts
from loader.errors import UsageError


class InstallArguments(Arguments):
    path: str | None = Field(default=None, max_length=4096, description="A folder or an archive on this machine.")
    repository: str | None = Field(default=None, max_length=4096, description="owner/repo[/dir] or a git URL[#dir].")
    link: str | None = Field(default=None, max_length=4096, description="An install link, hermes://plugin/install?….")
    installed: str | None = Field(default=None, max_length=128, description="An installed id: look there again.")
    ref: str | None = Field(default=None, max_length=64, description="A commit of the repository, 40 hex digits.")
    force: bool = Field(default=False, description="What stands there may be replaced.")
    enable: bool = Field(default=False, description="Ask for it to be turned on as well.")
    apis: Texts = Field(default=[], max_length=16, description="Ask for these APIs to be approved as well.")
    capabilities: Texts = Field(default=[], max_length=16, description="And tools of these capabilities.")


async def _run(desk: Desk, given: InstallArguments) -> Answer:
    sources = {name: getattr(given, name) for name in ("path", "repository", "link", "installed")}
    named = {name: value for name, value in sources.items() if value is not None}
    if len(named) != 1:
        raise UsageError(f"name exactly one of {', '.join(sources)}.")
    if given.path is not None:
        named["path"] = str(Path(given.path).expanduser().absolute())
    _, endpoint = await service_of(desk)
    if endpoint is None:
        (source,) = named.values()
        command = f"hermes-desktop {'update' if given.installed is not None else 'install'} {shlex.quote(source)}"
        if given.ref is not None:  # another commit is another plugin
            command += f" --ref {shlex.quote(given.ref)}"
        return needs_person(command, "install something")
    body: dict[str, Any] = {**named, "force": given.force, "enable": given.enable}
    body |= {"approve": {"apis": given.apis, "capabilities": given.capabilities}}
    if given.ref is not None:
        body["ref"] = given.ref
    return await called(endpoint, "POST", "/v1/packages/install", body, timeout_s=LOOK_TIMEOUT_S)


TOOL = AgentTool(
    "install_plugin",
    "Ask to install a plugin",
    "Look at a plugin, package or web app from elsewhere and ask the person to install it: exactly one source. It is "
    "fetched, checked and played through; the answer says what it ships and asks for, and approval_required: tell the "
    "person, who decides on the page.",
    InstallArguments,
    _run,
)
