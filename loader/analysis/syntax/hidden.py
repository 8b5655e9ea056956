"""Characters that nobody sees: direction controls, invisible letters in names, long runs of nothing.

What people write is left alone: emoji joined by U+200D, their colour and flag sequences, joiners inside Persian and
Indian words, isolates that are closed again (as translations use them), direction marks, a byte order mark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.analysis.syntax.module import Module, Node
from loader.nouns import Span

HiddenKind: TypeAlias = Literal["direction", "letter", "run"]

_SUSPECT = re.compile(
    "[\u034f\u115f\u1160\u180b-\u180f\u200b-\u200d\u202a-\u202e\u2060-\u2069\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e01ef]"
)
_IN_NAMES = ("identifier", "property_identifier", "private_property_identifier", "statement_identifier")
_SHORTHANDS = ("shorthand_property_identifier", "shorthand_property_identifier_pattern")
_IN_TEXTS = ("string", "template_string", "regex", "comment", "html_comment")
_OPENERS = {"\u202a": "\u202c", "\u202b": "\u202c", "\u202d": "\u202c", "\u202e": "\u202c"} | dict.fromkeys(
    "\u2066\u2067\u2068", "\u2069"
)
_OVERRIDES = frozenset("\u202d\u202e")
_ISOLATES = frozenset("\u2066\u2067\u2068")
_CLOSERS = frozenset("\u202c\u2069")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
# A flag of a region is a black flag spelled out in tags; any other tags are text that only a machine reads.
_TAGS = re.compile("(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)|[\U000e0000-\U000e007f]+")
# One selector follows one letter. Bytes were smuggled in longer rows of them, and in rows of zero-width characters.
_RUNS = re.compile(
    "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}|[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u115f\u1160\u3164\uffa0]{8,}"
)
_INVISIBLE_LETTER = re.compile(
    "[\u034f\u115f\u1160\u180b-\u180f\u200c\u200d\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_JOINING_SCRIPTS = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\ufb50-\ufdff\ufe70-\ufefc]"
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """One stretch of hidden characters. ``where`` is "a name", "a string", "a comment" …; ``first`` its first one."""

    kind: HiddenKind
    where: str
    first: str
    count: int
    span: Span


def hidden_characters(module: Module, *, limit: int = 50) -> Iterator[Hidden]:
    """The first ``limit`` stretches, names before texts."""
    if module.text.isascii() or _SUSPECT.search(module.text) is None:
        return
    found = 0
    for start, text, where in _candidates(module):
        stretches = _in_name(text) if where == "a name" else _in_text(text)
        for kind, begin, end in stretches:
            positions = module.tree.positions
            first, last = start + len(text[:begin].encode()), start + len(text[:end].encode())
            yield Hidden(kind, where, text[begin], end - begin, positions.span(first, last))
            found += 1
            if found >= limit:
                return


def character_name(letter: str) -> str:
    """``U+202E (right-to-left override)``."""
    name = unicodedata.name(letter, "").lower()
    return f"U+{ord(letter):04X}" + (f" ({name})" if name else "")


def _candidates(module: Module) -> Iterator[tuple[int, str, str]]:
    """Every name and text that holds a suspect character, with its first byte."""
    tree = module.tree
    for node in tree.of_kind(*_IN_NAMES, *_SHORTHANDS):
        text = _suspect_text(module, node)
        if text is not None:
            yield tree.starts[node], text, "a name"
    for node in tree.of_kind(*_IN_TEXTS):
        text = _suspect_text(module, node)
        if text is not None:
            kind = tree.kind(node)
            where = {"string": "a string", "template_string": "a template", "regex": "a regular expression"}
            if kind == "template_string":
                text = _without_code(module, node)
            yield tree.starts[node], text, where.get(kind, "a comment")


def _suspect_text(module: Module, node: Node) -> str | None:
    tree = module.tree
    data = tree.data[tree.starts[node] : tree.stops[node]]
    if data.isascii():
        return None
    text = data.decode("utf-8", "replace")
    return text if _SUSPECT.search(text) else None


def _without_code(module: Module, template: Node) -> str:
    """A template's text with as many blanks as bytes in place of its substitutions."""
    tree = module.tree
    at, parts = tree.starts[template], []
    for child in tree.children(template):
        if tree.kind(child) == "template_substitution":
            parts.append(tree.data[at : tree.starts[child]].decode("utf-8", "replace"))
            parts.append(" " * (tree.stops[child] - tree.starts[child]))
            at = tree.stops[child]
    parts.append(tree.data[at : tree.stops[template]].decode("utf-8", "replace"))
    return "".join(parts)


def _in_name(text: str) -> Iterator[tuple[HiddenKind, int, int]]:
    for match in _INVISIBLE_LETTER.finditer(text):
        at = match.start()
        joins = match.group() in "\u200c\u200d" and _JOINING_SCRIPTS.match(text[at - 1 : at]) is not None
        if not joins:
            yield "letter", at, match.end()


def _in_text(text: str) -> Iterator[tuple[HiddenKind, int, int]]:
    for at in _directions(text):
        yield "direction", at, at + 1
    for match in _TAGS.finditer(text):
        if not match["flag"]:
            yield "run", *match.span()
    for match in _RUNS.finditer(text):
        yield "run", *match.span()


def _directions(text: str) -> list[int]:
    """Controls that reorder what is shown: overrides, and what is never closed on its line.

    Embeddings are left alone only where there are letters that run from right to left.
    """
    found = []
    open_ones: list[int] = []
    right_to_left: bool | None = None
    line_end = 0
    for match in _DIRECTION.finditer(text):
        at, letter = match.start(), match.group()
        if text.find("\n", line_end, at) >= 0:
            found += open_ones
            open_ones = []
        line_end = at
        if letter in _CLOSERS:
            if open_ones and _OPENERS[text[open_ones[-1]]] == letter:
                opener = open_ones.pop()
                if text[opener] in _ISOLATES:
                    continue
                if right_to_left is None:
                    right_to_left = any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)
                if text[opener] in _OVERRIDES or not right_to_left:
                    found.append(opener)
            else:
                found.append(at)
        else:
            open_ones.append(at)
    return sorted(found + open_ones)
