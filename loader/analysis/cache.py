"""Verdicts kept between runs: a start with unchanged files checks nothing anew.

One small JSON file for each verdict, named by everything that the verdict depends on, so that a new version, another
SDK list or another setting simply misses. Whatever cannot be read or does not fit is as if it were not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from loader.analysis.codec import NotOfType, from_plain, to_plain
from loader.analysis.engine.pins import PINNED
from loader.nouns import Verdict
from loader.settings import AnalysisSettings

FORMAT = 1
# A verdict is 2-20 KB, most of it the drawn contributions.
MOST_ENTRIES = 2_000
MOST_ENTRY_BYTES = 2 * 1024 * 1024
_PRUNE_EVERY = 64


@lru_cache(maxsize=1)
def checker_digest() -> str:
    """Changes whenever anything does that a verdict depends on, beside the text and the settings.

    Taken from the files themselves, not from a version number: who works on a rule must not meet old verdicts.
    """
    digest = hashlib.sha256(json.dumps([FORMAT, PINNED], sort_keys=True).encode())
    for package in ("loader.analysis", "sdk_stubs"):
        for name, data in _tree(files(package), ""):
            digest.update(f"{package}/{name}\0{len(data)}\0".encode() + data)
    for module in ("nouns.py", "settings.py", "codes.py", "edits.py"):
        digest.update((files("loader") / module).read_bytes())
    return digest.hexdigest()


def _tree(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name not in ("__pycache__", "types"):
            found += _tree(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith((".py", ".js", ".json", ".txt")):
            found.append((prefix + entry.name, entry.read_bytes()))
    return found


class VerdictCache:
    """The verdicts of one state folder. Blocking (a file each): call it through a thread. Safe between processes."""

    def __init__(self, state_dir: Path, *, checker: str | None = None, most_entries: int = MOST_ENTRIES) -> None:
        self._folder = state_dir / "verdicts"
        self._checker = checker
        self._most = most_entries
        self._writes = 0

    def get(self, sha256: str, settings: AnalysisSettings) -> Verdict | None:
        """The verdict on these bytes under these settings, None when it is not known."""
        path = self._path(sha256, settings)
        try:
            if path.stat().st_size > MOST_ENTRY_BYTES:
                return None
            stored = json.loads(path.read_bytes())
            verdict = from_plain(Verdict, stored["verdict"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError, NotOfType):
            return None
        # The name is trusted for the key, never for the content.
        if stored.get("key") != path.stem or verdict.sha256 != sha256 or not verdict.cacheable:
            return None
        return verdict

    def put(self, verdict: Verdict, settings: AnalysisSettings) -> None:
        """Keep a verdict if it may be kept. A full disk or a read-only folder costs only the next start some time."""
        if not verdict.cacheable:
            return
        path = self._path(verdict.sha256, settings)
        try:
            data = json.dumps({"key": path.stem, "verdict": to_plain(verdict)}, separators=(",", ":")).encode()
        except (ValueError, UnicodeError):
            return
        if len(data) > MOST_ENTRY_BYTES:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self._folder, prefix=".writing-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                # No fsync: a verdict lost in a power cut is computed again, a torn one does not decode.
                Path(temporary).replace(path)
            except OSError:
                Path(temporary).unlink(missing_ok=True)
                raise
        self._writes += 1
        if self._writes % _PRUNE_EVERY == 0:
            self.prune()

    def prune(self) -> None:
        """Drop the oldest entries beyond the bound, and what an interrupted write left."""
        with contextlib.suppress(OSError):
            entries = []
            for entry in os.scandir(self._folder):
                with contextlib.suppress(OSError):
                    entries.append((entry.stat().st_mtime_ns, entry.path))
            entries.sort()
            for _, path in entries[: max(0, len(entries) - self._most)]:
                Path(path).unlink(missing_ok=True)

    def _path(self, sha256: str, settings: AnalysisSettings) -> Path:
        parts = [sha256, self._checker or checker_digest(), to_plain(settings)]
        key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        # The bytes and the mode first: a command that has imported nothing yet asks for them (loader.cli.foresight).
        return self._folder / f"{sha256[:16]}-{settings.rehearsal}-{key}.json"
