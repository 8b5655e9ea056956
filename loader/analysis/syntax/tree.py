"""The parsed text as flat arrays in reading order, and a light handle on each node.

tree-sitter extracts, it does not judge (docs/analysis.md). Three of its habits shape this file:
queries on trees with errors are quadratic and deep trees make some of its calls linear in depth, so there is
no query and no ``parent`` call here, only one walk; rows count LF alone and columns are bytes, so places come
from our own tables; a lone CR ends no statement for it, so it is shown an LF in its place (same length).
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Iterator

import tree_sitter
import tree_sitter_javascript

from loader.analysis.syntax.literals import identifier_name, number_value, string_value, template_value
from loader.analysis.syntax.positions import Positions
from loader.nouns import Span

LANGUAGE = tree_sitter.Language(tree_sitter_javascript.language())
# The parser's number for what fits nowhere stands outside the grammar's own numbers.
_ERROR_KIND = 65535
KIND_NAMES: dict[int, str] = {i: LANGUAGE.node_kind_for_id(i) or "" for i in range(LANGUAGE.node_kind_count)}
KIND_NAMES[_ERROR_KIND] = "ERROR"
_IDS_OF_KIND: dict[str, tuple[int, ...]] = {}
for _id, _name in KIND_NAMES.items():
    _IDS_OF_KIND[_name] = (*_IDS_OF_KIND.get(_name, ()), _id)

# A real bundle of 1.5 MB has 260,000; beyond this the tree alone costs more memory than a worker may have.
NODE_LIMIT = 4_000_000
_CHUNK_BYTES = 1 << 16
_LONE_CR = re.compile(rb"\r(?!\n)")
_LEAVES = frozenset(
    kind
    for name in (
        "identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "statement_identifier",
        "string_fragment",
        "escape_sequence",
        "number",
        "comment",
        "html_comment",
        "regex_pattern",
        "regex_flags",
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
    for kind in _IDS_OF_KIND.get(name, ())
)
_COMMENTS = frozenset((*_IDS_OF_KIND["comment"], *_IDS_OF_KIND["html_comment"]))


class GaveUp(Exception):
    """The parse passed its bound; the message says which one (``time`` or ``memory``)."""


def kind_ids(*names: str) -> frozenset[int]:
    """The numbers of kinds; an unknown name raises KeyError, so that a new grammar cannot silently miss one."""
    return frozenset(kind for name in names for kind in _IDS_OF_KIND[name])


def parse_tree(text: str, *, deadline_s: float = 10.0, clock: Callable[[], float] = time.monotonic) -> Tree:
    """Parse a module's text (without its byte order mark). Never fails on bad syntax: see ``Tree.has_error``.

    :raises GaveUp: after ``deadline_s`` of wall time, or with more than ``NODE_LIMIT`` nodes.
    """
    data = text.encode("utf-8", "replace")
    shown = _LONE_CR.sub(b"\n", data) if b"\r" in data else data
    ends_at = clock() + deadline_s
    parser = tree_sitter.Parser(LANGUAGE)
    try:
        # Only a parse fed by a callback can be stopped; it is as fast as one fed with the whole buffer.
        parsed = parser.parse(
            lambda offset, _point: shown[offset : offset + _CHUNK_BYTES],
            progress_callback=lambda _offset, _error: clock() > ends_at,
        )
    except ValueError as stopped:
        raise GaveUp("time") from stopped
    if parsed.root_node.descendant_count > NODE_LIMIT:
        raise GaveUp("memory")
    return Tree(text, data, parsed)


class Tree:
    """All named nodes in reading order (a node stands before what is inside it), as parallel lists.

    ``nodes[i]`` is the parser's node, ``kinds[i]`` its kind's number, ``parents[i]`` its parent's index (-1 for the
    program), ``ends[i]`` the index just behind its last descendant.
    """

    __slots__ = ("_by_kind", "_parsed", "data", "ends", "has_error", "kinds", "nodes", "parents", "positions", "text")

    def __init__(self, text: str, data: bytes, parsed: tree_sitter.Tree) -> None:
        self.text = text
        self.data = data
        self.positions = Positions(data)
        self._parsed = parsed
        self.has_error = parsed.root_node.has_error
        self._by_kind: dict[int, list[int]] | None = None
        # Tens of thousands of live node objects make the collector scan them again and again: 45 % of the walk.
        collecting = gc.isenabled()
        gc.disable()
        try:
            self._walk(parsed.root_node)
        finally:
            if collecting:
                gc.enable()

    def _walk(self, root: tree_sitter.Node) -> None:
        nodes: list[tree_sitter.Node] = []
        parents: list[int] = []
        kinds: list[int] = []
        stack = [root]
        owners = [-1]
        while stack:
            node = stack.pop()
            owner = owners.pop()
            index = len(nodes)
            kind = node.kind_id
            nodes.append(node)
            parents.append(owner)
            kinds.append(kind)
            if kind not in _LEAVES:
                children = node.named_children
                if children:
                    children.reverse()
                    stack += children
                    owners += [index] * len(children)
        count = len(nodes)
        ends = [0] * count
        # Backwards, the first child seen of a node is its last one, and its end is the node's end.
        for index in range(count - 1, 0, -1):
            end = ends[index]
            if not end:
                ends[index] = end = index + 1
            owner = parents[index]
            if not ends[owner]:
                ends[owner] = end
        ends[0] = count
        self.nodes, self.parents, self.kinds, self.ends = nodes, parents, kinds, ends

    @property
    def raw_root(self) -> tree_sitter.Node:
        """The parser's own root, for what needs unnamed tokens and the places of errors."""
        return self._parsed.root_node

    def of_kind(self, *names: str) -> Iterator[int]:
        """Indices of all nodes of these kinds, in reading order."""
        if self._by_kind is None:
            self._by_kind = {}
            for index, kind in enumerate(self.kinds):
                self._by_kind.setdefault(kind, []).append(index)
        found = [self._by_kind[kind] for kind in kind_ids(*names) if kind in self._by_kind]
        return iter(found[0] if len(found) == 1 else sorted(index for some in found for index in some))

    def children(self, index: int) -> list[int]:
        """Named children in order, comments left out (they may stand anywhere)."""
        found = []
        child, end, ends, kinds = index + 1, self.ends[index], self.ends, self.kinds
        while child < end:
            if kinds[child] not in _COMMENTS:
                found.append(child)
            child = ends[child]
        return found

    def field(self, index: int, name: str) -> int | None:
        """The index of the named child under a grammar field."""
        wanted = self.nodes[index].child_by_field_name(name)
        if wanted is None:
            return None
        start, end = wanted.start_byte, wanted.end_byte
        child, stop = index + 1, self.ends[index]
        while child < stop:
            node = self.nodes[child]
            if node.start_byte == start and node.end_byte == end:
                return child
            child = self.ends[child]
        return None

    def token(self, index: int, name: str) -> str | None:
        """The text of the token under a grammar field (an operator, ``const`` of a loop)."""
        found = self.nodes[index].child_by_field_name(name)
        return None if found is None else self.data[found.start_byte : found.end_byte].decode("utf-8", "replace")

    def has_token(self, index: int, *tokens: str) -> bool:
        """Whether one of these unnamed tokens stands directly under the node (``async``, ``get``, ``*``)."""
        return any(child.type in tokens for child in self.nodes[index].children)

    def kind(self, index: int) -> str:
        return KIND_NAMES[self.kinds[index]]

    def raw(self, index: int) -> str:
        """The node's text as written."""
        node = self.nodes[index]
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

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
        node = self.nodes[index]
        return self.positions.span(node.start_byte, node.end_byte)

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

    def depths(self) -> list[int]:
        """How many levels each node stands below the program, unnamed wrappers not counted."""
        depths = [0] * len(self.parents)
        parents = self.parents
        for index in range(1, len(parents)):
            depths[index] = depths[parents[index]] + 1
        return depths

    def depth(self) -> int:
        """The deepest node's level."""
        return max(self.depths())

    def deepest(self) -> int:
        """The first of the deepest nodes."""
        depths = self.depths()
        return depths.index(max(depths))
