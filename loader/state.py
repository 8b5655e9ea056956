"""Small durable state: one JSON file, written whole, under a lock, never silently replaced.

A file holds ``{"version": n, "data": {…}}``. A write goes to a temporary file beside it, is flushed to the disk and
renamed over it: whoever reads, and whatever is killed at whatever moment, sees the old state or the new one. Each
change reads, changes and writes under one lock, so that two processes (the service and the CLI) never lose each
other's writes. A file that cannot be understood is the only copy of somebody's choices: it is set aside under
another name and said aloud before anything is written in its place. A full disk leaves the old file as it was.

Everything here blocks (a lock, an fsync): call it in a thread.
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from loader.errors import LoaderError
from loader.nouns import Json

JsonObject: TypeAlias = dict[str, Json]
Report: TypeAlias = Callable[[str], None]
T = TypeVar("T")

# 500 choices take 20 KB; what is a hundred times that was not written by us.
STATE_LIMIT_BYTES = 4 * 1024 * 1024
LOCK_TIMEOUT_S = 10.0

# Windows refuses to open or to replace a file that another process has open for the blink of an eye.
_BUSY_ATTEMPTS = 50
_BUSY_PAUSE_S = 0.01

_log = logging.getLogger(__name__)


class Damaged(ValueError):
    """The file is there, but is no state that was ever written; says what is wrong with it."""


def ensure_state_dir(path: Path) -> Path:
    """Make our own folder (mode 0700) in an existing root, the one thing that is ever created in a Hermes home.

    Raises:
        LoaderError: the root does not exist (it is never created), or the folder cannot be made.
    """
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        if not path.is_dir():
            raise LoaderError(f"{path} is in the way: a folder of that name is needed. Move it aside.") from None
        _close_to_others(path)
    except FileNotFoundError:
        raise LoaderError(f"{path.parent} does not exist, and a Hermes home is never created here.") from None
    except OSError as error:
        raise LoaderError(
            f"{path} cannot be made: {error.strerror or error}. Mend the permissions of its root."
        ) from error
    return path


class StateFile:
    """One durable JSON object.

    ``report`` is told, once for each occurrence, when a damaged file was set aside; by default it goes to the log
    as an error. ``version`` is the schema's: a file of a newer one is refused, never rewritten. ``now`` is the wall
    clock that names what is set aside.
    """

    def __init__(
        self,
        path: Path,
        *,
        version: int = 1,
        limit_bytes: int = STATE_LIMIT_BYTES,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
        report: Report | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.path = path
        self._version = version
        self._limit_bytes = limit_bytes
        self._lock_timeout_s = lock_timeout_s
        self._report = report or _log.error
        self._now = now

    def read(self) -> JsonObject:
        """The present state; empty when nothing was ever written. Takes no lock unless the file is damaged.

        Raises:
            LoaderError: the file cannot be read, or a newer version wrote it.
        """
        try:
            return self._load()
        except Damaged:
            with self._locked():
                return self._load_or_set_aside()

    def update(self, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
        """Read, change and write under the lock; gives what now stands in the file.

        ``change`` gets a state of its own and returns the new one (the same object, changed, will do); it may be
        called in any thread and must not touch this file. An unchanged state is not written. What it raises
        passes through and nothing is written.

        Raises:
            LoaderError: no lock within ``lock_timeout_s``, no root, no space (the old file stays), a newer file, a
                damaged file that cannot be set aside, or a state over ``limit_bytes``.
        """
        ensure_state_dir(self.path.parent)
        with self._locked():
            self._sweep()
            old = self._load_or_set_aside()
            before = _dump(old)
            new = change(old)
            if _dump(new) != before:
                self._write(new)
            return new

    # ------------------------------------------------------------ reading

    def _load(self) -> JsonObject:
        data = self._bytes()
        if data is None:
            return {}
        return parse_state(data, version=self._version, name=self.path.name)

    def _bytes(self) -> bytes | None:
        try:
            with _unless_busy(lambda: self.path.open("rb")) as file:
                data: bytes = file.read(self._limit_bytes + 1)
        except FileNotFoundError:
            return None
        except IsADirectoryError:
            raise Damaged("it is a folder") from None
        except OSError as error:
            raise LoaderError(
                f"{self.path} cannot be read: {error.strerror or error}. Mend its permissions."
            ) from error
        if len(data) > self._limit_bytes:
            raise Damaged(f"it is larger than {self._limit_bytes} bytes")
        return data

    def _load_or_set_aside(self) -> JsonObject:
        """Under the lock: another process may have set it aside, or mended it, since we looked."""
        try:
            return self._load()
        except Damaged as damaged:
            aside = self._set_aside()
            self._report(
                f"{self.path} could not be understood ({damaged}) and was set aside as {aside.name}. "
                "What it held does not count any more; mend that file and put it back, or choose again."
            )
            return {}

    def _set_aside(self) -> Path:
        stamp = self._now().strftime("%Y%m%dT%H%M%SZ")
        for attempt in range(1000):
            aside = self.path.with_name(f"{self.path.name}.damaged-{stamp}{f'-{attempt}' if attempt else ''}")
            if os.path.lexists(aside):
                continue
            try:
                # Nobody else makes such names: they need the lock, which we hold.
                _unless_busy(partial(self.path.replace, aside))
            except OSError as error:
                text = (
                    f"{self.path} is damaged and cannot be set aside: {error.strerror or error}. Move it away yourself."
                )
                raise LoaderError(text) from error
            sync_folder(self.path.parent)
            return aside
        raise LoaderError(f"{self.path} is damaged, and a thousand such files lie beside it. Clear them away.")

    # ------------------------------------------------------------ writing

    def _write(self, state: JsonObject) -> None:
        data = _dump({"version": self._version, "data": state}, indent=2).encode("utf-8") + b"\n"
        if len(data) > self._limit_bytes:
            raise LoaderError(f"{self.path} would grow to {len(data)} bytes, the limit is {self._limit_bytes}.")
        temporary = self.path.with_name(f"{self._temporary_prefix}{os.getpid()}.{secrets.token_hex(4)}")
        try:
            write_new(temporary, data)
            _unless_busy(partial(temporary.replace, self.path))
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            why = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror or str(error)
            raise LoaderError(f"{self.path} could not be written: {why}. The old file is as it was.") from error
        sync_folder(self.path.parent)

    @property
    def _temporary_prefix(self) -> str:
        return f".{self.path.name}.tmp-"

    def _sweep(self) -> None:
        """Remove what killed writers left; under the lock, so nobody is writing now."""
        with contextlib.suppress(OSError):
            for left in list(self.path.parent.glob(f"{self._temporary_prefix}*")):
                left.unlink()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock, Timeout  # only writers wait for its import

        # A lock object of its own for each change: threads of one process exclude each other as processes do.
        lock = FileLock(
            self.path.with_name(f"{self.path.name}.lock"), timeout=self._lock_timeout_s, mode=0o600, poll_interval=0.01
        )
        try:
            lock.acquire()
        except Timeout:
            text = f"{self.path} is held by another process for more than {self._lock_timeout_s:g} s. Try again."
            raise LoaderError(text) from None
        except OSError as error:
            raise LoaderError(f"{self.path} cannot be locked: {error.strerror or error}.") from error
        try:
            yield
        finally:
            lock.release()


def parse_state(data: bytes, *, version: int, name: str) -> JsonObject:
    """The state in a file's bytes.

    Raises:
        Damaged: no such file was ever written by us; says why.
        LoaderError: a newer version wrote it.
    """
    if not data:
        raise Damaged("it is empty")
    if not data.strip(b"\x00"):
        raise Damaged("it holds zero bytes only")
    try:
        # Whoever mends it by hand may have an editor that writes a mark.
        envelope: Json = json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise Damaged("it is no UTF-8") from None
    except json.JSONDecodeError as error:
        raise Damaged(f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise Damaged(f"no JSON that can be read: {error}") from None
    if not isinstance(envelope, dict):
        raise Damaged("it holds no object")
    written = envelope.get("version")
    if isinstance(written, bool) or not isinstance(written, int) or written < 1:
        raise Damaged("it names no version")
    if written > version:
        raise LoaderError(f"{name} was written by a newer version ({written}, known is {version}). Update this one.")
    state = envelope.get("data")
    if not isinstance(state, dict):
        raise Damaged("it holds no data")
    return state


def _dump(value: JsonObject, indent: int | None = None) -> str:
    # Lone surrogates, which a plugin's id may bring, stay escaped: ASCII can always be written and read.
    return json.dumps(value, indent=indent, sort_keys=True, allow_nan=False, ensure_ascii=True)


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON")


def write_new(path: Path, data: bytes) -> None:
    """A file of its owner's alone from the first moment, on the disk when this returns. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with open(handle, "wb") as file:  # noqa: PTH123 - an open descriptor has no path
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Make a rename durable. Windows cannot open a folder, some file systems refuse to sync one: no loss of order."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _close_to_others(path: Path) -> None:
    """Take the rights of others away from a folder that is ours; one that is not stays as its owner wants it."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(0o700)


def _unless_busy(act: Callable[[], T]) -> T:
    for _ in range(_BUSY_ATTEMPTS):
        try:
            return act()
        except PermissionError:
            if sys.platform != "win32":
                raise
            time.sleep(_BUSY_PAUSE_S)
    return act()
