"""The tool `rehearse`: what plugins draw and do when they are played in the sandbox."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader.agent_tools.check import PATHS
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk, Texts
from loader.checking.run import CheckSettings
from loader.checking.targets import find_targets
from loader.cli.check_now import open_checker
from loader.cli.rehearse import parse_event
from loader.reports.agent import agent_report
from loader.reports.rehearsal import rehearsal_text
from loader.settings import AnalysisSettings

_LIMIT_LETTERS = 12_000
_FINDINGS_LETTERS = 4_000


class RehearseArguments(Arguments):
    paths: Texts = Field(default=[], max_length=50, description=PATHS)
    events: Texts = Field(
        default=[],
        max_length=50,
        description="What a person does first, in order: click:Start, submit:New item, change:Name=Ada, "
        "keydown:Name=Enter; the target is what the element reads.",
    )


async def _run(desk: Desk, given: RehearseArguments) -> Answer:
    events = tuple(parse_event(text) for text in given.events)
    targets = await asyncio.to_thread(find_targets, given.paths, find_home=desk.find_home)
    settings = CheckSettings(AnalysisSettings())
    async with desk.turn:
        if events:
            # What a person does belongs to the workers' session; the shared one plays without.
            async with open_checker(events=events, workers=1) as checker:
                run = await checker.check(targets, settings)
        else:
            run = await desk.checker.check(targets, settings)
    parts: list[str] = []
    room = _LIMIT_LETTERS
    for number, file in enumerate(run.files):
        played = rehearsal_text(file).plain
        if len(played) > room:
            parts.append(f"{len(run.files) - number} more left out: rehearse them one by one.\n")
            break
        room -= len(played)
        parts.append(played)
    return Answer("\n".join([*parts, agent_report(run, limit=_FINDINGS_LETTERS)]))


TOOL = AgentTool(
    "rehearse",
    "Rehearse plugins",
    "Play plugins in a sandbox without the app: what they contribute, a wireframe of what they draw, their console, "
    "what they leave behind, and the findings. Use it when the check passes, to see what it does.",
    RehearseArguments,
    _run,
)
