"""A backend's own log: what it prints, with a bound on its size and on its haste.

A thread for each worker reads the pipe. A flood is not thrown away but slowed: the pipe fills, and who prints waits.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path

_PIECE_BYTES = 64 * 1024
_TAIL_BYTES = 8 * 1024


class LogFile:
    """``path`` and one older file beside it (``.1``), each at most ``limit_bytes``."""

    def __init__(self, path: Path, *, limit_bytes: int, bytes_per_s: int) -> None:
        self.path = path
        self._limit_bytes = limit_bytes
        self._bytes_per_s = bytes_per_s
        self._writing = threading.Lock()

    def follow(self, pipe: int) -> None:
        """Write down what comes out of the pipe until it ends, in a thread of its own. Takes the descriptor over."""
        threading.Thread(target=self._follow, args=(pipe,), name=f"log of {self.path.parent.name}", daemon=True).start()

    def _follow(self, pipe: int) -> None:
        with contextlib.suppress(OSError), open(pipe, "rb", buffering=0) as source:
            while piece := source.read(_PIECE_BYTES):
                self.write(piece)
                # A burst is written at once; who goes on is held to the rate.
                time.sleep(min(len(piece) / self._bytes_per_s, 1.0) if len(piece) > _TAIL_BYTES else 0)

    def write(self, data: bytes) -> None:
        """Append; a file that cannot be written (a full disk) loses the line, not the backend."""
        with self._writing, contextlib.suppress(OSError):
            with contextlib.suppress(FileNotFoundError):
                if self.path.stat().st_size + len(data) > self._limit_bytes:
                    self.path.replace(self.path.with_name(f"{self.path.name}.1"))
            number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with open(number, "ab") as file:  # noqa: PTH123
                file.write(data)

    def tail(self, lines: int = 12) -> str:
        """The last lines, as text."""
        try:
            with self.path.open("rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
                data = file.read(_TAIL_BYTES)
        except OSError:
            return ""
        return "\n".join(data.decode("utf-8", "replace").splitlines()[-lines:])
