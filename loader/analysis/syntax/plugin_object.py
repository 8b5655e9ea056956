"""What the default export is: an object with an id and a register function, something else, or unknowable.

Three answers for everything: known, known to be missing, cannot be known from the text. Only the first two may
lead to a refusal; the third is the rehearsal's business (a call, a spread, an imported value).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from loader.analysis.syntax.imports import ExportedName, ModuleRecord
from loader.analysis.syntax.resolve import FUNCTION_KINDS
from loader.analysis.syntax.scopes import Binding, Reference, Scopes, property_name
from loader.analysis.syntax.tree import Tree
from loader.nouns import ALLOWED_SPECIFIERS

Known: TypeAlias = Literal["yes", "no", "unknown"]
_HOPS_LIMIT = 16
# What surely is no plugin object, in words that follow "it is".
_WORDS = {
    "string": "a string",
    "template_string": "a string",
    "number": "a number",
    "true": "a boolean",
    "false": "a boolean",
    "null": "null",
    "undefined": "undefined",
    "regex": "a regular expression",
    "array": "an array",
    "arrow_function": "a function",
    "function_expression": "a function",
    "function_declaration": "a function",
    "generator_function": "a generator function",
    "generator_function_declaration": "a generator function",
    "object": "an object",
    "class": "a class",
    "class_declaration": "a class",
}
_NAMED_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration", "class_declaration"})
_SAME_OBJECT = frozenset({"freeze", "seal", "preventExtensions"})


@dataclass(frozen=True, slots=True)
class Property:
    """One property of the plugin object. ``certain`` is false when something later may replace it."""

    key: str
    node: int
    value: int | None
    form: Literal["value", "method", "accessor"]
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression surely is: a string, something else (in words), or unknown (both None)."""

    string: str | None = None
    words: str | None = None

    @property
    def known(self) -> bool:
        return self.string is not None or self.words is not None


@dataclass(frozen=True, slots=True)
class PluginObject:
    """The default export as far as the text tells.

    ``node`` is where a finding about it belongs. ``closed`` is true when it has no other properties than the
    listed ones. ``words`` says what it is where it surely is no object with properties.
    """

    export: ExportedName | None
    node: int | None = None
    properties: dict[str, Property] = field(default_factory=dict)
    closed: bool = False
    words: str | None = None


def find_plugin(tree: Tree, record: ModuleRecord, scopes: Scopes) -> PluginObject:
    """Resolve the default export, however it is written."""
    for exported in record.exports:
        if exported.exported == "default":
            if exported.request is not None or exported.value is None:
                return PluginObject(exported, exported.node, words=_taken(exported))
            found = _Finder(tree, scopes).exported(exported.value)
            return replace(found, export=exported, node=exported.value if found.node is None else found.node)
    return PluginObject(None)


def _taken(exported: ExportedName) -> str | None:
    """Where the default export is another module's: of the three that the app provides, none exports a plugin."""
    specifier = exported.request.specifier if exported.request is not None else None
    return f"taken from '{specifier}'" if specifier in ALLOWED_SPECIFIERS else None


def object_of(tree: Tree, scopes: Scopes, node: int | None) -> PluginObject:
    """The properties of any expression that is an object: a literal, a constant that holds one, a spread of both."""
    return PluginObject(None) if node is None else _Finder(tree, scopes).resolve(node, _HOPS_LIMIT)


def value_of(tree: Tree, scopes: Scopes, node: int | None, hops: int = _HOPS_LIMIT) -> Value:
    """The value of an expression where the text fixes it: literals, their sums, constants."""
    if node is None or hops <= 0:
        return Value()
    node = tree.unwrapped(node)
    text = tree.literal(node)
    if text is not None:
        return Value(string=text)
    kind = tree.kind(node)
    if kind in ("identifier", "shorthand_property_identifier"):
        binding = _binding(scopes, node)
        source = None if binding is None else _only_value(tree, binding)
        return Value() if source is None else value_of(tree, scopes, source, hops - 1)
    if kind == "binary_expression" and tree.token(node, "operator") == "+":
        left, right = tree.children(node)[:2]
        first, second = value_of(tree, scopes, left, hops - 1), value_of(tree, scopes, right, hops - 1)
        if first.string is not None and second.string is not None:
            return Value(string=first.string + second.string)
        return Value()
    if kind == "number":
        return Value(words=f"the number {tree.raw(node)}")
    if kind in _WORDS and kind != "template_string":
        return Value(words=_WORDS[kind])
    return Value()


def is_function(tree: Tree, scopes: Scopes, node: int | None, hops: int = _HOPS_LIMIT) -> tuple[Known, int | None]:
    """Whether an expression is a function, and the function's node if the text shows it."""
    if node is None or hops <= 0:
        return "unknown", None
    node = tree.unwrapped(node)
    kind = tree.kind(node)
    if kind in FUNCTION_KINDS:
        return "yes", node
    if kind in ("class", "class_declaration"):
        return "yes", None
    if kind in ("identifier", "shorthand_property_identifier"):
        binding = _binding(scopes, node)
        if binding is None or binding.imported is not None or binding.param is not None:
            return "unknown", None
        source = _only_value(tree, binding)
        return ("unknown", None) if source is None else is_function(tree, scopes, source, hops - 1)
    return ("no", None) if kind in _WORDS else ("unknown", None)


def _binding(scopes: Scopes, node: int) -> Binding | None:
    known = scopes.by_node.get(node)
    return known.binding if isinstance(known, Reference) else known


def _only_value(tree: Tree, binding: Binding) -> int | None:
    """The one expression that a name stands for, None when it has several or none that can be seen."""
    if len(binding.writes) != 1 or binding.writes[0].route != ():
        return None
    return binding.writes[0].value


class _Finder:
    def __init__(self, tree: Tree, scopes: Scopes) -> None:
        self.tree = tree
        self.scopes = scopes

    def exported(self, node: int) -> PluginObject:
        """The exported expression; a declaration with a name may get its properties afterwards."""
        name = self.tree.field(node, "name") if self.tree.kind(node) in _NAMED_DECLARATIONS else None
        return self.resolve(node if name is None else name, _HOPS_LIMIT)

    def resolve(self, node: int, hops: int) -> PluginObject:
        tree = self.tree
        node = tree.unwrapped(node)
        kind = tree.kind(node)
        if hops <= 0:
            return PluginObject(None, node)
        if kind == "object":
            return self._object(node, hops)
        if kind in ("identifier", "shorthand_property_identifier"):
            return self._named(node, hops)
        if kind in ("class", "class_declaration"):
            return self._class(node, static=True)
        if kind == "new_expression":
            return self._instance(node, hops)
        if kind == "call_expression":
            return self._call(node, hops)
        if kind in ("await_expression", "sequence_expression", "assignment_expression"):
            inside = tree.children(node)
            return self.resolve(inside[-1], hops - 1) if inside else PluginObject(None, node)
        if kind in _WORDS:
            # A function could be given an id and a register function afterwards only through a name.
            return PluginObject(None, node, closed=True, words=_WORDS[kind])
        return PluginObject(None, node)

    # ------------------------------------------------------------ objects

    def _object(self, node: int, hops: int) -> PluginObject:
        tree = self.tree
        properties: dict[str, Property] = {}
        closed = True
        for child in tree.children(node):
            kind = tree.kind(child)
            if kind == "pair":
                inside = tree.children(child)
                key = property_name(tree, inside[0]) if len(inside) == 2 else None
                if key is not None and key != "__proto__":
                    properties[key] = Property(key, child, inside[1], "value")
                    continue
            elif kind == "method_definition":
                name = tree.field(child, "name")
                key = None if name is None else property_name(tree, name)
                if key is not None:
                    form: Literal["method", "accessor"] = (
                        "accessor" if tree.has_token(child, "get", "set") else "method"
                    )
                    properties[key] = Property(key, child, child, form)
                    continue
            elif kind == "shorthand_property_identifier":
                name_text = tree.name(child)
                properties[name_text] = Property(name_text, child, child, "value")
                continue
            elif kind == "spread_element":
                inside = tree.children(child)
                spread = self.resolve(inside[0], hops - 1) if inside else PluginObject(None)
                if spread.closed and spread.words is None:
                    properties.update(spread.properties)
                    continue
            # A key or a spread that cannot be known may add anything and replace what came before.
            closed = False
            properties = {name: replace(one, certain=False) for name, one in properties.items()}
        return PluginObject(None, node, properties, closed)

    def _class(self, node: int, *, static: bool) -> PluginObject:
        """Members of a class itself (``static``) or of its instances."""
        tree = self.tree
        body = tree.field(node, "body")
        properties: dict[str, Property] = {}
        closed = not any(tree.kind(child) == "class_heritage" for child in tree.children(node))
        for member in tree.children(body) if body is not None else []:
            kind = tree.kind(member)
            if kind == "class_static_block":
                closed = closed and not static
                continue
            if kind not in ("field_definition", "method_definition"):
                continue
            name = tree.field(member, "property" if kind == "field_definition" else "name")
            key = None if name is None else property_name(tree, name)
            if kind == "method_definition" and key == "constructor" and not static:
                closed = False
            if tree.has_token(member, "static") != static:
                continue
            if key is None:
                closed = closed and tree.kind(name) == "private_property_identifier" if name is not None else False
            elif kind == "field_definition":
                properties[key] = Property(key, member, tree.field(member, "value"), "value")
            else:
                form: Literal["method", "accessor"] = "accessor" if tree.has_token(member, "get", "set") else "method"
                properties[key] = Property(key, member, member, form)
        found = PluginObject(None, node, properties, closed)
        if static and closed and not properties:
            return replace(found, words="a class")
        return found

    def _instance(self, node: int, hops: int) -> PluginObject:
        constructor = self.tree.field(node, "constructor")
        if constructor is not None and self.tree.kind(constructor) == "identifier":
            binding = _binding(self.scopes, constructor)
            source = None if binding is None else _only_value(self.tree, binding)
            if source is not None and self.tree.kind(source) in ("class", "class_declaration"):
                found = self._class(source, static=False)
                return replace(found, node=node)
        return PluginObject(None, node)

    def _named(self, node: int, hops: int) -> PluginObject:
        binding = _binding(self.scopes, node)
        if binding is None or binding.imported is not None or binding.param is not None:
            return PluginObject(None, node)
        source = _only_value(self.tree, binding)
        if source is None:
            return PluginObject(None, node)
        found = self.resolve(source, hops - 1)
        changed, open_ended = self._changes(binding)
        if open_ended:
            properties = {name: replace(one, certain=False) for name, one in found.properties.items()}
            return replace(found, properties=properties, closed=False, words=None)
        if changed:
            properties = dict(found.properties)
            for key, assigned in changed.items():
                properties[key] = replace(assigned, certain=assigned.certain and key not in properties)
            return replace(found, properties=properties, words=None)
        return found

    def _changes(self, binding: Binding) -> tuple[dict[str, Property], bool]:
        """Properties assigned through the name, and whether it is handed to something that may change it."""
        tree = self.tree
        changed: dict[str, Property] = {}
        for reference in binding.references:
            if reference.writes and not reference.reads:
                continue
            node = reference.node
            parent = tree.parents[node]
            while tree.kind(parent) == "parenthesized_expression":
                node, parent = parent, tree.parents[parent]
            kind = tree.kind(parent)
            if kind in ("member_expression", "subscript_expression"):
                inside = tree.children(parent)
                above = tree.parents[parent]
                target = tree.kind(above)
                is_target = tree.children(above)[:1] == [parent]
                if inside[0] != node or not is_target:
                    continue
                if target == "call_expression":
                    # A method may change its object through `this`.
                    return changed, True
                if target in ("augmented_assignment_expression", "update_expression"):
                    return changed, True
                if target != "assignment_expression":
                    continue
                key = tree.name(inside[-1]) if kind == "member_expression" else tree.literal(inside[-1])
                if key is None:
                    return changed, True
                # The last of several need not be the one that ran last, or at all.
                changed[key] = Property(key, above, tree.children(above)[1], "value", certain=key not in changed)
            elif kind not in ("export_specifier", "export_statement", "new_expression"):
                # Handed on as an argument, stored elsewhere, captured: whoever has it may change it.
                if kind in ("unary_expression", "binary_expression", "expression_statement", "spread_element"):
                    continue
                return changed, True
        return changed, False

    # ------------------------------------------------------------ calls

    def _call(self, node: int, hops: int) -> PluginObject:
        tree = self.tree
        inside = tree.children(node)
        if len(inside) < 2:
            return PluginObject(None, node)
        callee, arguments = tree.unwrapped(inside[0]), tree.children(inside[-1])
        if tree.kind(callee) == "member_expression" and arguments:
            owner, name = tree.children(callee)[0], tree.name(tree.children(callee)[-1])
            if tree.raw(owner) == "Object" and _binding(self.scopes, owner) is None and name in _SAME_OBJECT:
                return self.resolve(arguments[0], hops - 1)
        if tree.kind(callee) == "identifier":
            if tree.raw(callee) == "await":
                return self.resolve(arguments[0], hops - 1) if arguments else PluginObject(None, node)
            through = self._passed_through(callee)
            if through is not None and through < len(arguments):
                return self.resolve(arguments[through], hops - 1)
        # `definePlugin({...})`: most likely that object, but only running it can tell.
        for argument in arguments:
            if tree.kind(argument) == "object":
                guess = self._object(argument, hops - 1)
                properties = {name: replace(one, certain=False) for name, one in guess.properties.items()}
                return PluginObject(None, node, properties, closed=False)
        return PluginObject(None, node)

    def _passed_through(self, callee: int) -> int | None:
        """The position of the parameter that a local function returns as it is (``const define = p => p``)."""
        tree = self.tree
        answer, function = is_function(tree, self.scopes, callee)
        if answer != "yes" or function is None or tree.has_token(function, "async", "*"):
            return None
        body = tree.field(function, "body")
        if body is None:
            return None
        returned: int | None = tree.unwrapped(body)
        if tree.kind(body) == "statement_block":
            statements = tree.children(body)
            if len(statements) != 1 or tree.kind(statements[0]) != "return_statement":
                return None
            values = tree.children(statements[0])
            returned = tree.unwrapped(values[0]) if values else None
        if returned is None or tree.kind(returned) != "identifier":
            return None
        binding = _binding(self.scopes, returned)
        if binding is None or binding.param is None or binding.writes:
            return None
        owner, position, route = binding.param
        return position if owner == function and route == () else None
