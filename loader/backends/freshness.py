"""What a worker's code was made of: the modules beside ``plugin_api.py``, by what the disk says of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

Print: TypeAlias = frozenset[tuple[str, int, int, int]]

FILES_LIMIT = 2_000
DEPTH_LIMIT = 6
_SKIPPED = frozenset({"__pycache__", "node_modules", ".venv", "venv", "dist", "site-packages"})


def fingerprint(folder: Path, dashboard: Path, *manifests: Path) -> Print:
    """Of every ``.py`` in the dashboard folder, those at the package's own top, and the manifests. Blocks."""
    found: list[tuple[str, int, int, int]] = []
    for path in (*_modules(str(dashboard), DEPTH_LIMIT), *_modules(str(folder), 0), *map(str, manifests)):
        if len(found) >= FILES_LIMIT:
            break
        try:
            seen = os.stat(path)  # noqa: PTH116 - many at each request: strings are cheaper
        except OSError:
            continue
        found.append((path, seen.st_mtime_ns, seen.st_size, seen.st_ino))
    return frozenset(found)


def _modules(folder: str, depth: int) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:
        return
    for entry in listed:
        if entry.name.endswith(".py"):
            yield entry.path
        elif depth and entry.name not in _SKIPPED and not entry.name.startswith(".") and _is_folder(entry):
            yield from _modules(entry.path, depth - 1)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
