"""Which members a file tests before it uses them: ``typeof ctx.runAction``, ``ctx.pet?.say``, ``if (host.composer)``.

A test anywhere in the file counts for the whole file. That is coarse on purpose: authors test once, in a helper, in an
early return or in another function, and a finding about a member that they did think of would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.syntax.module import Module, Node

_CONDITIONS = ("if_statement", "while_statement", "do_statement", "for_statement", "ternary_expression")
_NAMES = frozenset({"identifier", "shorthand_property_identifier", "member_expression", "subscript_expression"})


def paths_tested(module: Module) -> frozenset[str]:
    """The paths of everything that the file tests for being there."""
    found: set[str] = set()
    seen: set[Node] = set()
    waiting = list(_tests(module))
    tree = module.tree
    while waiting:
        node = tree.unwrapped(waiting.pop())
        if node in seen:
            continue
        seen.add(node)
        kind = tree.kind(node)
        if kind in _NAMES:
            path = module.path(node)
            if path is not None:
                found.add(path)
        elif kind in ("unary_expression", "binary_expression", "ternary_expression"):
            waiting += tree.children(node)
        elif kind == "call_expression":
            # `has(ctx.runAction)`, `Boolean(ctx.pet)`, `['say'].every(…)`: a test by a function of any name.
            inside = tree.children(node)
            waiting += tree.children(inside[-1]) if inside else []
    found.update(_by_name(module))
    found.update(_by_default(module))
    return frozenset(found)


def is_tried(module: Module, node: Node) -> bool:
    """Whether an exception thrown at a node is caught within its function (or in a function written around it)."""
    tree = module.tree
    inner = node
    for outer in module.ancestors(node):
        caught = tree.kind(outer) == "try_statement" and tree.field(outer, "body") == inner
        if caught and tree.field(outer, "handler") is not None:
            return True
        inner = outer
    return False


def _tests(module: Module) -> Iterator[Node]:
    tree = module.tree
    for node in tree.of_kind("unary_expression"):
        if tree.token(node, "operator") in ("typeof", "!"):
            yield from tree.children(node)
    for node in tree.of_kind(*_CONDITIONS):
        condition = tree.field(node, "condition")
        if condition is not None:
            yield condition
    for node in tree.of_kind("binary_expression"):
        operator = tree.token(node, "operator")
        if operator in ("&&", "||", "??"):
            yield tree.children(node)[0]
        elif operator in ("===", "!==", "==", "!=", "instanceof"):
            yield from tree.children(node)
    for node in tree.of_kind("optional_chain"):
        # What stands before `?.`: the object of a member, the callee of a call.
        yield tree.children(tree.parents[node])[0]
    for call in module.calls_to("global.Boolean"):
        yield from call.arguments


def _by_name(module: Module) -> Iterator[str]:
    """``'runAction' in ctx``, ``Object.hasOwn(ctx, 'runAction')``."""
    tree = module.tree
    for node in tree.of_kind("binary_expression"):
        if tree.token(node, "operator") == "in":
            name, owner = tree.literal(tree.children(node)[0]), module.path(tree.children(node)[1])
            if name is not None and owner is not None:
                yield f"{owner}.{name}"
    for call in module.calls_to("global.Object.hasOwn", "global.Reflect.has"):
        if len(call.arguments) == 2:
            name, owner = tree.literal(call.arguments[1]), module.path(call.arguments[0])
            if name is not None and owner is not None:
                yield f"{owner}.{name}"


def _by_default(module: Module) -> Iterator[str]:
    """``({ runAction = () => ({ ok: false }) })``: a default says what is used in its place."""
    tree = module.tree
    for node in tree.of_kind("object_assignment_pattern", "assignment_pattern"):
        inside = tree.children(node)
        target = inside[0] if inside else node
        binding = module.binding(target) if tree.kind(target) in _PATTERN_NAMES else None
        path = None if binding is None else module.resolver.binding_path(binding)
        if path is not None:
            yield ".".join(path)


_PATTERN_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
