"""Fixes applied to a text: which of them go together, and what comes of it. Pure.

Offsets are UTF-16 units, as everywhere; the work is done on UTF-16 bytes, where an offset is a place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise

from loader.nouns import Edit, Fix, Span

# The line ends of JavaScript, as everything else here counts them.
_LINE_END = re.compile("\r\n|[\n\r\u2028\u2029]")


def with_fixes(text: str, fixes: Iterable[Fix]) -> tuple[str, tuple[Fix, ...]]:
    """The text with as many of the fixes as go together, earlier ones first, and those that were taken.

    A fix is taken whole or not at all. One that would touch what another one changes waits: whoever asks checks the
    new text and comes again. The same change asked for by several findings is made once and counts for each.
    """
    data = text.encode("utf-16-le", "surrogatepass")
    taken: list[Fix] = []
    edits: list[Edit] = []
    made: set[tuple[Edit, ...]] = set()
    for fix in fixes:
        wanted = tuple(sorted(fix.edits, key=lambda edit: (edit.start, edit.end)))
        if wanted in made:
            taken.append(fix)
        elif wanted and _is_possible(data, wanted) and not any(_clash(one, other) for one in wanted for other in edits):
            taken.append(fix)
            made.add(wanted)
            edits += wanted
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        data = data[: 2 * edit.start] + edit.text.encode("utf-16-le", "surrogatepass") + data[2 * edit.end :]
    return data.decode("utf-16-le", "surrogatepass"), tuple(taken)


def _is_possible(data: bytes, edits: tuple[Edit, ...]) -> bool:
    ordered = all(one.end <= other.start for one, other in pairwise(edits))
    return ordered and all(
        0 <= edit.start <= edit.end <= len(data) // 2
        and not _in_pair(data, edit.start)
        and not _in_pair(data, edit.end)
        for edit in edits
    )


def _in_pair(data: bytes, offset: int) -> bool:
    """Whether an offset stands between the two halves of one letter."""
    before, behind = data[2 * offset - 1 : 2 * offset], data[2 * offset + 1 : 2 * offset + 2]
    return offset > 0 and b"\xd8" <= before <= b"\xdb" and b"\xdc" <= behind <= b"\xdf"


def _clash(one: Edit, other: Edit) -> bool:
    if one.start == one.end or other.start == other.end:
        # What is inserted at the edge of another change may depend on what stood there.
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


class Places:
    """Lines and columns of UTF-16 offsets in one text: for formats that know no offsets."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        units = at = 0
        for end in _LINE_END.finditer(text):
            units += len(text[at : end.end()].encode("utf-16-le", "surrogatepass")) // 2
            at = end.end()
            self._starts.append(units)

    def span(self, start: int, end: int) -> Span:
        return Span(*self._place(start), *self._place(end))

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
