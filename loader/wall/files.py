"""Files of a walled plugin's folder by the path of a request: contained at every read, whatever the path spells.

The folder was judged when it was installed; what lies in it now may be another thing. So nothing is resolved and then
opened: each part is opened in the one before it, links followed nowhere, and what came of it is looked at last.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from loader.packages.names import Parts, is_left_out, parts_of
from loader.packages.refused import Invalid

FILE_LIMIT_BYTES = 16 * 1024 * 1024
_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
# Our own words, not the machine's: what a file is must not depend on what is installed there.
_TYPES = {
    **{"html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8"},
    **dict.fromkeys(("js", "mjs"), "text/javascript; charset=utf-8"),
    **dict.fromkeys(("json", "map"), "application/json"),
    **{"webmanifest": "application/manifest+json", "xml": "application/xml", "svg": "image/svg+xml"},
    **dict.fromkeys(("txt", "md"), "text/plain; charset=utf-8"),
    **{"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"},
    **{"avif": "image/avif", "ico": "image/x-icon", "bmp": "image/bmp"},
    **{"woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf"},
    **{"wasm": "application/wasm", "pdf": "application/pdf"},
    **{"mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "m4a": "audio/mp4", "flac": "audio/flac"},
    **{"mp4": "video/mp4", "webm": "video/webm"},
}
_DOCUMENTS = ("text/html", "image/svg+xml", "application/xml", "application/pdf")


@dataclass(frozen=True, slots=True)
class Asset:
    data: bytes
    media_type: str

    @property
    def is_document(self) -> bool:
        """What a frame could show as a page, and a page can act."""
        return self.media_type.startswith(_DOCUMENTS)

    @property
    def is_html(self) -> bool:
        return self.media_type.startswith("text/html")


def parts_of_path(raw_path: bytes) -> Parts | None:
    """The parts of the file that a request's path (still escaped, without query) names; empty for ``/``, None for none.

    Pure. Escapes are taken off once; a part that holds a separator then, or would if somebody took them off again,
    names nothing here.
    """
    if not raw_path.startswith(b"/") or b"\\" in raw_path or _ESCAPE.search(raw_path):
        return None
    if raw_path == b"/":
        return ()
    try:
        parts = tuple(unquote_to_bytes(part).decode("utf-8") for part in raw_path[1:].split(b"/"))
    except UnicodeDecodeError:
        return None
    if any(part in ("", ".", "..") or "/" in part for part in parts):
        return None
    try:
        kept = parts_of("/".join(parts))
    except Invalid:
        return None
    return None if kept != parts or is_left_out(parts) else parts


def media_type_of(name: str) -> str:
    return _TYPES.get(name.rpartition(".")[2].lower() if "." in name else "", "application/octet-stream")


def read_asset(folder: Path, parts: Parts, *, limit_bytes: int = FILE_LIMIT_BYTES) -> Asset | None:
    """A regular file in the folder; None for whatever else the parts lead to. Blocking, but never on what is there."""
    try:
        number = _open_beneath(folder, parts)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit_bytes:
            return None
        with os.fdopen(number, "rb", closefd=False) as file:
            data = file.read(limit_bytes + 1)
    except OSError:
        return None
    finally:
        os.close(number)
    return None if len(data) > limit_bytes else Asset(data, media_type_of(parts[-1]))


# A pipe that lies there must not be waited for.
_PLAIN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_HOLDS = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")


def _open_beneath(folder: Path, parts: Parts) -> int:
    if not parts:
        raise ValueError("a folder is no file")
    if not _HOLDS:
        return _open_checked(folder, parts)
    inside = os.open(folder, _PLAIN | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            deeper = os.open(part, _PLAIN | os.O_DIRECTORY, dir_fd=inside)
            os.close(inside)
            inside = deeper
        return os.open(parts[-1], _PLAIN, dir_fd=inside)
    finally:
        os.close(inside)


def _open_checked(folder: Path, parts: Parts) -> int:
    """Where a system opens nothing relative to a folder: looked at before and after, since a link may come between."""
    path = folder.joinpath(*parts)
    number = os.open(path, _PLAIN)
    try:
        # What stands above the folder may be links; neither it nor what lies in it.
        plain = path.resolve() == folder.parent.resolve().joinpath(folder.name, *parts)
        if not plain or not os.path.samestat(os.fstat(number), path.lstat()):
            raise ValueError("it leads elsewhere")
    except (OSError, ValueError):
        os.close(number)
        raise
    return number
