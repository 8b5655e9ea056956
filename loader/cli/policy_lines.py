"""What the host policy tells, as people read it: the action table, the pet's bubble, the audit. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from loader.reports.safe import visible

Fields = Mapping[str, Any]

VERDICT_STYLES = {"ok": "green", "denied": "red", "unavailable": "yellow"}
TONE_STYLES = {"info": "", "wait": "cyan", "warn": "yellow", "error": "bold red"}
BUBBLE_CELLS = 64
CORE_WORDS = {"error": "the agent has an error", "waiting": "the agent waits for you"}


def actions_table(rows: Iterable[Fields]) -> Table:
    """One line for each action, in the order given."""
    # Without the category, so that a row fits eighty cells; JSON has it.
    table = _table("ID", "VERDICT", "LABEL")
    for row in rows:
        verdict = str(row["verdict"])
        table.add_row(
            Text(visible(str(row["id"]))),
            Text(verdict, VERDICT_STYLES.get(verdict, "")),
            Text(visible(str(row["label"]))),
        )
    return table


def audit_table(rows: Iterable[Fields]) -> Table:
    """Who asked for what, how often, and what came of it."""
    table = _table("PLUGIN", "CALL", "WHAT", "ASKED", "REFUSED", "OUTCOMES")
    for row in rows:
        refused = int(row["refused"])
        outcomes = ", ".join(f"{visible(name)} {count}" for name, count in row["outcomes"].items())
        table.add_row(
            Text(visible(str(row["plugin"]))),
            Text(visible(str(row["kind"]))),
            Text(visible(str(row["what"]))),
            Text(str(row["asked"])),
            Text(str(refused), "yellow" if refused else "dim"),
            Text(outcomes),
        )
    return table


def bubble(pet: Fields) -> RenderableType:
    """The pet's bubble as it is drawn now: lines of plugins, or who speaks instead of them."""
    if not pet["visible"]:
        return Text("No pet is on screen.", "dim")
    core = CORE_WORDS.get(str(pet["core_status"]))
    if core is not None:
        inside: RenderableType = Text(f"({core}: plugins are silent)", "dim")
    elif pet["lines"]:
        inside = Group(*(_line(line) for line in pet["lines"]))
    else:
        inside = Text("…", "dim")
    return Group(Panel(inside, width=BUBBLE_CELLS), Text("   \\/"))


def bubble_words(pet: Fields) -> list[str]:
    """The same for a pipe: a line of plain text for each line of the bubble, or one that says why there is none."""
    if not pet["visible"]:
        return ["(no pet is on screen)"]
    core = CORE_WORDS.get(str(pet["core_status"]))
    if core is not None:
        return [f"({core})"]
    return [_line(line).plain for line in pet["lines"]] or ["(nothing to say)"]


def _line(line: Fields) -> Text:
    tone = str(line["tone"])
    label = f"{visible(str(line['label']))}: "
    return Text.assemble((label, "bold"), (visible(str(line["text"])), TONE_STYLES.get(tone, "")))


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in titles:
        table.add_column(title, overflow="fold")
    return table
