"""A finding about a page while it still knows its pointer: where in the value, and where in the text."""

from __future__ import annotations

from dataclasses import dataclass

from loader.nouns import Severity
from loader.pages.jsontext import Node


@dataclass(frozen=True, slots=True)
class Place:
    """``pointer`` is the JSON Pointer (RFC 6901) of ``text[start:end]`` (code points)."""

    pointer: str
    start: int
    end: int

    def child(self, part: str | int, node: Node) -> Place:
        return Place(f"{self.pointer}/{escaped(part)}", node.start, node.end)

    def key(self, part: str, start: int, end: int) -> Place:
        """Where the key itself stands."""
        return Place(f"{self.pointer}/{escaped(part)}", start, end)


@dataclass(frozen=True, slots=True)
class Note:
    code: str
    place: Place
    message: str
    hint: str | None = None
    severity: Severity | None = None


def escaped(part: str | int) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


def place_of(node: Node, pointer: str = "") -> Place:
    return Place(pointer, node.start, node.end)


def brief(text: str, *, limit: int) -> str:
    """Cut to ``limit`` letters: a name of a hundred thousand belongs into no message; escaping is the printers'."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
