"""What runs again and again, and what always runs: loops, intervals, and the way from a function to a node in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from loader.analysis.syntax.module import Call, Module, Node
from loader.analysis.syntax.plugin_object import is_function
from loader.analysis.syntax.resolve import FUNCTION_KINDS
from loader.analysis.syntax.texts import known_number
from loader.analysis.syntax.tree import kind_finder

LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})
# What lies inside one of these may be passed by.
_BRANCHES = frozenset(
    {
        "if_statement",
        "ternary_expression",
        "switch_statement",
        "catch_clause",
        "augmented_assignment_expression",
        "assignment_pattern",
        "object_assignment_pattern",
    }
)
_LEAVING = kind_finder(("return_statement", "break_statement", "continue_statement", "throw_statement"))
WAYS_OUT = kind_finder(("break_statement", "return_statement", "throw_statement"))
"""What may end a loop before its time (for ``holds``)."""

_BRANCHING_OPERATORS = frozenset({"&&", "||", "??"})


@dataclass(frozen=True, slots=True)
class Interval:
    """One repeating timer: what it calls (None when that cannot be seen) and how often (None likewise)."""

    call: Call
    function: Node | None
    period_ms: float | None


def intervals(module: Module) -> tuple[Interval, ...]:
    """All repeating timers, the browser's and ``ctx.setInterval``, in reading order."""
    found = []
    for call in module.calls_to("global.setInterval", "ctx.setInterval"):
        if call.arguments:
            function = is_function(module.tree, module.scopes, call.arguments[0])[1]
            period = known_number(module, call.arguments[1]) if len(call.arguments) > 1 else 0
            found.append(Interval(call, function, period))
    return tuple(found)


def enclosing_function(module: Module, node: Node) -> Node | None:
    """The nearest function around a node, None at the top level."""
    return next((outer for outer in module.ancestors(node) if module.tree.kind(outer) in FUNCTION_KINDS), None)


def enclosing_loop(module: Module, node: Node) -> Node | None:
    """The nearest loop around a node within the same function."""
    for outer in module.ancestors(node):
        kind = module.tree.kind(outer)
        if kind in LOOPS:
            return outer
        if kind in FUNCTION_KINDS:
            return None
    return None


def always_reached(module: Module, node: Node, top: Node) -> bool:
    """Whether each run of ``top`` (a function or a loop around the node) comes to the node.

    No branch lies between and no way out before it; errors thrown on the way are not counted.
    """
    tree = module.tree
    inner = node
    for outer in module.ancestors(node):
        kind = tree.kind(outer)
        if outer == top:
            break
        branches = kind in _BRANCHES or (
            kind == "binary_expression" and tree.token(outer, "operator") in _BRANCHING_OPERATORS
        )
        if branches and (kind == "catch_clause" or inner != tree.children(outer)[0]):
            return False
        if kind in LOOPS or kind in FUNCTION_KINDS:
            return False
        inner = outer
    return _LEAVING.search(tree.kinds, top, node) is None


def holds(module: Module, outer: Node, finder: re.Pattern[bytes]) -> bool:
    """Whether a node of some kind (see ``tree.kind_finder``) stands inside another."""
    return finder.search(module.tree.kinds, outer, module.tree.ends[outer]) is not None
