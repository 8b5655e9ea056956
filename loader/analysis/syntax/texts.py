"""What an expression surely is, or may be: the text it begins with, a number, one of several alternatives."""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.syntax.literals import cooked
from loader.analysis.syntax.module import Module, Node

# A text that a person wrote has few parts; the bounds keep doubling constants (`b = a + a`) from growing for ever.
_PIECES_LIMIT = 64
_HOPS_LIMIT = 8


def pieces(module: Module, node: Node) -> tuple[str | None, ...]:
    """The parts of a text in order, None for each that cannot be known; what is no text is one None."""
    tree = module.tree
    found: list[str | None] = []
    waiting: list[tuple[Node | str, int]] = [(node, _HOPS_LIMIT)]
    while waiting:
        if len(found) + len(waiting) > _PIECES_LIMIT:
            return (*found, None)
        part, hops = waiting.pop()
        if isinstance(part, str):
            found.append(part)
            continue
        part = tree.unwrapped(part)
        whole = tree.literal(part)
        if whole is not None:
            found.append(whole)
        elif tree.kind(part) == "template_string":
            waiting += [(one, hops) for one in reversed(_template_parts(module, part))]
        elif tree.kind(part) == "binary_expression" and tree.token(part, "operator") == "+":
            waiting += [(one, hops) for one in reversed(tree.children(part)[:2])]
        else:
            source = constant(module, part) if hops > 0 else None
            if source is None:
                found.append(None)
            else:
                waiting.append((source, hops - 1))
    return tuple(found)


def leading_text(module: Module, node: Node) -> str:
    """The text that an expression surely begins with: ``https://a.example/`` of ```${BASE}/${id}```; else empty."""
    known = []
    for piece in pieces(module, node):
        if piece is None:
            break
        known.append(piece)
    return "".join(known)


def known_text(module: Module, node: Node) -> str | None:
    """The whole text of an expression, None when a part of it cannot be known."""
    parts = pieces(module, node)
    known = [piece for piece in parts if piece is not None]
    return "".join(known) if len(known) == len(parts) else None


def alternatives(module: Module, node: Node) -> Iterator[Node]:
    """The expressions of which an expression is one: both sides of ``a ? b : c``, ``b || c``, ``b ?? c``."""
    tree = module.tree
    waiting = [node]
    seen = 0
    while waiting and seen < _PIECES_LIMIT:
        seen += 1
        at = tree.unwrapped(waiting.pop())
        kind = tree.kind(at)
        if kind == "ternary_expression":
            waiting += reversed(tree.children(at)[1:])
        elif kind == "binary_expression" and tree.token(at, "operator") in ("||", "??"):
            waiting += reversed(tree.children(at))
        else:
            yield at


def constant(module: Module, node: Node) -> Node | None:
    """The one expression that a name stands for, None for anything else."""
    if module.tree.kind(node) not in ("identifier", "shorthand_property_identifier"):
        return None
    binding = module.binding(node)
    if binding is None or binding.imported is not None or binding.param is not None:
        return None
    write = module.resolver.only_write(binding)
    return write.value if write is not None and write.route == () else None


def known_number(module: Module, node: Node, hops: int = _HOPS_LIMIT) -> float | None:
    """The value of a number, a constant that holds one, or a product of both (``5 * MINUTE_MS``)."""
    tree = module.tree
    node = tree.unwrapped(node)
    value = tree.number(node)
    if value is not None or hops <= 0:
        return value
    if tree.kind(node) == "binary_expression" and tree.token(node, "operator") == "*":
        factors = [known_number(module, one, hops - 1) for one in tree.children(node)[:2]]
        if len(factors) == 2 and factors[0] is not None and factors[1] is not None:
            return factors[0] * factors[1]
        return None
    source = constant(module, node)
    return None if source is None else known_number(module, source, hops - 1)


def _template_parts(module: Module, node: Node) -> list[Node | str]:
    tree = module.tree
    data = tree.data
    at, end = tree.starts[node] + 1, tree.stops[node] - 1
    parts: list[Node | str] = []
    for child in tree.children(node):
        if tree.kind(child) != "template_substitution":
            continue
        parts.append(cooked(data[at : tree.starts[child]].decode("utf-8", "replace")))
        parts += tree.children(child)[:1]
        at = tree.stops[child]
    parts.append(cooked(data[at:end].decode("utf-8", "replace")))
    return [part for part in parts if part != ""]
