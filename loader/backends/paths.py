"""Which paths may go to a backend: those that no decoder on the way can turn into another one. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

PREFIX = "/api/plugins/"
PATH_LIMIT_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class BackendPath:
    """``name`` as the URL spells it, decoded once."""

    name: str


@dataclass(frozen=True, slots=True)
class BadPath:
    """``why`` names the segment's fault, never its text."""

    why: str


def judge_path(raw_path: bytes) -> BackendPath | BadPath:
    """``raw_path``: the target as it came, without its query.

    Every segment is looked at as it stands, decoded once and decoded twice: a backend, or a library in it, may decode
    once more than we do. One empty segment at the very end is a trailing slash, which routes may have.
    """
    if not raw_path.startswith(PREFIX.encode()):
        return BadPath("the path is not spelled /api/plugins/<name>/…")
    if len(raw_path) > PATH_LIMIT_BYTES:
        return BadPath(f"the path is longer than {PATH_LIMIT_BYTES} bytes")
    segments = raw_path[len(PREFIX) :].split(b"/")
    for position, segment in enumerate(segments):
        if segment == b"" and 0 < position == len(segments) - 1:
            continue
        why = _fault(segment)
        if why is not None:
            return BadPath(why)
    try:
        return BackendPath(unquote_to_bytes(segments[0]).decode("utf-8"))
    except UnicodeDecodeError:
        return BadPath("the plugin's name is no UTF-8")


def _fault(segment: bytes) -> str | None:
    once = unquote_to_bytes(segment)
    twice = unquote_to_bytes(once)
    for decoded, how in ((segment, ""), (once, " once it is decoded"), (twice, " once it is decoded twice")):
        if decoded == b"":
            return f"a segment of the path is empty{how}"
        if decoded in (b".", b".."):
            return f"a segment of the path is '{decoded.decode()}'{how}"
        for letter, named in ((b"/", "a slash"), (b"\\", "a backslash"), (b"\0", "a zero byte")):
            if letter in decoded:
                return f"a segment of the path holds {named}{how}"
    return None
