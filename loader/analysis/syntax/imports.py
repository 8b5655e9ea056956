"""Which modules a text asks for and what it gives away: imports, re-exports, dynamic imports, exports."""

from __future__ import annotations

import re
from dataclasses import dataclass

from loader.analysis.syntax.literals import string_value
from loader.analysis.syntax.parsed import Parsed, parse_text
from loader.analysis.syntax.tree import GaveUp, Tree, kind_ids
from loader.nouns import ImportKind, ImportRef

_NAMES = kind_ids("identifier", "string", "property_identifier", "shorthand_property_identifier")


@dataclass(frozen=True, slots=True)
class ImportedName:
    """One name of an import or re-export. ``imported`` is ``default``, ``*`` or the module's own name for it.

    ``local`` is the name that the file uses (None for a re-export, which binds nothing). ``node`` is where the
    module's name stands, ``local_node`` where the local one does.
    """

    imported: str
    local: str | None
    node: int
    local_node: int | None


@dataclass(frozen=True, slots=True)
class ModuleRequest:
    """One import declaration, re-export or ``import()``.

    ``specifier`` is decoded, None when it is computed. ``node`` is the literal (the argument when it is computed),
    ``statement`` the whole declaration or call. ``attributes`` is the byte range of ``with {…}`` or of a second
    argument, if there is one.
    """

    kind: ImportKind
    specifier: str | None
    node: int
    statement: int
    names: tuple[ImportedName, ...] = ()
    attributes: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ExportedName:
    """One exported name. ``value`` is the node of the exported expression or declaration, or of the local name.

    ``request`` is set for a re-export, whose ``local`` is then the other module's name (``*`` for all of it).
    """

    exported: str
    local: str | None
    node: int
    value: int | None
    request: ModuleRequest | None = None


@dataclass(frozen=True, slots=True)
class ModuleRecord:
    """Everything that enters or leaves the file, each part in reading order.

    ``not_names`` are the identifiers that name something of another module and so refer to nothing here.
    """

    requests: tuple[ModuleRequest, ...]
    exports: tuple[ExportedName, ...]
    not_names: frozenset[int]

    @property
    def static(self) -> tuple[ModuleRequest, ...]:
        return tuple(request for request in self.requests if request.kind != "dynamic")


# The grammar knows no attributes on re-exports: it loses the specifier and half the statement.
_REEXPORT_ATTRIBUTES = re.compile(
    rb"""(?P<source>from\s*(?:"[^"\r\n]*"|'[^'\r\n]*'))(?P<attributes>\s*with\s*\{[^{}]*\})"""
)


def parse_with_attributes(text: str, *, deadline_s: float) -> tuple[Parsed, dict[int, tuple[int, int]]]:
    """Parse, and where re-exports carry attributes parse once more with those blanked out.

    The second value maps the end of a specifier literal (bytes) to the byte range of its attributes.

    :raises GaveUp: as ``parse_text``.
    """
    parsed = parse_text(text, deadline_s=deadline_s)
    if not parsed.has_error:
        return parsed, {}
    found = [match for match in _REEXPORT_ATTRIBUTES.finditer(parsed.data) if _starts_export(parsed, match.start())]
    if not found:
        return parsed, {}
    blanked = bytearray(parsed.data)
    for match in found:
        start, end = match.span("attributes")
        blanked[start:end] = bytes(byte if byte in b"\r\n" else 0x20 for byte in blanked[start:end])
    try:
        again = parse_text(blanked.decode("utf-8"), deadline_s=deadline_s)
    except (GaveUp, UnicodeDecodeError):
        return parsed, {}
    tree = Tree(again)
    sources = {
        tree.stops[source]
        for statement in tree.of_kind("export_statement")
        if (source := tree.field(statement, "source")) is not None
    }
    # Blanking must never touch anything but attributes: every blank has to follow a re-export's specifier.
    if any(match.end("source") not in sources for match in found):
        return parsed, {}
    return again, {match.end("source"): match.span("attributes") for match in found}


def _starts_export(parsed: Parsed, byte: int) -> bool:
    around = parsed.root.descendant_for_byte_range(byte, byte + 4)
    return around is not None and around.type in ("from", "ERROR", "export_statement", "program")


def read_record(tree: Tree, reexport_attributes: dict[int, tuple[int, int]] | None = None) -> ModuleRecord:
    """Read imports and exports off the tree; on a tree with errors, whatever can still be seen."""
    reader = _Reader(tree, reexport_attributes or {})
    reader.run()
    return ModuleRecord(tuple(reader.requests), tuple(reader.exports), frozenset(reader.not_names))


def import_refs(tree: Tree, record: ModuleRecord) -> tuple[ImportRef, ...]:
    """The requests as the shells see them: offsets in UTF-16 units, quotes included."""
    refs = []
    for request in record.requests:
        node = tree.nodes[request.node]
        refs.append(
            ImportRef(
                request.specifier,
                request.kind,
                tree.positions.offset(node.start_byte),
                tree.positions.offset(node.end_byte),
                tree.span(request.node),
            )
        )
    return tuple(refs)


class _Reader:
    def __init__(self, tree: Tree, reexport_attributes: dict[int, tuple[int, int]]) -> None:
        self.tree = tree
        self.reexport_attributes = reexport_attributes
        self.requests: list[ModuleRequest] = []
        self.exports: list[ExportedName] = []
        self.not_names: set[int] = set()

    def run(self) -> None:
        for index in self.tree.of_kind("import_statement", "export_statement", "import"):
            kind = self.tree.kind(index)
            if kind == "import_statement":
                self._import(index)
            elif kind == "export_statement":
                self._export(index)
            else:
                self._import_call(index)

    def _name(self, index: int) -> str:
        """An import or export name may be an identifier or a string."""
        if self.tree.kind(index) == "string":
            return string_value(self.tree.raw(index))
        return self.tree.name(index)

    def _import(self, statement: int) -> None:
        source = self.tree.field(statement, "source")
        if source is None:
            return
        names: list[ImportedName] = []
        attributes = None
        for child in self.tree.children(statement):
            kind = self.tree.kind(child)
            if kind == "import_clause":
                names += self._clause(child)
            elif kind == "import_attribute":
                node = self.tree.nodes[child]
                attributes = (node.start_byte, node.end_byte)
        specifier = string_value(self.tree.raw(source))
        self.requests.append(ModuleRequest("static", specifier, source, statement, tuple(names), attributes))

    def _clause(self, clause: int) -> list[ImportedName]:
        tree = self.tree
        names: list[ImportedName] = []
        for child in tree.children(clause):
            kind = tree.kind(child)
            if kind == "identifier":
                names.append(ImportedName("default", tree.name(child), child, child))
            elif kind == "namespace_import":
                names += [ImportedName("*", tree.name(local), child, local) for local in tree.children(child)]
            elif kind == "named_imports":
                names += [found for one in tree.children(child) for found in self._import_specifier(one)]
        self.not_names.update(name.node for name in names if name.node != name.local_node)
        return names

    def _import_specifier(self, specifier: int) -> list[ImportedName]:
        parts = [part for part in self.tree.children(specifier) if self.tree.kinds[part] in _NAMES]
        if not parts:
            return []
        if len(parts) > 1:
            return [ImportedName(self._name(parts[0]), self.tree.name(parts[1]), parts[0], parts[1])]
        # The grammar has no node for the word `default` in `{ default as x }`.
        if self.tree.has_token(specifier, "as"):
            return [ImportedName("default", self.tree.name(parts[0]), specifier, parts[0])]
        name = self.tree.name(parts[0])
        return [ImportedName(name, name, parts[0], parts[0])]

    def _import_call(self, index: int) -> None:
        tree = self.tree
        call = tree.parents[index]
        if call < 0 or tree.kind(call) != "call_expression":
            return
        arguments = tree.field(call, "arguments")
        inside = tree.children(arguments) if arguments is not None else []
        if not inside or tree.kind(inside[0]) == "spread_element":
            return
        node = tree.unwrapped(inside[0])
        attributes = None
        if len(inside) > 1:
            attributes = (tree.starts[inside[1]], tree.stops[inside[-1]])
        self.requests.append(ModuleRequest("dynamic", tree.literal(node), node, call, attributes=attributes))

    # ------------------------------------------------------------ exports

    def _export(self, statement: int) -> None:
        tree = self.tree
        source = tree.field(statement, "source")
        if source is not None:
            self._reexport(statement, source)
            return
        for name in ("declaration", "value"):
            exported = tree.field(statement, name)
            if exported is not None:
                self._export_declared(statement, exported)
                return
        for child in tree.children(statement):
            if tree.kind(child) == "export_clause":
                for specifier in tree.children(child):
                    self._export_specifier(specifier, None)

    def _export_declared(self, statement: int, declared: int) -> None:
        tree = self.tree
        if tree.has_token(statement, "default"):
            self.exports.append(ExportedName("default", None, statement, declared))
            return
        name = tree.field(declared, "name")
        if name is not None:
            self.exports.append(ExportedName(tree.name(name), tree.name(name), name, declared))
            return
        for declarator in tree.children(declared):
            if tree.kind(declarator) == "variable_declarator":
                self._export_pattern(declarator)

    def _export_pattern(self, declarator: int) -> None:
        tree = self.tree
        pattern = tree.field(declarator, "name")
        if pattern is None:
            return
        value = tree.field(declarator, "value")
        inside = range(pattern, tree.ends[pattern])
        bound = kind_ids("identifier", "shorthand_property_identifier_pattern")
        for index in inside:
            # Default values inside the pattern are expressions; their names are not exported.
            if tree.kinds[index] in bound and not self._is_default_value(index, pattern):
                name = tree.name(index)
                self.exports.append(ExportedName(name, name, index, value if index == pattern else None))

    def _is_default_value(self, index: int, pattern: int) -> bool:
        tree = self.tree
        while index != pattern:
            parent = tree.parents[index]
            if tree.kind(parent) in ("assignment_pattern", "object_assignment_pattern", "computed_property_name"):
                left = tree.children(parent)[0]
                if index != left or tree.kind(parent) == "computed_property_name":
                    return True
            index = parent
        return False

    def _export_specifier(self, specifier: int, request: ModuleRequest | None) -> None:
        tree = self.tree
        parts = [part for part in tree.children(specifier) if tree.kinds[part] in _NAMES]
        words = [child.type for child in tree.nodes[specifier].children]
        named_default = "default" in words
        if not parts:
            if named_default:
                self.exports.append(ExportedName("default", "default", specifier, None, request))
            return
        if named_default and len(parts) == 1:
            # `default as x` (of another module) or `x as default`.
            if words[0] == "default":
                self.not_names.add(parts[0])
                self.exports.append(ExportedName(self._name(parts[0]), "default", parts[0], None, request))
                return
            if request is not None:
                self.not_names.add(parts[0])
            self.exports.append(ExportedName("default", self._name(parts[0]), specifier, parts[0], request))
            return
        self.not_names.update(parts[1:])
        if request is not None:
            self.not_names.add(parts[0])
        exported, local = self._name(parts[-1]), self._name(parts[0])
        self.exports.append(ExportedName(exported, local, parts[-1], parts[0], request))

    def _reexport(self, statement: int, source: int) -> None:
        tree = self.tree
        attributes = self.reexport_attributes.get(tree.stops[source])
        names: list[ImportedName] = []
        specifiers: list[int] = []
        namespace: int | None = None
        named = ""
        everything = True
        for child in tree.children(statement):
            kind = tree.kind(child)
            if kind == "export_clause":
                everything = False
                specifiers = tree.children(child)
            elif kind == "namespace_export":
                inside = tree.children(child)
                # The grammar has no node for the word `default` in `* as default`.
                namespace, named = (inside[0], self._name(inside[0])) if inside else (child, "default")
        for specifier in specifiers:
            parts = [part for part in tree.children(specifier) if tree.kinds[part] in _NAMES]
            words = [child.type for child in tree.nodes[specifier].children]
            if words and words[0] == "default":
                names.append(ImportedName("default", None, specifier, None))
            elif parts:
                names.append(ImportedName(self._name(parts[0]), None, parts[0], None))
        if everything:
            names = [ImportedName("*", None, namespace if namespace is not None else statement, None)]
        specifier_text = string_value(tree.raw(source))
        request = ModuleRequest("reexport", specifier_text, source, statement, tuple(names), attributes)
        self.requests.append(request)
        if namespace is not None:
            self.not_names.add(namespace)
            self.exports.append(ExportedName(named, "*", namespace, None, request))
        elif not everything:
            for specifier in specifiers:
                self._export_specifier(specifier, request)
        else:
            self.exports.append(ExportedName("*", "*", statement, None, request))
