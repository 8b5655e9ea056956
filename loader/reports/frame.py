"""The code frame: the line of a finding with its neighbours and a caret under the very letters it means.

Findings count columns in UTF-16 units; a terminal draws cells. Between the two stand letters outside the basic
plane (two units), wide letters (two cells), combining marks (no cell), tabs, and unsafe letters that we show as
escapes. A line wider than the frame (a bundle is often one line) is shown as the stretch around the caret.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich.cells import cell_len

from loader.nouns import Span
from loader.reports.safe import escaped, is_unsafe

TAB_CELLS = 4
# The line ends of JavaScript: the app's engine counts lines by them, so the parsers do too.
_LINE_END = re.compile("\r\n|[\n\r\u2028\u2029]")
_MARK = "^"


class Lines:
    """The lines of one text, cut once however many findings point into it."""

    def __init__(self, text: str) -> None:
        self._lines = _LINE_END.split(text)

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, number: int) -> str | None:
        """The line with that 1-based number, without its end; None outside the text."""
        return self._lines[number - 1] if 0 < number <= len(self._lines) else None


@dataclass(frozen=True, slots=True)
class FrameLine:
    """One drawn line: ``number`` is None under the code, where the caret stands in ``text``."""

    number: int | None
    text: str


def letters_before(line: str, column: int) -> int:
    """How many letters of ``line`` stand before a 1-based UTF-16 ``column``, at most all of them.

    A column in the middle of a surrogate pair means the letter that the pair makes.
    """
    units = max(column - 1, 0)
    if line.isascii():
        return min(units, len(line))
    encoded = line.encode("utf-16-le", "surrogatepass")
    before = encoded[: 2 * units]
    in_pair = before[-1:] >= b"\xd8" and before[-1:] <= b"\xdb" and encoded[2 * units + 1 :][:1] >= b"\xdc"
    return len(before[: len(before) - 2 * in_pair].decode("utf-16-le", "surrogatepass"))


def code_frame(lines: Lines, span: Span, *, width: int, context: int = 1) -> tuple[FrameLine, ...]:
    """The frame of ``span``: up to ``context`` lines before and behind, the line itself, the caret line under it.

    ``width`` is the room in cells for code, without the gutter. Empty when the span is outside the text. A span of
    several lines is underlined to the end of its first.
    """
    line = lines.line(span.line)
    if line is None:
        return ()
    start = letters_before(line, span.column)
    end = letters_before(line, span.end_column) if span.end_line == span.line else len(line)
    shown, lead, marks = _stretch(line, start, max(end, start), width)
    frame = []
    for number in range(span.line - context, span.line + context + 1):
        if number == span.line:
            frame.append(FrameLine(number, shown))
            frame.append(FrameLine(None, " " * lead + _MARK * marks))
            continue
        neighbour = lines.line(number)
        if neighbour is not None and neighbour.strip():
            frame.append(FrameLine(number, _stretch(neighbour, 0, 0, width)[0]))
    return tuple(frame)


def _stretch(line: str, start: int, end: int, width: int) -> tuple[str, int, int]:
    """What of ``line`` fits into ``width`` cells around ``start``: the text, the cells before the caret, the carets."""
    # Only so many letters are looked at: a bundle's one line may be megabytes, and a flood of marks takes no cells.
    low, high = max(start - 2 * width, 0), min(start + 2 * width, len(line))
    drawn = _drawn(line[low:high])
    cells = [cell_len(piece) for piece in drawn]
    at = start - low
    first, last = 0, len(drawn)
    # A caret behind the last letter needs a cell of its own.
    if low > 0 or high < len(line) or sum(cells) + (at == len(drawn)) > width:
        first, room = at, width // 3
        while first > 0 and cells[first - 1] <= room:
            first -= 1
            room -= cells[first]
        last, room = at, width - 2 - sum(cells[first:at])
        while last < len(drawn) and cells[last] <= room:
            room -= cells[last]
            last += 1
    head = "…" if low + first > 0 else ""
    tail = "…" if low + last < len(line) else ""
    marks = sum(cells[at : min(end - low, last)])
    return head + "".join(drawn[first:last]) + tail, len(head) + sum(cells[first:at]), max(marks, 1)


def _drawn(text: str) -> list[str]:
    """Each letter as it is shown: a tab as the spaces to its stop, an unsafe letter as its escape."""
    drawn: list[str] = []
    at = 0
    for letter in text:
        if letter == "\t":
            piece = " " * (TAB_CELLS - at % TAB_CELLS)
        else:
            piece = escaped(letter) if is_unsafe(letter) else letter
        drawn.append(piece)
        at += cell_len(piece)
    return drawn
