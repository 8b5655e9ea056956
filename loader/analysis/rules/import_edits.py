"""Edits of import statements: one name more, one name less. Shared by the rules that offer them as fixes."""

from __future__ import annotations

import re

from loader.analysis.rules.names import short
from loader.analysis.syntax import ImportedName, Module, ModuleRequest
from loader.nouns import Edit, Fix

_GOES_ON = tuple(bytes([byte]) for byte in b"([`+-*/,.<>=&|^%?")
_SILENCES_A_LINE = re.compile(r"//\s*hermes-ignore\s|/\*\s*hermes-ignore\s", re.IGNORECASE)
# So far a line is looked at for what stands behind a statement.
_LINE_LOOK = 200


def adding(module: Module, specifier: str, name: str) -> Fix:
    """The edit that imports a name: into a list that the file has, else as a line of its own."""
    tree = module.tree
    offset = tree.positions.offset
    title = f"Import `{name}` from `{specifier}`"
    for request in module.record.static:
        if request.kind != "static" or request.specifier != specifier:
            continue
        named = _named_list(module, request)
        if named is not None:
            inside = tree.children(named)
            if inside:
                at = offset(tree.stops[inside[-1]])
                return Fix(title, (Edit(at, at, f", {name}"),))
            at = offset(tree.starts[named]) + 1
            return Fix(title, (Edit(at, at, f" {name} "),))
        if len(request.names) == 1 and request.names[0].imported == "default":
            at = offset(tree.stops[request.names[0].node])
            return Fix(title, (Edit(at, at, f", {{ {name} }}"),))
    return Fix(title, (_new_line(module, f"import {{ {name} }} from '{specifier}'"),))


def adding_namespace(module: Module, specifier: str, name: str) -> Fix:
    """The edit that imports a whole module under a name."""
    return Fix(f"Import `{specifier}` as `{name}`", (_new_line(module, f"import * as {name} from '{specifier}'"),))


def removing(module: Module, request: ModuleRequest, unused: ImportedName, all_unused: frozenset[int]) -> Fix | None:
    """The edit that takes one name out of an import, and the whole statement once nothing of it is used.

    ``all_unused`` are the nodes of every unused name: the edits of several findings of one statement never overlap,
    so that they can be applied together. None where a comment would go too (it may be about what stays), or where the
    statements around would run together.
    """
    title = f"Remove the import of `{short(unused.local or unused.imported)}`"
    tree = module.tree
    if all(name.node in all_unused for name in request.names):
        first, last = _statement_range(module, request.statement)
        if _runs_together(tree.data, first, last):
            return None
    else:
        first, last = _name_range(module, request, unused, all_unused)
    if any(first <= tree.starts[comment.node] < last for comment in module.comments):
        return None
    offset = tree.positions.offset
    return Fix(title, (Edit(offset(first), offset(last), ""),))


def _name_range(
    module: Module, request: ModuleRequest, unused: ImportedName, all_unused: frozenset[int]
) -> tuple[int, int]:
    """The bytes to cut so that one name goes, with the comma that belongs to it."""
    tree = module.tree
    clause = next(child for child in tree.children(request.statement) if tree.kind(child) == "import_clause")
    parts = tree.children(clause)
    part = next(part for part in parts if module.is_inside(unused.node, part))
    named = _named_list(module, request)
    if part == named:
        specifiers = tree.children(named)
        kept = [one for one in specifiers if not any(module.is_inside(node, one) for node in all_unused)]
        if kept:
            own = next(one for one in specifiers if module.is_inside(unused.node, one))
            start, end = _without_item(specifiers, own, specifiers.index(kept[-1]))
            first = tree.stops[start[0]] if start[1] else tree.starts[start[0]]
            return first, tree.stops[end[0]] if end[1] else tree.starts[end[0]]
    # The part goes as a whole, with the comma between it and the other one.
    if part == parts[0]:
        return tree.starts[part], tree.starts[parts[1]]
    return tree.stops[parts[0]], tree.stops[part]


def _without_item(items: list[int], own: int, last_kept: int) -> tuple[tuple[int, bool], tuple[int, bool]]:
    """From where to where a list loses an item: (node, from its end), (node, to its end)."""
    position = items.index(own)
    if position < last_kept:
        return (own, False), (items[position + 1], False)
    return (items[position - 1], True), (own, True)


def _named_list(module: Module, request: ModuleRequest) -> int | None:
    tree = module.tree
    for clause in tree.children(request.statement):
        if tree.kind(clause) == "import_clause":
            for part in tree.children(clause):
                if tree.kind(part) == "named_imports":
                    return part
    return None


def _statement_range(module: Module, statement: int) -> tuple[int, int]:
    """The bytes of a statement, and of its line where nothing else stands on it."""
    data = module.tree.data
    start, end = module.tree.starts[statement], module.tree.stops[statement]
    while end < len(data) and data[end : end + 1] in (b" ", b"\t"):
        end += 1
    alone = start == 0 or data[start - 1 : start] in (b"\n", b"\r")
    if alone and data[end : end + 2] == b"\r\n":
        end += 2
    elif alone and data[end : end + 1] in (b"\n", b"\r"):
        end += 1
    else:
        end = module.tree.stops[statement]
    return start, end


def _runs_together(data: bytes, start: int, end: int) -> bool:
    """Whether the statement before, without a semicolon, would go on with what follows: ``a`` and ``(b)()``."""
    before, behind = data[:start].rstrip()[-1:], data[end:].lstrip()[:1]
    return before not in (b"", b";") and behind in _GOES_ON


def _new_line(module: Module, text: str) -> Edit:
    """A statement on a line of its own, in the file's own style: behind the first import, else above the first
    statement and the comments that silence a finding in it."""
    tree = module.tree
    data = tree.data
    newline = "\r\n" if b"\r\n" in data else "\n"
    for request in module.record.static:
        if request.kind == "static":
            end = tree.stops[request.statement]
            if data[tree.starts[request.node] : tree.starts[request.node] + 1] == b'"':
                text = text.replace("'", '"')
            ends_line = data[end : end + _LINE_LOOK].lstrip(b" \t")[:1] in (b"", b"\r", b"\n", b"/")
            semicolon = ";" if data[end - 1 : end] == b";" or not ends_line else ""
            at = tree.positions.offset(end)
            return Edit(at, at, f"{newline}{text}{semicolon}")
    statements = [node for node in tree.children(0) if tree.kind(node) != "hash_bang_line"]
    byte = tree.starts[statements[0]] if statements else 0
    for comment in reversed(module.comments):
        start, end = tree.starts[comment.node], tree.stops[comment.node]
        if end <= byte and not data[end:byte].strip() and _SILENCES_A_LINE.match(comment.text):
            byte = start
    at = tree.positions.offset(byte)
    return Edit(at, at, f"{text}{newline}")
