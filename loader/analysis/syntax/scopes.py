"""Who declares which name, and which name means whose: exact scopes of a module, without recursion.

Parameters and body of a function share one scope, as in ESLint's analysis; a default value does not see the names
of the body, though.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from loader.analysis.syntax.imports import ImportedName, ModuleRecord
from loader.analysis.syntax.literals import identifier_name
from loader.analysis.syntax.patterns import Route, pattern_targets, property_name
from loader.analysis.syntax.tree import COMMENTS, KIND_NAMES, GaveUp, Tree, kind_finder, kind_ids

BindingKind: TypeAlias = Literal["import", "var", "let", "const", "using", "function", "class", "param", "catch"]
ScopeKind: TypeAlias = Literal["module", "function", "arrow", "class", "static", "block"]
# Deeper nesting than the app's engine takes; without a bound a hostile file makes look-ups quadratic.
SCOPE_DEPTH_LIMIT = 2_000


@dataclass(slots=True, eq=False)
class Write:
    """One value that a name gets. ``value`` is the node it comes from (None: unknown), ``route`` the way into it."""

    node: int
    value: int | None
    route: Route = ()


@dataclass(slots=True, eq=False)
class Reference:
    """One use of a name. ``binding`` is None when nothing in the file declares it."""

    node: int
    name: str
    scope: int
    reads: bool = True
    writes: bool = False
    binding: Binding | None = None
    implicit: bool = False


@dataclass(slots=True, eq=False)
class Binding:
    """One declared name with all its uses.

    ``writes`` holds every value it gets, its initial one included. ``param`` says (function, position, route)
    for a parameter. ``imported`` is set for an import.
    """

    name: str
    kind: BindingKind
    scope: int
    nodes: list[int]
    writes: list[Write] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    param: tuple[int, int, Route] | None = None
    imported: tuple[str, ImportedName] | None = None


@dataclass(slots=True, eq=False)
class Scope:
    kind: ScopeKind
    parent: int
    node: int
    var_scope: int
    depth: int
    end: int
    names: dict[str, Binding] = field(default_factory=dict)


_FUNCTIONS = kind_ids(
    "function_declaration",
    "generator_function_declaration",
    "function_expression",
    "generator_function",
    "arrow_function",
    "method_definition",
)
_DECLARED_FUNCTIONS = kind_ids("function_declaration", "generator_function_declaration")
_PARAMETERS = kind_ids("formal_parameters")
_ARROW = kind_ids("arrow_function")
_CLASSES = kind_ids("class", "class_declaration")
_CLASS_DECLARATION = kind_ids("class_declaration")
_STATIC_BLOCK = kind_ids("class_static_block")
_BLOCKS = kind_ids("statement_block")
_SWITCH = kind_ids("switch_body")
_FOR = kind_ids("for_statement")
_FOR_IN = kind_ids("for_in_statement")
_CATCH = kind_ids("catch_clause")
_DECLARATORS = kind_ids("variable_declarator")
_ASSIGNMENT = kind_ids("assignment_expression")
_AUGMENTED = kind_ids("augmented_assignment_expression")
_UPDATE = kind_ids("update_expression")
_IDENTIFIERS = kind_ids("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern")
_COMPUTED = kind_ids("computed_property_name")
_METHOD = kind_ids("method_definition")
_JSX_NAMES = kind_ids("jsx_opening_element", "jsx_closing_element", "jsx_self_closing_element")
_HANDLED = kind_finder(
    KIND_NAMES[code]
    for codes in (
        _FUNCTIONS,
        _CLASSES,
        _STATIC_BLOCK,
        _BLOCKS,
        _SWITCH,
        _FOR,
        _FOR_IN,
        _CATCH,
        _DECLARATORS,
        _ASSIGNMENT,
        _AUGMENTED,
        _UPDATE,
        _IDENTIFIERS,
        _COMPUTED,
    )
    for code in codes
)
_BODY_OWNERS = _FUNCTIONS | _STATIC_BLOCK | _CATCH

_NOT_A_REFERENCE = 1

__all__ = ["Binding", "Reference", "Route", "Scope", "Scopes", "Write", "property_name"]


class Scopes:
    """All scopes, bindings and references of one module, in reading order.

    :raises GaveUp: when scopes nest deeper than ``SCOPE_DEPTH_LIMIT``.
    """

    __slots__ = ("_opened", "_opened_at", "_role", "_writes", "bindings", "by_node", "references", "scopes", "tree")

    def __init__(self, tree: Tree, record: ModuleRecord) -> None:
        self.tree = tree
        self.scopes: list[Scope] = [Scope("module", -1, 0, 0, 0, len(tree.kinds))]
        # The nodes that open scopes, in reading order, and the scopes that they open.
        self._opened_at: list[int] = []
        self._opened: list[int] = []
        self.bindings: list[Binding] = []
        self.references: list[Reference] = []
        # What an identifier node declares or refers to.
        self.by_node: dict[int, Binding | Reference] = {}
        self._role = bytearray(len(tree.kinds))
        self._writes: dict[int, Write] = {}
        for index in record.not_names:
            self._role[index] = _NOT_A_REFERENCE
        for request in record.requests:
            for name in request.names:
                self._declare_import(request.specifier or "", name)
        self._collect()
        self._resolve()

    @property
    def free(self) -> tuple[Reference, ...]:
        """References to names that the file does not declare: globals, or mistakes."""
        return tuple(one for one in self.references if one.binding is None and not one.implicit)

    def let_go(self) -> None:
        """Take names and their uses apart, which hold each other: their memory goes at once, and nobody looks for it.

        Of no use afterwards. Python's own search for such circles took a tenth of an analysis.
        """
        self.by_node.clear()
        for binding in self.bindings:
            binding.references.clear()

    def scope_of(self, node: int) -> Scope:
        """The scope in which a node is evaluated."""
        at = bisect_left(self._opened_at, node) - 1
        scope = self.scopes[self._opened[at]] if at >= 0 else self.scopes[0]
        while scope.parent >= 0 and scope.end <= node:
            scope = self.scopes[scope.parent]
        parent = self.tree.parents[node]
        while parent > scope.node:
            # The key of a method is evaluated outside it.
            if self.tree.kinds[parent] in _COMPUTED and self.tree.parents[parent] == scope.node:
                return self.scopes[scope.parent] if scope.parent >= 0 else scope
            parent = self.tree.parents[parent]
        return scope

    def lookup(self, name: str, node: int) -> Binding | None:
        """The binding that a name would have at a node."""
        scope = self.scope_of(node)
        while True:
            found = scope.names.get(name)
            if found is not None or scope.parent < 0:
                return found
            scope = self.scopes[scope.parent]

    # ------------------------------------------------------------ collecting

    def _open(self, kind: ScopeKind, parent: int, node: int) -> int:
        number = len(self.scopes)
        depth = self.scopes[parent].depth + 1
        if depth > SCOPE_DEPTH_LIMIT:
            raise GaveUp("depth")
        own_vars = kind in ("function", "arrow", "static")
        var_scope = number if own_vars else self.scopes[parent].var_scope
        self.scopes.append(Scope(kind, parent, node, var_scope, depth, self.tree.ends[node]))
        self._opened_at.append(node)
        self._opened.append(number)
        return number

    def _declare(self, name: str, kind: BindingKind, scope: int, node: int) -> Binding:
        self._role[node] = _NOT_A_REFERENCE
        names = self.scopes[scope].names
        binding = names.get(name)
        if binding is None:
            binding = names[name] = Binding(name, kind, scope, [node])
            self.bindings.append(binding)
        else:
            binding.nodes.append(node)
        self.by_node[node] = binding
        return binding

    def _declare_import(self, specifier: str, name: ImportedName) -> None:
        if name.local is None or name.local_node is None:
            return
        binding = self._declare(name.local, "import", 0, name.local_node)
        binding.imported = (specifier, name)

    def _collect(self) -> None:
        """Visit what declares, refers or opens a scope; nested stretches of nodes are nested scopes."""
        tree, role, references = self.tree, self._role, self.references
        kinds, ends, starts, stops, data = tree.kinds, tree.ends, tree.starts, tree.stops, tree.data
        identifiers = _IDENTIFIERS
        scope, end = 0, len(kinds)
        outer: list[tuple[int, int]] = []
        for index in tree.found_by(_HANDLED):
            while index >= end:
                scope, end = outer.pop()
            kind = kinds[index]
            if kind in identifiers:
                if role[index] != _NOT_A_REFERENCE:
                    name = data[starts[index] : stops[index]].decode()
                    references.append(Reference(index, identifier_name(name) if "\\" in name else name, scope))
            else:
                inner = self._enter(index, kind, scope)
                if inner != scope:
                    outer.append((scope, end))
                    scope, end = inner, ends[index]

    def _enter(self, index: int, kind: int, scope: int) -> int:
        """Declare what a node declares; the scope of its children."""
        tree = self.tree
        parent = tree.kinds[tree.parents[index]]
        if kind in _BLOCKS:
            return scope if parent in _BODY_OWNERS else self._open("block", scope, index)
        if kind in _DECLARATORS:
            self._declarator(index, scope)
        elif kind in _FUNCTIONS:
            return self._function(index, kind, scope)
        elif kind in _ASSIGNMENT:
            inside = tree.children(index)
            if len(inside) == 2:
                self._assign(inside[0], inside[1])
        elif kind in _AUGMENTED or kind in _UPDATE:
            inside = tree.children(index)
            if inside:
                target = tree.unwrapped(inside[0])
                # A logical assignment may well leave the old value: either way the value is not known.
                self._writes[target] = Write(target, None, None)
        elif kind in _CLASSES:
            return self._class(index, kind, scope)
        elif kind in _FOR_IN:
            return self._for_in(index, scope)
        elif kind in _FOR or kind in _SWITCH:
            return self._open("block", scope, index)
        elif kind in _CATCH:
            own = self._open("block", scope, index)
            inside = tree.children(index)
            if len(inside) > 1:
                self._bind(inside[0], "catch", own, written=True)
            return own
        elif kind in _STATIC_BLOCK:
            return self._open("static", scope, index)
        elif kind in _COMPUTED and parent in _METHOD:
            # The key of a method is evaluated outside it.
            return self.scopes[scope].parent
        return scope

    def _declarator(self, index: int, scope: int) -> None:
        tree = self.tree
        inside = tree.children(index)
        if not inside:
            return
        owner = tree.parents[index]
        kind: BindingKind = "var"
        owner_kind = tree.kind(owner)
        if owner_kind == "lexical_declaration":
            kind = "const" if tree.data.startswith(b"const", tree.starts[owner]) else "let"
        elif owner_kind == "using_declaration":
            kind = "using"
        value = inside[1] if len(inside) > 1 else None
        target = self.scopes[scope].var_scope if kind == "var" else scope
        self._bind(inside[0], kind, target, value=value, written=value is not None)

    def _function(self, index: int, kind: int, scope: int) -> int:
        tree = self.tree
        own = self._open("arrow" if kind in _ARROW else "function", scope, index)
        first, end = index + 1, tree.ends[index]
        while first < end and tree.kinds[first] in COMMENTS:
            first = tree.ends[first]
        if kind not in _METHOD and kind not in _ARROW and first < end and tree.kinds[first] in _IDENTIFIERS:
            target = scope if kind in _DECLARED_FUNCTIONS else own
            self._declare(tree.name(first), "function", target, first).writes.append(Write(first, index))
        for position, pattern in enumerate(self.parameters(index)):
            if tree.kinds[pattern] in _IDENTIFIERS:
                self._declare(tree.name(pattern), "param", own, pattern).param = (index, position, ())
            else:
                self._bind(pattern, "param", own, param=(index, position))
        return own

    def parameters(self, function: int) -> list[int]:
        """The parameter patterns of a function node, in order."""
        tree = self.tree
        child, end, kinds, ends = function + 1, tree.ends[function], tree.kinds, tree.ends
        while child < end:
            if kinds[child] in _PARAMETERS:
                return tree.children(child)
            child = ends[child]
        # An arrow function with one bare parameter.
        inside = tree.children(function)
        return inside[:1] if tree.kinds[function] in _ARROW and len(inside) > 1 else []

    def _class(self, index: int, kind: int, scope: int) -> int:
        tree = self.tree
        own = self._open("class", scope, index)
        name = tree.field(index, "name")
        if name is not None:
            target = scope if kind in _CLASS_DECLARATION else own
            self._declare(tree.name(name), "class", target, name).writes.append(Write(name, index))
        return own

    def _for_in(self, index: int, scope: int) -> int:
        tree = self.tree
        own = self._open("block", scope, index)
        left = tree.field(index, "left")
        if left is None:
            return own
        word = tree.token(index, "kind")
        if word is None and tree.has_token(index, "using"):
            word = "using"
        if word is None:
            self._assign(left, None)
        elif word == "var":
            self._bind(left, "var", self.scopes[own].var_scope, written=True)
        else:
            kind: BindingKind = "const" if word == "const" else "let" if word == "let" else "using"
            self._bind(left, kind, own, written=True)
        return own

    def _bind(
        self,
        pattern: int,
        kind: BindingKind,
        scope: int,
        *,
        value: int | None = None,
        written: bool = False,
        param: tuple[int, int] | None = None,
    ) -> None:
        """Declare what a pattern binds. ``written``: it gets a value (``value``, or one that nobody knows)."""
        for node, way in pattern_targets(self.tree, pattern, ()):
            if self.tree.kinds[node] not in _IDENTIFIERS:
                continue
            binding = self._declare(self.tree.name(node), kind, scope, node)
            if param is not None:
                binding.param = (*param, way)
            elif written:
                binding.writes.append(Write(node, value, way if value is not None else None))

    def _assign(self, target: int, value: int | None) -> None:
        for node, way in pattern_targets(self.tree, target, ()):
            if self.tree.kinds[node] in _IDENTIFIERS:
                self._writes[node] = Write(node, value, way if value is not None else None)

    # ------------------------------------------------------------ resolving

    def _resolve(self) -> None:
        scopes, writes, by_node = self.scopes, self._writes, self.by_node
        tree = self.tree
        for reference in self.references:
            node, name = reference.node, reference.name
            by_node[node] = reference
            scope = scopes[reference.scope]
            binding = scope.names.get(name)
            while scope.parent >= 0:
                # Only what stands before all its declarations can be a default value that looks into the body.
                if binding is not None and (node > binding.nodes[0] or not self._looks_into_body(node, binding, scope)):
                    break
                if name == "arguments" and scope.kind == "function":
                    binding, reference.implicit = None, True
                    break
                scope = scopes[scope.parent]
                binding = scope.names.get(name)
            write = writes.get(node)
            if write is not None:
                reference.writes = True
                parent = tree.kinds[tree.parents[node]]
                reference.reads = parent in _AUGMENTED or parent in _UPDATE
            if binding is not None:
                reference.binding = binding
                binding.references.append(reference)
                if write is not None:
                    binding.writes.append(write)
            elif name == "await" or tree.kinds[tree.parents[node]] in _JSX_NAMES:
                # `await (f)(x)` is read as a call of `await`, which no module can declare.
                reference.implicit = True

    def _looks_into_body(self, node: int, binding: Binding, scope: Scope) -> bool:
        """Whether a node among a function's parameters comes upon a name of its body, which it cannot see."""
        if binding.kind == "param" or scope.kind not in ("function", "arrow"):
            return False
        inside = self.tree.children(scope.node)
        return bool(inside) and node < inside[-1] <= binding.nodes[0]
