"""Properties by name: every ``style: …`` and ``{ style }`` of the file, wherever the object goes.

A rule about one property asks this and looks at the few objects that have it, not at every object of the file.
"""

from __future__ import annotations

from dataclasses import dataclass

from loader.analysis.syntax.scopes import property_name
from loader.analysis.syntax.tree import Tree, kind_ids

_PLAIN = kind_ids("property_identifier")


@dataclass(frozen=True, slots=True)
class Keyed:
    """One property of an object literal. ``value`` is the method itself for a method, the name for a shorthand."""

    key: int
    value: int
    owner: int


class Keys:
    """The properties of all object literals of a file; computed names that are no literals are left out."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._nodes: dict[str, list[int]] = {}
        kinds, parents, nodes = tree.kinds, tree.parents, self._nodes
        for node in tree.of_kind("pair"):
            # A property begins with its key: no comment can stand between.
            key = node + 1
            name = tree.name(key) if kinds[key] in _PLAIN else property_name(tree, key)
            if name is not None:
                nodes.setdefault(name, []).append(node)
        for node in tree.of_kind("shorthand_property_identifier"):
            nodes.setdefault(tree.name(node), []).append(node)
        for node in tree.of_kind("method_definition"):
            if tree.kind(parents[node]) == "object" and not tree.has_token(node, "get", "set"):
                named = tree.field(node, "name")
                name = None if named is None else property_name(tree, named)
                if name is not None:
                    nodes.setdefault(name, []).append(node)

    def named(self, name: str) -> tuple[Keyed, ...]:
        """Every property of that name, in reading order."""
        return tuple(self._keyed(node) for node in sorted(self._nodes.get(name, ())))

    def _keyed(self, node: int) -> Keyed:
        tree = self._tree
        kind, owner = tree.kind(node), tree.parents[node]
        if kind == "pair":
            return Keyed(node + 1, tree.children(node)[-1], owner)
        if kind == "method_definition":
            return Keyed(tree.field(node, "name") or node, node, owner)
        return Keyed(node, node, owner)
