"""Fixes for what only the rehearsal saw: the text is asked once more where the very letters stand.

Offered where there is no doubt: the area's name is right but for upper and lower case, and it stands as a literal
beside the literal id of the contribution that the finding is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from loader.analysis.surface import shipped_surface
from loader.analysis.syntax import GaveUp, Module, parse
from loader.nouns import Diagnostic, Edit, Fix

_UNKNOWN_AREA = re.compile(r"contribution `(?P<id>[^`]+)` goes to the unknown area `(?P<area>[^`]+)`: ")
_PARSE_DEADLINE_S = 2.0


def with_area_fixes(text: str, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings, those about an area in the wrong case with the edit that mends it."""
    found = tuple(findings)
    meant = {one: wrong for one in found if (wrong := _wrong_case(one)) is not None}
    if not meant:
        return found
    try:
        module = parse(text, deadline_s=_PARSE_DEADLINE_S)
    except GaveUp:
        return found
    return tuple(_fixed(module, one, *meant[one]) if one in meant else one for one in found)


def _wrong_case(one: Diagnostic) -> tuple[str, str, str] | None:
    """The contribution's id, the area as written, and the one that was meant."""
    match = _UNKNOWN_AREA.match(one.message) if one.code == "HP407" else None
    if match is None:
        return None
    known = {area.value.casefold(): area.value for area in shipped_surface().areas if area.value is not None}
    right = known.get(match["area"].casefold())
    return None if right is None else (match["id"], match["area"], right)


def _fixed(module: Module, one: Diagnostic, contribution: str, written: str, right: str) -> Diagnostic:
    edits = tuple(Edit(start + 1, end - 1, right) for start, end in _literals(module, contribution, written))
    return replace(one, fix=Fix(f"Write the area as `{right}`", edits)) if edits else one


def _literals(module: Module, contribution: str, written: str) -> Iterator[tuple[int, int]]:
    """Where ``area: '<written>'`` stands in an object with ``id: '<contribution>'``: offsets, quotes included."""
    tree = module.tree
    if module.has_error:
        return
    for literal in tree.of_kind("object"):
        pairs = {}
        for pair in tree.children(literal):
            key, value = tree.field(pair, "key"), tree.field(pair, "value")
            if tree.kind(pair) == "pair" and key is not None and value is not None:
                pairs[tree.name(key) if tree.kind(key) == "property_identifier" else tree.literal(key)] = value
        area, named = pairs.get("area"), pairs.get("id")
        if area is None or named is None or tree.kind(area) != "string":
            continue
        if tree.literal(area) == written and tree.literal(named) == contribution:
            offset = tree.positions.offset
            yield offset(tree.starts[area]), offset(tree.stops[area])
