"""Tokens of a text that need not be JavaScript: never fails, and remembers what was opened and never closed.

Used only to explain errors. A slash is a regular expression where no operand stands before it; that is a guess behind
`)` and `}`, and good enough to find the string or bracket that an author forgot to close.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TokenKind: TypeAlias = Literal["word", "number", "string", "template", "regex", "punctuator", "bad"]

_SPACE = re.compile(r"[\s\ufeff]+")
_LINE_END = re.compile(r"[\r\n\u2028\u2029]")
_LINE_COMMENT = re.compile(r"//[^\r\n\u2028\u2029]*")
_WORD = re.compile(r"[#@]?[\w$\u200c\u200d\\][\w$\u200c\u200d\\]*")
_NUMBER = re.compile(r"\.?\d(?:[eE][+-]|[\w.])*")
_STRING = {
    "'": re.compile(r"'(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S]))*+"),
    '"': re.compile(r'"(?:[^"\\\r\n]++|\\(?:\r\n|[\s\S]))*+'),
}
_TEMPLATE = re.compile(r"(?:[^`\\$]++|\\[\s\S]|\$(?!\{))*+")
_REGEX = re.compile(r"/(?:[^/\\\[\r\n]++|\\[^\r\n]|\[(?:[^\]\\\r\n]++|\\[^\r\n])*+\])++/[A-Za-z]*")
_PUNCTUATOR = re.compile(
    r">>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|/="
    r"|%=|&=|\|=|\^=|<<|>>|\*\*|[{}()\[\];,<>+\-*/%&|^!~?:=.@]"
)
_OPERATOR_WORDS = frozenset(
    {
        "await",
        "case",
        "delete",
        "do",
        "else",
        "in",
        "instanceof",
        "new",
        "of",
        "return",
        "throw",
        "typeof",
        "void",
        "yield",
        "default",
        "extends",
    }
)
_HEAD_WORDS = frozenset({"if", "while", "for", "with"})
CLOSER_OF = {"(": ")", "[": "]", "{": "}", "${": "}"}
_OPENER_OF = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Token:
    kind: TokenKind
    text: str
    start: int
    end: int
    # The innermost bracket around the token: index into ``Lexed.brackets``, -1 for none.
    inside: int = -1


@dataclass(slots=True)
class Bracket:
    """One opening bracket. ``closed_by`` is the token index of what closed it; ``is_object``: a literal, no block."""

    text: str
    token: int
    outer: int
    is_object: bool = False
    closed_by: int | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """Something that was begun and never ended: where it began."""

    what: Literal["string", "template", "comment", "regular expression"]
    start: int
    end: int


@dataclass(slots=True)
class Lexed:
    tokens: list[Token] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    # Closing brackets (token indices) that fit nothing, with the bracket they stood in (-1: none).
    stray: list[tuple[int, int]] = field(default_factory=list)
    # Brackets (indices) that were still open at the end, outermost first.
    unclosed: list[int] = field(default_factory=list)

    def at(self, index: int) -> int:
        """The token that holds a code point, or the first one behind it; ``len(tokens)`` at the end."""
        low, high = 0, len(self.tokens)
        while low < high:
            middle = (low + high) // 2
            if self.tokens[middle].end <= index:
                low = middle + 1
            else:
                high = middle
        return low


def lex(text: str) -> Lexed:
    """All tokens, comments left out. Linear in the text's length."""
    return _Lexer(text).run()


class _Lexer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found = Lexed()
        self.stack: list[int] = []
        # The bracket that a closing token closes.
        self.closed: dict[int, Bracket] = {}

    def run(self) -> Lexed:
        text, at, length = self.text, 0, len(self.text)
        if text.startswith("#!"):
            at = self._line_end(0)
        while at < length:
            at = self._step(text, at)
        self.found.unclosed = list(self.stack)
        return self.found

    def _line_end(self, at: int) -> int:
        match = _LINE_END.search(self.text, at)
        return len(self.text) if match is None else match.start()

    def _step(self, text: str, at: int) -> int:
        letter = text[at]
        if letter.isspace() or letter == "\ufeff":
            match = _SPACE.match(text, at)
            return at + 1 if match is None else match.end()
        if letter == "/":
            return self._slash(text, at)
        if letter in _STRING:
            return self._string(text, at, letter)
        if letter == "`":
            return self._template(at, at + 1)
        if letter == "}" and self.stack and self.found.brackets[self.stack[-1]].text == "${":
            self._close("}", at)
            return self._template(at, at + 1)
        if letter.isdigit() or (letter == "." and text[at + 1 : at + 2].isdigit()):
            match = _NUMBER.match(text, at)
            if match is not None:
                return self._add("number", at, match.end())
        match = _WORD.match(text, at)
        if match is not None:
            return self._add("word", at, match.end())
        match = _PUNCTUATOR.match(text, at)
        if match is None:
            return self._add("bad", at, at + 1)
        mark = match.group()
        if mark in CLOSER_OF:
            self._open(mark, at)
        elif mark in _OPENER_OF:
            self._close(mark, at)
        else:
            self._add("punctuator", at, match.end())
        return match.end()

    def _add(self, kind: TokenKind, start: int, end: int) -> int:
        inside = self.stack[-1] if self.stack else -1
        self.found.tokens.append(Token(kind, self.text[start:end], start, end, inside))
        return end

    def _slash(self, text: str, at: int) -> int:
        following = text[at + 1 : at + 2]
        if following == "/":
            match = _LINE_COMMENT.match(text, at)
            return len(text) if match is None else match.end()
        if following == "*":
            end = text.find("*/", at + 2)
            if end < 0:
                self.found.open.append(Open("comment", at, min(at + 2, len(text))))
                return len(text)
            return end + 2
        if self._operand_before():
            return self._add("punctuator", at, at + (2 if following == "=" else 1))
        match = _REGEX.match(text, at)
        if match is not None:
            return self._add("regex", at, match.end())
        end = self._line_end(at)
        self.found.open.append(Open("regular expression", at, end))
        return self._add("bad", at, end)

    def _operand_before(self) -> bool:
        tokens = self.found.tokens
        if not tokens:
            return False
        last = tokens[-1]
        if last.kind == "word":
            return last.text not in _OPERATOR_WORDS
        if last.kind in ("number", "string", "template", "regex"):
            return True
        if last.text == ")":
            opener = self.closed.get(len(tokens) - 1)
            before = tokens[opener.token - 1] if opener is not None and opener.token > 0 else None
            return before is None or before.text not in _HEAD_WORDS
        return last.text in ("]", "}", "++", "--")

    def _string(self, text: str, at: int, quote: str) -> int:
        match = _STRING[quote].match(text, at)
        end = at + 1 if match is None else match.end()
        if text[end : end + 1] == quote:
            return self._add("string", at, end + 1)
        self.found.open.append(Open("string", at, end))
        return self._add("bad", at, max(end, at + 1))

    def _template(self, start: int, at: int) -> int:
        match = _TEMPLATE.match(self.text, at)
        end = at if match is None else match.end()
        if self.text.startswith("`", end):
            return self._add("template", start, end + 1)
        if self.text.startswith("${", end):
            self._add("template", start, end)
            self._open("${", end)
            return end + 2
        self.found.open.append(Open("template", start, min(start + 1, len(self.text))))
        return self._add("bad", start, len(self.text))

    def _open(self, mark: str, at: int) -> None:
        is_object = mark == "{" and self._begins_object()
        outer = self.stack[-1] if self.stack else -1
        self.found.brackets.append(Bracket(mark, len(self.found.tokens), outer, is_object))
        self._add("punctuator", at, at + len(mark))
        self.stack.append(len(self.found.brackets) - 1)

    def _begins_object(self) -> bool:
        tokens = self.found.tokens
        if not tokens:
            return False
        last = tokens[-1]
        if last.kind == "punctuator":
            return last.text in ("(", "[", ",", ":", "=", "?", "&&", "||", "??", "...", "${", "+=", "||=", "??=", "&&=")
        return last.kind == "word" and last.text in ("return", "default", "of", "in", "yield", "await", "throw", "void")

    def _close(self, mark: str, at: int) -> None:
        wanted = _OPENER_OF[mark]
        token = len(self.found.tokens)
        if self.stack:
            top = self.found.brackets[self.stack[-1]]
            if top.text == wanted or (mark == "}" and top.text == "${"):
                self.stack.pop()
                self._add("punctuator", at, at + 1)
                top.closed_by = token
                self.closed[token] = top
                return
        self.found.stray.append((token, self.stack[-1] if self.stack else -1))
        # A closer that fits a bracket further out closes that one: those inside it were never closed.
        for depth in range(len(self.stack) - 1, max(len(self.stack) - 8, -1), -1):
            if self.found.brackets[self.stack[depth]].text == wanted:
                del self.stack[depth + 1 :]
                self.found.brackets[self.stack.pop()].closed_by = token
                break
        self._add("punctuator", at, at + 1)
