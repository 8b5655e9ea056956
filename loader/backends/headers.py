"""Which headers pass between a caller and a backend. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

Header: TypeAlias = tuple[bytes, bytes]

HOP_BY_HOP = frozenset(
    (
        *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection"),
        *(b"te", b"trailer", b"transfer-encoding", b"upgrade"),
    )
)
# What opens us or Hermes, and our own word about a deadline.
TIMEOUT_HEADER = b"hermes-timeout-ms"
_OURS = frozenset((b"authorization", b"cookie", b"x-hermes-session-token", TIMEOUT_HEADER))
# A backend shares our origin: it may set nothing that outlives its answer or reaches beyond its own paths.
_NOT_FROM_BACKENDS = frozenset(
    (b"set-cookie", b"clear-site-data", b"service-worker-allowed", b"strict-transport-security", b"alt-svc")
)
_HANDSHAKE = b"sec-websocket-"
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}")
_BAD_VALUE = re.compile(rb"[\x00\r\n]")
HEADERS_LIMIT = 256
# A browser refuses more, and says of the reason no more than that.
HEADERS_LIMIT_BYTES = 256 * 1024

OUR_SUBPROTOCOLS = "hermes-plugins."
BEARER = "bearer."


def to_backend(headers: Iterable[Header], *, subprotocols: Iterable[str] = ()) -> list[Header]:
    """Of a request. ``subprotocols``: those of a WebSocket that are for the backend."""
    given = list(headers)
    dropped = HOP_BY_HOP | _OURS | _named_by_connection(given)
    passed = [(name, value) for name, value in given if name not in dropped and not name.startswith(_HANDSHAKE)]
    offered = ", ".join(subprotocols)
    if offered:
        passed.append((b"sec-websocket-protocol", offered.encode("latin-1", "replace")))
    return passed


def from_backend(headers: Iterable[Header]) -> list[Header] | None:
    """Of an answer; None when the backend sent what is no header."""
    given = [(name.lower(), value) for name, value in headers]
    if len(given) > HEADERS_LIMIT or sum(len(name) + len(value) for name, value in given) > HEADERS_LIMIT_BYTES:
        return None
    if any(not _NAME.fullmatch(name) or _BAD_VALUE.search(value) for name, value in given):
        return None
    dropped = HOP_BY_HOP | _NOT_FROM_BACKENDS | _named_by_connection(given)
    return [(name, value) for name, value in given if name not in dropped and not name.startswith(_HANDSHAKE)]


def for_backend(subprotocols: Iterable[str]) -> list[str]:
    """Without the one that carries a token and the one that is ours."""
    return [name for name in subprotocols if not name.startswith((BEARER, OUR_SUBPROTOCOLS))]


def _named_by_connection(headers: Iterable[Header]) -> frozenset[bytes]:
    """``Connection: a, b`` makes ``a`` and ``b`` hop-by-hop too."""
    return frozenset(
        part.strip().lower() for name, value in headers if name.lower() == b"connection" for part in value.split(b",")
    )
