"""The parsed text as flat arrays in reading order, and a light handle on each node.

tree-sitter extracts, it does not judge (docs/analysis.md). Two of its habits shape this file:
queries on trees with errors are quadratic and deep trees make some of its calls linear in depth, so there is
no query and no ``parent`` call here, only one walk; rows count LF alone and columns are bytes, so places come
from our own tables.
"""

from __future__ import annotations

import gc
import re
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

import tree_sitter

from loader.analysis.syntax.literals import identifier_name, number_value, string_value, template_value
from loader.analysis.syntax.parsed import LANGUAGE, GaveUp, Parsed
from loader.nouns import Span

# The parser's number for what fits nowhere stands outside the grammar's own numbers.
_ERROR_ID = 65535
# The grammar has 114 named kinds under 265 numbers; numbered anew they fit into one byte, so that all nodes of some
# kinds are found by searching a string of bytes.
_NAME_OF_ID = {
    number: LANGUAGE.node_kind_for_id(number) or ""
    for number in range(LANGUAGE.node_kind_count)
    if LANGUAGE.node_kind_is_named(number)
}
KIND_NAMES: tuple[str, ...] = ("ERROR", *sorted(set(_NAME_OF_ID.values())))
_CODE_OF_NAME = {name: code for code, name in enumerate(KIND_NAMES)}
_CODE_OF_ID = {number: _CODE_OF_NAME[name] for number, name in _NAME_OF_ID.items()} | {_ERROR_ID: 0}

_OPERATOR = re.compile(rb"[!%&*+\-/<=>?^|~]{1,4}|typeof|void|delete|in|instanceof")
# Not looked into: nothing inside matters, or (strings, regular expressions) their text says it all.
_LEAVES = frozenset(
    _CODE_OF_NAME[name]
    for name in (
        "identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "statement_identifier",
        "string",
        "string_fragment",
        "escape_sequence",
        "number",
        "comment",
        "html_comment",
        "regex",
        "this",
        "super",
        "true",
        "false",
        "null",
        "undefined",
        "optional_chain",
        "import",
        "empty_statement",
    )
)
__all__ = [
    "COMMENTS",
    "KIND_NAMES",
    "GaveUp",
    "RawNodes",
    "Tree",
    "collector_paused",
    "kind_code",
    "kind_finder",
    "kind_ids",
]

COMMENTS = frozenset((_CODE_OF_NAME["comment"], _CODE_OF_NAME["html_comment"]))


@contextmanager
def collector_paused() -> Iterator[None]:
    """No cycle collection inside: it would scan tens of thousands of live nodes again and again (half of the time)."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def kind_code(node: tree_sitter.Node) -> int:
    """The number of a named node's kind (see ``KIND_NAMES``)."""
    return _CODE_OF_ID[node.kind_id]


def kind_ids(*names: str) -> frozenset[int]:
    """The numbers of kinds; an unknown name raises KeyError, so that a new grammar cannot silently miss one."""
    return frozenset(_CODE_OF_NAME[name] for name in names)


def kind_finder(names: Iterable[str]) -> re.Pattern[bytes]:
    """What finds the nodes of these kinds in ``Tree.kinds``."""
    return re.compile(b"[" + b"".join(re.escape(bytes((code,))) for code in sorted(kind_ids(*names))) + b"]")


class RawNodes:
    """The parser's nodes by index, found when they are asked for."""

    __slots__ = ("_tree",)

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __getitem__(self, index: int) -> tree_sitter.Node:
        return self._tree.raw_node(index)

    def __len__(self) -> int:
        return len(self._tree.kinds)


_finder = lru_cache(maxsize=256)(kind_finder)


class Tree:
    """All named nodes in reading order (a node stands before what is inside it), as parallel arrays.

    ``kinds[i]`` is the kind's number (see ``KIND_NAMES``), ``parents[i]`` the parent's index (-1 for the program),
    ``ends[i]`` the index just behind the last descendant, ``starts[i]`` and ``stops[i]`` the place in ``data`` (bytes).
    ``depth`` is how many levels the deepest node stands below the program, ``deepest`` the first such node.
    ``nodes[i]`` finds the parser's own node again, for the rare question that needs an unnamed token: kept for each
    node, those objects would make up most of the time and memory of an analysis.
    """

    __slots__ = (
        "_raw",
        "data",
        "deepest",
        "depth",
        "ends",
        "has_error",
        "kinds",
        "parents",
        "positions",
        "raw_root",
        "starts",
        "stops",
        "text",
    )

    def __init__(self, parsed: Parsed) -> None:
        self.text = parsed.text
        self.data = parsed.data
        self.positions = parsed.positions
        self.has_error = parsed.has_error
        self.raw_root = parsed.root
        """The parser's own root, for what needs unnamed tokens and the places of errors."""
        self._raw: dict[int, tree_sitter.Node] = {0: parsed.root}
        with collector_paused():
            self._walk(parsed.root)

    def _walk(self, root: tree_sitter.Node) -> None:
        """One pass over half-read lists of children: a list that is read to its end tells where its owner ends.

        Half of an analysis is spent in this loop, hence the bound methods and the plain loop over each list.
        """
        kinds = bytearray()
        parents, starts, stops = array("l"), array("L"), array("L")
        add_kind, add_parent, add_start, add_stop = kinds.append, parents.append, starts.append, stops.append
        ended: list[tuple[int, int]] = []
        outer: list[tuple[Iterator[tree_sitter.Node], int]] = []
        code_of, leaves = _CODE_OF_ID, _LEAVES
        siblings, owner = iter([root]), -1
        index = depth = deepest = 0
        while True:
            for node in siblings:
                kind = code_of[node.kind_id]
                add_kind(kind)
                add_parent(owner)
                add_start(node.start_byte)
                add_stop(node.end_byte)
                index += 1
                if kind not in leaves:
                    children = node.named_children
                    if children:
                        outer.append((siblings, owner))
                        siblings, owner = iter(children), index - 1
                        if len(outer) > depth:
                            depth, deepest = len(outer), index
                        break
            else:
                if not outer:
                    break
                ended.append((owner, index))
                siblings, owner = outer.pop()
        ends = array("l", range(1, index + 1))
        for owner, end in ended:
            ends[owner] = end
        self.kinds, self.parents, self.ends, self.starts, self.stops = bytes(kinds), parents, ends, starts, stops
        self.depth, self.deepest = depth, deepest

    @property
    def nodes(self) -> RawNodes:
        # Made anew each time: kept, it and the tree would hold each other.
        return RawNodes(self)

    def raw_node(self, index: int) -> tree_sitter.Node:
        """The parser's node, found again by its place; of several at one place the one of the right kind."""
        found = self._raw.get(index)
        if found is None:
            start, stop = self.starts[index], self.stops[index]
            found = self.raw_root.named_descendant_for_byte_range(start, stop)
            while found is not None and (
                _CODE_OF_ID[found.kind_id] != self.kinds[index] or found.byte_range != (start, stop)
            ):
                found = found.parent
            if found is None:
                found = self._by_position(index)
            self._raw[index] = found
        return found

    def _by_position(self, index: int) -> tree_sitter.Node:
        """Down from the program by counting children: for nodes without a width, which no place tells apart."""
        way = []
        while index:
            way.append(index)
            index = self.parents[index]
        found = self.raw_root
        for step in reversed(way):
            position, child = 0, index + 1
            while child < step:
                position += 1
                child = self.ends[child]
            found = found.named_children[position]
            index = step
        return found

    def of_kind(self, *names: str) -> Iterator[int]:
        """Indices of all nodes of these kinds, in reading order."""
        return self.found_by(_finder(names))

    def found_by(self, finder: re.Pattern[bytes]) -> Iterator[int]:
        """Indices of all nodes that a ``kind_finder`` finds, in reading order."""
        return (match.start() for match in finder.finditer(self.kinds))

    def children(self, index: int) -> list[int]:
        """Named children in order, comments left out (they may stand anywhere)."""
        found = []
        child, end, ends, kinds = index + 1, self.ends[index], self.ends, self.kinds
        while child < end:
            if kinds[child] not in COMMENTS:
                found.append(child)
            child = ends[child]
        return found

    def field(self, index: int, name: str) -> int | None:
        """The index of the named child under a grammar field."""
        wanted = self.raw_node(index).child_by_field_name(name)
        if wanted is None:
            return None
        start, end = wanted.byte_range
        child, stop, starts, stops, ends = index + 1, self.ends[index], self.starts, self.stops, self.ends
        while child < stop:
            if starts[child] == start and stops[child] == end:
                return child
            child = ends[child]
        return None

    def token(self, index: int, name: str) -> str | None:
        """The text of the token under a grammar field (an operator, ``const`` of a loop)."""
        if name == "operator":
            written = self._operator(index)
            if written is not None:
                return written
        found = self.raw_node(index).child_by_field_name(name)
        return None if found is None else self.data[found.start_byte : found.end_byte].decode("utf-8", "replace")

    def _operator(self, index: int) -> str | None:
        """An operator read off the gap around its operands: asked so often that finding the node would show."""
        first = index + 1
        if first >= self.ends[index]:
            return None
        start, stop = self.starts[index], self.starts[first]
        if start == stop:
            second = self.ends[first]
            start = self.stops[first]
            stop = self.starts[second] if second < self.ends[index] else self.stops[index]
        gap = self.data[start:stop].strip()
        # Comments may stand there too, and a name may be `typeof` written close to a bracket.
        return gap.decode() if gap and gap.isascii() and _OPERATOR.fullmatch(gap) else None

    def has_token(self, index: int, *tokens: str) -> bool:
        """Whether one of these unnamed tokens stands directly under the node (``async``, ``get``, ``*``)."""
        return any(child.type in tokens for child in self.raw_node(index).children)

    def kind(self, index: int) -> str:
        return KIND_NAMES[self.kinds[index]]

    def raw(self, index: int) -> str:
        """The node's text as written."""
        return self.data[self.starts[index] : self.stops[index]].decode("utf-8", "replace")

    def name(self, index: int) -> str:
        """An identifier's name, escapes decoded."""
        return identifier_name(self.raw(index))

    def unwrapped(self, index: int) -> int:
        """The expression inside any number of parentheses."""
        while self.kind(index) == "parenthesized_expression":
            inside = self.children(index)
            if len(inside) != 1:
                break
            index = inside[0]
        return index

    def span(self, index: int) -> Span:
        return self.positions.span(self.starts[index], self.stops[index])

    def literal(self, index: int) -> str | None:
        """The value of a string literal or of a template without substitutions."""
        index = self.unwrapped(index)
        kind = self.kind(index)
        if kind == "string":
            return string_value(self.raw(index))
        if kind == "template_string" and all(
            self.kind(child) != "template_substitution" for child in self.children(index)
        ):
            return template_value(self.raw(index))
        return None

    def number(self, index: int) -> int | float | None:
        """The value of a numeric literal, with its sign."""
        index = self.unwrapped(index)
        kind = self.kind(index)
        if kind == "number":
            return number_value(self.raw(index))
        if kind == "unary_expression" and self.token(index, "operator") in ("-", "+"):
            inside = self.children(index)
            value = number_value(self.raw(inside[0])) if inside and self.kind(inside[0]) == "number" else None
            return None if value is None else -value if self.token(index, "operator") == "-" else value
        return None
