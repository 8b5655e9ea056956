"""What the driver tells: events as they come in, bounded again here, and where they point in the author's file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from loader.nouns import Span

MOST_EVENTS = 6_000
MOST_CHARACTERS = 8_000_000

_PLACE = re.compile(r"plugin\.js:(\d+)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class Thrown:
    """An error as the driver read it off; every part may be forged or empty."""

    name: str
    message: str
    stack: str

    @property
    def text(self) -> str:
        """`TypeError: x is not a function`, without what is empty."""
        return ": ".join(part for part in (self.name, self.message) if part) or "an empty value"

    @property
    def span(self) -> Span | None:
        return place_in(self.stack)


@dataclass
class EventLog:
    """The driver's lines (``kind``, line end, JSON text) in order of arrival; drops what is too much or no JSON."""

    events: list[tuple[str, Any]] = field(default_factory=list)
    characters: int = 0

    def take(self, line: str) -> None:
        self.characters += len(line)
        if len(self.events) >= MOST_EVENTS or self.characters > MOST_CHARACTERS:
            return
        kind, _, body = line.partition("\n")
        try:
            self.events.append((kind, json.loads(body)))
        except (ValueError, RecursionError):
            return

    def all(self, *kinds: str) -> Iterator[Any]:
        return (body for kind, body in self.events if kind in kinds)

    def last(self, kind: str) -> Any:
        """The newest event of a kind, None when there was none."""
        return next((body for known, body in reversed(self.events) if known == kind), None)

    def count(self, kind: str) -> int:
        return sum(known == kind for known, _ in self.events)


def thrown_in(body: Any) -> Thrown:
    error = body.get("error", {})
    return Thrown(str(error.get("name", "")), str(error.get("message", "")), str(error.get("stack", "")))


def place_in(stack: str) -> Span | None:
    """The innermost place in the plugin's own file that a stack names."""
    # 1:1, counted from 0 on the first line, is where the engine knows nothing: before a module's first call, say.
    found = next((one for one in _PLACE.finditer(stack) if (one[1], one[2]) != ("1", "1")), None)
    if not found:
        return None
    line, column = int(found[1]), int(found[2] or 1)
    if line < 1:
        return None
    if line == 1:
        column += 1  # the engine counts columns of the first line from 0
    column = max(column, 1)
    return Span(line, column, line, column + 1)
