"""Writes the pages of docs/rules from the rules themselves: `python -m loader.cli.rules_docs docs/rules`.

A page whose rule is gone is removed: the folder holds what the registry holds.
"""

from __future__ import annotations

import sys
from pathlib import Path

from loader.analysis.registry import RULES
from loader.reports.rule_page import rule_pages


def write(folder: Path) -> None:
    pages = rule_pages(RULES)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
