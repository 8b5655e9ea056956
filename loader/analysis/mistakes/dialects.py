"""TypeScript and JSX in a text: which one, where first, and in which words."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import tree_sitter
import tree_sitter_typescript

from loader.analysis.syntax import Module

_TSX = tree_sitter.Language(tree_sitter_typescript.language_tsx())
_TS = tree_sitter.Language(tree_sitter_typescript.language_typescript())
_DEADLINE_S = 1.5
_LIMIT_BYTES = 1_000_000
_NODES_LIMIT = 400_000

# What only TypeScript has, and what to call it.
_TYPESCRIPT = {
    "type_annotation": "a type annotation",
    "interface_declaration": "an `interface`",
    "type_alias_declaration": "a `type` alias",
    "enum_declaration": "an `enum`",
    "as_expression": "`as`",
    "satisfies_expression": "`satisfies`",
    "non_null_expression": "a non-null `!`",
    "type_arguments": "a type argument in `<…>`",
    "type_parameters": "a type parameter in `<…>`",
    "type_assertion": "a type assertion in `<…>`",
    "accessibility_modifier": "an access modifier",
    "override_modifier": "`override`",
    "ambient_declaration": "`declare`",
    "abstract_class_declaration": "an `abstract` class",
    "implements_clause": "`implements`",
    "index_signature": "an index signature",
    "function_signature": "a function signature without a body",
    "method_signature": "a method signature without a body",
    "public_field_definition": "",
    "internal_module": "a `namespace`",
    "optional_parameter": "an optional parameter `?`",
    "import_alias": "`import … = …`",
    "asserts_annotation": "a type annotation",
    "type_predicate_annotation": "a type annotation",
    "import_require_clause": "`import … = require(…)`",
}
_JSX = ("jsx_element", "jsx_self_closing_element", "jsx_opening_element")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The first place (bytes) where the text leaves JavaScript, and what stands there.

    ``sure``: a grammar of TypeScript read the whole text without an error.
    """

    start: int
    end: int
    words: str
    sure: bool = False


def find_typescript(module: Module, error_byte: int | None) -> Dialect | None:
    """The first TypeScript construct that explains an error at ``error_byte``; None when there is none.

    The grammars of TypeScript decide: parsed without an error, the text is TypeScript. With errors in it, only a
    construct on the very line of the error counts.
    """
    data = module.tree.data
    if len(data) > _LIMIT_BYTES:
        return None
    best: Dialect | None = None
    for language in (_TSX, _TS):
        parsed = _parse(language, data)
        if parsed is None:
            continue
        found = _first(parsed.root_node, data)
        if not parsed.root_node.has_error:
            # Read without an error and nothing of TypeScript in it: then it is JSX alone.
            if found is None:
                return None
            return replace(found, sure=True) if _explains(module, found, error_byte, same_line=False) else best
        if found is not None and best is None and _explains(module, found, error_byte, same_line=True):
            best = found
    return best


def find_jsx(module: Module) -> Dialect | None:
    """The first JSX element that the JavaScript grammar read."""
    tree = module.tree
    for index in tree.of_kind(*_JSX):
        node = tree.nodes[index]
        return Dialect(node.start_byte, node.end_byte, "JSX")
    return None


def _explains(module: Module, found: Dialect, error_byte: int | None, *, same_line: bool) -> bool:
    if error_byte is None:
        return not same_line
    place = module.tree.positions.place
    first, last, error = place(found.start)[0], place(found.end)[0], place(error_byte)[0]
    if same_line:
        return first <= error <= last and error - first <= 1
    # An error before the first construct of TypeScript has another cause.
    return first <= error


def _parse(language: tree_sitter.Language, data: bytes) -> tree_sitter.Tree | None:
    ends_at = time.monotonic() + _DEADLINE_S
    try:
        return tree_sitter.Parser(language).parse(
            lambda offset, _point: data[offset : offset + 65536],
            progress_callback=lambda _offset, _error: time.monotonic() > ends_at,
        )
    except ValueError:
        return None


def _first(root: tree_sitter.Node, data: bytes) -> Dialect | None:
    waiting = [root]
    seen = 0
    while waiting:
        node = waiting.pop()
        seen += 1
        if seen > _NODES_LIMIT:
            return None
        kind = node.type
        words = _TYPESCRIPT.get(kind)
        if words:
            # Recovering from an error the grammar invents casts and `!`: those count in a clean tree only.
            if not node.has_error and not (kind == "type_assertion" and root.has_error):
                return Dialect(node.start_byte, node.end_byte, words)
        elif kind in ("import_statement", "export_statement", "import_specifier", "export_specifier"):
            marker = next((child for child in node.children if child.type in ("type", "typeof")), None)
            if marker is not None:
                what = "import" if kind.startswith("import") else "export"
                return Dialect(marker.start_byte, node.end_byte, f"`{what} type`")
        elif kind in ("public_field_definition", "required_parameter"):
            marker = next((child for child in node.children if child.type in ("readonly", "declare", "?", "!")), None)
            if marker is not None:
                return Dialect(marker.start_byte, marker.end_byte, f"`{marker.type}`")
        children = node.named_children
        children.reverse()
        waiting += children
    return None
