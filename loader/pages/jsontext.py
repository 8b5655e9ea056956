"""JSON with places: every value and key knows where it stands in the text.

Strict as RFC 8259 is, iterative (depth costs no stack), and it says of common mistakes what they are. Libraries that
keep places (tree-sitter's grammar, source maps) either accept what is no JSON or recurse; strings are decoded by the
standard library.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

NESTING_LIMIT = 256
# Five hundred elements with everything they may have take some twenty thousand.
VALUES_LIMIT = 100_000
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_BLANKS = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(r"[^\s,:\[\]{}\"]{1,40}")
_LONG_NUMBER = 400
_DECODER = json.JSONDecoder(strict=True)
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}

Kind: TypeAlias = Literal["object", "array", "string", "number", "boolean", "null"]


@dataclass(frozen=True, slots=True)
class Member:
    """``key`` stands at ``start`` to ``end`` (with its quotes)."""

    key: str
    start: int
    end: int
    value: Node


@dataclass(frozen=True, slots=True)
class Node:
    """A value at ``text[start:end]`` (code points). ``scalar`` is the decoded string, or a number's letters."""

    kind: Kind
    start: int
    end: int
    scalar: str | bool | None = None
    members: tuple[Member, ...] = ()
    items: tuple[Node, ...] = ()

    def get(self, key: str) -> Node | None:
        """The member of that key; of equal keys the last one, as the phone has it."""
        return next((member.value for member in reversed(self.members) if member.key == key), None)

    def member(self, key: str) -> Member | None:
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(frozen=True, slots=True)
class JsonFault(Exception):
    """Why a text is not read, and where. ``code`` is another one where it is JSON, but too deep or too much of it."""

    message: str
    start: int
    end: int
    hint: str
    code: str = "HP701"


class _Open:
    """An object or array that is not closed yet."""

    __slots__ = ("items", "key", "members", "start")

    def __init__(self, start: int, *, is_object: bool) -> None:
        self.start = start
        self.members: list[Member] | None = [] if is_object else None
        self.items: list[Node] = []
        self.key: tuple[str, int, int] = ("", start, start)

    @property
    def closer(self) -> str:
        return "]" if self.members is None else "}"

    def add(self, node: Node) -> None:
        if self.members is None:
            self.items.append(node)
        else:
            self.members.append(Member(*self.key, node))

    def node(self, end: int) -> Node:
        if self.members is None:
            return Node("array", self.start, end, items=tuple(self.items))
        return Node("object", self.start, end, members=tuple(self.members))


def read_json(text: str) -> Node:
    """The text's one value. Raises JsonFault."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open: list[_Open] = []
        self.values = 0

    def read(self) -> Node:
        self._blanks()
        while True:
            node = self._value()
            if node is None:
                continue
            finished = self._close(node)
            if finished is not None:
                return finished

    def _value(self) -> Node | None:
        """The scalar or empty container that stands here; None when a container was opened."""
        letter = self.text[self.at : self.at + 1]
        self.values += 1
        if self.values > VALUES_LIMIT:
            hint = "Send less, or in several documents."
            raise JsonFault(f"more than {VALUES_LIMIT} values", self.at, self.at + 1, hint, code="HP702")
        if letter not in ("{", "["):
            return self._scalar(letter)
        if len(self.open) >= NESTING_LIMIT:
            raise JsonFault(
                f"nested deeper than {NESTING_LIMIT} levels", self.at, self.at + 1, "Flatten it.", code="HP703"
            )
        frame = _Open(self.at, is_object=letter == "{")
        self.at += 1
        self._blanks()
        if self.text.startswith(frame.closer, self.at):
            self.at += 1
            return frame.node(self.at)
        if frame.members is not None:
            self._key(frame)
        self.open.append(frame)
        return None

    def _close(self, node: Node) -> Node | None:
        """Put the value where it belongs, and close what ends behind it; the whole value when nothing is open."""
        while self.open:
            frame = self.open[-1]
            frame.add(node)
            self._blanks()
            letter = self.text[self.at : self.at + 1]
            if letter == ",":
                comma = self.at
                self.at += 1
                self._blanks()
                if self.text[self.at : self.at + 1] in ("}", "]"):
                    raise JsonFault("a comma before the closing bracket", comma, comma + 1, "Take the last comma away.")
                if frame.members is not None:
                    self._key(frame)
                return None
            if letter != frame.closer:
                raise self._not_closed(frame, letter)
            self.at += 1
            node = frame.node(self.at)
            self.open.pop()
        self._blanks()
        if self.at < len(self.text):
            raise JsonFault(
                "there is more text behind the JSON value",
                self.at,
                self.at + 1,
                "A file holds one object; remove the rest.",
            )
        return node

    def _not_closed(self, frame: _Open, letter: str) -> JsonFault:
        if not letter:
            what = "object" if frame.closer == "}" else "array"
            return JsonFault(
                f"the text ends within the {what} that begins here",
                frame.start,
                frame.start + 1,
                f"Close it with {frame.closer!r}.",
            )
        if letter in ("}", "]"):
            return JsonFault(
                f"{letter!r} where {frame.closer!r} is due",
                self.at,
                self.at + 1,
                "Brackets close in the order they open.",
            )
        return self._unexpected(f"',' or {frame.closer!r}")

    def _key(self, frame: _Open) -> None:
        start = self.at
        if not self.text.startswith('"', start):
            word = _WORD.match(self.text, start)
            if word is not None and word[0][:1].isidentifier():
                raise JsonFault("a key without quotes", start, word.end(), f'Write "{word[0]}".')
            raise self._unexpected("a key in double quotes")
        key = self._string()
        end = self.at
        self._blanks()
        if not self.text.startswith(":", self.at):
            raise self._unexpected("':' behind the key")
        self.at += 1
        self._blanks()
        frame.key = (key, start, end)

    def _scalar(self, letter: str) -> Node:
        start = self.at
        if letter == '"':
            value = self._string()
            return Node("string", start, self.at, value)
        number = NUMBER.match(self.text, start)
        if number is not None:
            follower = _WORD.match(self.text, number.end())
            if follower is not None:
                raise JsonFault(
                    "no number JSON knows", start, follower.end(), "Write it as 12, 0.5 or 1e3, without leading zeros."
                )
            if len(number[0]) > _LONG_NUMBER:
                raise JsonFault("a number of too many digits", start, number.end(), "Round it.")
            self.at = number.end()
            return Node("number", start, self.at, number[0])
        word = _WORD.match(self.text, start)
        if word is not None and word[0] in _CONSTANTS:
            self.at = word.end()
            constant = _CONSTANTS[word[0]]
            return Node("null" if constant is None else "boolean", start, self.at, constant)
        raise self._unexpected("a value")

    def _string(self) -> str:
        start = self.at
        try:
            value, self.at = _DECODER.raw_decode(self.text, start)
        except json.JSONDecodeError as wrong:
            at = min(wrong.pos, len(self.text))
            if "Unterminated" in wrong.msg:
                raise JsonFault(
                    "a string without its closing quote", start, start + 1, "Close it on the same line."
                ) from None
            if "control character" in wrong.msg:
                raise JsonFault(
                    "a line break or control character within a string", at, at + 1, "Write it as \\n or \\u…."
                ) from None
            raise JsonFault("a backslash that begins no escape", at, at + 1, "Write \\\\ for a backslash.") from None
        assert isinstance(value, str)  # noqa: S101 - it begins with a quote
        return value

    def _unexpected(self, due: str) -> JsonFault:
        start = self.at
        if start >= len(self.text):
            return JsonFault(f"the text ends where {due} is due", max(start - 1, 0), start, "Is the file cut off?")
        word = _WORD.match(self.text, start)
        found = word[0] if word is not None else self.text[start]
        end = start + len(found)
        if found.startswith(("//", "/*")):
            return JsonFault("a comment", start, end, "JSON has none; take it away.")
        if found.startswith(("'", "`")):
            return JsonFault("single quotes", start, end, "JSON strings stand in double quotes.")
        if found in ("NaN", "Infinity", "-Infinity", "undefined"):
            return JsonFault(f"{found} is no JSON", start, end, "Write a number, or null where null is taken.")
        if found in ("True", "False", "None"):
            return JsonFault(f"{found} is Python", start, end, "Write true, false or null.")
        return JsonFault(f"{found!r} where {due} is due", start, end, "Look at the comma or quote before it.")

    def _blanks(self) -> None:
        found = _BLANKS.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
