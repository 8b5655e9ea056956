"""Where things stand: UTF-8 bytes (what the parser counts) to UTF-16 units, lines and columns (what people see).

Lines end with LF, CR, CRLF, U+2028 or U+2029, as in the language's own definition. Lines and columns count
from 1, offsets from 0; columns and offsets are UTF-16 code units.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from loader.nouns import Span

_LINE_END = re.compile(rb"\r\n|\n|\r|\xe2\x80[\xa8\xa9]")
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_FOUR_BYTE_LEADS = bytes(range(0xF0, 0xF5))
# One checkpoint each so many bytes bounds the work of a look-up on one enormous line.
_STRIDE_BYTES = 1024


def _units(chunk: bytes) -> int:
    """UTF-16 units whose first byte lies in the chunk (a code point above U+FFFF counts two)."""
    if chunk.isascii():
        return len(chunk)
    starts = len(chunk.translate(None, _CONTINUATION_BYTES))
    return starts + len(chunk) - len(chunk.translate(None, _FOUR_BYTE_LEADS))


class Positions:
    """The tables of one text, made once. ``data`` is its UTF-8."""

    __slots__ = ("_ascii", "_checkpoints", "_line_starts", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._ascii = data.isascii()
        self._line_starts = [0, *(match.end() for match in _LINE_END.finditer(data))]
        self._checkpoints: list[int] = []
        if not self._ascii:
            total = 0
            for start in range(0, len(data), _STRIDE_BYTES):
                self._checkpoints.append(total)
                total += _units(data[start : start + _STRIDE_BYTES])

    @property
    def line_count(self) -> int:
        return len(self._line_starts)

    def offset(self, byte: int) -> int:
        """The UTF-16 offset of a byte offset."""
        if self._ascii or not self._checkpoints:
            return byte
        index = min(byte // _STRIDE_BYTES, len(self._checkpoints) - 1)
        return self._checkpoints[index] + _units(self.data[index * _STRIDE_BYTES : byte])

    def place(self, byte: int) -> tuple[int, int]:
        """Line and column of a byte offset."""
        line = bisect_right(self._line_starts, byte)
        start = self._line_starts[line - 1]
        if self._ascii:
            return line, byte - start + 1
        return line, self.offset(byte) - self.offset(start) + 1

    def span(self, start_byte: int, end_byte: int) -> Span:
        return Span(*self.place(start_byte), *self.place(end_byte))

    def byte_of_character(self, index: int) -> int:
        """The byte offset of a code point's index (what parsers written in Python count)."""
        if self._ascii:
            return min(index, len(self.data))
        seen = 0
        for start in range(0, len(self.data), _STRIDE_BYTES):
            chunk = self.data[start : start + _STRIDE_BYTES]
            count = len(chunk.translate(None, _CONTINUATION_BYTES))
            if seen + count > index:
                for at, byte in enumerate(chunk):
                    if not 0x80 <= byte < 0xC0:
                        if seen == index:
                            return start + at
                        seen += 1
            seen += count
        return len(self.data)

    def byte_of_place(self, line: int, column: int) -> int:
        """The byte offset of a 1-based line and UTF-16 column; a place outside is moved to the nearest inside."""
        if line < 1:
            return 0
        if line > len(self._line_starts):
            return len(self.data)
        at = self._line_starts[line - 1]
        end = self.line_end(line)
        wanted = max(column, 1) - 1
        if self._ascii:
            return min(at + wanted, end)
        while wanted > 0 and at < end:
            lead = self.data[at]
            at += 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            wanted -= 2 if lead >= 0xF0 else 1
        return min(at, end)

    def line_start(self, line: int) -> int:
        """The byte offset at which a 1-based line begins."""
        return self._line_starts[min(max(line, 1), len(self._line_starts)) - 1]

    def line_end(self, line: int) -> int:
        """The byte offset just before the line's terminator."""
        if line >= len(self._line_starts):
            return len(self.data)
        end = self._line_starts[line]
        for terminator in (b"\r\n", b"\n", b"\r", b"\xe2\x80\xa8", b"\xe2\x80\xa9"):
            if self.data.endswith(terminator, 0, end):
                return end - len(terminator)
        return end

    def line_text(self, line: int) -> str:
        """The text of a 1-based line without its terminator."""
        return self.data[self.line_start(line) : self.line_end(line)].decode("utf-8", "replace")

    def text_of(self, span: Span, *, limit_bytes: int) -> str:
        """The text of a span, cut at ``limit_bytes``."""
        start = self.byte_of_place(span.line, span.column)
        end = min(self.byte_of_place(span.end_line, span.end_column), start + limit_bytes)
        return self.data[start:end].decode("utf-8", "replace")
