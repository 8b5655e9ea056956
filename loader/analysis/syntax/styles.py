"""Styles as the text sets them: ``style: {…}`` wherever the object comes from, and ``element.style.color = …``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from loader.analysis.syntax.assignments import member_assignments
from loader.analysis.syntax.module import Module, Node
from loader.analysis.syntax.plugin_object import object_of
from loader.analysis.syntax.scopes import property_name
from loader.analysis.syntax.texts import alternatives, constant, known_text
from loader.analysis.syntax.values import function_behind

# More objects than a person writes styles; a bound for what is made by a program.
_OBJECTS_LIMIT = 2_000
_CONTENTS = frozenset({"textContent", "innerHTML", "innerText"})
_TEXTS = ("string", "template_string")


@dataclass(frozen=True, slots=True)
class Declaration:
    """One CSS property with one of the literals it may have; ``value`` is a string or template node."""

    name: str
    value: Node


def declarations(module: Module) -> Iterator[Declaration]:
    """Every literal text that a style property gets, each node once, in no particular order."""
    seen: set[Node] = set()
    for name, value in (*_from_objects(module), *_from_elements(module)):
        for leaf in alternatives(module, value):
            for _ in range(4):
                source = constant(module, leaf)
                if source is None:
                    break
                leaf = module.tree.unwrapped(source)
            if module.tree.kind(leaf) in _TEXTS and leaf not in seen:
                seen.add(leaf)
                yield Declaration(name, leaf)


def style_sheets(module: Module) -> Iterator[Node]:
    """The literal texts of ``style`` elements: their children, or what their content is set to."""
    tree = module.tree
    if b"'style'" not in tree.data and b'"style"' not in tree.data and b"`style`" not in tree.data:
        return
    given: list[Node] = []
    for call in module.calls_to("jsx.jsx", "jsx.jsxs", "react.createElement"):
        if len(call.arguments) < 2 or known_text(module, call.arguments[0]) != "style":
            continue
        given += call.arguments[2:] if call.path == "react.createElement" else ()
        props = object_of(tree, module.scopes, call.arguments[1]).properties
        markup = props.get("dangerouslySetInnerHTML")
        inner = {} if markup is None else object_of(tree, module.scopes, markup.value).properties
        given += [one.value for one in (props.get("children"), inner.get("__html")) if one and one.value is not None]
    for assignment in member_assignments(module):
        if assignment.name in _CONTENTS and _is_style_element(module, assignment.owner):
            given.append(assignment.value)
    for node in given:
        node = tree.unwrapped(node)
        source = constant(module, node)
        node = node if source is None else tree.unwrapped(source)
        if tree.kind(node) in _TEXTS:
            yield node


def _is_style_element(module: Module, node: Node) -> bool:
    """Whether an expression is ``document.createElement('style')``, or a name for it."""
    if module.path(node) != "global.document.createElement()":
        return False
    tree = module.tree
    node = tree.unwrapped(node)
    source = constant(module, node)
    node = node if source is None else tree.unwrapped(source)
    inside = tree.children(node)
    arguments = tree.children(inside[-1]) if inside and tree.kind(inside[-1]) == "arguments" else []
    return bool(arguments) and known_text(module, arguments[0]) == "style"


def _from_objects(module: Module) -> Iterator[tuple[str, Node]]:
    tree = module.tree
    waiting = [one.value for one in reversed(module.keyed("style"))]
    seen: set[Node] = set()
    while waiting and len(seen) < _OBJECTS_LIMIT:
        node = waiting.pop()
        for one in alternatives(module, node):
            if one in seen:
                continue
            seen.add(one)
            if tree.kind(one) != "object":
                waiting += _sources(module, one, seen)
                continue
            for child in tree.children(one):
                kind = tree.kind(child)
                if kind == "pair":
                    inside = tree.children(child)
                    name = property_name(tree, inside[0]) if len(inside) == 2 else None
                    if name is not None:
                        yield name, inside[1]
                elif kind == "shorthand_property_identifier":
                    yield tree.name(child), child
                elif kind == "spread_element":
                    waiting += tree.children(child)[:1]


def _sources(module: Module, node: Node, seen: set[Node]) -> list[Node]:
    """Where the object comes from that an expression stands for; a function in ``seen`` is not asked again."""
    tree = module.tree
    kind = tree.kind(node)
    if kind in ("identifier", "shorthand_property_identifier"):
        source = constant(module, node)
        return [] if source is None else [source]
    if kind == "member_expression":
        owner, name = tree.children(node)[0], tree.name(tree.children(node)[-1])
        one = object_of(tree, module.scopes, owner).properties.get(name)
        return [one.value] if one is not None and one.form == "value" and one.value is not None else []
    if kind == "binary_expression":
        return tree.children(node)[-1:] if tree.token(node, "operator") == "&&" else []
    if kind == "call_expression":
        callee, arguments = module.resolver.callee(node), tree.field(node, "arguments")
        inside = tree.children(arguments) if arguments is not None else []
        if callee is None:
            return []
        path = module.path(callee)
        if path == "global.Object.assign":
            return inside
        behind = function_behind(module, inside[0] if path == "react.useMemo" and inside else callee)
        if behind is None or behind in seen:
            return []
        seen.add(behind)
        return _returned(module, behind)
    return []


def _returned(module: Module, function: Node) -> list[Node]:
    """The expressions that a local function gives back: its body, or its own ``return`` statements."""
    tree = module.tree
    body = tree.field(function, "body")
    if body is None:
        return []
    if tree.kind(body) != "statement_block":
        return [body]
    found = []
    for node in range(body, tree.ends[body]):
        if tree.kind(node) == "return_statement":
            found += tree.children(node)[:1]
    return found


def _from_elements(module: Module) -> Iterator[tuple[str, Node]]:
    """``element.style.color = '…'`` and ``element.style.setProperty('color', '…')``."""
    tree = module.tree
    if b"style" not in tree.data:
        return
    for assignment in member_assignments(module):
        if assignment.name is not None and _is_style(module, assignment.owner):
            yield assignment.name, assignment.value
    if b"setProperty" in tree.data:
        for call in module.calls:
            callee = tree.unwrapped(call.callee)
            if tree.kind(callee) == "member_expression" and len(call.arguments) >= 2:
                owner, name = tree.children(callee)[0], tree.name(tree.children(callee)[-1])
                key = tree.literal(call.arguments[0])
                if name == "setProperty" and key is not None and _is_style(module, owner):
                    yield key, call.arguments[1]


def _is_style(module: Module, node: Node) -> bool:
    tree = module.tree
    node = tree.unwrapped(node)
    return tree.kind(node) == "member_expression" and tree.name(tree.children(node)[-1]) == "style"
