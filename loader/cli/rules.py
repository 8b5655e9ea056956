"""`rules`: all codes with their rules, one line each."""

from __future__ import annotations

from loader.cli.options import AsJson

EXAMPLE = "hermes-desktop rules --json"


def command(json: AsJson = False) -> None:
    """List the rules of the check: code, severity, name and what it is about."""
    from loader.analysis.registry import RULES
    from loader.cli.console import print_json, say
    from loader.reports.rule_page import by_code, first_sentence, rule_json

    if json:
        print_json({"rules": [rule_json(rule) for rule in by_code(RULES)]})
        return
    wide = max(len(rule.name) for rule in RULES)
    for rule in by_code(RULES):
        say(f"{rule.code}  {rule.severity:<7}  {rule.name:<{wide}}  {first_sentence(rule)}")
