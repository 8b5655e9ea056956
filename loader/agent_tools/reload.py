"""The tool `reload`: have the service read plugins from disk now, and see what became of them in the app."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader import client
from loader.agent_tools.rows import row_lines
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk, Texts
from loader.checking.run import CheckSettings
from loader.checking.targets import home_targets
from loader.cli.access import no_such_plugin
from loader.home import Home
from loader.reports.agent import agent_report
from loader.reports.safe import visible
from loader.server.endpoint import Endpoint
from loader.settings import AnalysisSettings


class ReloadArguments(Arguments):
    ids: Texts = Field(default=[], max_length=200, description="Ids of plugins. Empty: all.")
    wait_s: float = Field(
        default=5.0, ge=0, le=60, description="Wait so many seconds for the app's windows to say how it went."
    )


async def _run(desk: Desk, given: ReloadArguments) -> Answer:
    home = desk.find_home()
    endpoint = await asyncio.to_thread(client.find, home)
    if endpoint is None:
        return await _checked_instead(desk, home, given.ids)
    rows = await asyncio.to_thread(_reloaded, endpoint, given)
    lines = row_lines(rows) or ["There is no plugin to reload."]
    silent = client.silent_shells(rows) if given.wait_s > 0 else []
    if silent:
        lines.append(f"Not within {given.wait_s:g} s: {visible(', '.join(silent))}. Call again, or raise wait_s.")
    elif rows and not any(row["shells"] for row in rows):
        lines.append("No window of the app is connected: it will load them when it starts.")
    return Answer("\n".join(lines))


def _reloaded(endpoint: Endpoint, given: ReloadArguments) -> list[client.Row]:
    with client.Client(endpoint) as connected:
        return connected.reload(given.ids or None, given.wait_s)


async def _checked_instead(desk: Desk, home: Home, names: list[str]) -> Answer:
    targets = await asyncio.to_thread(home_targets, home)
    known = [target.candidate.folder for target in targets]
    for name in names:
        if not any(name in (target.candidate.folder, target.candidate.key) for target in targets):
            raise no_such_plugin(name, known, home)
    if names:
        targets = tuple(one for one in targets if {one.candidate.folder, one.candidate.key} & set(names))
    async with desk.turn:
        run = await desk.checker.check(targets, CheckSettings(AnalysisSettings(unknown_export="warning")))
    return Answer(
        f"Nothing was reloaded: no service runs for {visible(str(home.root))}. A person starts it with "
        f"`hermes-desktop serve`. The files were checked instead:\n{agent_report(run)}",
        failed=True,
    )


TOOL = AgentTool(
    "reload",
    "Reload plugins",
    "Have the running service read plugins from disk now and tell the app, and get what became of them in its windows. "
    "A save is noticed by itself; use this to be sure, and to learn how the load went.",
    ReloadArguments,
    _run,
    changes_something=True,
)
