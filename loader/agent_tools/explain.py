"""The tool `explain`: one rule's paragraph with its examples, or all rules in a line each."""

from __future__ import annotations

import difflib

from pydantic import Field

from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.analysis.registry import RULES
from loader.errors import UsageError
from loader.reports.rule_page import by_code, first_sentence, rule_text

_WIDTH = 120


class ExplainArguments(Arguments):
    code: str = Field(default="", max_length=80, description="A code (HP204) or a rule's name. Empty: list all rules.")


async def _run(desk: Desk, given: ExplainArguments) -> Answer:
    wanted = given.code.strip()
    if not wanted:
        rules = by_code(RULES)
        return Answer("\n".join(f"{rule.code} {rule.severity} {rule.name}: {first_sentence(rule)}" for rule in rules))
    names = {name: rule for rule in RULES for name in (rule.code, rule.name)}
    rule = names.get(wanted.upper()) or names.get(wanted.lower())
    if rule is None:
        near = difflib.get_close_matches(wanted.upper(), names, n=1) or difflib.get_close_matches(wanted, names, n=1)
        raise UsageError(
            f"There is no rule {wanted!r}. {f'Did you mean {near[0]}?' if near else 'Without a code it lists all.'}"
        )
    return Answer(rule_text(rule, width=_WIDTH))


TOOL = AgentTool(
    "explain",
    "Explain a code",
    "Why a finding's code matters and how to mend it, with a bad and a good example; without a code all "
    "rules in a line each.",
    ExplainArguments,
    _run,
)
