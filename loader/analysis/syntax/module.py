"""The model that rules ask: see docs/analysis.md ("Asking the model")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from loader.analysis.syntax.imports import ModuleRecord, import_refs, parse_with_attributes, read_record
from loader.analysis.syntax.keys import Keyed, Keys
from loader.analysis.syntax.parsed import Parsed
from loader.analysis.syntax.plugin_object import PluginObject, find_plugin, is_function
from loader.analysis.syntax.resolve import CALLED, Path, PluginContext, Resolver
from loader.analysis.syntax.scopes import Binding, Reference, Scopes
from loader.analysis.syntax.tree import Tree
from loader.nouns import ImportRef, Span

Node: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Call:
    """One call or construction. ``path`` is what is called ("ctx.rest"), None when that cannot be known.

    ``optional`` is true when the call itself is guarded (``f?.()``).
    """

    node: Node
    callee: Node
    path: str | None
    arguments: tuple[Node, ...]
    is_new: bool
    optional: bool


@dataclass(frozen=True, slots=True)
class Comment:
    node: Node
    text: str
    span: Span


class Module:
    """One parsed text. Nodes are numbers in reading order; ask the tree for their kind, text and children.

    Everything is worked out when it is first asked for, the walk over the parser's tree as well.
    """

    def __init__(self, parsed: Parsed, reexport_attributes: dict[int, tuple[int, int]]) -> None:
        self.parsed = parsed
        self._reexport_attributes = reexport_attributes

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.parsed)

    def let_go(self) -> None:
        """When nothing will be asked any more: frees at once what would otherwise have to be searched for."""
        if "resolver" in self.__dict__:
            self.resolver.let_go()
        if "scopes" in self.__dict__:
            self.scopes.let_go()

    # ------------------------------------------------------------ what comes in and goes out

    @cached_property
    def record(self) -> ModuleRecord:
        return read_record(self.tree, self._reexport_attributes)

    @property
    def text(self) -> str:
        return self.parsed.text

    @property
    def has_error(self) -> bool:
        """Whether the grammar stumbled: what it saw around the error may be wrong or missing."""
        return self.parsed.has_error

    @cached_property
    def imports(self) -> tuple[ImportRef, ...]:
        return import_refs(self.tree, self.record)

    @property
    def static_specifiers(self) -> tuple[str, ...]:
        """Specifiers of imports and re-exports in order, each as often as it is written."""
        return tuple(request.specifier or "" for request in self.record.static)

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        tree = self.tree
        return tuple(Comment(node, tree.raw(node), tree.span(node)) for node in tree.of_kind("comment"))

    # ------------------------------------------------------------ names

    @cached_property
    def scopes(self) -> Scopes:
        return Scopes(self.tree, self.record)

    @cached_property
    def free_references(self) -> tuple[Reference, ...]:
        """Uses of names that the file does not declare, ``typeof x`` left out (it never throws)."""
        return tuple(one for one in self.scopes.free if not self.in_typeof(one.node))

    def in_typeof(self, node: Node) -> bool:
        """Whether an expression is the direct operand of ``typeof``."""
        parent = self.tree.parents[node]
        while self.tree.kind(parent) == "parenthesized_expression":
            parent = self.tree.parents[parent]
        return self.tree.kind(parent) == "unary_expression" and self.tree.token(parent, "operator") == "typeof"

    def binding(self, node: Node) -> Binding | None:
        """The declaration behind an identifier (declaring or using), None for a free name."""
        known = self.scopes.by_node.get(node)
        return known.binding if isinstance(known, Reference) else known

    # ------------------------------------------------------------ the plugin

    @cached_property
    def plugin(self) -> PluginObject:
        return find_plugin(self.tree, self.record, self.scopes)

    @cached_property
    def register_functions(self) -> tuple[Node, ...]:
        """The functions that get ``ctx``, as far as the text shows them."""
        found = []
        register = self.plugin.properties.get("register")
        if register is not None and register.form != "accessor":
            function = is_function(self.tree, self.scopes, register.value)[1]
            if function is not None:
                found.append(function)
        return tuple(found)

    # ------------------------------------------------------------ meanings

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self.tree, self.scopes, PluginContext(self.register_functions))

    def path_parts(self, node: Node) -> Path | None:
        return self.resolver.path(node)

    def path(self, node: Node) -> str | None:
        """What an expression means, aliases resolved: ``sdk.host.request``, ``ctx.rest``, ``global.document.title``.

        Roots: ``sdk``, ``react``, ``jsx`` (the three modules), ``ctx`` (register's argument), ``global`` (a name that
        the file does not declare; ``window.x`` is ``global.x``), else the specifier of the import. The result of a
        call ends in ``()``: ``react.useRef().current``. None when it cannot be known.
        """
        parts = self.resolver.path(node)
        return None if parts is None else _dotted(parts)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """All calls and constructions in reading order; ``import()`` and ``await (x)`` are none."""
        return tuple(self._calls())

    @cached_property
    def _calls_by_path(self) -> dict[str, tuple[Call, ...]]:
        grouped: dict[str, list[Call]] = {}
        for call in self.calls:
            if call.path is not None:
                grouped.setdefault(call.path, []).append(call)
        return {path: tuple(calls) for path, calls in grouped.items()}

    def calls_to(self, *paths: str) -> tuple[Call, ...]:
        """All calls of these paths ("ctx.runAction", "sdk.host.request"), in reading order."""
        found = [call for path in paths for call in self._calls_by_path.get(path, ())]
        return tuple(sorted(found, key=lambda call: call.node))

    @cached_property
    def members(self) -> tuple[tuple[Node, str], ...]:
        """Every member access with a known path, inner and outer ones, in reading order."""
        found = []
        # Backwards, `a.b` is known when `a.b.c` comes.
        for node in reversed([*self.tree.of_kind("member_expression", "subscript_expression")]):
            path = self.path(node)
            if path is not None:
                found.append((node, path))
        return tuple(reversed(found))

    @cached_property
    def _keys(self) -> Keys:
        return Keys(self.tree)

    def keyed(self, name: str) -> tuple[Keyed, ...]:
        """Every property of that name in an object literal, in reading order."""
        return self._keys.named(name)

    def _calls(self) -> Iterator[Call]:
        tree = self.tree
        for node in tree.of_kind("call_expression", "new_expression"):
            inside = tree.children(node)
            if not inside:
                continue
            if tree.kind(node) == "new_expression":
                arguments = tuple(tree.children(inside[-1])) if tree.kind(inside[-1]) == "arguments" else ()
                yield Call(node, inside[0], self.path(inside[0]), arguments, True, False)
                continue
            kind = tree.kind(inside[0])
            if kind == "import" or (kind == "identifier" and self.resolver.awaited(node) is not None):
                continue
            plain = kind in ("identifier", "member_expression")
            callee = inside[0] if plain else self.resolver.callee(node)
            if callee is None or tree.kind(inside[-1]) != "arguments":
                continue
            optional = len(inside) > 2 and any(tree.kind(child) == "optional_chain" for child in inside)
            yield Call(node, callee, self.path(callee), tuple(tree.children(inside[-1])), False, optional)

    # ------------------------------------------------------------ places

    def span(self, node: Node) -> Span:
        return self.tree.span(node)

    def head_span(self, node: Node) -> Span:
        """The first line of a node: a frame around a whole plugin would show nothing."""
        span = self.tree.span(node)
        if span.line == span.end_line:
            return span
        positions = self.tree.positions
        return positions.span(self.tree.starts[node], positions.line_end(span.line))

    def ancestors(self, node: Node) -> Iterator[Node]:
        """The nodes around a node, nearest first, the program last."""
        node = self.tree.parents[node]
        while node >= 0:
            yield node
            node = self.tree.parents[node]

    def is_inside(self, node: Node, outer: Node) -> bool:
        """Whether a node is ``outer`` itself or stands anywhere inside it."""
        return outer <= node < self.tree.ends[outer]

    @cached_property
    def top_level_awaits(self) -> tuple[Node, ...]:
        """Each `await` and `for await` that the import of the module waits for, in reading order."""
        tree = self.tree
        awaits = [*tree.of_kind("await_expression")]
        awaits += [n for n in tree.of_kind("call_expression") if self.resolver.awaited(n) is not None]
        awaits += [n for n in tree.of_kind("for_in_statement") if tree.has_token(n, "await")]
        return tuple(sorted(node for node in awaits if self._belongs_to_top_level(node)))

    def _belongs_to_top_level(self, node: Node) -> bool:
        scope = self.scopes.scope_of(node)
        while scope.kind not in ("function", "arrow", "static") and scope.parent >= 0:
            scope = self.scopes.scopes[scope.parent]
        return scope.parent < 0


def _dotted(parts: Path) -> str:
    return ".".join(parts).replace(f".{CALLED}", CALLED)


def parse(text: str, *, deadline_s: float = 10.0) -> Module:
    """The model of a module's text (without its byte order mark). Never fails on bad syntax: see ``has_error``.

    :raises loader.analysis.syntax.GaveUp: when time or memory would run out.
    """
    return Module(*parse_with_attributes(text, deadline_s=deadline_s))
