"""Whether a command line will need a worker, told before anything is imported that could tell it for certain.

Wrong is only slow: a worker that nobody takes is ended, and one that is missing is started by the pool.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

_NO_CHECK = frozenset({"-h", "--help"})
_READ_AT_MOST_BYTES = 4 * 1024 * 1024


def wants_worker(arguments: Sequence[str], kept: Path | None = None) -> bool:
    """True for a check of something that no earlier run has kept a verdict of, and for every rehearsal.

    ``kept``: the folder of verdicts; default: the user's.
    """
    if not arguments or not _NO_CHECK.isdisjoint(arguments):
        return False
    if arguments[0] == "rehearse":
        return True
    named = [Path(path) for path in arguments[1:] if not path.startswith("-") and os.access(path, os.R_OK)]
    if arguments[0] != "check":
        return False
    return len(named) != 1 or not _is_kept(named[0], _rehearsal(arguments), kept or _kept_verdicts())


def _rehearsal(arguments: Sequence[str]) -> str:
    """The mode that is asked for: a verdict of another one does not count."""
    mode = "warn"
    for at, argument in enumerate(arguments):
        if argument == "--no-rehearse":
            return "off"  # wherever it stands, as the command itself has it
        if argument == "--rehearsal":
            mode = "".join(arguments[at + 1 : at + 2])
        elif argument.startswith("--rehearsal="):
            mode = argument.partition("=")[2]
    return mode


def _kept_verdicts() -> Path:
    # As platformdirs says for Linux, where alone this is asked; it takes 5 ms to import.
    caches = os.environ.get("XDG_CACHE_HOME", "").strip() or "~/.cache"
    return Path(caches).expanduser() / "hermes-desktop-loader" / "checks" / "verdicts"


def _is_kept(path: Path, rehearsal: str, verdicts: Path) -> bool:
    """Whether there is a verdict on these bytes; if it is of this version and these settings, the cache will say."""
    try:
        plugin = path / "plugin.js" if path.is_dir() else path
        if not plugin.is_file() or plugin.stat().st_size > _READ_AT_MOST_BYTES:
            return False
        begins = f"{hashlib.sha256(plugin.read_bytes()).hexdigest()[:16]}-{rehearsal}-"
        with os.scandir(verdicts) as entries:
            return any(entry.name.startswith(begins) for entry in entries)
    except OSError:
        return False
