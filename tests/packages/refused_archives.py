"""Archives that must not be installed, and why: made as nobody's packer would."""

import gzip
import io
import stat
import struct
import tarfile
import zipfile
import zlib

from tests.packages.conftest import (
    END,
    PLUGIN,
    octal,
    pax,
    raw_file,
    raw_header,
    special,
    tar_bytes,
    unix_zip,
    windows_zip,
    zip_bytes,
)

GOOD = ("notes/plugin.js", PLUGIN)


def named(name: str) -> bytes:
    return tar_bytes(GOOD, (name, b"x"))


def zipped(name: str) -> bytes:
    return zip_bytes(GOOD, (name, b"x"))


def patched(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


def overlapping() -> bytes:
    """Two directory entries that share one entry's bytes."""
    data = zip_bytes(("notes/a", b"a" * 100), ("notes/b", b"a" * 100), method=zipfile.ZIP_STORED)
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    return patched(data, second + 42, bytes(4))


def central(data: bytes, offset: int, new: bytes) -> bytes:
    """The last directory entry with other bytes in it."""
    return patched(data, data.rindex(b"PK\x01\x02") + offset, new)


def unicode_path(name: str) -> bytes:
    """The field of a zip entry that holds its name once more."""
    text = name.encode()
    return struct.pack("<HHBI", 0x7075, 5 + len(text), 1, zlib.crc32(b"notes/a.js")) + text


def zip_named(*names: str) -> bytes:
    """An entry called ``notes/a.js`` with these names beside it."""
    info = zipfile.ZipInfo("notes/a.js")
    info.extra = struct.pack("<HHI", 0xCAFE, 4, 0) + b"".join(map(unicode_path, names))
    return zip_bytes(GOOD, (info, b"x"))


def zip_named_in_front() -> bytes:
    """Its entry's own header says another name than the directory, where none but the front is read."""
    data = zip_named("notes/a.js")
    name = data.index(b"notes/a.js")
    return patched(data, data.index(b"notes/a.js", name + 1), b"notes/b.js")


def unlisted(before: str | None) -> bytes:
    """An archive with a whole entry that its directory does not list, before another one or before the directory."""
    data = zip_bytes(GOOD, ("notes/a.txt", b"hello"))
    hidden = zip_bytes(("notes/plugin.js", b"another")).partition(b"PK\x01\x02")[0]
    directory = data.index(b"PK\x01\x02")
    at = directory if before is None else data.index(before.encode()) - 30
    made = bytearray(data[:at] + hidden + data[at:])
    entry = directory + len(hidden)
    while made[entry : entry + 4] == b"PK\x01\x02":
        (offset,) = struct.unpack_from("<I", made, entry + 42)
        struct.pack_into("<I", made, entry + 42, offset + (len(hidden) if offset >= at else 0))
        entry += 46 + sum(struct.unpack_from("<HHH", made, entry + 28))
    struct.pack_into("<I", made, len(made) - 6, directory + len(hidden))
    return bytes(made)


def foreign_link(system: int) -> zipfile.ZipInfo:
    info = unix_zip("notes/l", stat.S_IFLNK | 0o777)
    info.create_system = system
    return info


class Unseekable(io.BytesIO):
    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise io.UnsupportedOperation

    def seek(self, *_: int) -> int:
        raise io.UnsupportedOperation


def streamed_zip() -> bytes:
    """As a packer writes to a pipe: sizes and checksums behind the entries."""
    raw = Unseekable()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (GOOD, ("notes/empty.txt", b""), ("notes/a.txt", b"hello")):
            archive.writestr(name, data)
    return raw.getvalue()


# kind → (archive, what the refusal says, which member it names)
REFUSED: dict[str, tuple[bytes, str, str | None]] = {
    "absolute": (named("/etc/passwd"), "absolute", "/etc/passwd"),
    "two-slashes": (named("//server/share/x"), "absolute", "//server/share/x"),
    "dot-dot": (named("notes/../../x"), "leads out", "notes/../../x"),
    "dot-dot-first": (named("../x"), "leads out", "../x"),
    "dot-dot-last": (named("notes/.."), "leads out", "notes/.."),
    "dot-dot-that-stays-inside": (named("notes/a/../b"), "leads out", "notes/a/../b"),
    "dot-dot-backslash": (named("notes\\..\\..\\x"), "backslash", "notes\\..\\..\\x"),
    "dot-dot-percent": (named("notes/%2e%2e/x"), "leads out", "notes/%2e%2e/x"),
    "dot-dot-percent-twice": (named("notes/%252e%252e/x"), "leads out", "notes/%252e%252e/x"),
    "dot-dot-full-width": (named("notes/\uff0e\uff0e/x"), "leads out", None),
    "dot-dot-two-dot-leader": (named("notes/\u2025/x"), "leads out", None),
    "dot-dot-blank": (named("notes/.. /x"), "leads out", "notes/.. /x"),
    "three-dots": (named("notes/.../x"), "leads out", "notes/.../x"),
    "full-width-slash": (named("notes/a\uff0fb"), "hides a separator", None),
    "percent-slash": (named("notes/a%2fb"), "hides a separator", "notes/a%2fb"),
    "drive": (named("C:/x"), "colon", "C:/x"),
    "drive-inside": (named("notes/c:x"), "colon", "notes/c:x"),
    "unc": (named("\\\\server\\share"), "backslash", "\\\\server\\share"),
    "device-path": (named("\\\\?\\C:\\x"), "backslash", None),
    "stream": (named("notes/plugin.js:evil"), "colon", "notes/plugin.js:evil"),
    "windows-device": (named("notes/NUL.txt"), "Windows device", "notes/NUL.txt"),
    "windows-device-superscript": (named("notes/com\u00b9"), "Windows device", None),
    "trailing-dot": (named("notes/plugin.js."), "ends in a dot", "notes/plugin.js."),
    "trailing-blank": (named("notes/plugin.js "), "ends in a dot or a blank", "notes/plugin.js "),
    "control": (named("notes/a\x1b[2J"), "U+001B", "notes/a\x1b[2J"),
    "line-feed": (named("notes/a\nb"), "U+000A", "notes/a\nb"),
    "bidi": (named("notes/a\u202egj.js"), "U+202E", None),
    "zero-width": (named("notes/plu\u200bgin.js"), "U+200B", None),
    "line-separator": (named("notes/a\u2028b"), "U+2028", None),
    "no-utf-8": (tar_bytes(GOOD, ("notes/a\udcff", b"x")), "no UTF-8", None),
    "overlong-utf-8": (tar_bytes(GOOD, ("notes/\udcc0\udcae\udcc0\udcae/x", b"x")), "no UTF-8", None),
    "long-part": (named("notes/" + "a" * 256), "255 bytes", None),
    "long-name": (named("notes/" + "/".join(["a" * 200] * 6)), "1024 bytes", None),
    "deep": (named("notes/" + "a/" * 32 + "b"), "folders deep", None),
    "empty-name": (gzip.compress(raw_file(b"", b"x") + END), "the name is empty", ""),
    "symlink": (tar_bytes(GOOD, special("notes/l", tarfile.SYMTYPE, "/etc/passwd")), "symbolic link", "notes/l"),
    "symlink-inside": (tar_bytes(GOOD, special("notes/l", tarfile.SYMTYPE, "plugin.js")), "symbolic link", "notes/l"),
    "hard-link": (tar_bytes(GOOD, special("notes/l", tarfile.LNKTYPE, "../x")), "hard link", "notes/l"),
    "hard-link-inside": (
        tar_bytes(GOOD, special("notes/l", tarfile.LNKTYPE, "notes/plugin.js")),
        "hard link",
        "notes/l",
    ),
    "sidecar-link": (tar_bytes(GOOD, special("notes/._l", tarfile.SYMTYPE, "/etc")), "symbolic link", "notes/._l"),
    "link-pax": (gzip.compress(pax(linkpath="/etc") + raw_file(b"notes/l", b"") + END), "it is a link", None),
    "link-long-target": (
        gzip.compress(raw_file(b"x", b"/" + b"e" * 200, b"K") + raw_header(b"notes/l", kind=b"2") + END),
        "link with a long target",
        None,
    ),
    "character-device": (tar_bytes(GOOD, special("notes/d", tarfile.CHRTYPE)), "character device", "notes/d"),
    "block-device": (tar_bytes(GOOD, special("notes/d", tarfile.BLKTYPE)), "block device", "notes/d"),
    "fifo": (tar_bytes(GOOD, special("notes/f", tarfile.FIFOTYPE)), "FIFO", "notes/f"),
    "sparse-gnu": (gzip.compress(raw_file(b"notes/s", b"x", b"S") + END), "sparse", "notes/s"),
    "sparse-pax": (
        gzip.compress(pax(GNU__sparse__major="1", GNU__sparse__name="notes/s") + raw_file(b"notes/s", b"x") + END),
        "sparse",
        None,
    ),
    "multi-volume": (gzip.compress(raw_file(b"notes/s", b"x", b"M") + END), "another volume", "notes/s"),
    "volume-label": (gzip.compress(raw_header(b"notes", kind=b"V") + END), "volume's label", "notes"),
    "unknown-type": (gzip.compress(raw_file(b"notes/s", b"x", b"Z") + END), "unknown kind", "notes/s"),
    "negative-size": (
        gzip.compress(raw_header(b"notes/s", b"\xff" * 11 + b"\xf0") + END),
        "size is negative",
        "notes/s",
    ),
    "minus-in-size": (gzip.compress(raw_header(b"notes/s", b"-0000000010\0") + END), "no number", "notes/s"),
    "huge-size": (gzip.compress(raw_header(b"notes/s", b"\x80" + b"\x7f" * 11) + END), "a file may have", "notes/s"),
    "folder-with-content": (gzip.compress(raw_file(b"notes/", b"x", b"5") + END), "folder with content", "notes/"),
    "file-named-as-folder": (gzip.compress(raw_file(b"notes/a/", b"x") + END), "name of a folder", "notes/a/"),
    "case-collision": (named("notes/Plugin.JS"), "one name", "notes/Plugin.JS"),
    "sharp-s-collision": (tar_bytes(("n/stra\u00dfe", b""), ("n/STRASSE", b"")), "one name", "n/STRASSE"),
    "unicode-collision": (tar_bytes(("n/\u00e9", b""), ("n/e\u0301", b"")), "one name", None),
    "compatibility-collision": (tar_bytes(("n/\ufb01le", b""), ("n/file", b"")), "one name", "n/file"),
    "folder-collision": (tar_bytes(GOOD, ("notes/Lib/a", b""), ("notes/lib/b", b"")), "one name", "notes/lib/b"),
    "top-folder-collision": (tar_bytes(GOOD, ("Notes/b", b"")), "one name", "Notes/b"),
    "same-name-twice": (tar_bytes(GOOD, GOOD), "stands where", "notes/plugin.js"),
    "file-then-folder": (tar_bytes(GOOD, ("notes/plugin.js/x", b"")), "stands where", "notes/plugin.js/x"),
    "folder-then-file": (tar_bytes(("n/a/b", b""), ("n/a", b"")), "stands where", "n/a"),
    "two-tops": (tar_bytes(GOOD, ("other/x", b"")), "outside the one top folder", "other/x"),
    "no-top": (tar_bytes(("plugin.js", PLUGIN)), "in no folder", "plugin.js"),
    "pax-and-long-name": (
        gzip.compress(pax(path="notes/a") + raw_file(b"x", b"notes/b\0", b"L") + raw_file(b"c", b"") + END),
        "two extended headers",
        None,
    ),
    "long-name-and-pax": (
        gzip.compress(raw_file(b"x", b"notes/b\0", b"L") + pax(path="notes/a") + raw_file(b"c", b"") + END),
        "two extended headers",
        None,
    ),
    "two-long-names": (
        gzip.compress(raw_file(b"x", b"notes/b", b"L") + raw_file(b"x", b"notes/c", b"L") + raw_file(b"c", b"") + END),
        "two extended headers",
        "notes/c",
    ),
    "pax-size": (gzip.compress(pax(size="0") + raw_file(b"notes/a", b"x" * 600) + END), "size is another", "notes/a"),
    "pax-negative-size": (gzip.compress(pax(size="-1") + raw_file(b"notes/a", b"") + END), "size is another", None),
    "pax-dot-dot": (gzip.compress(pax(path="notes/../../x") + raw_file(b"notes/a", b"") + END), "leads out", None),
    "pax-unknown": (gzip.compress(pax(hdrcharset="BINARY") + raw_file(b"notes/a", b"") + END), "unknown key", None),
    "pax-twice": (
        gzip.compress(raw_file(b"x", b"11 mtime=1\n11 mtime=2\n", b"x") + raw_file(b"notes/a", b"") + END),
        "say 'mtime' twice",
        "x",
    ),
    "pax-cut-off": (gzip.compress(raw_header(b"x", octal(600), b"x") + b"x" * 100), "cut off in it", "x"),
    "pax-damaged": (gzip.compress(raw_file(b"x", b"99 path=a\n", b"x") + raw_file(b"a", b"") + END), "damaged", "x"),
    "pax-for-all": (
        gzip.compress(raw_file(b"g", b"16 path=notes/a\n", b"g") + raw_file(b"notes/b", b"") + END),
        "for all members",
        "g",
    ),
    "long-name-of-nothing": (gzip.compress(raw_file(b"x", b"notes/b", b"L") + END), "ends behind", "notes/b"),
    "prefix-dot-dot": (gzip.compress(raw_header(b"x", prefix=b"notes/..") + END), "leads out", "notes/../x"),
    "checksum": (
        gzip.compress(raw_file(b"notes/b", b"") + patched(raw_file(b"notes/a", b"x"), 0, b"N") + END),
        "header is damaged",
        "Notes/a",
    ),
    "cut-off-member": (gzip.compress(raw_header(b"notes/a", octal(5000)) + b"x"), "cut off", "notes/a"),
    "cut-off-header": (gzip.compress(raw_file(b"notes/a", b"x") + b"y" * 100), "cut off in a header", None),
    "cut-off-gzip": (tar_bytes(GOOD)[:-20], "cut off", None),
    "damaged-gzip": (patched(tar_bytes(GOOD), 30, b"\xff\xff\xff"), "damaged", None),
    "behind-the-end": (gzip.compress(raw_file(b"notes/a", b"x") + END + raw_file(b"notes/b", b"")), "behind", None),
    "behind-the-gzip": (tar_bytes(GOOD) + b"PK\x03\x04", "damaged", None),
    "many-gzip-streams": (tar_bytes(GOOD) + gzip.compress(b"") * 5000, "gzip streams", None),
    "empty-file": (b"", "no archive", None),
    "empty-tar": (gzip.compress(END), "no file", None),
    "text": (b"export default {}\n" * 100, "no archive", None),
    "bzip2": (b"BZh91AY&SY", "bzip2", None),
    "xz": (b"\xfd7zXZ\0\0", "xz", None),
    "zip-absolute": (zipped("/x"), "absolute", "/x"),
    "zip-dot-dot": (zipped("notes/../../x"), "leads out", "notes/../../x"),
    "zip-backslash": (zipped("notes\\..\\x"), "backslash", "notes\\..\\x"),
    "zip-backslash-and-slash": (zip_bytes(GOOD, (windows_zip("notes/a\\b"), b"")), "backslash", "notes/a\\b"),
    "zip-of-windows-dot-dot": (zip_bytes(GOOD, (windows_zip("notes\\..\\..\\x"), b"")), "leads out", "notes/../../x"),
    "zip-of-windows-absolute": (zip_bytes(GOOD, (windows_zip("\\x"), b"")), "absolute", "/x"),
    "zip-of-windows-share": (zip_bytes(GOOD, (windows_zip("\\\\server\\x"), b"")), "absolute", "//server/x"),
    "zip-of-windows-drive": (zip_bytes(GOOD, (windows_zip("c:\\x"), b"")), "colon", "c:/x"),
    "zip-of-windows-twice": (zip_bytes(GOOD, (windows_zip("notes\\plugin.js"), b"")), "stands where", None),
    "zip-drive": (zipped("c:/x"), "colon", "c:/x"),
    "zip-case": (zipped("notes/PLUGIN.js"), "one name", "notes/PLUGIN.js"),
    "zip-no-top": (zip_bytes(("plugin.js", PLUGIN)), "in no folder", "plugin.js"),
    "zip-link": (zip_bytes(GOOD, (unix_zip("notes/l", stat.S_IFLNK | 0o777), b"/etc")), "symbolic link", "notes/l"),
    "zip-fifo": (zip_bytes(GOOD, (unix_zip("notes/f", stat.S_IFIFO | 0o644), b"")), "FIFO", "notes/f"),
    "zip-folder-as-file": (zip_bytes(GOOD, (unix_zip("notes/f", stat.S_IFDIR | 0o755), b"")), "name of a file", None),
    "zip-file-as-folder": (
        zip_bytes(GOOD, (unix_zip("notes/f/", stat.S_IFREG | 0o644), b"")),
        "name of a folder",
        None,
    ),
    "zip-second-name": (zip_named("notes/b.js"), "two names", "notes/a.js"),
    "zip-second-name-behind-the-same": (zip_named("notes/a.js", "../b.js"), "two names", "notes/a.js"),
    "zip-second-name-before-the-same": (zip_named("/b.js", "notes/a.js"), "two names", "notes/a.js"),
    "zip-second-name-empty": (zip_named(""), "two names", "notes/a.js"),
    "zip-second-name-in-front": (zip_named_in_front(), "two names", "notes/a.js"),
    "zip-no-local-header": (central(zip_bytes(GOOD), 42, b"\x01\0\0\0"), "header is missing", "notes/plugin.js"),
    "zip-fewer-bytes": (central(zip_bytes(GOOD), 24, b"\xff\0\0\0"), "fewer bytes", "notes/plugin.js"),
    "zip-encrypted": (central(zip_bytes(GOOD), 8, b"\x01\x00"), "encrypted", "notes/plugin.js"),
    "zip-method": (zip_bytes(GOOD, method=zipfile.ZIP_BZIP2), "unknown method", "notes/plugin.js"),
    "zip-overlap": (overlapping(), "overlaps", None),
    "zip-two-names": (
        patched(zip_bytes(("notes/a.js", b"")), 30, b"notes/b.js"),
        "damaged",
        None,
    ),
    "zip-prefix": (b"#!/bin/sh\n" + zip_bytes(GOOD), "no archive", None),
    "zip-suffix": (zip_bytes(GOOD) + b"more", "behind the end", None),
    "zip-cut-off": (zip_bytes(GOOD)[:-5], "missing", None),
    "zip-gap": (zip_bytes(GOOD)[:-22] + b"gap!" + zip_bytes(GOOD)[-22:], "not where", None),
    "zip-unlisted-first": (unlisted("notes/plugin.js"), "does not list stands before it", "notes/plugin.js"),
    "zip-unlisted-between": (unlisted("notes/a.txt"), "does not list stands before it", "notes/a.txt"),
    "zip-unlisted-last": (unlisted(None), "does not list stands before its directory", None),
    "zip-link-of-another-system": (zip_bytes(GOOD, (foreign_link(0), b"/etc")), "symbolic link", "notes/l"),
    "zip-link-of-a-mac": (zip_bytes(GOOD, (foreign_link(19), b"/etc")), "symbolic link", "notes/l"),
    "unseen-letter": (named("notes/plugin\u3164.js"), "control character U+3164", None),
    "unseen-joiner": (named("notes/plu\u034fgin.js"), "control character U+034F", None),
    "another-variant": (named("notes/plugin\ufe0f.js"), "one name", None),
    "zip-checksum": (patched(zip_bytes(GOOD, method=zipfile.ZIP_STORED), 60, b"!"), "CRC", None),
    "zip-empty": (zip_bytes(), "no file", None),
    "zip-size": (central(zip_bytes(GOOD), 24, b"\x05\0\0\0"), "damaged", None),
    "zip-zip64": (patched(zip_bytes(GOOD), len(zip_bytes(GOOD)) - 14, b"\xff\xff\xff\xff"), "zip64", None),
}
