"""The names that a browser window defines: a plugin that misses one of these in the sandbox did nothing wrong."""

from __future__ import annotations

from importlib.resources import files


def read_names(file: str) -> frozenset[str]:
    """The words of a list in sdk_stubs; lines that begin with # are comments."""
    text = (files("sdk_stubs") / file).read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


BROWSER_NAMES = read_names("browser_names.txt")
