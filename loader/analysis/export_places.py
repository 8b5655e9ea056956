"""Where the text has what the rehearsal found wrong with the live default export.

It sees values: an object without an id, a promise, an instance. The text tells where that is exported, and which of
its properties is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from loader.analysis.syntax import GaveUp, Module, parse
from loader.nouns import Diagnostic, Span

_ABOUT_EXPORT = frozenset({"HP302", "HP304", "HP306"})
_PARSE_DEADLINE_S = 2.0


def with_export_places(text: str, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings; those about the default export that have no place with the one that the text shows."""
    found = tuple(findings)
    if not any(_lacks_place(one) for one in found):
        return found
    try:
        module = parse(text, deadline_s=_PARSE_DEADLINE_S)
    except GaveUp:
        return found
    return tuple(replace(one, span=_place(module, one)) if _lacks_place(one) else one for one in found)


def _lacks_place(one: Diagnostic) -> bool:
    return one.span is None and one.code in _ABOUT_EXPORT


def _place(module: Module, one: Diagnostic) -> Span | None:
    if "`then`" in one.message:
        node = next((found.node for found in module.record.exports if found.exported == "then"), None)
    else:
        plugin = module.plugin
        about = "register" if "`register`" in one.message else "id"
        known = plugin.properties.get(about)
        node = known.node if known is not None and known.certain and one.code != "HP306" else plugin.node
    return None if node is None else module.head_span(node)
