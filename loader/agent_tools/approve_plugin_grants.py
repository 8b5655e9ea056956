"""The tool `approve_plugin_grants`: asks a person to grant a part of what a plugin asks for. Never grants."""

from __future__ import annotations

import shlex

from pydantic import Field

from loader.agent_tools.packaged import called, needs_person, path_of, service_of
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk, Texts


class ApproveArguments(Arguments):
    id: str = Field(max_length=128, description="The installed plugin's id.")
    apis: Texts = Field(default=[], max_length=16, description="Of tools, storage, cdp and ai those that it asks for.")
    capabilities: Texts = Field(default=[], max_length=16, description="read-only, controls-browser.")


async def _run(desk: Desk, given: ApproveArguments) -> Answer:
    _, endpoint = await service_of(desk)
    if endpoint is None:
        words = [f"--api {api}" for api in given.apis] + [f"--capability {word}" for word in given.capabilities]
        command = f"hermes-desktop approve {shlex.quote(given.id)} {shlex.join(' '.join(words).split())}".rstrip()
        return needs_person(command, "approve what a plugin asks for")
    body = {"apis": given.apis, "capabilities": given.capabilities}
    return await called(endpoint, "PUT", path_of(given.id, "/grants"), body)


TOOL = AgentTool(
    "approve_plugin_grants",
    "Ask to approve grants",
    "Ask the person to grant an installed plugin a part of what it asks for; what is not named is not granted. The "
    "answer says approval_required: tell the person, who decides on the page.",
    ApproveArguments,
    _run,
)
