"""From a call to an answer, whatever happens: a tool never throws."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from loader.agent_tools.tool import AgentTool, Answer, Desk
from loader.errors import LoaderError
from loader.reports.safe import visible, visible_lines

# About five thousand tokens: the tools bound themselves lower, this is for what none of them foresaw.
LIMIT_LETTERS = 20_000


async def answer(tools: Sequence[AgentTool], desk: Desk, name: str, arguments: Mapping[str, Any] | None) -> Answer:
    """Run one tool by name. Raises CancelledError when the caller is cancelled, and nothing else."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        known = [tool.name for tool in tools]
        near = difflib.get_close_matches(name, known, n=1)
        guess = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
        return Answer(f"There is no tool {visible(name, limit=80)!r}. {guess}", failed=True)
    try:
        given = tool.arguments.model_validate(dict(arguments or {}))
    except ValidationError as wrong:
        return Answer(_wrong_arguments(tool, wrong), failed=True)
    try:
        found = await tool.run(desk, given)
    except LoaderError as failure:
        return Answer(visible_lines(str(failure), limit=2000), failed=True)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # A job of ours was ended, not this call: the pool gave way to a newer look at the same file.
        return Answer("The file changed hands while it was looked at. Call again.", failed=True)
    except Exception as failure:  # the rim: an agent can act on one line, a broken session ends its work
        return Answer(f"Internal failure of hermes-desktop: {type(failure).__name__}: {failure}", failed=True)
    return Answer(_bounded(found.text), found.failed)


def _wrong_arguments(tool: AgentTool, wrong: ValidationError) -> str:
    lines = [f"Wrong arguments for {tool.name}:"]
    for error in wrong.errors(include_url=False, include_context=False, include_input=False)[:10]:
        place = ".".join(str(part) for part in error["loc"]) or "arguments"
        lines.append(f"  {visible(place, limit=80)}: {error['msg']}")
    lines.append(f"It takes {', '.join(tool.arguments.model_fields) or 'no arguments'}.")
    return "\n".join(lines)


def _bounded(text: str) -> str:
    if len(text) <= LIMIT_LETTERS:
        return text
    return f"{text[: LIMIT_LETTERS - 60]}\n… {len(text) - LIMIT_LETTERS + 60} letters more were left out."
