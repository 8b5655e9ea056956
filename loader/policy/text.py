"""Text that came from a plugin, made fit to be shown: one line, bounded, nothing hidden in it.

A character is what a reader takes for one: an extended grapheme cluster (Unicode Annex 29, by the
``regex`` library). White space is Unicode's property White_Space, and U+FEFF, which JavaScript counts in.
"""

from __future__ import annotations

import math
from decimal import Decimal

import regex

from loader.nouns import Json
from loader.policy.limits import SHOWN_ID_CHARACTERS

_CLUSTER = regex.compile(r"\X")
_WHITE_RUN = regex.compile(r"[\p{White_Space}\uFEFF]+")
_UNSAFE = regex.compile(r"[\p{Cc}\p{Cs}\p{Bidi_Control}]+")
_UNSAFE_BUT_LAYOUT = regex.compile(r"[[\p{Cc}--[\t\n]]\p{Cs}]+", regex.V1)
# U+2800 is a pattern of Braille without dots.
_INVISIBLE = regex.compile(r"[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]*")
_ESCAPED = regex.compile(
    r"[[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFEFF'\\][\p{White_Space}--[ ]]]", regex.V1
)

# White space and U+FEFF, as JavaScript trims.
_EDGES = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
# Text is cleaned in pieces until there is enough of it: a frame of a mebibyte costs what a line costs.
_PIECE_CODE_POINTS = 8_192
_NESTING_LIMIT = 32


def stringify(value: Json) -> str:
    """What ``String(value)`` gives in JavaScript for a JSON value, except that null is empty.

    Arrays are joined by commas (nested deeper than 32 they are empty), objects are ``[object Object]``.
    """
    return "" if value is None else _stringify(value, 0)


def _stringify(value: Json, depth: int) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _number(value)
        case list():
            return "" if depth >= _NESTING_LIMIT else ",".join(_stringify(item, depth + 1) for item in value)
        case _:
            return "[object Object]"


def _number(value: float) -> str:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    mantissa, _, exponent = repr(number).partition("e")
    if exponent and not -7 < int(exponent) < 21:
        return f"{mantissa}e{int(exponent):+d}"
    return format(Decimal(repr(number)), "f").removesuffix(".0")


def cut(text: str, *, graphemes: int, code_points: int) -> str:
    """The longest start of ``text`` within both bounds that splits no cluster.

    A first cluster that alone is over the bound is split all the same: something has to be bounded.
    """
    if len(text) <= graphemes:
        return text
    end = 0
    # One code point more than may stay tells whether the last cluster ends at the bound or goes on.
    for count, cluster in enumerate(_CLUSTER.finditer(text[: code_points + 1])):
        if count == graphemes or cluster.end() > code_points:
            break
        end = cluster.end()
    return text[: end or code_points]


def clean_line(value: Json, *, graphemes: int, code_points: int) -> str:
    """One line that can be shown: cleaned first, cut after. Empty when nothing of it could be seen.

    Every run of white space and line ends becomes one space, then control characters, bidirectional
    controls and lone surrogates go, and a space that their going has doubled.
    """
    line = _cleaned(stringify(value), code_points + 1)
    return _seen(cut(line, graphemes=graphemes, code_points=code_points).rstrip(" "))


def clean_name(value: Json, *, code_points: int) -> str | None:
    """Cleaned like a line but never cut, since half a name is another name: None when empty or too long."""
    name = _seen(_cleaned(stringify(value), code_points + 2).rstrip(" "))
    return name if 0 < len(name) <= code_points else None


def _cleaned(text: str, enough: int) -> str:
    line = ""
    for start in range(0, len(text), _PIECE_CODE_POINTS):
        piece = _UNSAFE.sub("", _WHITE_RUN.sub(" ", text[start : start + _PIECE_CODE_POINTS]))
        line = _WHITE_RUN.sub(" ", line + piece).lstrip(" ")
        if len(line) > enough:
            break
    return line


def _seen(text: str) -> str:
    """Empty when nothing of it can be seen: asked of what is left after a cut, for that is what shows."""
    return "" if _INVISIBLE.fullmatch(text) else text


def clean_text(value: Json, *, graphemes: int, code_points: int) -> str:
    """Text of several lines: line ends become LF, other control characters and lone surrogates go; trimmed, cut."""
    text = stringify(value)
    # Twice the bound and a piece: a text that begins with more rubbish than that is none.
    text = text.lstrip()[: 2 * code_points + _PIECE_CODE_POINTS]
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n").replace("\u2028", "\n")
    text = _UNSAFE_BUT_LAYOUT.sub("", text.replace("\u2029", "\n")).strip(_EDGES)
    return _seen(cut(text, graphemes=graphemes, code_points=code_points).rstrip(_EDGES))


def shown(value: Json, *, characters: int = SHOWN_ID_CHARACTERS) -> str:
    """A foreign value for a message: what cannot be seen is escaped, at most ``characters`` code points."""
    text = "null" if value is None else stringify(value)
    escaped: list[str] = []
    length = 0
    for letter in text[: characters + 1]:
        piece = _escape(letter) if _ESCAPED.match(letter) else letter
        length += len(piece)
        escaped.append(piece)
    if length <= characters and len(text) <= characters:
        return "".join(escaped)
    while length > characters - 1:
        length -= len(escaped.pop())
    return "".join(escaped) + "…"


def _escape(letter: str) -> str:
    if letter in "'\\":
        return "\\" + letter
    code = ord(letter)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\u{{{code:x}}}"
