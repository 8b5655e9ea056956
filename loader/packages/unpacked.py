"""Unpacked bytes of a file that may be gzip, and no more of them than the limits allow."""

from __future__ import annotations

import io
import zlib
from typing import Protocol

from loader.packages.limits import LIMITS, Limits
from loader.packages.refused import Invalid

GZIP_MAGIC = b"\x1f\x8b"

_PIECE_BYTES = 64 * 1024
# zlib's flag for "a gzip header, with the largest window".
_GZIP_WINDOW = 31
# Packers write one stream, parallel ones a few hundred; a million empty ones only cost time.
_STREAMS = 4_096


class Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Gunzip:
    """Reads a gzip file with zlib alone: Python's own reader walks a header's texts byte by byte, however long."""

    def __init__(self, packed: Reader) -> None:
        self._packed = packed
        self._zlib = zlib.decompressobj(_GZIP_WINDOW)
        self._rest = b""
        self._streams = 1

    def read(self, size: int, /) -> bytes:
        """At least one byte unless the file ends, at most ``size``. Raises Invalid for what is cut off, zlib.error."""
        while True:
            if self._zlib.eof and not self._next_stream():
                return b""
            piece = self._rest or self._packed.read(_PIECE_BYTES)
            if not piece:
                raise Invalid("the gzip stream is cut off")
            given = self._zlib.decompress(piece, size)
            self._rest = self._zlib.unused_data if self._zlib.eof else self._zlib.unconsumed_tail
            if given:
                return given

    def _next_stream(self) -> bool:
        """Whether another stream follows the one that ended; zeros behind it are padding."""
        while True:
            self._rest = (self._rest or self._packed.read(_PIECE_BYTES)).lstrip(b"\0")
            if self._rest:
                break
            if not (more := self._packed.read(_PIECE_BYTES)):
                return False
            self._rest = more
        self._streams += 1
        if self._streams > _STREAMS:
            raise Invalid(f"it is made of more than {_STREAMS} gzip streams")
        self._zlib = zlib.decompressobj(_GZIP_WINDOW)
        return True


class Bounded(io.RawIOBase):
    """``packed_bytes`` is the size that the ratio counts from; None where nothing is packed."""

    def __init__(self, inner: Reader, limits: Limits = LIMITS, packed_bytes: int | None = None) -> None:
        super().__init__()
        self._inner = inner
        # Headers and padding: at most a few blocks for each entry.
        slack_bytes = limits.entries * 2048 + 2 * limits.header_bytes
        self._most = limits.total_bytes + slack_bytes
        self._said = f"it unpacks to more than {limits.total_bytes} bytes"
        if packed_bytes is not None:
            by_ratio = max(packed_bytes * limits.ratio, limits.ratio_floor_bytes + slack_bytes)
            if by_ratio < self._most:
                self._most = by_ratio
                self._said = f"it unpacks to more than {limits.ratio} times its size"
        self._read_bytes = 0

    def read(self, size: int = -1, /) -> bytes:
        left = self._most - self._read_bytes + 1
        wanted = left if size < 0 else min(size, left)
        pieces: list[bytes] = []
        while wanted > 0:
            piece = self._inner.read(min(wanted, _PIECE_BYTES))
            if not piece:
                break
            pieces.append(piece)
            wanted -= len(piece)
            self._read_bytes += len(piece)
        if self._read_bytes > self._most:
            raise Invalid(self._said)
        return b"".join(pieces)

    def readable(self) -> bool:
        return True
