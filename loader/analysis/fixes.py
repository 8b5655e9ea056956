"""What the rehearsal said of contributions, once more with the very letters that it is about.

It sees values: an area that is undefined, a `render` that is none. The text tells what was written there, and so the
way out. A fix is offered where there is no doubt: the area's name is right but for upper and lower case, and stands
beside the literal id of the contribution that the finding is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from loader.analysis.surface import nearest, shipped_surface
from loader.analysis.syntax import GaveUp, Module, Node, parse
from loader.nouns import Diagnostic, Edit, Fix

_UNKNOWN_AREA = re.compile(r"contribution `(?P<id>[^`]+)` goes to the unknown area `(?P<area>[^`]+)`: ")
_NO_AREA = re.compile(r"contribution `(?P<id>[^`]+)` names no area")
_NO_RENDER = re.compile(r"contribution `(?P<id>[^`]+)` in `[^`]+`: (?:a pane|a route|it) needs a `render` function")
# What others call these two.
_AREA_KEYS = ("slot", "place", "location", "position", "region", "zone", "target", "where", "placement")
_RENDER_KEYS = ("component", "Component", "view", "View", "element", "content", "children", "body", "template")
_PARSE_DEADLINE_S = 2.0

Pairs: TypeAlias = Mapping[str, Node]


def with_area_fixes(text: str, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings; those about an area or a `render` that is none with what the text has in its place."""
    found = tuple(findings)
    if not any(one.code == "HP407" and _is_about_text(one) for one in found):
        return found
    try:
        module = parse(text, deadline_s=_PARSE_DEADLINE_S)
    except GaveUp:
        return found
    return tuple(_told(module, one) if one.code == "HP407" else one for one in found)


def _is_about_text(one: Diagnostic) -> bool:
    return _wrong_case(one) is not None or any(pattern.match(one.message) for pattern in (_NO_AREA, _NO_RENDER))


def _told(module: Module, one: Diagnostic) -> Diagnostic:
    wrong = _wrong_case(one)
    if wrong is not None:
        return _fixed(module, one, *wrong)
    if module.has_error:
        return one
    for pattern, tell in ((_NO_AREA, _without_area), (_NO_RENDER, _without_render)):
        match = pattern.match(one.message)
        literals = list(_contributions(module, match["id"])) if match else []
        if len(literals) == 1:
            return tell(module, one, literals[0])
    return one


def _without_area(module: Module, one: Diagnostic, pairs: Pairs) -> Diagnostic:
    area, tree = pairs.get("area"), module.tree
    if area is None:
        key = next((key for key in _AREA_KEYS if key in pairs and tree.kind(pairs[key]) != "object"), None)
        return one if key is None else replace(one, hint=f"There is `{key}`: call it `area`.")
    path = module.path(area)
    prop = tree.field(area, "property") if tree.kind(area) == "member_expression" else None
    if path is None or prop is None or not path.startswith("sdk."):
        return one
    constant, _, member = path.removeprefix("sdk.").rpartition(".")
    members = [
        area.constant.rpartition(".")[2]
        for area in shipped_surface().areas
        if area.constant is not None and area.constant.rpartition(".")[0] == constant
    ]
    if not members:
        return one
    near = nearest(member, members)
    span = module.span(prop)
    if near is None:
        return replace(one, span=span, hint=f"`{constant}` has {', '.join(f'`{name}`' for name in sorted(members))}.")
    offset = tree.positions.offset
    fix = Fix(f"Write `{constant}.{near}`", (Edit(offset(tree.starts[prop]), offset(tree.stops[prop]), near),))
    same = near.casefold() == member.casefold()
    return replace(one, span=span, hint=f"Did you mean `{constant}.{near}`?", fix=fix if same else None)


def _without_render(module: Module, one: Diagnostic, pairs: Pairs) -> Diagnostic:
    render, tree = pairs.get("render"), module.tree
    if render is not None and tree.kind(render) == "call_expression":
        return replace(one, hint="It is called at once: write a function that does, `render: () => …`.")
    key = next((key for key in _RENDER_KEYS if key in pairs), None) if render is None else None
    if key is None:
        return one
    value = pairs[key]
    view = tree.name(value) if tree.kind(value) == "identifier" else None
    shown = f"jsx({view}, {{}})" if view else "…"
    return replace(one, hint=f"There is `{key}`: the app calls `render: () => {shown}`.")


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
    for pairs in () if module.has_error else _contributions(module, contribution):
        area = pairs.get("area")
        if area is not None and tree.kind(area) == "string" and tree.literal(area) == written:
            offset = tree.positions.offset
            yield offset(tree.starts[area]), offset(tree.stops[area])


def _contributions(module: Module, contribution: str) -> Iterator[Pairs]:
    """The fields of each object of the text that has this id, written out."""
    tree = module.tree
    for literal in tree.of_kind("object"):
        pairs: dict[str, Node] = {}
        for pair in tree.children(literal):
            key, value = tree.field(pair, "key"), tree.field(pair, "value")
            name = None
            if tree.kind(pair) == "pair" and key is not None and value is not None:
                name = tree.name(key) if tree.kind(key) == "property_identifier" else tree.literal(key)
            if name is not None and value is not None:
                pairs[name] = value
        if "id" in pairs and tree.literal(pairs["id"]) == contribution:
            yield pairs
