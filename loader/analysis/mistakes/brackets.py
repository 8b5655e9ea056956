"""Which bracket, string or comment was never closed, when the parser only says that the text ended too early."""

from __future__ import annotations

from dataclasses import dataclass

from loader.analysis.mistakes.lexer import CLOSER_OF, Bracket, Lexed, Open, Token

# Words that begin a statement: met inside brackets or an object, the bracket before them was meant to be closed.
STATEMENT_WORDS = frozenset(
    {
        "const",
        "let",
        "var",
        "function",
        "class",
        "return",
        "if",
        "for",
        "while",
        "switch",
        "try",
        "throw",
        "import",
        "export",
        "do",
        "break",
        "continue",
    }
)
_ONLY_OUTSIDE = frozenset({"import", "export"})
_WHAT = {"(": "parenthesis `(`", "[": "bracket `[`", "{": "brace `{`", "${": "template hole `${`"}


@dataclass(frozen=True, slots=True)
class Blame:
    """The code points to point at, what is wrong, and how to mend it. ``noticed`` is where the parser stumbled."""

    start: int
    end: int
    message: str
    hint: str
    noticed: int | None = None


def blame_open(lexed: Lexed, error: int | None) -> Blame | None:
    """A string, template, comment or regular expression without an end that lies at or before the error."""
    for one in lexed.open:
        if error is not None and one.start > error:
            return None
        return Blame(one.start, one.end, f"this {one.what} is never closed", _close_hint(one), error)
    return None


def _close_hint(one: Open) -> str:
    if one.what == "string":
        return (
            "End it with the same quote on the same line; an apostrophe inside '…' ends it early, and text over "
            "several lines belongs in `…`."
        )
    if one.what == "template":
        return "End it with a backtick `."
    return "End it with `*/`." if one.what == "comment" else "End it with `/` on the same line, or write `\\/` inside."


def blame_before_export(text: str, lexed: Lexed, error: int | None) -> Blame | None:
    """The bracket that an `import` or `export` at the start of a line stands in, where it is never closed.

    Inside an object or a class parsers take the word for a member and stumble behind it.
    """
    for at, token in enumerate(lexed.tokens):
        if error is not None and token.start > error:
            return None
        if token.kind != "word" or token.text not in _ONLY_OUTSIDE or token.inside < 0 or _indent(text, token.start):
            continue
        following = lexed.tokens[at + 1].text if at + 1 < len(lexed.tokens) else ""
        if following in ("(", ".", ":", "=", ",", "}") or _line_start(text, token.start) != token.start:
            continue
        culprit = _by_indent(text, lexed, at)
        around = token.inside if culprit is None else culprit
        if lexed.brackets[token.inside].closed_by is None or culprit is not None:
            return _never_closed(lexed.tokens, lexed.brackets, around, token.start)
    return None


def blame_bracket(text: str, lexed: Lexed, error: int) -> Blame | None:
    """The opening bracket behind an error at a code point (``len(text)`` for the end), None when none is to blame."""
    at = lexed.at(error)
    tokens, brackets = lexed.tokens, lexed.brackets
    if at >= len(tokens):
        if not lexed.unclosed:
            return None
        culprit = _by_indent(text, lexed, len(tokens))
        return _never_closed(tokens, brackets, lexed.unclosed[-1] if culprit is None else culprit, error)
    token = tokens[at]
    for stray, inside in lexed.stray:
        if stray == at:
            return _closes_wrong(tokens, brackets, inside, token)
    if token.text == ";" and token.inside >= 0:
        # `};` at the left ends the object for its author, and an inner body for the parser.
        culprit = _by_indent(text, lexed, at)
        if culprit is not None and brackets[culprit].closed_by == at - 1:
            return _never_closed(tokens, brackets, culprit, token.start)
    if token.inside < 0 or token.text not in STATEMENT_WORDS or token.kind != "word":
        return None
    around = brackets[token.inside]
    if around.text != "{" or around.is_object:
        # A bracket that does get its closer further down was not forgotten: the word itself is out of place.
        if around.closed_by is not None and _same_line(text, tokens[around.token].start, token.start):
            return None
        return _never_closed(tokens, brackets, token.inside, token.start)
    if token.text in _ONLY_OUTSIDE:
        culprit = _by_indent(text, lexed, at)
        if culprit is None and around.closed_by is not None and _indent(text, token.start):
            return None  # an import inside a function body that is closed as it should be
        return _never_closed(tokens, brackets, token.inside if culprit is None else culprit, token.start)
    return None


def _never_closed(tokens: list[Token], brackets: list[Bracket], index: int, noticed: int) -> Blame:
    bracket = brackets[index]
    token = tokens[bracket.token]
    return Blame(
        token.start,
        token.end,
        f"this {_WHAT[bracket.text]} is never closed",
        f"Add `{CLOSER_OF[bracket.text]}` where it ends.",
        noticed,
    )


def _closes_wrong(tokens: list[Token], brackets: list[Bracket], inside: int, token: Token) -> Blame:
    if inside < 0:
        return Blame(
            token.start,
            token.end,
            f"this `{token.text}` closes nothing",
            f"Remove it, or add the `{_opener(token.text)}` that it belongs to.",
        )
    bracket = brackets[inside]
    opener = tokens[bracket.token]
    if bracket.text == "{" and not bracket.is_object and not _is_open(brackets, bracket.outer, _opener(token.text)):
        # A block that is closed further down; nothing around it waits for this closer.
        return Blame(
            token.start,
            token.end,
            f"this `{token.text}` closes nothing",
            f"Remove it, or add the `{_opener(token.text)}` that it belongs to.",
        )
    return Blame(
        opener.start,
        opener.end,
        f"this {_WHAT[bracket.text]} is closed by `{token.text}`",
        f"Add `{CLOSER_OF[bracket.text]}` before it.",
        token.start,
    )


def _is_open(brackets: list[Bracket], inside: int, text: str) -> bool:
    """Whether a bracket of this kind is open there, or around there."""
    while inside >= 0:
        if brackets[inside].text == text:
            return True
        inside = brackets[inside].outer
    return False


def _opener(closer: str) -> str:
    return {")": "(", "]": "[", "}": "{"}[closer]


def _by_indent(text: str, lexed: Lexed, before: int) -> int | None:
    """The first brace whose closer stands further left than its own line: it took the closer of an outer one."""
    first: tuple[int, int] | None = None
    for index, bracket in enumerate(lexed.brackets):
        closer = bracket.closed_by
        if bracket.text != "{" or closer is None or closer >= before:
            continue
        close = lexed.tokens[closer].start
        line = _line_start(text, close)
        if text[line:close].strip():
            continue
        opened = lexed.tokens[bracket.token].start
        if _same_line(text, opened, close):
            continue
        if len(text[line:close].expandtabs(4)) < _width(_indent(text, opened)) and (first is None or closer < first[0]):
            first = (closer, index)
    return None if first is None else first[1]


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _indent(text: str, at: int) -> str:
    """The white space at the start of the line of a code point."""
    start = _line_start(text, at)
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    return text[start:end]


def _same_line(text: str, first: int, second: int) -> bool:
    return "\n" not in text[first:second] and "\r" not in text[first:second]
