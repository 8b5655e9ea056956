"""The compiled guest kept on disk: 0.5 ms instead of half a second at every worker's start.

What is read here is native code that will run in this process, and wasmtime's own check accepts a flipped byte. So the
file lies in a folder that only the user may enter, is written whole and renamed, carries its own SHA-256, and is
loaded from the very bytes that were verified.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import wasmtime

_MAGIC = b"HDGUEST1"
_DIGEST_BYTES = 32


def load_module(engine: wasmtime.Engine, wasm: bytes, folder: Path, *, key: str) -> tuple[wasmtime.Module, str]:
    """The guest's module and where it came from ("cache" or "compiled"). A cache that cannot be used is no error."""
    import wasmtime  # the folder's rules are used without it too, and it is slow to import

    usable = private_folder(folder)
    path = folder / f"{key}.guest"
    if usable and (stored := read_verified(path, _MAGIC)) is not None:
        with contextlib.suppress(wasmtime.WasmtimeError):  # of another build of wasmtime: compile afresh
            return wasmtime.Module.deserialize(engine, stored), "cache"
    module = wasmtime.Module(engine, wasm)
    if usable:
        write_verified(path, _MAGIC, bytes(module.serialize()))
    return module, "compiled"


def private_folder(folder: Path) -> bool:
    """Make the folder if needed; True when nobody else can have put anything into it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "nt":
            return True  # below the user's own profile, whose ACL does what the mode does elsewhere
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return False
        if found.st_mode & 0o077:
            folder.chmod(0o700)
        return True
    except OSError:
        return False


def read_verified(path: Path, magic: bytes) -> bytes | None:
    """The payload of a file written by `write_verified`; None when it is missing, foreign or damaged."""
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    head = len(magic) + _DIGEST_BYTES
    payload = stored[head:]
    if not stored.startswith(magic) or hashlib.sha256(payload).digest() != stored[len(magic) : head]:
        return None
    return payload


def write_verified(path: Path, magic: bytes, payload: bytes) -> None:
    """Write whole, then rename; a full disk or a read-only folder leaves things as they were."""
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(magic + hashlib.sha256(payload).digest() + payload)
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
