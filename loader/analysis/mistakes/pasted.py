"""What a chat leaves around and inside code that was copied from it: fences, sentences, dots for what is missing."""

from __future__ import annotations

import re

from loader.analysis.early import RESERVED
from loader.analysis.mistakes.scene import Scene, Words, cut

_SENTENCE_LIMIT = 2000
_FENCE = re.compile(r"(?:```|~~~)[\w-]*[ \t]*\r?$")
# `This plugin adds a pane (on the right).`: words, and no punctuation of code but what a sentence has, too.
_SENTENCE = re.compile(r"[A-Za-z][\w'’-]*(?:[,;:.!?…—–-]? [(\"'“‘`*]*[\w'’`./*-]+[)\"'”’`*]*){2,}[.:!?…]*")


def fence(text: str, at: int) -> tuple[int, int] | None:
    """Start and end of the code fence on the line of a code point, where it is alone there."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    line = text[start:end]
    return (start, start + len(line.rstrip())) if _FENCE.match(line) else None


def sentence(scene: Scene) -> Words | None:
    """A line of plain text above or below the code: two words in a row are no code, unless one of them is a keyword."""
    token = scene.token()
    return sentence_at(scene.module.text, token.start) if token is not None else None


def sentence_at(text: str, at: int, *, surely: bool = False) -> Words | None:
    """The same for the line of a code point: it may begin what only looks like a string (`Here's the plugin:`).

    ``surely``: only what nobody could take for TypeScript either, a capital letter and a full stop about it.
    """
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    end = min((end for end in (text.find("\n", at), text.find("\r", at)) if end >= 0), default=len(text))
    line = text[start:end].strip()
    if len(line) > _SENTENCE_LIMIT or not _SENTENCE.fullmatch(line):
        return None
    if surely and not (line[0].isupper() and line[-1] in ".:!?…"):
        return None
    first, second = line.split(" ")[:2]
    if first in RESERVED or (second in RESERVED and not first[0].isupper()):
        return None
    begin = start + len(text[start:end]) - len(text[start:end].lstrip())
    return Words(
        f"this line is plain text, not code: `{cut(line)}`",
        "Remove it, or make it a comment: `// …`.",
        begin,
        begin + len(line),
    )


def left_out(scene: Scene) -> Words | None:
    """`...` where nothing follows that could be spread."""
    for offset in (0, -1):
        dots, following = scene.token(offset), scene.token(offset + 1)
        if dots is None or dots.text not in ("...", "…"):
            continue
        text = scene.module.text
        end = following.start if following is not None else len(text)
        if (
            dots.text == "…"
            or "\n" in text[dots.end : end]
            or (following and following.text in (")", "]", "}", ",", ";"))
        ):
            return Words(
                f"`{dots.text}` stands for code that was left out here",
                "Write that code; whoever shortened the file has to give all of it.",
                dots.start,
                dots.end,
            )
    return None
