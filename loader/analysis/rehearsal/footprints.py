"""Which statement of a module was under way when its evaluation failed or stood still.

The engine gives no place for a value that is no error, for some of its own errors and for an `await` that nothing
settles. Then the module is evaluated once more, with a mark in front of each statement of its top level; the last mark
that was passed is the place. The marks stand on the statements' own lines, and nothing else is changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from loader.analysis.syntax import GaveUp, Module, parse
from loader.analysis.syntax.resolve import FUNCTION_KINDS
from loader.nouns import Span

MARKS = "@@marks"
TELL = f'import {{ tell }} from "{MARKS}";\ntell();'
MARKS_TEXT = """import { inside } from "@@host";
let last = -1;
export const at = (n) => void (last = n);
export const tell = () => inside.emit("at", "" + last);
"""
_PARSE_DEADLINE_S = 2.0
_MOST_MARKS = 5_000
# Bound before anything runs, so there is nothing to mark.
_HOISTED = frozenset(
    {"import_statement", "function_declaration", "generator_function_declaration", "comment", "empty_statement"}
)


class Footprints:
    """A text with its marks. ``text`` is None where none can be set: it does not parse, or has too many statements."""

    def __init__(self, text: str) -> None:
        self.text: str | None = None
        self._marked: list[int] = []
        try:
            self._module = parse(text, deadline_s=_PARSE_DEADLINE_S)
        except GaveUp:
            return
        self._marked = list(_statements(self._module, 0))
        if not self._module.has_error and 0 < len(self._marked) <= _MOST_MARKS:
            self.text = _with_marks(self._module, self._marked)

    def place(self, last: object, *, waits: bool) -> Span | None:
        """Where the last passed mark stands; where it ``waits``, the one `await` of that statement."""
        if not isinstance(last, int) or not 0 <= last < len(self._marked):
            return None
        module, statement = self._module, self._marked[last]
        if waits:
            awaits = [node for node in module.top_level_awaits if module.is_inside(node, statement)]
            statement = awaits[0] if len(awaits) == 1 else statement
        return module.head_span(statement)


def _statements(module: Module, block: int) -> Iterator[int]:
    """Those of a block and of the blocks in it that belong to no function or class, in reading order."""
    tree = module.tree
    for node in tree.children(block):
        kind = tree.kind(node)
        if kind in _HOISTED or (kind == "export_statement" and tree.field(node, "source") is not None):
            continue
        yield node
        if kind not in ("export_statement", "class_declaration"):
            yield from _blocks(module, node)


def _blocks(module: Module, node: int) -> Iterator[int]:
    tree = module.tree
    for child in (node, *tree.children(node)):
        kind = tree.kind(child)
        if kind == "statement_block":
            yield from _statements(module, child)
        elif child != node and kind not in FUNCTION_KINDS and kind.endswith(("_statement", "_clause")):
            yield from _blocks(module, child)


def _with_marks(module: Module, marked: list[int]) -> str:
    data, name = module.tree.data, "at"
    while name.encode() in data:
        name += "_"
    pieces, done = [f'import {{ at as {name} }} from "{MARKS}";'.encode()], 0
    if data.startswith(b"#!"):
        done = len(data.splitlines()[0])
        pieces.append(b"//" + data[2:done])
    for n, statement in enumerate(marked):
        start = module.tree.starts[statement]
        pieces += [data[done:start], f";{name}({n});".encode()]
        done = start
    return b"".join((*pieces, data[done:])).decode("utf-8", "replace")
