"""Which of an editor's documents are plugins, and where one of them lies."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from loader.checking.targets import Target, find_targets
from loader.discovery import ENTRY_FILE
from loader.errors import UsageError
from loader.home import Home
from loader.nouns import SDK_SPECIFIER, Candidate

_IMPORTS_SDK = re.compile(rf"""(?:from|import)\s*\(?\s*["']{re.escape(SDK_SPECIFIER)}["']""")
_JAVASCRIPT = frozenset({"javascript", "js"})


@dataclass(frozen=True, slots=True)
class Document:
    """One open document. ``path`` is None for one that has never been saved, or lies on no disk."""

    uri: str
    path: str | None
    language: str
    version: int | None
    text: str


def is_plugin(document: Document) -> bool:
    """A file called plugin.js, or any JavaScript that imports the SDK: nobody wants our findings elsewhere."""
    if document.path is not None and os.path.basename(document.path) == ENTRY_FILE:  # noqa: PTH119 (a plain string)
        return True
    return document.language in _JAVASCRIPT and _IMPORTS_SDK.search(document.text) is not None


def target_of(document: Document, find_home: Callable[[], Home]) -> Target:
    """Where the document lies: in a home, in a checkout, or nowhere yet. Blocking."""
    path = document.path
    if path is not None and os.path.lexists(path):
        try:
            (target,) = find_targets([path], find_home=find_home)
        except (UsageError, ValueError):
            pass  # a folder of that name, or gone between two looks: it is a text like any other
        else:
            return target
    place = Path(path) if path is not None else Path(ENTRY_FILE)
    return Target(str(place), Candidate("standalone", place.parent.name, str(place), home=""), in_home=False)
