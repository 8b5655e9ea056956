"""Both readings of one text side by side: the engine's strict compile and the parser's tree.

The engine runs without Python's lock, the parser holds it; with two processors the one costs no time beside the other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from loader.analysis.compiled import Compiled
from loader.analysis.engine.compile import begin_compile
from loader.analysis.mistakes import may_be_foreign
from loader.analysis.static import parse_within
from loader.analysis.syntax import GaveUp, Module
from loader.analysis.syntax.tree import collector_paused
from loader.settings import AnalysisSettings

# The compile's share of the static deadline; what is left is the model's and the rules'.
_COMPILE_SHARE = 0.8
# How long the engine waits for the lock when it asks what an import is: the usual 5 ms would be spent at each of them.
_SWITCH_S = 0.0005


@dataclass(frozen=True, slots=True)
class Reading:
    """``module`` gives the parsed text, or raises GaveUp as the parse did; it parses where that was put off."""

    compiled: Compiled
    module: Callable[[], Module]


def read(text: str, settings: AnalysisSettings) -> Reading:
    """Compile and parse a plugin's text (without its byte order mark). Never raises for what the text holds."""
    compiled = begin_compile(text, cpu_s=settings.static_deadline_s * _COMPILE_SHARE)
    if may_be_foreign(text):
        # A whole JSON file as a tree of code would be memory for nothing; the engine's answer tells.
        return Reading(compiled(), lambda: parse_within(text, settings))
    with collector_paused(), _quick_turns():
        module = _parsed(text, settings)
        return Reading(compiled(), module)


def _parsed(text: str, settings: AnalysisSettings) -> Callable[[], Module]:
    try:
        module = parse_within(text, settings)
    except GaveUp as reason:
        stopped = reason

        def raise_it() -> Module:
            raise stopped

        return raise_it
    return lambda: module


@contextmanager
def _quick_turns() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
