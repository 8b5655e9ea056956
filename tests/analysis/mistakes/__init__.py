"""Typical mistakes of authors, by kind; `python -m tools.mistakes` makes docs/mistakes.md of them."""

from __future__ import annotations

from tests.analysis.mistakes.mistake import Mistake
from tests.analysis.mistakes.syntax import SYNTAX

MISTAKES = SYNTAX

__all__ = ["MISTAKES", "Mistake"]
