"""The parser's own tree of a text, before anybody has walked it.

tree-sitter extracts, it does not judge (docs/analysis.md). A lone CR ends no statement for it, and U+2028 no hashbang
line, so it is shown an LF in their place (same length). Walking its nodes in Python takes longer than the parse; what
needs only a few of them asks here, everything else asks the `Tree` that is made of it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cached_property

import tree_sitter
import tree_sitter_javascript

from loader.analysis.syntax.positions import Positions

LANGUAGE = tree_sitter.Language(tree_sitter_javascript.language())
# A real bundle of 1.5 MB has 260,000; beyond this the tree alone costs more memory than a worker may have.
NODE_LIMIT = 4_000_000
_CHUNK_BYTES = 1 << 16
_LONE_CR = re.compile(rb"\r(?!\n)")
_HASHBANG = re.compile(rb"#![^\r\n]*?(?:[\r\n]|(?P<separator>\xe2\x80[\xa8\xa9]))")


class GaveUp(Exception):
    """The parse passed its bound; the message says which one (``time`` or ``memory``)."""


class Parsed:
    """``data`` is the text's UTF-8; all places are bytes in it."""

    def __init__(self, text: str, data: bytes, tree: tree_sitter.Tree) -> None:
        self.text = text
        self.data = data
        self._tree = tree
        self.root = tree.root_node
        self.has_error = self.root.has_error

    @cached_property
    def positions(self) -> Positions:
        return Positions(self.data)

    def around(self, start: int, stop: int) -> tree_sitter.Node | None:
        """The smallest named node that covers these bytes."""
        return self.root.named_descendant_for_byte_range(start, stop)

    def is_deeper_than(self, levels: int) -> bool:
        """Whether some node, unnamed ones counted, stands more than so many levels below the program.

        In reading order the next node is at most one level deeper: from one at level d, so many as are missing to the
        limit can be skipped. A bundle of 650,000 nodes takes 1,800 looks.
        """
        cursor = self._tree.walk()
        count = self.root.descendant_count
        at = 0
        while at < count:
            cursor.goto_descendant(at)
            if cursor.depth > levels:
                return True
            at += levels + 1 - cursor.depth
        return False


def parse_text(text: str, *, deadline_s: float = 10.0, clock: Callable[[], float] = time.monotonic) -> Parsed:
    """Parse a module's text (without its byte order mark). Never fails on bad syntax: see ``Parsed.has_error``.

    :raises GaveUp: after ``deadline_s`` of wall time, or with more than ``NODE_LIMIT`` nodes.
    """
    data = text.encode("utf-8", "replace")
    shown = _LONE_CR.sub(b"\n", data) if b"\r" in data else data
    if (hashbang := _HASHBANG.match(shown)) is not None and hashbang["separator"]:
        at = hashbang.start("separator")
        shown = shown[:at] + b"\n  " + shown[at + 3 :]
    ends_at = clock() + deadline_s
    parser = tree_sitter.Parser(LANGUAGE)
    try:
        # Only a parse fed by a callback can be stopped; it is as fast as one fed with the whole buffer.
        tree = parser.parse(
            lambda offset, _point: shown[offset : offset + _CHUNK_BYTES],
            progress_callback=lambda _offset, _error: clock() > ends_at,
        )
    except ValueError as stopped:
        raise GaveUp("time") from stopped
    if tree.root_node.descendant_count > NODE_LIMIT:
        raise GaveUp("memory")
    return Parsed(text, data, tree)
