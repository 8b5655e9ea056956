"""The tool `new`: begin a plugin from a template."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

from pydantic import Field

from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.authoring.creating import plan_new, write_new
from loader.authoring.templates import TEMPLATES
from loader.errors import UsageError
from loader.reports.safe import visible

_ABOUT = "; ".join(f"{template.name}: {template.about}" for template in TEMPLATES)


class NewArguments(Arguments):
    id: str = Field(max_length=200, description="The plugin's id and its folder's name: a-z, 0-9, - and _.")
    template: Literal["pane", "status", "page", "theme", "directive", "command", "package", "web-app"] = Field(
        default="pane", description=f"What it begins as. {_ABOUT}."
    )
    into: str = Field(default="", max_length=4000, description="An absolute folder to make it in, not the home.")
    dry_run: bool = Field(default=False, description="Say what would be made, and make nothing.")


async def _run(desk: Desk, given: NewArguments) -> Answer:
    if given.into and not Path(given.into).is_absolute():
        raise UsageError(f"into: '{given.into}' is not absolute, and your current folder is not mine.")
    if given.template == "web-app" and not given.into:
        raise UsageError("into: a web app lies in no home until it is installed, so name an absolute folder.")
    into = Path(given.into) if given.into else desk.find_home()
    new = await asyncio.to_thread(plan_new, given.id, given.template, into)
    if not given.dry_run:
        await asyncio.to_thread(write_new, new)
    lines = [f"{'Would make' if given.dry_run else 'Made'} {visible(str(new.folder))}"]
    lines += [f"  {file.path}" for file in new.files]
    if not given.dry_run:
        if new.template.is_app:
            edit = f"Now edit {visible(str(new.entry))}; types/ says what window.meithPlugin offers. Then call "
            lines.append(f"{edit}install_plugin with path {visible(str(new.folder))}: a person answers it.")
            return Answer("\n".join(lines))
        lines.append(f"Now edit {visible(str(new.entry))}, then call check with it. types/ says what the SDK offers.")
        if new.template.is_package:
            lines.append(f"A package is off until a person runs `hermes-desktop enable {new.id}`.")
    return Answer("\n".join(lines))


TOOL = AgentTool(
    "new",
    "Begin a plugin",
    "Make a new plugin that passes the check, with the SDK's types beside it. Never overwrites anything. Begin every "
    "new plugin with it.",
    NewArguments,
    _run,
    changes_something=True,
)
