"""The real engine's compile for tests of the static check."""

from __future__ import annotations

from loader.analysis.compiled import Compiled
from loader.analysis.engine import compile_module
from loader.analysis.static import StaticResult, check_text
from loader.nouns import Diagnostic
from loader.settings import AnalysisSettings

SETTINGS = AnalysisSettings()


def check(text: str, settings: AnalysisSettings = SETTINGS) -> StaticResult:
    """The static check with the real engine in front."""
    return check_text(text, compile_module(text), settings)


def codes(text: str, settings: AnalysisSettings = SETTINGS) -> list[str]:
    """The codes of what concerns loading (up to HP4xx; advice about style has its own tests), in order of place."""
    return [one.code for one in check(text, settings).findings if one.code < "HP5"]


def only(text: str, settings: AnalysisSettings = SETTINGS) -> Diagnostic:
    """The one finding of a text that concerns loading; fails when there are more or none."""
    (found,) = [one for one in check(text, settings).findings if one.code < "HP5"]
    return found


def plugin(body: str = "ctx.onDispose(() => {})", *, before: str = "") -> str:
    """A good plugin around a body of register and lines before it."""
    return f"{before}export default {{ id: 'demo', register(ctx) {{ {body} }} }}\n"


def accepted(*specifiers: str) -> Compiled:
    """What an engine says that parsed a text with these static specifiers."""
    return Compiled(specifiers)
