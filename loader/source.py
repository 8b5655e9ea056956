"""One bounded read of one regular file, and what its bytes say before anyone parses them.

The bytes that are read here are the only ones that are ever hashed, checked and served: nobody reads a plugin
twice. A FIFO, socket, device or folder in place of the file never blocks or is opened; a file that grows or
shrinks under the read is read again. Where the file may lie is judged on the file that was opened, not on its name
(see ``_where``), so that swapping a link between the look and the read gains nothing.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from loader.codes import finding
from loader.nouns import Candidate, Diagnostic, Door, Source, Span
from loader.settings import LARGE_SOURCE_BYTES, SOURCE_LIMIT_BYTES

OpenFile: TypeAlias = Callable[[str, int], int]
SameUser: TypeAlias = Callable[[int, str], bool]

# A save in pieces settles within some attempts; a log file in place of a plugin never does.
_ATTEMPTS = 5
_PAUSE_S = 0.01
_PIECE_BYTES = 1024 * 1024
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO that slipped in after the look must not block
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
# Windows: another program (an editor, a virus scanner) holds the file for a moment.
_SHARING_VIOLATIONS = (32, 33)
_MARK = b"\xef\xbb\xbf"
_LINE_END = re.compile("\r\n|[\n\r\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The file could not be read; ``findings`` (at least one error) say why.

    ``absent``: nothing stands there right now, or a link leads nowhere: perhaps an editor between two steps, so
    worth the longer settle time. ``empty``: it would not hold still and had no bytes at the last look.
    """

    findings: tuple[Diagnostic, ...]
    absent: bool = False
    empty: bool = False


def read_source(candidate: Candidate, *, limit_bytes: int = SOURCE_LIMIT_BYTES) -> Source | Unreadable:
    """Read a candidate's plugin.js under the rules of its door. Blocking; call it in a thread.

    A ``Source`` may still carry errors in ``findings`` (HP004): its bytes are known, but must not be parsed. An
    empty or all-zero file is a ``Source`` too. ``read_path`` has the rest.
    """
    return read_path(candidate.path, folder=plugin_folder(candidate), door=candidate.door, limit_bytes=limit_bytes)


def plugin_folder(candidate: Candidate) -> str:
    """The folder that a plugin may not leave: its own, or the whole package's for a desktop half."""
    folder = Path(candidate.path).parent
    if candidate.door == "unified" and folder.name == "desktop" and folder.parent.name == candidate.folder:
        return str(folder.parent)
    return str(folder)


def is_blank(data: bytes) -> bool:
    """Whether a file is empty or holds zero bytes only: a save that has only begun, not a plugin."""
    return not data.strip(b"\x00")


def read_path(
    path: str,
    *,
    folder: str | None = None,
    door: Door = "standalone",
    limit_bytes: int = SOURCE_LIMIT_BYTES,
    open_file: OpenFile = os.open,
    same_user: SameUser | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> Source | Unreadable:
    """Read one regular file of at most ``limit_bytes``, whole or not at all.

    With ``folder`` the file must lie in it, links resolved on both sides: a package's file outside is refused
    (HP005); a standalone one is allowed with an info when the target belongs to the same user, for authors link
    their build. Without ``folder`` links lead where they like.

    Returns ``Source`` with HP003 (large), HP004 (encoding) or HP005 (link) among its findings, or ``Unreadable``
    with HP001, HP002 or HP005. Raises nothing.
    """
    name = os.path.basename(path)  # noqa: PTH119 - the path may be no valid one
    size_bytes = 0
    for attempt in range(_ATTEMPTS):
        if attempt:
            pause(_PAUSE_S)
        outcome = _read_once(path, name, folder, door, limit_bytes, open_file, same_user or is_same_user)
        if not isinstance(outcome, _Unstable):
            return outcome
        size_bytes = outcome.size_bytes
    message = f"{name} changes while it is read ({_ATTEMPTS} attempts)"
    found = finding("HP001", message, hint="Finish the save; it is read again when it has come to rest.")
    return Unreadable((found,), empty=size_bytes == 0)


@dataclass(frozen=True, slots=True)
class _Unstable:
    size_bytes: int


class _Refused(Exception):
    """Ends an attempt with a finding; never leaves this module."""

    def __init__(self, found: Diagnostic, *, absent: bool = False) -> None:
        super().__init__(found.message)
        self.finding = found
        self.absent = absent


def _read_once(
    path: str,
    name: str,
    folder: str | None,
    door: Door,
    limit_bytes: int,
    open_file: OpenFile,
    same_user: SameUser,
) -> Source | Unreadable | _Unstable:
    try:
        handle = _open_regular(path, name, open_file)
    except _Refused as refused:
        return Unreadable((refused.finding,), absent=refused.absent)
    if handle is None:
        return _Unstable(1)
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            return Unreadable((_not_a_file(name, before.st_mode),))
        where: Diagnostic | None = None
        if folder is not None:
            judged = _where(path, name, folder, door, before, same_user)
            if isinstance(judged, _Unstable | Unreadable):
                return judged
            where = judged
        if before.st_size > limit_bytes:
            return Unreadable((_too_large(name, before.st_size, limit_bytes),))
        data = _read_all(handle, limit_bytes)
        after = os.fstat(handle)
    except OSError as error:
        return Unreadable((_no_access(name, error),))
    finally:
        os.close(handle)
    if len(data) > limit_bytes:
        return Unreadable((_too_large(name, after.st_size, limit_bytes),))
    if len(data) != after.st_size or (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        return _Unstable(len(data))
    return _source(name, data, where)


def _open_regular(path: str, name: str, open_file: OpenFile) -> int | None:
    """An open descriptor; looks first, since opening a device can already do something. None: try again."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - the error number is the answer
        if not stat.S_ISREG(mode):
            raise _Refused(_not_a_file(name, mode))
        return open_file(path, _OPEN_FLAGS)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            raise _Refused(_absent(path, name), absent=True) from error
        if getattr(error, "winerror", None) in _SHARING_VIOLATIONS:
            return None
        raise _Refused(_no_access(name, error)) from error
    except ValueError as error:  # a NUL in the path
        raise _Refused(finding("HP001", f"{name!r} is no possible file name")) from error


def _read_all(handle: int, limit_bytes: int) -> bytes:
    """At most one byte more than the limit, which is enough to know that it is too large."""
    pieces: list[bytes] = []
    room = limit_bytes + 1
    while room > 0 and (piece := os.read(handle, min(room, _PIECE_BYTES))):
        pieces.append(piece)
        room -= len(piece)
    return b"".join(pieces)


# ---------------------------------------------------------------- where it lies


def _where(
    path: str, name: str, folder: str, door: Door, opened: os.stat_result, same_user: SameUser
) -> Diagnostic | Unreadable | _Unstable | None:
    """Whether the opened file lies in the folder: None for yes, an info, a refusal, or "it moved: look again".

    The name is resolved after the file was opened and must then lead to that very file. A link that is swapped in
    between leads to another file, and so to another attempt, never to an answer about the wrong one.
    """
    try:
        real = os.path.realpath(path, strict=True)
        real_folder = os.path.realpath(folder, strict=True)
        there = os.lstat(real)
    except OSError:
        return _Unstable(opened.st_size)
    if (there.st_dev, there.st_ino) != (opened.st_dev, opened.st_ino):
        return _Unstable(opened.st_size)
    if os.path.normcase(real).startswith(os.path.normcase(real_folder).rstrip(os.sep) + os.sep):
        return None
    if door == "unified":
        hint = "An installed package must bring its own file: put the built plugin.js into the package's folder."
        return Unreadable((finding("HP005", f"{name} leads outside its package, to {real}", hint=hint),))
    if not same_user(opened.st_uid, real_folder):
        hint = "Link a file of your own, or copy it into the plugin's folder."
        return Unreadable((finding("HP005", f"{name} is a link to {real}, which belongs to another user", hint=hint),))
    return finding("HP005", f"{name} is a link to {real}", severity="info")


def is_same_user(owner: int, real_folder: str) -> bool:
    """The service's user, or the one whose plugin folder it is (a service that runs as root for somebody)."""
    if not hasattr(os, "geteuid"):  # Windows: owners are no numbers there; only administrators make links anyway
        return True
    return owner in (os.geteuid(), os.lstat(real_folder).st_uid)


# ---------------------------------------------------------------- what the bytes say


def _source(name: str, data: bytes, where: Diagnostic | None) -> Source:
    text, encoding = decode(data, name)
    found = [*([where] if where else []), *encoding]
    if len(data) >= LARGE_SOURCE_BYTES:
        message = f"{name} has {_size(len(data))}; older shells refuse more than {_size(LARGE_SOURCE_BYTES)}"
        found.append(finding("HP003", message, hint="Minify the bundle, or load big data when it is needed."))
    return Source(data, text, hashlib.sha256(data).hexdigest(), data.startswith(_MARK), tuple(found))


def decode(data: bytes, name: str = "plugin.js") -> tuple[str, tuple[Diagnostic, ...]]:
    """The text without its UTF-8 mark, and HP004: an error for UTF-16, UTF-32 and zero bytes, else a warning.

    Other invalid bytes become U+FFFD by the rule that browsers follow (one for each maximal wrong stretch).
    """
    looks = _looks_like(data)
    body = data[len(_MARK) :] if data.startswith(_MARK) else data
    if looks is not None:
        text = body.decode("utf-8", "replace")
        span = None
        if looks == "zero bytes":
            first = body.find(b"\x00")
            span = _span_at(body[:first].decode("utf-8", "replace"))
        return text, (_not_utf8(name, looks, data, span),)
    try:
        return body.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        text = body.decode("utf-8", "replace")
        shown = " ".join(f"{byte:02X}" for byte in body[error.start : error.end])
        guess = " (Windows-1252 or Latin-1?)" if not re.search(rb"[\xc2-\xf4][\x80-\xbf]", body) else ""
        found = finding(
            "HP004",
            f"{name} holds bytes that are no UTF-8{guess}: first {shown}; the app reads them as U+FFFD",
            span=_span_at(body[: error.start].decode("utf-8", "replace")),
            hint="Save the file as UTF-8.",
            severity="warning",
        )
        return text, (found,)


def _looks_like(data: bytes) -> str | None:
    """What a file that is no UTF-8 text looks like: an encoding, "zero bytes", or None."""
    for mark, encoding in (
        (b"\xff\xfe\x00\x00", "UTF-32 (little endian)"),
        (b"\x00\x00\xfe\xff", "UTF-32 (big endian)"),
        (b"\xff\xfe", "UTF-16 (little endian)"),
        (b"\xfe\xff", "UTF-16 (big endian)"),
    ):
        if data.startswith(mark):
            return encoding
    if b"\x00" not in data:
        return None
    if is_blank(data):
        return "zero bytes"
    # Without a mark: script is mostly ASCII, so nearly all zero bytes of a wide encoding stand in the same columns.
    sample = data[: 64 * 1024]
    columns = [sample[first::4] for first in range(4)]
    dense = [column.count(0) >= 0.7 * len(column) for column in columns]
    sparse = [column.count(0) <= 0.3 * len(column) for column in columns]
    for pattern, encoding in (
        ("x000", "UTF-32 (little endian)"),
        ("000x", "UTF-32 (big endian)"),
        ("x0x0", "UTF-16 (little endian)"),
        ("0x0x", "UTF-16 (big endian)"),
    ):
        if all(dense[i] if want == "0" else sparse[i] for i, want in enumerate(pattern)):
            return encoding
    return "zero bytes"


def _not_utf8(name: str, looks: str, data: bytes, span: Span | None) -> Diagnostic:
    if looks != "zero bytes":
        hint = "Save it as UTF-8 (in PowerShell: Set-Content -Encoding utf8)."
        return finding("HP004", f"{name} is {looks} and must be saved as UTF-8", hint=hint)
    if is_blank(data):
        message = f"{name} holds nothing but zero bytes ({_size(len(data))}): a save that broke off"
        return finding("HP004", message, hint="Save it again.")
    message = f"{name} holds {data.count(0)} zero bytes: it is no text"
    return finding(
        "HP004", message, span=span, hint="Save it as UTF-8 text; write \\0 where a script needs the character."
    )


def _span_at(before: str) -> Span:
    """The one unit behind ``before``."""
    line, start = 1, 0
    for end in _LINE_END.finditer(before):
        line, start = line + 1, end.end()
    column = 1 + len(before[start:].encode("utf-16-le")) // 2
    return Span(line, column, line, column + 1)


# ---------------------------------------------------------------- words


def _absent(path: str, name: str) -> Diagnostic:
    try:
        target = os.readlink(path)  # noqa: PTH115 - shown as written
    except (OSError, ValueError):
        return finding("HP001", f"{name} is missing", hint="A plugin is one file of this name in its folder.")
    return finding(
        "HP001", f"{name} is a link to {target}, which does not exist", hint="Build the target, or mend the link."
    )


def _not_a_file(name: str, mode: int) -> Diagnostic:
    kinds = (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    kind = next((said for test, said in kinds if test(mode)), "no regular file")
    return finding("HP001", f"{name} is {kind}", hint="Put a regular file there.")


def _no_access(name: str, error: OSError) -> Diagnostic:
    if error.errno in (errno.EACCES, errno.EPERM):
        hint = "Give yourself the right to read the file and to enter its folder (chmod u+r, u+x)."
        return finding("HP001", f"{name} may not be read: no permission", hint=hint)
    if error.errno == errno.ELOOP:
        return finding("HP001", f"{name} is a link that leads round in a circle", hint="Mend the link.")
    return finding("HP001", f"{name} cannot be read: {error.strerror or error}", hint="Look after the disk it lies on.")


def _too_large(name: str, size_bytes: int, limit_bytes: int) -> Diagnostic:
    hint = "Minify the bundle, or load big data when it is needed; the file is never cut."
    return finding("HP002", f"{name} has {_size(size_bytes)}, the limit is {_size(limit_bytes)}", hint=hint)


def _size(size_bytes: int) -> str:
    if size_bytes >= 1024 * 1024:
        exact = size_bytes % (1024 * 1024) == 0
        return (
            f"{size_bytes // (1024 * 1024)} MiB"
            if exact
            else f"{size_bytes / (1024 * 1024):.1f} MiB ({size_bytes} bytes)"
        )
    if size_bytes >= 1024:
        return f"{size_bytes // 1024} KiB"
    return f"{size_bytes} bytes"
