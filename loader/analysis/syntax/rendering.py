"""Which local components get which props: ``jsx(View, { ctx })`` gives ``function View({ ctx })`` its ``ctx``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from loader.analysis.syntax.scopes import Binding, Reference, Scopes, property_name
from loader.analysis.syntax.tree import Tree

_CREATORS = frozenset({"jsx", "jsxs", "jsxDEV", "createElement"})
_MODULES = frozenset({"react", "react/jsx-runtime"})
_WRAPPERS = frozenset({"memo", "forwardRef"})
FunctionOf: TypeAlias = Callable[[Binding], "int | None"]


class Rendering:
    """The props that each local function is rendered with, read off the calls that create elements.

    Callees are looked up by hand and not through the resolver, which asks this class in turn.
    """

    def __init__(self, tree: Tree, scopes: Scopes, function_of: FunctionOf) -> None:
        self._tree = tree
        self._scopes = scopes
        self._function_of = function_of
        self._props: dict[int, list[int | None]] = {}
        creators = {id(binding) for binding in scopes.bindings if self._creates(binding)}
        namespaces = {id(binding) for binding in scopes.bindings if self._is_module(binding)}
        if creators or namespaces:
            self._collect(creators, namespaces)

    def props_of(self, function: int) -> list[int | None]:
        """The props node of every rendering of a function, None for one without props."""
        return self._props.get(function, [])

    def value(self, props: int, name: str) -> tuple[int | None, bool]:
        """The node of a property's value, and whether nothing behind it may replace it (a spread, a computed key)."""
        tree = self._tree
        props = tree.unwrapped(props)
        if tree.kind(props) != "object":
            return None, False
        found, certain = None, True
        for child in tree.children(props):
            kind = tree.kind(child)
            if kind == "pair":
                inside = tree.children(child)
                key = property_name(tree, inside[0])
                if key == name:
                    found, certain = inside[-1], True
                certain = certain and key is not None
            elif kind == "shorthand_property_identifier":
                if tree.name(child) == name:
                    found, certain = child, True
            elif kind == "spread_element":
                certain = False
        return found, certain

    def _collect(self, creators: set[int], namespaces: set[int]) -> None:
        tree, by_node = self._tree, self._scopes.by_node
        for call in tree.of_kind("call_expression"):
            # A call begins with its callee; most are of a name that creates nothing, or create a plain tag.
            callee, named = call + 1, creators
            if tree.kind(callee) == "member_expression":
                owner, member = tree.children(callee)[0], tree.children(callee)[-1]
                if tree.name(member) not in _CREATORS:
                    continue
                callee, named = owner, namespaces
            known = by_node.get(callee)
            if not isinstance(known, Reference) or id(known.binding) not in named:
                continue
            given = tree.children(tree.children(call)[-1])
            component = by_node.get(given[0]) if given and tree.kind(given[0]) == "identifier" else None
            if not isinstance(component, Reference) or component.binding is None:
                continue
            function = self._component(component.binding)
            if function is not None:
                self._props.setdefault(function, []).append(given[1] if len(given) > 1 else None)

    def _component(self, binding: Binding) -> int | None:
        """The function behind a component's name, ``memo(function …)`` included."""
        function = self._function_of(binding)
        if function is not None or binding.imported is not None or len(binding.writes) != 1:
            return function
        value = binding.writes[0].value
        if value is None or self._tree.kind(value) != "call_expression":
            return None
        inside = self._tree.children(value)
        callee = self._tree.children(inside[0])[-1] if self._tree.kind(inside[0]) == "member_expression" else inside[0]
        given = self._tree.children(inside[-1])
        if not given or self._tree.name(callee) not in _WRAPPERS:
            return None
        known = self._scopes.by_node.get(given[0])
        if isinstance(known, Reference):
            return None if known.binding is None else self._function_of(known.binding)
        return given[0] if self._tree.kind(given[0]) in ("arrow_function", "function_expression") else None

    def _creates(self, binding: Binding) -> bool:
        if binding.imported is not None:
            specifier, name = binding.imported
            return specifier in _MODULES and name.imported in _CREATORS
        # `const h = React.createElement`.
        value = binding.writes[0].value if len(binding.writes) == 1 and binding.writes[0].route == () else None
        if value is None or self._tree.kind(value) != "member_expression":
            return False
        owner, member = self._tree.children(value)[0], self._tree.children(value)[-1]
        known = self._scopes.by_node.get(owner)
        return (
            self._tree.name(member) in _CREATORS
            and isinstance(known, Reference)
            and known.binding is not None
            and self._is_module(known.binding)
        )

    @staticmethod
    def _is_module(binding: Binding) -> bool:
        if binding.imported is None:
            return False
        specifier, name = binding.imported
        return specifier in _MODULES and name.imported in ("*", "default")
