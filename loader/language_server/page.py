"""One text as an editor counts it, and as our findings count it.

An editor ends lines at LF, CR and CRLF and counts in the units that it agreed on with us; findings end lines where
JavaScript does (U+2028 and U+2029 too), count UTF-16 units, and know no byte order mark. Everything is converted by way
of the index into the Python string.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Literal, TypeAlias

from lsprotocol.types import Position, Range

from loader.nouns import Span

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]

_MARK = "\ufeff"
_EDITOR_LINE_END = re.compile("\r\n|[\n\r]")
_LINE_END = re.compile("\r\n|[\n\r\u2028\u2029]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Page:
    """``text`` as the editor sent it. ``source`` is what is analysed: without a mark, half letters replaced."""

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self.text = text
        self._encoding = encoding
        self._mark = len(_MARK) if text.startswith(_MARK) else 0
        self.source = _LONE_SURROGATE.sub("\ufffd", text[self._mark :])
        self._lines = [0, *(end.end() for end in _EDITOR_LINE_END.finditer(text))]
        # The UTF-16 offset of each letter that takes two units: the k-th of them stands k units behind its index.
        self._astral = [found.start() + k for k, found in enumerate(_ASTRAL.finditer(text))]
        self._source_lines = [self._mark, *(end.end() for end in _LINE_END.finditer(text, self._mark))]

    # ------------------------------------------------------------ ours → the editor's

    def range(self, span: Span | None) -> Range:
        """A finding's place; the whole first line for one about the file."""
        if span is None:
            end = self._line_end(0)
            return Range(Position(0, 0), self.position(end))
        start = self._index_of_place(span.line, span.column)
        return Range(
            self.position(start), self.position(max(self._index_of_place(span.end_line, span.end_column), start))
        )

    def range_of_offsets(self, start: int, end: int) -> Range:
        """The place of an edit: UTF-16 offsets in the text without its mark."""
        return Range(self.position(self._index(start + self._mark)), self.position(self._index(end + self._mark)))

    def position(self, index: int) -> Position:
        line = bisect_right(self._lines, index) - 1
        return Position(line, self._units(self.text[self._lines[line] : index]))

    # ------------------------------------------------------------ the editor's → an index

    def index_at(self, position: Position) -> int:
        """The index of a position; one outside is moved to the nearest inside, as the protocol wants it."""
        if position.line >= len(self._lines):
            return len(self.text)
        start = self._lines[position.line]
        line = self.text[start : self._line_end(position.line)]
        if line.isascii() or self._encoding == "utf-32":
            return start + min(position.character, len(line))
        left = position.character
        for at, letter in enumerate(line):
            left -= self._units(letter)
            if left < 0:
                return start + at
        return start + len(line)

    # ------------------------------------------------------------ counting

    def _line_end(self, line: int) -> int:
        end = self._lines[line + 1] if line + 1 < len(self._lines) else len(self.text)
        return self._lines[line] + len(self.text[self._lines[line] : end].rstrip("\r\n"))

    def _units(self, text: str) -> int:
        if text.isascii() or self._encoding == "utf-32":
            return len(text)
        if self._encoding == "utf-16":
            return len(text) + sum(letter > "\uffff" for letter in text)
        return len(text.encode("utf-8", "surrogatepass"))

    def _index(self, offset: int) -> int:
        return min(max(offset - bisect_left(self._astral, offset), 0), len(self.text))

    def _index_of_place(self, line: int, column: int) -> int:
        start = self._source_lines[min(max(line, 1), len(self._source_lines)) - 1]
        return self._index(self._offset(start) + column - 1)

    def _offset(self, index: int) -> int:
        """The UTF-16 offset of an index: each two-unit letter before it counts one more."""
        low, high = 0, len(self._astral)
        while low < high:
            middle = (low + high) // 2
            if self._astral[middle] - middle < index:
                low = middle + 1
            else:
                high = middle
        return index + low
