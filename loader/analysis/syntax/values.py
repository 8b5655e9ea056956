"""Where the value of an expression goes, and which function an expression is."""

from __future__ import annotations

from loader.analysis.syntax.module import Module, Node
from loader.analysis.syntax.plugin_object import is_function
from loader.analysis.syntax.texts import constant

# Hooks that hand back the function they were given.
_SAME_FUNCTION = frozenset({"react.useCallback", "react.useEffectEvent"})
_LOGICAL = frozenset({"&&", "||", "??"})


def is_discarded(module: Module, node: Node) -> bool:
    """Whether nothing gets the value of an expression: a statement of its own, ``void f()``, ``ok && f()``.

    The body of ``() => f()`` is returned, so it is not discarded: whoever calls the function may look at it.
    """
    tree = module.tree
    while True:
        parent = tree.parents[node]
        kind = tree.kind(parent)
        if kind == "expression_statement":
            return True
        if kind == "unary_expression":
            return tree.token(parent, "operator") == "void"
        if kind in ("parenthesized_expression", "await_expression"):
            node = parent
            continue
        inside = tree.children(parent)
        if kind == "sequence_expression":
            if node != inside[-1]:
                return True
        elif kind == "binary_expression":
            if node != inside[-1] or tree.token(parent, "operator") not in _LOGICAL:
                return False
        elif kind == "ternary_expression":
            if node == inside[0]:
                return False
        elif kind == "arguments" and module.resolver.awaited(tree.parents[parent]) == node:
            parent = tree.parents[parent]
        else:
            return False
        node = parent


def returned_from(module: Module, node: Node) -> Node | None:
    """The arrow function that an expression is the body of (``() => f()``, ``() => void f()`` left out), or None."""
    tree = module.tree
    while True:
        parent = tree.parents[node]
        kind = tree.kind(parent)
        if kind == "arrow_function":
            return parent if tree.children(parent)[-1] == node else None
        if kind in ("parenthesized_expression", "await_expression"):
            node = parent
        elif kind in ("binary_expression", "ternary_expression", "sequence_expression"):
            if tree.children(parent)[-1] != node and not (
                kind == "ternary_expression" and node in tree.children(parent)[1:]
            ):
                return None
            node = parent
        else:
            return None


def function_behind(module: Module, node: Node) -> Node | None:
    """The function that an expression surely is, through constants and ``useCallback``."""
    for _ in range(4):
        node = module.tree.unwrapped(node)
        function = is_function(module.tree, module.scopes, node)[1]
        if function is not None:
            return function
        source = constant(module, node)
        node = node if source is None else module.tree.unwrapped(source)
        if module.tree.kind(node) != "call_expression":
            return None
        callee = module.resolver.callee(node)
        arguments = module.tree.field(node, "arguments")
        if callee is None or arguments is None or module.path(callee) not in _SAME_FUNCTION:
            return None
        inside = module.tree.children(arguments)
        if not inside:
            return None
        node = inside[0]
    return None
