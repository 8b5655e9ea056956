"""Archives: listed whole under limits first, then extracted into a folder of our own. Never half, never outside it.

``.tar``, ``.tar.gz``, ``.tgz`` and ``.zip``, told by their first bytes rather than by their names. All of it blocks.
"""

from __future__ import annotations

import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from loader.errors import LoaderError, UsageError
from loader.packages.durable import make_folder, sync_tree, write_file
from loader.packages.limits import LIMITS, Limits
from loader.packages.members import Listing, Member
from loader.packages.names import ARCHIVE_ENDINGS, parts_of
from loader.packages.refused import Invalid
from loader.packages.tar_headers import list_tar
from loader.packages.unpacked import GZIP_MAGIC, Bounded, Gunzip
from loader.packages.zip_entries import list_zip, member_name

_PIECE_BYTES = 64 * 1024
# zipfile raises RuntimeError and NotImplementedError for what it does not support, and whatever comes for odd fields.
_DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    OverflowError,
    RuntimeError,
    OSError,
)


def list_archive(path: Path, *, limits: Limits = LIMITS) -> Listing:
    """What would be installed. Reads the whole archive once and writes nothing.

    Raises:
        Invalid: it must not be installed; names the member and the reason.
        UsageError: the file cannot be read.
    """
    with _opened(path) as file:
        return _listing(file, limits)


def extract_archive(path: Path, into: Path, *, limits: Limits = LIMITS) -> Listing:
    """List it, then write its files below ``into`` (an empty folder), and flush them to the disk.

    Raises:
        Invalid: as ``list_archive``, or it changed since it was listed.
        LoaderError: the disk is full, or does not take it. What lies in ``into`` then is the caller's to remove.
    """
    with _opened(path) as file:
        listing = _listing(file, limits)
        file.seek(0)
        if _is_zip(file):
            _extract_zip(file, listing, into)
        else:
            _extract_tar(_unpacked(file, limits), listing, into)
    sync_tree(into)
    return listing


def extract_tree(file: BinaryIO, into: Path, *, limits: Limits = LIMITS) -> Listing:
    """A plain tar without a top folder, as git writes one; links are passed over. ``file`` can be sought in."""
    with _as_invalid():
        listing = list_tar(Bounded(file, limits), limits=limits, links_left_out=True, in_one_folder=False)
    file.seek(0)
    _extract_tar(Bounded(file, limits), listing, into)
    sync_tree(into)
    return listing


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(path, flags)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    with open(handle, "rb") as file:  # noqa: PTH123 - an open descriptor has no path
        yield file


def _listing(file: BinaryIO, limits: Limits) -> Listing:
    size_bytes = os.fstat(file.fileno()).st_size
    if size_bytes > limits.packed_bytes:
        raise Invalid(f"the archive has {size_bytes} bytes; it may have {limits.packed_bytes}")
    with _as_invalid():
        if _is_zip(file):
            return list_zip(file, size_bytes, limits=limits)
        return list_tar(_unpacked(file, limits), limits=limits)


@contextmanager
def _as_invalid() -> Iterator[None]:
    """What the standard library says of damaged archives, as our refusal."""
    try:
        yield
    except _DAMAGED as error:
        raise Invalid(f"the archive is damaged or of an unknown kind ({str(error)[:120]})") from error


def _is_zip(file: BinaryIO) -> bool:
    head = file.read(4)
    file.seek(0)
    return head in (b"PK\x03\x04", b"PK\x05\x06")


def _unpacked(file: BinaryIO, limits: Limits) -> Bounded:
    head = file.read(6)
    file.seek(0)
    packed_bytes = os.fstat(file.fileno()).st_size
    if head.startswith(GZIP_MAGIC):
        return Bounded(Gunzip(file), limits, packed_bytes)
    for magic, kind in ((b"BZh", "bzip2"), (b"\xfd7zXZ", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"7z\xbc\xaf", "7z")):
        if head.startswith(magic):
            raise Invalid(f"it is packed with {kind}; known are {', '.join(ARCHIVE_ENDINGS)}")
    return Bounded(file, limits, packed_bytes)


# ---------------------------------------------------------------- writing


def _extract_tar(stream: Bounded, listing: Listing, into: Path) -> None:
    data_filter = getattr(tarfile, "data_filter", None)
    if data_filter is None:  # 3.11.0 to 3.11.3
        raise LoaderError("this Python cannot filter tar archives: 3.11.4 or newer is needed.")
    expected = iter(listing.files)
    passed_over = frozenset(name.rstrip("/") for name in listing.left_out)
    with _as_invalid():
        # Sizes of extended headers were bounded in the first reading, so tarfile may read them.
        with tarfile.open(fileobj=stream, mode="r|", encoding="utf-8", errors="surrogateescape") as archive:
            for found in archive:
                if found.isdir() or found.name.rstrip("/") in passed_over:
                    continue
                member = next(expected, None)
                if (
                    member is None
                    or not found.isreg()
                    or found.size != member.size_bytes
                    or parts_of(found.name) != parts_of(member.name)
                ):
                    raise Invalid("it is another one than when the archive was listed", found.name)
                _kept_by(data_filter, found, into)
                content = archive.extractfile(found)
                if content is None:
                    raise Invalid("it has no content", found.name)
                _write(member, content, into)
        if next(expected, None) is not None:
            raise Invalid("the archive holds less than when it was listed")


def _kept_by(
    data_filter: Callable[[tarfile.TarInfo, str], tarfile.TarInfo], found: tarfile.TarInfo, into: Path
) -> None:
    try:
        data_filter(found, str(into))
    except tarfile.FilterError as error:
        raise Invalid(str(error), found.name) from error


def _extract_zip(file: BinaryIO, listing: Listing, into: Path) -> None:
    with _as_invalid(), zipfile.ZipFile(file) as archive:
        entries = {member_name(entry): entry for entry in archive.infolist()}
        for member in listing.files:
            entry = entries.get(member.name)
            if entry is None:
                raise Invalid("it is gone since the archive was listed", member.name)
            with archive.open(entry) as content:
                _write(member, content, into)


def _write(member: Member, content: IO[bytes], into: Path) -> None:
    target = into.joinpath(*member.parts)

    def pieces() -> Iterator[bytes]:
        left = member.size_bytes
        while piece := content.read(min(_PIECE_BYTES, left + 1)):
            left -= len(piece)
            if left < 0:
                raise Invalid("it has more bytes than it says", member.name)
            yield piece
        if left:
            raise Invalid("it has fewer bytes than it says", member.name)

    make_folder(target.parent)
    write_file(target, pieces())
