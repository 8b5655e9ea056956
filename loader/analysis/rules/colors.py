"""Colours written out in CSS text: what is one, and where in the text it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAMES = (
    "aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown "
    "burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan "
    "darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred "
    "darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink "
    "deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold "
    "goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush "
    "lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey "
    "lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow "
    "lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen "
    "mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin "
    "navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise "
    "palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue "
    "saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow "
    "springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen"
)
# A part that cannot be known (a template's substitution) shows as this, in the same length.
UNKNOWN = "\x00"
_FUNCTION = re.compile(r"(?<![\w-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(", re.IGNORECASE)
_OPAQUE = re.compile(r"(?<![\w-])(?:var|url|color-mix|light-dark|attr|env)\(", re.IGNORECASE)
_HEX = re.compile(r"(?<![\w&-])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\w\x00-])", re.IGNORECASE)
_NAME = re.compile(rf"(?<![\w.#\x00-])(?:{'|'.join(_NAMES.split())})(?![\w(.\x00-])", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
# Black let through is a shadow or a scrim: it darkens whatever theme lies below.
_SHADE = re.compile(
    r"rgba?\(\s*0\s*[, ]\s*0\s*[, ]\s*0\s*[,/]\s*(?:0?\.\d+|0|\d{1,2}(?:\.\d+)?%)\s*\)"
    r"|#000[0-9a-e]|#000000(?!ff)[0-9a-f]{2}",
    re.IGNORECASE,
)
_LENGTH_LIMIT = 4_000


def literal_colors(value: str) -> Iterator[tuple[int, int]]:
    """Where fixed colours stand in a CSS value: (start, end) offsets.

    What depends on a variable is none: ``var(--x, #fff)``, ``color-mix(in srgb, var(--x), white)``,
    ``rgb(from var(--x) r g b / 50%)``. Neither is a translucent black, nor what has an unknown part.
    """
    if len(value) > _LENGTH_LIMIT:
        return
    text = _blanked(value, _QUOTED)
    for match in _OPAQUE.finditer(text):
        text = _without(text, match.start(), _closing(text, match.end()))
    functions = []
    for match in _FUNCTION.finditer(text):
        end = _closing(text, match.end())
        if "var(" not in value[match.start() : end] and UNKNOWN not in text[match.start() : end]:
            functions.append((match.start(), end))
        text = _without(text, match.start(), end)
    found = [*functions, *(match.span() for pattern in (_HEX, _NAME) for match in pattern.finditer(text))]
    for start, end in sorted(found):
        if not _SHADE.fullmatch(value[start:end]):
            yield start, end


def _closing(text: str, start: int) -> int:
    """The offset behind the bracket that closes the one before ``start``."""
    depth = 1
    for offset in range(start, len(text)):
        depth += (text[offset] == "(") - (text[offset] == ")")
        if depth == 0:
            return offset + 1
    return len(text)


def _without(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _blanked(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)
