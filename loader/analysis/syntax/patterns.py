"""Destructuring patterns: what they bind or assign, and the way from the whole value to each part."""

from __future__ import annotations

from typing import TypeAlias

from loader.analysis.syntax.tree import Tree

# The keys and positions that lead from a value to what a destructuring pattern binds; None where it is a rest
# or a computed key.
Route: TypeAlias = "tuple[str, ...] | None"


def pattern_targets(tree: Tree, pattern: int, route: Route) -> list[tuple[int, Route]]:
    """What a pattern binds or assigns, with the way from the whole value to each part."""
    found: list[tuple[int, Route]] = []
    waiting: list[tuple[int, Route]] = [(pattern, route)]
    while waiting:
        node, way = waiting.pop()
        kind = tree.kind(node)
        if kind == "shorthand_property_identifier_pattern":
            name = tree.name(node)
            found.append((node, None if way is None else (*way, name)))
        elif kind in ("assignment_pattern", "object_assignment_pattern"):
            inside = tree.children(node)
            if inside:
                waiting.append((inside[0], way))
        elif kind == "pair_pattern":
            inside = tree.children(node)
            if len(inside) == 2:
                key = property_name(tree, inside[0])
                waiting.append((inside[1], None if way is None or key is None else (*way, key)))
        elif kind == "rest_pattern":
            waiting += [(child, None) for child in tree.children(node)]
        elif kind == "object_pattern":
            waiting += [(child, way) for child in tree.children(node)]
        elif kind == "array_pattern":
            waiting += [(child, None if way is None else (*way, str(at))) for child, at in _elements(tree, node)]
        elif kind == "parenthesized_expression":
            inner = tree.unwrapped(node)
            # Around an error there may be nothing inside, or several things: such parentheses stay what they are.
            if tree.kind(inner) != kind:
                waiting.append((inner, way))
        else:
            found.append((node, way))
    return found


def _elements(tree: Tree, array: int) -> list[tuple[int, int]]:
    """The elements of an array pattern with their positions; holes have no node, so commas are counted."""
    starts = {tree.starts[child]: child for child in tree.children(array)}
    found = []
    position = 0
    for raw in tree.nodes[array].children:
        if raw.type == ",":
            position += 1
        elif raw.is_named and raw.start_byte in starts:
            found.append((starts[raw.start_byte], position))
    return found


def property_name(tree: Tree, key: int) -> str | None:
    """The name that an object's key gives; None when it is computed and not a literal."""
    kind = tree.kind(key)
    if kind in ("property_identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"):
        return tree.name(key)
    if kind in ("string", "template_string"):
        return tree.literal(key)
    if kind == "number":
        value = tree.number(key)
        return None if value is None else str(value)
    if kind == "computed_property_name":
        inside = tree.children(key)
        return tree.literal(inside[0]) if len(inside) == 1 else None
    return None
