"""The tool `check`: what is wrong with plugins, where, and the way out; mends what is safe to mend."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import Field

from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk, Texts
from loader.checking.checked import CheckRun
from loader.checking.mending import write_mended
from loader.checking.run import CheckSettings
from loader.checking.targets import Target, find_targets
from loader.preferences import Selection, ended, parse_codes
from loader.reports.agent import agent_report
from loader.reports.safe import visible
from loader.settings import AnalysisSettings

PATHS = (
    "Plugin files, plugin folders, packages or a home, best as absolute paths, or ids of plugins of the Hermes home. "
    "Empty: all plugins of the Hermes home."
)


class CheckArguments(Arguments):
    paths: Texts = Field(default=[], max_length=200, description=PATHS)
    fix: bool = Field(default=False, description="First apply the fixes that are safe (marked [auto]) to the files.")
    strict: bool = Field(default=False, description="Warnings fail too, as a catalogue of plugins wants it.")
    rehearse: bool = Field(default=True, description="Also play each plugin in the sandbox (codes HP4xx).")
    select: Texts = Field(default=[], max_length=50, description="Only these codes or prefixes, such as HP2.")


async def _run(desk: Desk, given: CheckArguments) -> Answer:
    settings = CheckSettings(
        AnalysisSettings(rehearsal="warn" if given.rehearse else "off"), given.strict, asked=_selection(given.select)
    )
    targets = await asyncio.to_thread(find_targets, given.paths, find_home=desk.find_home)
    if not targets:
        return Answer(f"{visible(str(desk.find_home().root))} holds no plugin. Begin one with the tool new.")
    async with desk.turn:
        run = await desk.checker.check(targets, settings)
        mended: list[str] = []
        if given.fix:
            mended = await _mend(desk, targets, run, settings)
            run = await desk.checker.check(targets, settings)
    return Answer("\n".join([*mended, agent_report(run)]))


def _selection(codes: Sequence[str]) -> Selection:
    from loader.errors import UsageError

    try:
        return Selection(parse_codes(codes) if codes else None, ())
    except ValueError as wrong:
        raise UsageError(f"select: {ended(str(wrong))}") from None


async def _mend(desk: Desk, targets: Sequence[Target], run: CheckRun, settings: CheckSettings) -> list[str]:
    lines = []
    for target, file in zip(targets, run.files, strict=True):
        if not any(found.fix for found in file.diagnostics):
            continue
        mended = await desk.checker.mend(target, settings, lambda file: file)
        if mended.left:
            lines.append(f"{visible(target.shown)} is left as it is: {mended.left}.")
        elif mended.changed:
            await asyncio.to_thread(write_mended, mended)
            lines.append(f"{visible(target.shown)} was mended: {visible('; '.join(mended.titles), limit=1000)}.")
    return lines


TOOL = AgentTool(
    "check",
    "Check plugins",
    "Find what is wrong with Hermes Desktop plugins: for each finding its place, code, cause and fix. Use it after "
    "every edit of a plugin.js. An error means that the app will not load the file.",
    CheckArguments,
    _run,
    changes_something=True,
)
