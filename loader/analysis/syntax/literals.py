"""What a string or template literal says once its escapes are decoded."""

from __future__ import annotations

import re

_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
# A backslash before a line end is a continuation and leaves nothing; CRLF counts as one line end.
_ESCAPE = re.compile(
    r"\\(?:u\{(?P<braced>[0-9A-Fa-f]+)\}|u(?P<four>[0-9A-Fa-f]{4})|x(?P<two>[0-9A-Fa-f]{2})"
    r"|(?P<octal>[0-3][0-7]{1,2}|[4-7][0-7]|[1-7])|(?P<line>\r\n|[\n\r\u2028\u2029])|(?P<other>[\s\S]))"
)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


def _replace(match: re.Match[str]) -> str:
    kind = match.lastgroup
    value = match.group(kind) if kind else ""
    if kind in ("braced", "four", "two"):
        code = int(value, 16)
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    if kind == "octal":
        return chr(int(value, 8))
    if kind == "line":
        return ""
    return _SIMPLE.get(value, value)


def _join(match: re.Match[str]) -> str:
    return match.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def cooked(raw: str) -> str:
    """Decode the inside of a literal (without its quotes): escapes, continuations, surrogate pairs."""
    if "\\" not in raw:
        return raw
    return without_lone_surrogates(_ESCAPE.sub(_replace, raw))


def without_lone_surrogates(text: str) -> str:
    """Halves of pairs joined, halves that stand alone as U+FFFD: they could not be written to any file or socket."""
    return _LONE.sub("\ufffd", _PAIR.sub(_join, text))


def string_value(literal: str) -> str:
    """The value of a quoted string literal, quotes included in what is given."""
    return cooked(literal[1:-1])


def template_value(literal: str) -> str:
    """The value of a template without substitutions, backticks included in what is given; line ends become LF."""
    return cooked(literal[1:-1].replace("\r\n", "\n").replace("\r", "\n"))


def identifier_name(written: str) -> str:
    r"""A name as the language sees it: ``\u0061bc`` is ``abc``."""
    return cooked(written) if "\\" in written else written


def number_value(written: str) -> float | int | None:
    """The value of a numeric literal; None for what is none (a BigInt is its int)."""
    text = written.replace("_", "").lower()
    try:
        if text.endswith("n"):
            return int(text[:-1], 0)
        if text[:2] in ("0x", "0o", "0b"):
            return int(text, 0)
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
