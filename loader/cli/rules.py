"""`rules`: all codes with their rules, one line each."""

from __future__ import annotations

from loader.cli.options import AsJson

EXAMPLE = "hermes-desktop rules --json"


def command(json: AsJson = False) -> None:
    """List the rules of the check: code, severity, name and what it is about."""
    from loader.analysis.registry import RULES
    from loader.cli.console import print_json, print_table
    from loader.reports.rule_page import by_code, first_sentence, rule_json
    from loader.reports.text import STYLES

    if json:
        print_json({"rules": [rule_json(rule) for rule in by_code(RULES)]})
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for column in range(4):
        table.add_column(no_wrap=column < 3, overflow="fold")
    for rule in by_code(RULES):
        table.add_row(
            Text(rule.code), Text(rule.severity, STYLES[rule.severity]), Text(rule.name), Text(first_sentence(rule))
        )
    print_table(table)
