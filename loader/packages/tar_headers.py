"""A first, strict reading of a tar stream: every header, nothing written, little held in memory.

``tarfile`` reads a long name or pax records of any size while it parses a header, and forgives much that a packer
never writes. So the stream is walked here first, in blocks. What passes is plain enough that two readers cannot
understand it differently; that they did not is checked again, member by member, while extracting.

Layout: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Header Block"; GNU tar manual, "Basic Tar Format".
"""

from __future__ import annotations

import re

from loader.packages.limits import LIMITS, Limits
from loader.packages.members import Gathering, Listing
from loader.packages.refused import Invalid
from loader.packages.unpacked import Reader

BLOCK_BYTES = 512
_PIECE_BYTES = 64 * 1024
_REFUSED_TYPES = {
    b"1": "it is a hard link",
    b"2": "it is a symbolic link",
    b"3": "it is a character device",
    b"4": "it is a block device",
    b"6": "it is a FIFO",
    b"S": "it is a sparse file",
    b"M": "it goes on from another volume",
    b"V": "it is a volume's label",
    b"D": "it is an incremental dump",
}
_KNOWN_PAX = re.compile(
    r"path|size|mtime|atime|ctime|uid|gid|uname|gname|comment|charset|(?:LIBARCHIVE|SCHILY|RHT|MSWINDOWS)\..+"
)
_NO_ARCHIVE = "it is no archive of a known kind (.tar, .tar.gz, .tgz, .zip)"
_PAX_RECORD = re.compile(rb"(\d{1,9}) ")


def list_tar(
    stream: Reader, *, limits: Limits = LIMITS, links_left_out: bool = False, in_one_folder: bool = True
) -> Listing:
    """Everything that the stream holds. ``stream`` gives unpacked bytes and bounds their number.

    Raises:
        Invalid: the first thing that must not be there, with the member's name.
    """
    return _Walk(stream, limits, links_left_out, in_one_folder).run()


class _Walk:
    def __init__(self, stream: Reader, limits: Limits, links_left_out: bool, in_one_folder: bool) -> None:
        self._stream = stream
        self._limits = limits
        self._links_left_out = links_left_out
        self._gathering = Gathering(limits, in_one_folder)
        self._headers = 0
        # What extended headers say of the next member.
        self._long_name: str | None = None
        self._pax: dict[str, str] | None = None
        self._link_named = False

    def run(self) -> Listing:
        while (header := self._block()) is not None and header.strip(b"\0"):
            self._headers += 1
            if self._headers > 3 * self._limits.entries:
                raise Invalid(f"there are more than {self._limits.entries} entries")
            self._header(header)
        if self._long_name is not None or self._pax is not None or self._link_named:
            raise Invalid("it ends behind the header of a long name", self._long_name or "")
        if header is None and self._headers == 0:
            raise Invalid(_NO_ARCHIVE)
        self._nothing_follows()
        return self._gathering.done()

    # ------------------------------------------------------------ one header

    def _header(self, header: bytes) -> None:
        kind = header[156:157]
        name = _text(header[0:100])
        if header[257:263] == b"ustar\0" and (prefix := _text(header[345:500])):
            name = f"{prefix}/{name}"
        if not _is_whole(header):
            raise Invalid(_NO_ARCHIVE) if self._headers == 1 else Invalid("its header is damaged", name)
        size = _number(header[124:136], "its size", name)
        if size < 0:
            raise Invalid("its size is negative", name)
        if kind in (b"L", b"K", b"x", b"X", b"g"):
            self._extended(kind, size, name)
            return
        name, size = self._as_said(name, size)
        if kind in (b"0", b"\0", b"7") and not (kind == b"\0" and name.endswith("/")):
            self._gathering.file(name, size)
            self._skip(size, name)
        elif kind in (b"5", b"\0"):
            if size:
                raise Invalid("a folder with content", name)
            self._gathering.folder(name)
        elif kind in (b"1", b"2") and self._links_left_out:
            if size:
                raise Invalid("a link with content", name)
            self._gathering.link(name)
        else:
            raise Invalid(_REFUSED_TYPES.get(kind, f"it is of the unknown kind {kind!r}"), name)

    def _as_said(self, name: str, size: int) -> tuple[str, int]:
        """Name and size after what the extended headers before it say."""
        long_name, pax, self._long_name, self._pax = self._long_name, self._pax, None, None
        self._link_named = False
        name = long_name if long_name is not None else name
        if pax is not None:
            name = pax.get("path", name)
            said = pax.get("size")
            # Both fields hold any size that may be here, so a packer writes the same into both.
            if said is not None and (not re.fullmatch(r"\d{1,15}", said) or int(said) != size):
                raise Invalid("its size is another in the pax records", name)
        return name, size

    def _extended(self, kind: bytes, size: int, name: str) -> None:
        if size > self._limits.header_bytes:
            text = f"its extended header has {size} bytes; {self._limits.header_bytes} are read"
            raise Invalid(text, name)
        data = self._body(size, name)
        if kind == b"g":
            _global(_records(data, name), name)
            return
        if kind == b"K":
            # Only links have a long target: tarfile would keep it for whatever member follows.
            if not self._links_left_out:
                raise Invalid("it is a link with a long target", _text(data))
            self._link_named = True
            return
        if kind == b"L":
            if self._long_name is not None or self._pax is not None:
                raise Invalid("two extended headers name one member", _text(data))
            self._long_name = _text(data)
            return
        if self._pax is not None or self._long_name is not None:
            raise Invalid("two extended headers name one member", name)
        self._pax = _records(data, name)
        for key in self._pax:
            if key.startswith("GNU.sparse"):
                raise Invalid("it is a sparse file", self._pax.get("path", name))
            if key == "linkpath":
                if self._links_left_out:
                    continue
                raise Invalid("it is a link", self._pax.get("path", name))
            if not _KNOWN_PAX.fullmatch(key):
                raise Invalid(f"its pax records hold the unknown key {key[:60]!r}", self._pax.get("path", name))

    # ------------------------------------------------------------ the stream

    def _block(self) -> bytes | None:
        data = self._stream.read(BLOCK_BYTES)
        if not data:
            return None
        if len(data) < BLOCK_BYTES:
            if self._headers == 0:
                raise Invalid(_NO_ARCHIVE)
            raise Invalid("it is cut off in a header")
        return data

    def _body(self, size: int, name: str) -> bytes:
        padded = -(-size // BLOCK_BYTES) * BLOCK_BYTES
        data = self._stream.read(padded)
        if len(data) < padded:
            raise Invalid("the archive is cut off in it", name)
        return data[:size]

    def _skip(self, size: int, name: str) -> None:
        left = -(-size // BLOCK_BYTES) * BLOCK_BYTES
        while left:
            piece = self._stream.read(min(left, _PIECE_BYTES))
            if not piece:
                raise Invalid("the archive is cut off in it", name)
            left -= len(piece)

    def _nothing_follows(self) -> None:
        """Behind the end there may be zeros only: what stands there, one reader finds and another does not."""
        while piece := self._stream.read(_PIECE_BYTES):
            if piece.strip(b"\0"):
                raise Invalid("something stands behind the end of the archive")


# ---------------------------------------------------------------- fields


def _text(field: bytes) -> str:
    """What is no UTF-8 becomes lone surrogates, as in tarfile; names with such are refused."""
    return field.partition(b"\0")[0].decode("utf-8", "surrogateescape")


def _number(field: bytes, what: str, name: str) -> int:
    if field[0] in (0x80, 0xFF):
        value = int.from_bytes(field[1:], "big")
        return value if field[0] == 0x80 else value - 256 ** (len(field) - 1)
    digits = field.partition(b"\0")[0].strip(b" ")
    if not digits:
        return 0
    if not re.fullmatch(rb"[0-7]+", digits):
        raise Invalid(f"{what} is no number", name)
    return int(digits, 8)


def _is_whole(header: bytes) -> bool:
    """Whether the checksum is right: unsigned as the standard wants it, or signed as old packers wrote it."""
    digits = header[148:156].partition(b"\0")[0].strip(b" ")
    if not re.fullmatch(rb"[0-7]+", digits):
        return False
    blank = header[:148] + b" " * 8 + header[156:]
    unsigned = sum(blank)
    return int(digits, 8) in (unsigned, unsigned - 256 * sum(byte > 127 for byte in blank))


def _records(data: bytes, name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    position = 0
    while position < len(data):
        match = _PAX_RECORD.match(data, position)
        length = int(match[1]) if match else 0
        record = data[match.end() : position + length] if match else b""
        key, equals, value = record.partition(b"=")
        if not match or position + length > len(data) or record[-1:] != b"\n" or not equals or not key:
            raise Invalid("its pax records are damaged", name)
        text = key.decode("utf-8", "surrogateescape")
        if text in found:
            raise Invalid(f"its pax records say {text[:60]!r} twice", name)
        found[text] = value[:-1].decode("utf-8", "surrogateescape")
        if text in ("path", "size", "linkpath") and b"\0" in value:
            raise Invalid("its pax records hold a zero byte in a name", name)
        position += length
    return found


def _global(records: dict[str, str], name: str) -> None:
    """`git archive` writes its commit there. A name or a size for all members is a trick."""
    for key in records:
        if key not in ("comment", "charset") and not key.endswith("time"):
            raise Invalid(f"a global pax header sets {key[:60]!r} for all members", name)
