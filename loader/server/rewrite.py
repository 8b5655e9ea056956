"""Puts URLs in place of specifiers, by span alone: text that only looks like an import is never touched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from loader.nouns import ImportRef


def rewrite(text: str, imports: Iterable[ImportRef], url_of: Callable[[str], str | None]) -> str:
    """``text`` with each specifier literal replaced for which ``url_of`` knows a URL.

    Spans are UTF-16 offsets of the literal with its quotes, in the text without byte order mark. Overlapping or
    impossible spans would mean that the model and the text are not of the same bytes: ValueError.
    """
    replacements = sorted(
        (found.start, found.end, url)
        for found in imports
        if found.specifier is not None and (url := url_of(found.specifier)) is not None
    )
    # UTF-16 units and Python's letters are the same until a letter beyond U+FFFF comes.
    units = text.encode("utf-16-le", "surrogatepass")
    parts: list[bytes] = []
    done = 0
    for start, end, url in replacements:
        if not done <= start < end <= len(units) // 2:
            raise ValueError(f"span {start}:{end} does not fit the text")
        parts += [units[done * 2 : start * 2], _literal(url).encode("utf-16-le")]
        done = end
    parts.append(units[done * 2 :])
    return b"".join(parts).decode("utf-16-le", "surrogatepass")


def _literal(url: str) -> str:
    """A JavaScript string literal. JSON's escapes are JavaScript's, and ASCII leaves no U+2028 to worry about."""
    return json.dumps(url, ensure_ascii=True)
