"""Words and signs that are nearly those of JavaScript: letters swapped in a keyword, signs of another language."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from loader.analysis.early import RESERVED
from loader.analysis.mistakes.scene import Scene, Words, cut

_KEYWORDS = (
    "async", "await", "break", "case", "catch", "class", "const", "continue", "default", "else", "export", "finally",
    "function", "import", "let", "return", "switch", "throw", "typeof", "while",
)  # fmt: skip
_NO_KEYWORD = frozenset({"as", "from", "of", "get", "set", "static"})
_MODULE = re.compile(r"@?[\w./-]+")


def misspelt(scene: Scene) -> Words | None:
    return next((words for attempt in _ATTEMPTS if (words := attempt(scene)) is not None), None)


def _keyword(scene: Scene) -> Words | None:
    token, word = scene.token(), scene.token(-1)
    if token is None or word is None or word.kind != "word" or len(word.text) < 4 or word.text in RESERVED:
        return None
    if word.text in _NO_KEYWORD or token.kind == "bad":
        return None
    # What stands behind a dot or is called has a name of its own.
    earlier = scene.token(-2)
    if (earlier is not None and earlier.text in (".", "?.")) or token.text in ("(", "=", ".", ",", ")"):
        return None
    close = difflib.get_close_matches(word.text[:20].lower(), _KEYWORDS, n=1, cutoff=0.72)
    if not close:
        return None
    return Words(
        f"`{cut(word.text)}` is no word of JavaScript",
        f"Did you mean `{close[0]}`?",
        word.start,
        word.end,
    )


def _thin_arrow(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or token.text != ">" or before.text != "-" or before.end != token.start:
        return None
    return Words("`->` is no arrow of JavaScript", "Write `=>`.", before.start, token.end)


def _formatted_text(scene: Scene) -> Words | None:
    """`f'…'` of Python."""
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or token.kind != "string" or before.end != token.start:
        return None
    if before.text.lower() not in ("f", "r", "b", "u"):
        return None
    return Words(
        f"`{before.text}'…'` is Python", "Write a template: `hi ${name}` between backticks.", before.start, token.end
    )


def _else_if(scene: Scene) -> Words | None:
    opener = scene.opener_behind()
    named = scene.lexed.tokens[opener - 1] if opener else None
    token = scene.token()
    if named is None or token is None or token.text != "{" or named.text not in ("elif", "elseif", "elsif"):
        return None
    return Words(f"`{named.text}` is no word of JavaScript", "Write `else if`.", named.start, named.end)


def _bare_hole(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or token.text != "{" or before.text != "$" or before.end != token.start:
        return None
    return Words("`${…}` belongs inside a template", "Put it between backticks, or leave `$` and braces away.")


def _closed_template(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or before.kind != "template" or token.kind != "word":
        return None
    if before.end != token.start or not before.text.endswith("`"):
        return None
    return Words(
        f"the template ends before `{cut(token.text)}`: a backtick inside closed it",
        "Write a backtick inside a template as \\`.",
    )


def _unquoted_module(scene: Scene) -> Words | None:
    token, before = scene.token(), scene.token(-1)
    if token is None or before is None or before.text != "from" or not token.text.startswith("@"):
        return None
    found = _MODULE.match(scene.module.text, token.start)
    name = found[0] if found is not None else token.text
    return Words(f"the module's name needs quotes: `from '{cut(name)}'`", None, token.start, token.start + len(name))


_ATTEMPTS: tuple[Callable[[Scene], Words | None], ...] = (
    _thin_arrow,
    _formatted_text,
    _else_if,
    _bare_hole,
    _closed_template,
    _unquoted_module,
    _keyword,
)
