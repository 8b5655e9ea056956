"""Text from outside made safe to print: what a terminal would obey, reorder or hide shows as a visible escape."""

from __future__ import annotations

import re
import unicodedata

# Letters that are drawn as nothing though Unicode calls them letters or marks: the general category does not tell.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
# Cc controls, Cf bidirectional and zero-width formats, Cs lone surrogates, Zl and Zp line ends of JavaScript.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Everything below the first unsafe letter outside ASCII is decided by one search: most text never gets further.
_PLAIN = re.compile(r"[\x20-\x7e]*\Z")


def is_unsafe(letter: str) -> bool:
    """Whether one letter must not reach a terminal as it is. Tab and line feed count as unsafe here."""
    return unicodedata.category(letter) in _UNSAFE_CATEGORIES or letter in _INVISIBLE


def escaped(letter: str) -> str:
    """The escape that JavaScript itself would read: ``\\x1b``, ``\\u{202e}``."""
    code = ord(letter)
    if letter in "\t\n\r":
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}[letter]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"


def visible(text: str, *, limit: int | None = None) -> str:
    """``text`` on one line, every unsafe letter as its escape; cut to ``limit`` letters with an ellipsis.

    A backslash is not doubled: the result is for eyes, not for parsing back.
    """
    if limit is not None and len(text) > limit:
        text = text[: max(limit - 1, 0)] + "…"
    if _PLAIN.match(text):
        return text
    return "".join(escaped(letter) if is_unsafe(letter) else letter for letter in text)


def visible_lines(text: str, *, limit: int | None = None) -> str:
    """Like ``visible``, but line feeds stay: for text of several lines such as a stack."""
    return "\n".join(visible(line, limit=limit) for line in text.split("\n"))
