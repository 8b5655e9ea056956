"""Values given to members: ``element.innerHTML = text``, ``Array.prototype.last = …``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loader.analysis.syntax.module import Module, Node

# What gives the member the value itself, or something that ends in it; the logical ones keep a value that is there.
_OPERATORS = frozenset({"+="})


@dataclass(frozen=True, slots=True)
class MemberAssignment:
    """``owner.name = value``; ``name`` is None where it is computed."""

    node: Node
    target: Node
    owner: Node
    name: str | None
    value: Node


def member_assignments(module: Module) -> Iterator[MemberAssignment]:
    """Every plain assignment (and ``+=``) to a member, in reading order. ``??=`` and ``||=`` are none."""
    tree = module.tree
    for node in tree.of_kind("assignment_expression", "augmented_assignment_expression"):
        inside = tree.children(node)
        if len(inside) != 2:
            continue
        if tree.kind(node) == "augmented_assignment_expression" and tree.token(node, "operator") not in _OPERATORS:
            continue
        target = tree.unwrapped(inside[0])
        if tree.kind(target) in ("member_expression", "subscript_expression"):
            owner = tree.children(target)[0]
            yield MemberAssignment(node, target, owner, member_name(module, target), inside[1])


def member_name(module: Module, node: Node) -> str | None:
    """The last name of a member expression (``say`` of ``f().say``), None where it is computed or there is none."""
    tree = module.tree
    node = tree.unwrapped(node)
    inside = tree.children(node)
    if tree.kind(node) == "member_expression":
        return tree.name(inside[-1])
    return tree.literal(inside[-1]) if tree.kind(node) == "subscript_expression" and len(inside) > 1 else None


def member_owner(module: Module, node: Node) -> Node | None:
    """What a member is taken from, None for anything but a member expression."""
    tree = module.tree
    node = tree.unwrapped(node)
    if tree.kind(node) not in ("member_expression", "subscript_expression"):
        return None
    return tree.unwrapped(tree.children(node)[0])
