"""Typical mistakes of authors, by kind; `python -m tools.mistakes` makes docs/mistakes.md of them."""

from __future__ import annotations

from collections.abc import Mapping

from tests.analysis.mistakes.contract import CONTRACT
from tests.analysis.mistakes.habits import HABITS
from tests.analysis.mistakes.imports import IMPORTS
from tests.analysis.mistakes.leaks import LEAKS
from tests.analysis.mistakes.mistake import Mistake
from tests.analysis.mistakes.pasted import PASTED
from tests.analysis.mistakes.reading import READING
from tests.analysis.mistakes.rendering import RENDERING
from tests.analysis.mistakes.slips import SLIPS
from tests.analysis.mistakes.syntax import SYNTAX

KINDS: Mapping[str, tuple[Mistake, ...]] = {
    "The file": READING,
    "The language": SYNTAX,
    "Slips of form": SLIPS,
    "What was pasted, and other languages' forms": PASTED,
    "Imports": IMPORTS,
    "What the plugin says of itself": CONTRACT,
    "What it registers and draws": RENDERING,
    "What it leaves behind": LEAKS,
    "Habits that hurt later": HABITS,
}
ALL: tuple[Mistake, ...] = tuple(mistake for mistakes in KINDS.values() for mistake in mistakes)

__all__ = ["ALL", "KINDS", "Mistake"]
