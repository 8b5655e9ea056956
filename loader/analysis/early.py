"""Early errors that the sandbox's engine lets pass although the app's engine refuses them.

Found by comparing both over test262's parser tests; each is a small question to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loader.analysis.syntax import Module, Parsed
from loader.analysis.syntax.literals import identifier_name
from loader.codes import finding
from loader.nouns import Diagnostic

RESERVED = frozenset(
    [
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ]
)
STRICT_NAMES = frozenset({"eval", "arguments"})
_HTML_OPEN = b"<!--"
_INERT = frozenset(
    {"comment", "string", "string_fragment", "template_string", "regex_pattern", "hash_bang_line", "escape_sequence"}
)
_SETTER = re.compile(rb"(?:static\s+)?set\b")


_WORD_KINDS = frozenset({"identifier", "statement_identifier"})


def reserved_first_word(parsed: Parsed) -> Diagnostic | None:
    """The engine reads a module's first word before it knows that it reads a module, which is always strict."""
    node = parsed.root
    while node.child_count:
        code = (child for child in node.children if child.type not in ("comment", "hash_bang_line"))
        node = next(code, node.children[-1])
    written = parsed.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
    name = identifier_name(written)
    if node.type not in _WORD_KINDS or name not in RESERVED or name == "await":
        return None
    return finding(
        "HP101",
        f"`{name}` is a reserved word in modules",
        span=parsed.positions.span(node.start_byte, node.end_byte),
        hint="Give it another name.",
    )


def early_errors(module: Module) -> tuple[Diagnostic, ...]:
    """All of them, in no order; empty for nearly every file.

    :raises loader.analysis.syntax.GaveUp: when scopes nest too deeply.
    """
    return (
        *_html_comments(module),
        *_import_names(module),
        *_import_clashes(module),
        *_var_clashes(module),
        *_optional_news(module),
        *_deleted_private_names(module),
        *_class_names(module),
        *_rest_setters(module),
        *_shadowed_parameters(module),
        *_run_on_exports(module),
    )


def _html_comments(module: Module) -> Iterator[Diagnostic]:
    tree = module.tree
    at = tree.data.find(_HTML_OPEN)
    while at >= 0:
        around = tree.raw_root.descendant_for_byte_range(at, at + 4)
        if around is None or around.type not in _INERT:
            yield finding(
                "HP101",
                "`<!--` is not allowed in a module: the app's engine takes it for an HTML comment",
                span=tree.positions.span(at, at + 4),
                hint="Remove it, or write spaces between: `a < !--b`.",
            )
            return
        at = tree.data.find(_HTML_OPEN, at + 4)
    for node in tree.of_kind("html_comment"):
        start = tree.starts[node]
        yield finding(
            "HP101",
            "`-->` at the start of a line is not allowed in a module: the app's engine takes it for an HTML comment",
            span=tree.positions.span(start, start + 3),
            hint="Remove it, or put it behind its operand on the same line.",
        )
        return


def _import_names(module: Module) -> Iterator[Diagnostic]:
    for request in module.record.static:
        for name in request.names:
            if name.local_node is not None and (name.local in RESERVED or name.local in STRICT_NAMES):
                yield finding(
                    "HP101",
                    f"`{name.local}` is a reserved word and cannot name an import",
                    span=module.span(name.local_node),
                    hint=f"Give it another name: `{name.imported} as {name.local}_`.",
                )


def _import_clashes(module: Module) -> Iterator[Diagnostic]:
    """An import and a declaration, or two imports, of one name."""
    for binding in module.scopes.scopes[0].names.values():
        if binding.kind == "import" and len(binding.nodes) > 1:
            first, second = sorted(binding.nodes)[:2]
            yield finding(
                "HP101",
                f"`{binding.name}` is declared twice: it is imported and declared again",
                span=module.span(second),
                hint=f"Give one of the two another name. The first one is on line {module.span(first).line}.",
            )


def _var_clashes(module: Module) -> Iterator[Diagnostic]:
    """A `var`, also one inside a block, with the name of a `let`, class or function of the module's top level."""
    for binding in module.scopes.scopes[0].names.values():
        if binding.kind == "import" or len(binding.nodes) < 2:
            continue
        nodes = sorted(binding.nodes)
        kinds = [_is_var(module, node) for node in nodes]
        if any(kinds) and not all(kinds):
            second = nodes[kinds.index(not kinds[0])]
            yield finding(
                "HP101",
                f"`{binding.name}` is declared twice: as `var` and as something else",
                span=module.span(second),
                hint=f"Give one of the two another name. The first one is on line {module.span(nodes[0]).line}.",
            )


def _is_var(module: Module, node: int) -> bool:
    tree = module.tree
    owner = tree.parents[node]
    while tree.kind(owner) in _PATTERNS:
        owner = tree.parents[owner]
    if tree.kind(owner) == "for_in_statement":
        return tree.has_token(owner, "var")
    return tree.kind(owner) == "variable_declarator" and tree.kind(tree.parents[owner]) == "variable_declaration"


_PATTERNS = frozenset(
    {
        "object_pattern",
        "array_pattern",
        "pair_pattern",
        "rest_pattern",
        "assignment_pattern",
        "object_assignment_pattern",
    }
)


def _optional_news(module: Module) -> Iterator[Diagnostic]:
    tree = module.tree
    for node in tree.of_kind("new_expression"):
        at = tree.field(node, "constructor")
        while at is not None and tree.kind(at) in ("member_expression", "subscript_expression"):
            chain = next((child for child in tree.children(at) if tree.kind(child) == "optional_chain"), None)
            if chain is not None:
                yield finding(
                    "HP101",
                    "`?.` is not allowed behind `new`",
                    span=module.span(chain),
                    hint="Look whether it is there first, or write `new (a?.b)()`.",
                )
                break
            at = tree.field(at, "object")


def _deleted_private_names(module: Module) -> Iterator[Diagnostic]:
    tree = module.tree
    if b"#" not in tree.data:
        return
    for node in tree.of_kind("unary_expression"):
        at = tree.field(node, "argument")
        if at is None or not tree.has_token(node, "delete"):
            continue
        while tree.kind(at) == "parenthesized_expression" and (inside := list(tree.children(at))):
            at = inside[0]
        name = tree.field(at, "property")
        if name is not None and tree.kind(name) == "private_property_identifier":
            yield finding("HP101", f"`{tree.name(name)}` is private and cannot be deleted", span=module.span(name))


def _class_names(module: Module) -> Iterator[Diagnostic]:
    tree = module.tree
    for node in tree.of_kind("class", "class_declaration"):
        name = tree.field(node, "name")
        if name is not None and tree.name(name) in STRICT_NAMES:
            yield finding("HP101", f"a class cannot be called `{tree.name(name)}`", span=module.span(name))


def _rest_setters(module: Module) -> Iterator[Diagnostic]:
    tree = module.tree
    for node in tree.of_kind("method_definition"):
        if not _SETTER.match(tree.data, tree.starts[node]) or not tree.has_token(node, "set"):
            continue
        for parameter in module.scopes.parameters(node):
            if tree.kind(parameter) == "rest_pattern":
                yield finding("HP101", "a setter takes exactly one value, no rest", span=module.span(parameter))


def _shadowed_parameters(module: Module) -> Iterator[Diagnostic]:
    """A `let`, `const` or class of a function's own body with the name of a destructured parameter."""
    for binding in module.scopes.bindings:
        if binding.param is None or len(binding.nodes) < 2 or not binding.param[2]:
            continue
        tree = module.tree
        for node in binding.nodes[1:]:
            owner = tree.parents[node]
            while tree.kind(owner) in ("object_pattern", "array_pattern", "pair_pattern", "assignment_pattern"):
                owner = tree.parents[owner]
            declares = tree.kind(owner) == "variable_declarator" and tree.kind(tree.parents[owner]) in (
                "lexical_declaration",
                "using_declaration",
            )
            if declares or tree.kind(owner) == "class_declaration":
                yield finding(
                    "HP101",
                    f"`{binding.name}` is already declared as a parameter of this function",
                    span=module.span(node),
                    hint="Give one of the two another name.",
                )
                break


def _run_on_exports(module: Module) -> Iterator[Diagnostic]:
    """`export let [a] = 0 export …` on one line: two parsers invent the missing semicolon."""
    tree = module.tree
    previous = -1
    for node in tree.children(0):
        if previous >= 0 and tree.kind(node) == "export_statement" and tree.kind(previous) == "export_statement":
            end = tree.stops[previous]
            between = tree.data[end : tree.starts[node]]
            if tree.data[end - 1 : end] not in (b";", b"}") and not re.search(rb"[\r\n;]|\xe2\x80[\xa8\xa9]", between):
                yield finding("HP101", "missing `;` before `export`", span=module.span(node))
        previous = node
