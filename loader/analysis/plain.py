"""A quick look that passes nearly every file: no early error, no `import()`, not deep, and these static imports.

It asks the parser's own tree about the few places that a search through the text finds, where the thorough way walks
all of it and resolves all names. It answers only where the thorough way could not find anything; whatever is doubtful
goes there. tests/analysis/test_plain.py holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import tree_sitter

from loader.analysis.early import RESERVED, STRICT_NAMES
from loader.analysis.nesting import HARMLESS_DEPTH
from loader.analysis.syntax import Parsed
from loader.analysis.syntax.literals import string_value
from loader.analysis.syntax.tree import kind_code, kind_ids

_IMPORT = kind_ids("import_statement")
_EXPORT = kind_ids("export_statement")
_CLAUSE = kind_ids("import_clause")
_NAMED_IMPORTS = kind_ids("named_imports")
_NAMESPACE = kind_ids("namespace_import")
_IDENTIFIER = kind_ids("identifier")
_LEXICAL = kind_ids("lexical_declaration", "using_declaration")
_NAMED = kind_ids(
    "function_declaration", "generator_function_declaration", "class_declaration", "function_expression", "class"
)
_CLASSES = kind_ids("class", "class_declaration")
_VARS = kind_ids("variable_declaration")
_FOR_IN = kind_ids("for_in_statement")
_PATTERNS = kind_ids("object_pattern", "array_pattern")
_DEFAULTS = kind_ids("assignment_pattern")
_PARAMETERS = kind_ids("formal_parameters")
_BLOCK = kind_ids("statement_block")
_NEW = kind_ids("new_expression")
_UNARY = kind_ids("unary_expression")
_METHOD = kind_ids("method_definition")
_DECLARED_IN_BODY = _LEXICAL | kind_ids("class_declaration")

# Where `<!--` is text and a backslash makes no name.
_TEXTS = kind_ids(
    "comment", "string", "string_fragment", "template_string", "regex_pattern", "hash_bang_line", "escape_sequence"
)

# Each begins with letters that the search can run for; ten times as fast as with a boundary before them.
_MODULE_WORDS = (re.compile(rb"import\b"), re.compile(rb"export\b"))
_VAR, _NEW_WORD, _DELETE, _CLASS = (re.compile(word + rb"\b") for word in (b"var", b"new", b"delete", b"class"))
_ESCAPE_OR_MARK = re.compile(rb"\\u|<!--|-->")
_WORD = re.compile(rb"[\w$\x80-\xff]+")
# Where a parameter that is a pattern may begin: behind a bracket or comma, or where a comment may just have ended
# (`*/`, a line's end, which may be a letter beyond ASCII). One blank run each: nothing here can be made to backtrack.
_PATTERN_START = re.compile(rb"[(,/\r\n\x80-\xff][ \t\f\v]*[{\[]")
# As a setter's word, not a call or a property of that name.
_SET = re.compile(rb"set\b(?![ \t]*[(=:,.;)?])")
_UNUSABLE = frozenset(word.encode() for word in RESERVED | STRICT_NAMES)


def plain_specifiers(parsed: Parsed) -> frozenset[str] | None:
    """The static imports of a text that the engine accepted and nothing is wrong with; None: look thoroughly."""
    data = parsed.data
    if parsed.has_error or parsed.is_deeper_than(HARMLESS_DEPTH) or _outside_texts(parsed, _ESCAPE_OR_MARK):
        return None
    names = _TopNames(data)
    specifiers: set[str] = set()
    begun: set[int] = set()
    for node in parsed.root.named_children:
        kind = kind_code(node)
        if kind in _IMPORT or kind in _EXPORT:
            begun.add(node.start_byte)
            source = node.child_by_field_name("source")
            if source is not None:
                specifiers.add(string_value(_text(data, source).decode("utf-8", "replace")))
            elif kind in _IMPORT:
                return None
        names.read(node, kind)
    if _other_module_words(parsed, begun) or names.clash(_var_names(parsed)) or _odd_places(parsed):
        return None
    return frozenset(specifiers)


def _text(data: bytes, node: tree_sitter.Node) -> bytes:
    return data[node.start_byte : node.end_byte]


def _hits(parsed: Parsed, word: re.Pattern[bytes], kinds: frozenset[int]) -> Iterator[tree_sitter.Node]:
    """The nodes of these kinds that own a word of the text, which is found by searching."""
    for match in word.finditer(parsed.data):
        node = parsed.around(match.start(), match.end())
        if node is not None and kind_code(node) in kinds:
            yield node


def _outside_texts(parsed: Parsed, mark: re.Pattern[bytes]) -> bool:
    """Whether a mark stands anywhere but in strings, comments and the like."""
    for match in mark.finditer(parsed.data):
        node = parsed.around(match.start(), match.end())
        if node is None or kind_code(node) not in _TEXTS:
            return True
    return False


def _other_module_words(parsed: Parsed, begun: set[int]) -> bool:
    """Whether an `import` or `export` stands anywhere but at the start of a statement of the top level."""
    for word in _MODULE_WORDS:
        for match in word.finditer(parsed.data):
            if match.start() not in begun:
                token = parsed.root.descendant_for_byte_range(match.start(), match.end())
                if token is None or token.type in ("import", "export"):
                    return True
    return False


class _TopNames:
    """What the top level imports and declares, other than with `var`; more than that at worst."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._imported: list[bytes] = []
        self._declared: set[bytes] = set()

    def read(self, node: tree_sitter.Node, kind: int) -> None:
        if kind in _IMPORT:
            for clause in node.named_children:
                if kind_code(clause) in _CLAUSE:
                    self._clause(clause)
        elif kind in _EXPORT:
            for field in ("declaration", "value"):
                inner = node.child_by_field_name(field)
                if inner is not None:
                    self.read(inner, kind_code(inner))
        elif kind in _LEXICAL:
            self._declared.update(_declared_words(self._data, node))
        elif kind in _NAMED:
            name = node.child_by_field_name("name")
            if name is not None:
                self._declared.add(_text(self._data, name))

    def _clause(self, clause: tree_sitter.Node) -> None:
        for part in clause.named_children:
            kind = kind_code(part)
            names: list[tree_sitter.Node | None] = [part]
            if kind in _NAMED_IMPORTS:
                names = [
                    one.child_by_field_name("alias") or one.child_by_field_name("name") for one in part.named_children
                ]
            elif kind in _NAMESPACE:
                names = [*part.named_children]
            self._imported += [
                _text(self._data, name) for name in names if name is not None and kind_code(name) in _IDENTIFIER
            ]

    def clash(self, variables: set[bytes]) -> bool:
        imported = set(self._imported)
        return (
            len(imported) < len(self._imported)
            or not imported.isdisjoint(_UNUSABLE)
            or not imported.isdisjoint(self._declared)
            or not variables.isdisjoint(imported | self._declared)
        )


def _declared_words(data: bytes, declaration: tree_sitter.Node) -> Iterator[bytes]:
    """The words in what a declaration declares: its names, and with patterns also keys and defaults."""
    for declarator in declaration.named_children:
        name = declarator.child_by_field_name("name")
        if name is not None:
            yield from _WORD.findall(_text(data, name))


def _var_names(parsed: Parsed) -> set[bytes]:
    """The words in what any `var` of the file declares, whatever scope it belongs to."""
    found: set[bytes] = set()
    for node in _hits(parsed, _VAR, _VARS | _FOR_IN):
        if kind_code(node) in _VARS:
            found.update(_declared_words(parsed.data, node))
        else:
            left = node.child_by_field_name("left")
            found.update(_WORD.findall(_text(parsed.data, left)) if left is not None else ())
    return found


def _odd_places(parsed: Parsed) -> bool:
    """The early errors that need no names of other places (see loader.analysis.early), and redeclared parameters."""
    return any(_suspects(parsed))


def _suspects(parsed: Parsed) -> Iterable[bool]:
    data = parsed.data
    if b"?." in data:
        for node in _hits(parsed, _NEW_WORD, _NEW):
            made = node.child_by_field_name("constructor")
            yield made is not None and b"?." in _text(data, made)
    if b"#" in data:
        for node in _hits(parsed, _DELETE, _UNARY):
            yield b"#" in _text(data, node)
    if b"eval" in data or b"arguments" in data:
        for node in _hits(parsed, _CLASS, _CLASSES):
            name = node.child_by_field_name("name")
            yield name is not None and _text(data, name) in _UNUSABLE
    if b"..." in data:
        for node in _hits(parsed, _SET, _METHOD):
            parameters = node.child_by_field_name("parameters")
            yield parameters is not None and b"..." in _text(data, parameters)
    for match in _PATTERN_START.finditer(data):
        pattern = parsed.around(match.end() - 1, match.end())
        if pattern is not None and kind_code(pattern) in _PATTERNS:
            yield _is_declared_again(data, pattern)


def _is_declared_again(data: bytes, pattern: tree_sitter.Node) -> bool:
    """Whether a function declares a word of its parameters' pattern again, at the top of its body."""
    owner = pattern.parent
    while owner is not None and kind_code(owner) in _DEFAULTS:
        owner = owner.parent
    if owner is None or kind_code(owner) not in _PARAMETERS or owner.parent is None:
        return False
    body = owner.parent.child_by_field_name("body")
    if body is None or kind_code(body) not in _BLOCK:
        return False
    words = frozenset(_WORD.findall(_text(data, pattern)))
    for statement in body.named_children:
        kind = kind_code(statement)
        if kind in _LEXICAL:
            if not words.isdisjoint(_declared_words(data, statement)):
                return True
        elif kind in _DECLARED_IN_BODY:
            name = statement.child_by_field_name("name")
            if name is not None and _text(data, name) in words:
                return True
    return False
