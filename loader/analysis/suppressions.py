"""``// hermes-ignore HP502: reason`` and ``// hermes-ignore-file HP502: reason``, from real comments only.

A comment behind code excuses its own line, one that stands alone excuses the next line with code. The form for
the whole file counts only above the first statement; further down it excuses nothing and so shows as unused.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from loader.analysis.syntax import Module
from loader.nouns import Suppression

_FORM = re.compile(
    r"^(?://|/\*)\s*hermes-ignore(?P<file>-file)?\s+(?P<codes>HP\d{3}(?:\s*,\s*HP\d{3})*)\s*(?::\s*(?P<reason>[^\r\n]*?))?\s*(?:\*/)?$",
    re.IGNORECASE,
)
_LENGTH_LIMIT = 2_000


def read_suppressions(module: Module) -> tuple[Suppression, ...]:
    """All suppression comments in order; a missing reason is the empty string."""
    if "hermes-ignore" not in module.text.lower():
        return ()
    tree = module.tree
    top = [node for node in tree.children(0) if tree.kind(node) != "hash_bang_line"]
    first_code = tree.starts[top[0]] if top else len(tree.data)
    comment_starts = [tree.starts[comment.node] for comment in module.comments]
    found = []
    for comment in module.comments:
        # The pattern looks back over white space: a comment longer than any honest reason is not tried.
        match = _FORM.match(comment.text) if len(comment.text) <= _LENGTH_LIMIT else None
        if match is None:
            continue
        node = tree.nodes[comment.node]
        codes = tuple(code.strip().upper() for code in match["codes"].split(","))
        line: int | None = comment.span.line
        if match["file"]:
            line = None if node.start_byte <= first_code else comment.span.line
        elif not _behind_code(module, node.start_byte):
            line = _next_code_line(module, node.end_byte, comment_starts)
        found.append(Suppression(codes, line, (match["reason"] or "").strip(), comment.span))
    return tuple(found)


def _behind_code(module: Module, start: int) -> bool:
    positions = module.tree.positions
    line = positions.place(start)[0]
    return bool(module.tree.data[positions.line_start(line) : start].strip())


def _next_code_line(module: Module, end: int, comment_starts: list[int]) -> int:
    """The line of the first token behind a comment, further comments stepped over."""
    tree = module.tree
    data = tree.data
    by_start = {tree.starts[comment.node]: tree.stops[comment.node] for comment in module.comments}
    while True:
        while end < len(data) and data[end : end + 1].isspace():
            end += 1
        index = bisect_left(comment_starts, end)
        if index < len(comment_starts) and comment_starts[index] == end:
            end = by_start[end]
            continue
        return tree.positions.place(min(end, max(len(data) - 1, 0)))[0]
