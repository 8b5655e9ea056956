"""Names of the file inside a message: whole, unless no person would have written them."""

from __future__ import annotations

_LIMIT = 80


def short(name: str) -> str:
    """A name as messages show it, cut where it is longer than any honest one."""
    return name if len(name) <= _LIMIT else f"{name[: _LIMIT - 1]}…"
