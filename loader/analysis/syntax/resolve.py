"""What an expression means: ``h`` of ``import { host as h }`` is ``sdk.host``, ``rest`` of ``register({ rest })`` is
``ctx.rest``. Aliases are followed through constants, destructuring, parameters of local functions, props of local
components and variables that get exactly one value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from loader.analysis.syntax.rendering import Rendering
from loader.analysis.syntax.scopes import Binding, Reference, Route, Scopes, Write
from loader.analysis.syntax.tree import Tree
from loader.nouns import SDK_SPECIFIER

# ("sdk", "host", "request"), ("ctx", "rest"), ("global", "setInterval"), ("react", "useState", "()")
Path: TypeAlias = "tuple[str, ...]"

ROOT_OF_SPECIFIER = {SDK_SPECIFIER: "sdk", "react": "react", "react/jsx-runtime": "jsx"}
CALLED = "()"
FUNCTION_KINDS = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "function_expression",
        "generator_function",
        "arrow_function",
        "method_definition",
    }
)
_WINDOW_NAMES = frozenset({"window", "globalThis", "self", "top", "parent", "frames"})
# A chain this long means nothing to any rule; without a bound a hostile file makes paths quadratic.
_PARTS_LIMIT = 12
_HOPS_LIMIT = 24
_NOTHING = frozenset({"null", "undefined"})


@dataclass(frozen=True, slots=True)
class PluginContext:
    """Where ``ctx`` enters the file: the register function (or functions) of the plugin object."""

    functions: tuple[int, ...]


class Resolver:
    """Paths of expressions, remembered."""

    def __init__(self, tree: Tree, scopes: Scopes, context: PluginContext) -> None:
        self._tree = tree
        self._scopes = scopes
        self._context = frozenset(context.functions)
        self._paths: dict[int, Path | None] = {}
        self._names: dict[int, Path | None] = {}
        self._callers: dict[int, list[int]] | None = None
        self._rendering: Rendering | None = None
        self._params: dict[tuple[int, int, Route], Path] = {}
        self._resolving: set[tuple[int, int, Route]] = set()

    def let_go(self) -> None:
        """See ``Module.let_go``."""
        self._rendering = None

    def path(self, node: int) -> Path | None:
        """The path of an expression, None when it has none that can be known."""
        if node in self._paths:
            return self._paths[node]
        found = self._find(node, _HOPS_LIMIT)
        self._paths[node] = found
        return found

    def _find(self, node: int, hops: int) -> Path | None:
        """Walk down the chain to its base, then up again collecting the parts."""
        tree = self._tree
        parts: list[str] = []
        known = self._paths
        while True:
            kind = tree.kind(node)
            if parts and node in known and kind != "identifier":
                base = known[node]
                return None if base is None else self._join(base, parts)
            if kind == "parenthesized_expression":
                inside = tree.children(node)
                if len(inside) != 1:
                    return None
                node = inside[0]
            elif kind in ("member_expression", "subscript_expression"):
                inside = tree.children(node)
                if len(inside) < 2:
                    return None
                name = self._member_name(inside[-1], kind)
                if name is None:
                    return None
                parts.append(name)
                node = inside[0]
            elif kind == "call_expression":
                awaited = self.awaited(node)
                if awaited is not None:
                    node = awaited
                    continue
                callee = self.callee(node)
                if callee is None:
                    return None
                parts.append(CALLED)
                node = callee
            elif kind == "await_expression":
                inside = tree.children(node)
                if not inside:
                    return None
                node = inside[0]
            elif kind == "sequence_expression":
                node = tree.children(node)[-1]
            elif kind in ("identifier", "shorthand_property_identifier"):
                base = self._name_path(node, hops)
                if base is None and parts:
                    base = self._prop_path(node, parts.pop(), hops)
                return None if base is None else self._join(base, parts)
            else:
                return None
            if len(parts) > _PARTS_LIMIT:
                return None

    def _member_name(self, node: int, kind: str) -> str | None:
        tree = self._tree
        if kind == "member_expression":
            if tree.kind(node) == "private_property_identifier":
                return None
            return tree.name(node)
        index = tree.literal(node)
        if index is not None:
            return index
        number = tree.number(node)
        return None if number is None else str(number)

    @staticmethod
    def _join(base: Path, reversed_parts: list[str]) -> Path | None:
        path = (*base, *reversed(reversed_parts))
        if path[0] == "global":
            while len(path) > 2 and path[1] in _WINDOW_NAMES and path[2] != CALLED:
                path = ("global", *path[2:])
        elif len(path) > 1 and path[1] == "default" and path[0] in ("sdk", "react", "jsx"):
            # The app maps the default export of the three modules to the module itself.
            path = (path[0], *path[2:])
        return path if len(path) <= _PARTS_LIMIT else None

    def _name_path(self, node: int, hops: int) -> Path | None:
        known = self._scopes.by_node.get(node)
        if isinstance(known, Reference):
            if known.binding is None:
                return None if known.implicit else ("global", known.name)
            known = known.binding
        if known is None or hops < _HOPS_LIMIT:
            return None if known is None else self.binding_path(known, hops)
        # Most names of a file are the same few: `jsx` alone is called hundreds of times.
        key = id(known)
        if key not in self._names:
            self._names[key] = self.binding_path(known, hops)
        return self._names[key]

    def binding_path(self, binding: Binding, hops: int = _HOPS_LIMIT) -> Path | None:
        """What a declared name stands for."""
        if hops <= 0:
            return None
        if binding.imported is not None:
            specifier, name = binding.imported
            root = ROOT_OF_SPECIFIER.get(specifier, specifier)
            return (root,) if name.imported == "*" else self._join((root, name.imported), [])
        if binding.param is not None:
            return self._param_path(binding.param, hops) if not binding.writes else None
        write = self.only_write(binding)
        if write is None or write.value is None or write.route is None:
            return None
        base = self._find(write.value, hops - 1)
        return None if base is None else self._join(base, list(reversed(write.route)))

    def only_write(self, binding: Binding) -> Write | None:
        """The one value that a name ever gets, ``null`` and ``undefined`` as a start not counted."""
        writes = [
            write
            for write in binding.writes
            if write.value is None or self._tree.kind(write.value) not in _NOTHING or write.route
        ]
        return writes[0] if len(writes) == 1 else None

    def _param_path(self, param: tuple[int, int, Route], hops: int) -> Path | None:
        function, position, route = param
        if route is None:
            return None
        if function in self._context:
            return self._join(("ctx",), list(reversed(route))) if position == 0 else None
        known = self._params.get(param)
        if known is not None:
            return known
        self._resolving.add(param)
        path = self._given_path(function, position, route, hops)
        self._resolving.discard(param)
        if path is not None:
            self._params[param] = path
        return path

    def _prop_path(self, node: int, name: str, hops: int) -> Path | None:
        """``props.ctx`` where ``props`` is the parameter of a component."""
        known = self._scopes.by_node.get(node)
        binding = known.binding if isinstance(known, Reference) else None
        # Two functions that hand on each other's props would lead in circles.
        if hops <= 0 or binding is None or binding.param is None or binding.writes or binding.param[1:] != (0, ()):
            return None
        return self._param_path((binding.param[0], 0, (name,)), hops)

    def _given_path(self, function: int, position: int, route: tuple[str, ...], hops: int) -> Path | None:
        """What all callers of a local function give it, None when they differ or one cannot be known."""
        found: set[Path] = set()
        for value, rest in self._given(function, position, route):
            if value is None:
                return None
            if self._is_own(value):
                continue
            path = self._find(value, hops - 4)
            joined = None if path is None else self._join(path, list(reversed(rest)))
            if joined is None:
                return None
            found.add(joined)
            if len(found) > 1:
                return None
        return found.pop() if found else None

    def _given(
        self, function: int, position: int, route: tuple[str, ...]
    ) -> Iterator[tuple[int | None, tuple[str, ...]]]:
        """The nodes that a parameter stands for and the way on from there; None for one that cannot be known."""
        for argument_list in self._calls_of(function):
            arguments = self._tree.children(argument_list)
            if position < len(arguments):
                yield arguments[position], route
        if position or not route:
            return
        if self._rendering is None:
            self._rendering = Rendering(self._tree, self._scopes, self.function_of)
        for props in self._rendering.props_of(function):
            if props is None:
                continue
            value, certain = self._rendering.value(props, route[0])
            if value is not None or not certain:
                yield (value if certain else None), route[1:]

    def _is_own(self, node: int) -> bool:
        """Whether a value is a parameter that is being worked out: a function that hands on what it was given."""
        known = self._scopes.by_node.get(node)
        binding = known.binding if isinstance(known, Reference) else None
        return binding is not None and binding.param in self._resolving

    def _calls_of(self, function: int) -> list[int]:
        """The argument lists of the calls of a local function that is only ever called by its name."""
        if self._callers is None:
            self._callers = self._collect_callers()
        return self._callers.get(function, [])

    def _collect_callers(self) -> dict[int, list[int]]:
        tree = self._tree
        callers: dict[int, list[int]] = {}
        by_node = self._scopes.by_node
        for call in tree.of_kind("call_expression"):
            # A call begins with its callee. Most are of a few imported names, and those lead nowhere here.
            known = by_node.get(call + 1)
            if isinstance(known, Reference) and known.binding is not None and known.binding.imported is not None:
                continue
            callee = self.callee(call)
            if callee is None or tree.kind(callee) != "identifier":
                continue
            known = by_node.get(callee)
            if not isinstance(known, Reference) or known.binding is None or known.binding.imported is not None:
                continue
            function = self.function_of(known.binding)
            arguments = tree.children(call)[-1]
            if function is not None and tree.kind(arguments) == "arguments":
                callers.setdefault(function, []).append(arguments)
        return callers

    def function_of(self, binding: Binding) -> int | None:
        """The function node that a name stands for, if it is one for certain."""
        write = self.only_write(binding)
        if write is None or write.value is None or write.route != ():
            return None
        value = self._tree.unwrapped(write.value)
        return value if self._tree.kind(value) in FUNCTION_KINDS else None

    def callee(self, call: int) -> int | None:
        """What is called, parentheses and a leading sequence (``(0, f)(x)``) taken off."""
        tree = self._tree
        inside = tree.children(call)
        if not inside:
            return None
        node = tree.unwrapped(inside[0])
        while tree.kind(node) == "sequence_expression":
            node = tree.unwrapped(tree.children(node)[-1])
        awaited = self.awaited(node)
        return node if awaited is None else awaited

    def awaited(self, node: int) -> int | None:
        """The operand where the grammar took ``await (x)`` for a call of a function named await."""
        tree = self._tree
        if tree.kind(node) != "call_expression" or tree.ends[node] == node + 1:
            return None
        if tree.stops[node + 1] - tree.starts[node + 1] != len("await"):
            return None
        inside = tree.children(node)
        if len(inside) != 2 or tree.kind(inside[0]) != "identifier" or tree.raw(inside[0]) != "await":
            return None
        arguments = tree.children(inside[1])
        return tree.unwrapped(arguments[0]) if len(arguments) == 1 else None
