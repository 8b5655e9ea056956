"""How long an answer's body is: what the backend says of it has to be true, or the caller waits, or reads on. Pure."""

from __future__ import annotations

import re

from loader.backends.headers import Header

_LENGTH = re.compile(rb"[0-9]{1,15}")
# RFC 9110, 6.4.1: these end with their header, whatever the handler gives beside it.
_WITHOUT_BODY = frozenset({204, 205, 304})


class AnswerBody:
    """Counts the body of one answer. ``method`` is the request's, ``headers`` are the answer's, names in lower case.

    ``excess``: the backend gave more bytes than its header says. Those are the next answer's to whoever reads on, so
    they are left out.
    """

    def __init__(self, method: str, status: int, headers: list[Header]) -> None:
        self._sends = method != "HEAD" and status not in _WITHOUT_BODY
        self._left = said_length(headers) if self._sends else 0
        self.excess = False

    def take(self, piece: bytes) -> bytes:
        """What of the piece goes to the caller."""
        if self._left is None:
            return piece
        self.excess = self.excess or (self._sends and len(piece) > self._left)
        piece = piece[: self._left]
        self._left -= len(piece)
        return piece

    @property
    def lacks(self) -> bool:
        """Whether there should be more of it."""
        return bool(self._left)


def said_length(headers: list[Header]) -> int | None:
    """What ``content-length`` says, None where it says nothing. Raises ValueError for what is no number, or two."""
    said = {value.strip() for name, value in headers if name == b"content-length"}
    if not said:
        return None
    if len(said) > 1 or not _LENGTH.fullmatch(length := said.pop()):
        raise ValueError("no length")
    return int(length)
