"""Where the app's engine takes more than ours do: the text written so that the judge can tell the rest.

`using` is unknown to esprima, and to the sandbox's engine it is known: what that one refuses about it, the app refuses
too. A plain call that is assigned to (`f() = 1`, `++f()`, `for (f() of …)`) is an error in the standard; V8 throws it
when it runs, for the web's sake, so the file loads (seen in Chromium 156; not behind `new`, `?.`, `import`, in
patterns, in templates or with `||=`, `&&=`, `??=`).

Every rewriting keeps each character's place, so that the judge's list of imports holds for the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from loader.analysis.judge import Judgement
from loader.analysis.mistakes.lexer import Lexed, Token, lex

_LINE_END = re.compile(r"[\r\n\u2028\u2029]")
_NOT_ASSIGNABLE = "Invalid left-hand side"
_LOGICAL = frozenset({"||=", "&&=", "??="})
# In front of a parenthesis these call nothing.
_NO_CALLEES = frozenset(
    ["if", "while", "for", "with", "switch", "catch", "return", "typeof", "void", "delete", "await", "yield", "super"]
)
_HEADS = frozenset({"if", "while", "for", "with"})
_MOST_CALLS = 5
_LIMIT = 500_000


def without_using(text: str) -> str | None:
    """The text with `const` for each `using` that declares: both are read alike. None where there is none."""
    if "using" not in text or len(text) > _LIMIT:
        return None
    pieces: list[str] = []
    done = 0
    tokens = lex(text).tokens
    for at, token in enumerate(tokens[:-1]):
        if token.text == "using" and _declares(text, tokens, at):
            before = tokens[at - 1] if at else token
            first = before if before.text == "await" else token
            pieces += [text[done : first.start], "const".ljust(token.end - first.start)]
            done = token.end
    return "".join((*pieces, text[done:])) if pieces else None


def _declares(text: str, tokens: list[Token], at: int) -> bool:
    """Whether a name follows on the line, and no operator that reads like one."""
    token, name = tokens[at], tokens[at + 1]
    following = tokens[at + 2].text if at + 2 < len(tokens) else ""
    return (
        name.kind == "word"
        and name.text not in ("in", "instanceof")
        and (name.text != "of" or following == "=")
        and not _LINE_END.search(text, token.end, name.start)
    )


def with_calls_assigned(text: str, first: Judgement, judge: Callable[[str], Judgement]) -> Judgement | None:
    """What the judge says where each plain call that it refuses as a target is read as a member: `f(x)` as `f[x]`.

    ``first`` is what it said of the text. None where something else is refused as a target, or too much is.
    """
    judged = first
    for _ in range(_MOST_CALLS):
        if judged.accepted is not False or not judged.message.startswith(_NOT_ASSIGNABLE):
            break
        read = None if judged.index is None or len(text) > _LIMIT else _as_member(text, judged.index)
        if read is None:
            return None
        text = read
        judged = judge(text)
    return judged


def _as_member(text: str, error: int) -> str | None:
    lexed = lex(text)
    tokens = lexed.tokens
    at = lexed.at(error)
    if at < len(tokens) and tokens[at].text in _LOGICAL:
        return None
    # The judge points behind the target, be it the next token or white space before it.
    close = at - 1
    while close >= 0 and tokens[close].text == ")":
        opened = _opener_of(lexed, close)
        if opened is None or opened == 0:
            return None
        if _is_callee(lexed, opened - 1):
            inside = text[tokens[opened].end : tokens[close].start]
            start, end = tokens[opened].start, tokens[close].end
            member = f"[{inside}]" if inside.strip() else ".a".ljust(end - start)
            return text[:start] + member + text[end:]
        close -= 1  # parentheses around a target
    return None


def _is_callee(lexed: Lexed, at: int) -> bool:
    """Whether a parenthesis behind this token calls what ends with it."""
    token = lexed.tokens[at]
    if token.text != ")":
        return (token.kind == "word" and token.text not in _NO_CALLEES) or token.text == "]"
    opened = _opener_of(lexed, at)
    # Behind the head of an `if` or a loop a statement begins.
    return opened is not None and (opened == 0 or lexed.tokens[opened - 1].text not in _HEADS)


def _opener_of(lexed: Lexed, close: int) -> int | None:
    return next((bracket.token for bracket in lexed.brackets if bracket.closed_by == close), None)
