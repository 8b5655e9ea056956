"""Where a parser stumbled, and the words for it: what every wording is given, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass

from loader.analysis.mistakes.lexer import Lexed, Token
from loader.analysis.syntax import Module

DECLARES = frozenset({"const", "let", "var", "function", "class", "import"})


@dataclass(frozen=True, slots=True)
class Words:
    """``start`` and ``end`` (code points) override the place where that is known better."""

    message: str
    hint: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a wording may look at. ``at`` is the token stumbled over (``len(tokens)``: the end of the text)."""

    module: Module
    lexed: Lexed
    at: int
    engine: str
    judge: str
    said: str

    def token(self, offset: int = 0) -> Token | None:
        index = self.at + offset
        return self.lexed.tokens[index] if 0 <= index < len(self.lexed.tokens) else None

    def opener_behind(self) -> int | None:
        """Of the closing bracket directly before the place: the token that opened it."""
        return next((one.token for one in self.lexed.brackets if one.closed_by == self.at - 1), None)


def cut(text: str) -> str:
    """A piece of the author's text for a message: one line, at most 30 characters."""
    one_line = text.split("\n", 1)[0].rstrip("\r")
    return one_line if len(one_line) <= 30 else one_line[:29] + "…"
