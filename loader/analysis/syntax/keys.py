"""Properties by name: every ``style: …`` and ``{ style }`` of the file, wherever the object goes.

A rule about one property asks this and looks at the few objects that have it, not at every object of the file.
"""

from __future__ import annotations

from dataclasses import dataclass

from loader.analysis.syntax.scopes import property_name
from loader.analysis.syntax.tree import Tree


@dataclass(frozen=True, slots=True)
class Keyed:
    """One property of an object literal. ``value`` is the method itself for a method, the name for a shorthand."""

    key: int
    value: int
    owner: int


def read_keys(tree: Tree) -> dict[str, tuple[Keyed, ...]]:
    """All properties of object literals by name, in reading order; computed and private names left out."""
    found: dict[str, list[Keyed]] = {}
    parents, kind = tree.parents, tree.kind
    for node in tree.of_kind("pair"):
        inside = tree.children(node)
        name = property_name(tree, inside[0]) if len(inside) == 2 else None
        if name is not None:
            found.setdefault(name, []).append(Keyed(inside[0], inside[1], parents[node]))
    for node in tree.of_kind("shorthand_property_identifier"):
        if kind(parents[node]) == "object":
            found.setdefault(tree.name(node), []).append(Keyed(node, node, parents[node]))
    for node in tree.of_kind("method_definition"):
        if kind(parents[node]) == "object" and not tree.has_token(node, "get", "set"):
            key = tree.field(node, "name")
            name = None if key is None else property_name(tree, key)
            if key is not None and name is not None:
                found.setdefault(name, []).append(Keyed(key, node, parents[node]))
    return {name: tuple(sorted(ones, key=lambda one: one.key)) for name, ones in found.items()}
