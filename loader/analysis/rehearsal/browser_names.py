"""The names that the app's window defines: a plugin that misses one of these in the sandbox did nothing wrong."""

from __future__ import annotations

import json
from importlib.resources import files


def _browser_names() -> frozenset[str]:
    lists = json.loads((files("sdk_stubs") / "browser_globals.json").read_text(encoding="utf-8"))
    return frozenset(lists["browser"]) | frozenset(lists["language"])


BROWSER_NAMES = _browser_names()
