"""`explain`: the paragraph of a rule, with a bad and a good example."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from loader.cli.options import AsJson

EXAMPLE = "hermes-desktop explain HP201"


def command(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A finding's code, or its rule's name.")],
    json: AsJson = False,
) -> None:
    """Explain a finding's code: what it is, why it matters, a bad and a good example."""
    from loader.analysis.registry import RULES
    from loader.cli.console import print_json, say, width
    from loader.errors import UsageError
    from loader.reports.rule_page import rule_json, rule_text

    wanted = code.strip()
    names = {name: rule for rule in RULES for name in (rule.code, rule.name)}
    rule = names.get(wanted.upper()) or names.get(wanted.lower())
    if rule is None:
        begun = sorted(name for name in names if wanted and name.startswith((wanted.upper(), wanted.lower())))
        near = begun or difflib.get_close_matches(wanted.lower(), names, n=1)
        guess = f"Did you mean {near[0]}?" if near else "'hermes-desktop rules' lists them."
        raise UsageError(f"There is no rule {wanted!r}. {guess}")
    if json:
        print_json(rule_json(rule))
    else:
        say(rule_text(rule, width=min(width(), 100)).rstrip("\n"))
