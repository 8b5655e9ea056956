"""A first, strict reading of a zip archive: its directory under limits, every entry's content once, nothing written.

``zipfile`` reads the directory whole before it says how large it is, so its end record is read here first. Layout:
PKWARE APPNOTE 6.3.10, sections 4.3 to 4.6.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
from collections.abc import Sequence
from typing import BinaryIO

from loader.packages.limits import LIMITS, Limits
from loader.packages.members import Gathering, Listing
from loader.packages.refused import Invalid

_END = struct.Struct("<4sHHHHIIH")
_LOCAL = struct.Struct("<4s22xHH")
_END_MAGIC, _ZIP64_MAGIC, _LOCAL_MAGIC = b"PK\x05\x06", b"PK\x06\x07", b"PK\x03\x04"
_COMMENT_BYTES = 0xFFFF
_DIRECTORY_BYTES = 4 * 1024 * 1024
_UNIX = 3
# MS-DOS and NTFS: no name there holds a backslash that is none.
_OF_WINDOWS = (0, 10)
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_DESCRIBED = 0x8
_DESCRIPTOR_MAGIC = b"PK\x07\x08"
_UNICODE_PATH = 0x7075
_PIECE_BYTES = 64 * 1024


def list_zip(file: BinaryIO, size_bytes: int, *, limits: Limits = LIMITS) -> Listing:
    """Everything that the archive holds; each entry was read once and has the size and checksum that it says.

    Raises:
        Invalid: the first thing that must not be there, with the entry's name; BadZipFile and the like as they come.
    """
    _check_end(file, size_bytes, limits)
    file.seek(0)
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        gathering = Gathering(limits)
        for entry in entries:
            _check_entry(entry)
            name = member_name(entry)
            # Not is_dir(): it fails on an entry without a name.
            if name.endswith("/"):
                if entry.file_size:
                    raise Invalid("a folder with content", name)
                gathering.folder(name)
            else:
                gathering.file(name, entry.file_size)
        listing = gathering.done()
        _check_layout(file, archive.start_dir, entries)
        _check_ratio(listing.size_bytes, size_bytes, limits)
        for entry in entries:
            _read_through(archive, entry)
        return listing


def member_name(entry: zipfile.ZipInfo) -> str:
    """The entry's name with the separators it means: Windows PowerShell packs with backslashes, against the format."""
    name = entry.orig_filename
    return name.replace("\\", "/") if entry.create_system in _OF_WINDOWS and "/" not in name else name


def _check_end(file: BinaryIO, size_bytes: int, limits: Limits) -> None:
    start = max(size_bytes - _END.size - _COMMENT_BYTES, 0)
    file.seek(start)
    tail = file.read(_END.size + _COMMENT_BYTES)
    at = tail.rfind(_END_MAGIC)
    if at < 0 or at + _END.size > len(tail):
        raise Invalid("it is no whole zip archive: its directory is missing")
    _, disk, first_disk, here, entries, directory_bytes, directory_at, comment = _END.unpack_from(tail, at)
    if at + _END.size + comment != len(tail):
        raise Invalid("something stands behind the end of the archive")
    if disk or first_disk or here != entries:
        raise Invalid("it is one of several volumes")
    if tail[max(at - 20, 0) : at].startswith(_ZIP64_MAGIC) or 0xFFFF in (here, entries):
        raise Invalid("it is a zip64 archive, which nothing of this size needs")
    if entries > limits.entries:
        raise Invalid(f"there are more than {limits.entries} entries")
    if directory_bytes > _DIRECTORY_BYTES:
        raise Invalid(f"its directory has {directory_bytes} bytes; {_DIRECTORY_BYTES} are read")
    if directory_at + directory_bytes != start + at:
        raise Invalid("its directory is not where the archive says: something was put before or into it")


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.orig_filename
    if entry.flag_bits & _ENCRYPTED:
        raise Invalid("it is encrypted", name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Invalid(f"it is packed by the unknown method {entry.compress_type}", name)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        # Whatever system it says that it comes from: some readers believe the bits alone.
        raise Invalid("it is a symbolic link", name)
    if entry.create_system == _UNIX:
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise Invalid("it is a device, a FIFO or a socket", name)
        if kind == stat.S_IFDIR and not name.endswith("/"):
            raise Invalid("a folder has the name of a file", name)
        if kind == stat.S_IFREG and name.endswith("/"):
            raise Invalid("a file has the name of a folder", name)
    _check_second_names(entry.extra, name)


def _check_second_names(extra: bytes, name: str) -> None:
    """Info-ZIP's Unicode path fields hold names that some readers prefer, the first or the last of them."""
    position = 0
    while position + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, position)
        position += 4 + length
        if kind == _UNICODE_PATH and extra[position - length + 5 : position].decode("utf-8", "surrogateescape") != name:
            raise Invalid("it has two names, and readers differ which counts", name)


def _check_layout(file: BinaryIO, directory_at: int, entries: Sequence[zipfile.ZipInfo]) -> None:
    """One entry after the other, from the first byte to the directory: those that share bytes unpack to many times what
    the archive holds, and what lies between them some readers find and others do not."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise Invalid("it overlaps another entry", entry.orig_filename)
        file.seek(entry.header_offset)
        head = file.read(_LOCAL.size)
        if len(head) < _LOCAL.size or not head.startswith(_LOCAL_MAGIC):
            raise Invalid("its header is missing", entry.orig_filename)
        if entry.header_offset > end:
            raise Invalid("something that the archive does not list stands before it", entry.orig_filename)
        _, name_bytes, extra_bytes = _LOCAL.unpack(head)
        file.seek(name_bytes, os.SEEK_CUR)
        _check_second_names(file.read(extra_bytes), entry.orig_filename)
        end = entry.header_offset + _LOCAL.size + name_bytes + extra_bytes + entry.compress_size
        if end > directory_at:
            raise Invalid("it reaches into the archive's directory", entry.orig_filename)
        if entry.flag_bits & _DESCRIBED:
            end += _descriptor_bytes(file, end, entry)
    if end != directory_at:
        raise Invalid("something that the archive does not list stands before its directory")


def _descriptor_bytes(file: BinaryIO, at: int, entry: zipfile.ZipInfo) -> int:
    """The length of the sizes and checksum behind an entry that was written as a stream (4.3.9); 0 for none."""
    file.seek(at)
    found = file.read(24)
    for sizes in ("<II", "<QQ"):
        said = struct.pack("<I", entry.CRC) + struct.pack(sizes, entry.compress_size, entry.file_size)
        for described in (_DESCRIPTOR_MAGIC + said, said):
            if found.startswith(described):
                return len(described)
    return 0


def _check_ratio(unpacked_bytes: int, packed_bytes: int, limits: Limits) -> None:
    if unpacked_bytes > max(packed_bytes * limits.ratio, limits.ratio_floor_bytes):
        raise Invalid(f"it unpacks to more than {limits.ratio} times its size")


def _read_through(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    """zipfile compares local and central names, and the checksum at the end; never gives more than the size said."""
    with archive.open(entry) as content:
        read_bytes = 0
        while piece := content.read(_PIECE_BYTES):
            read_bytes += len(piece)
    if read_bytes != entry.file_size:
        raise Invalid("it has fewer bytes than it says", entry.orig_filename)
