"""What the tools for drafted pages share: the store, the session, and telling windows that something has changed.

They work on the store itself, so that they need no service; where one runs, it is told.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from loader import client
from loader.agent_tools.tool import Answer, Desk
from loader.errors import LoaderError
from loader.home import Home
from loader.nouns import Diagnostic
from loader.pages.check import PageCheck
from loader.pages.draft_entry import Entry
from loader.pages.drafts import DraftStore

_LISTED = 60
_FINDINGS = 20


def open_store(desk: Desk) -> DraftStore:
    """The store of the desk's home. Each change is told to the home's service, if one runs."""
    home = desk.find_home()
    return DraftStore(home.home, changed=lambda page: _tell(home, page))


def _tell(home: Home, page: str) -> None:
    # It is stored whether or not somebody watches: windows also look by themselves.
    with contextlib.suppress(LoaderError, OSError, ValueError):
        if client.find(home) is not None:
            with client.connect(home) as service:
                service.notify("/v1/drafts/changed", {"page": page})


def where(desk: Desk, page: str) -> str | None:
    """Where a person sees the page; None where no service runs."""
    endpoint = client.find(desk.find_home())
    return f"{endpoint.url}/workbench/pages.html#/drafts/{quote(page, safe='')}" if endpoint is not None else None


def said(value: Mapping[str, Any], *, failed: bool = False) -> Answer:
    """A result is one string of JSON: agents' hosts take nothing else."""
    return Answer(json.dumps(value, ensure_ascii=False), failed)


def row(entry: Entry) -> dict[str, Any]:
    """What a model needs of a draft, without its document."""
    names = ("id", "title", "status", "lifecycle", "revision")
    return {name: getattr(entry, name) for name in names} | {"digest": entry.digest, "expires_at": entry.expires_at}


def rows(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """The first sixty, and how many more there are."""
    told: dict[str, Any] = {"plugins": [row(entry) for entry in entries[:_LISTED]]}
    if len(entries) > _LISTED:
        told["more"] = len(entries) - _LISTED
    return told


def findings(check: PageCheck | None) -> list[str]:
    """A line for each finding: severity, code, pointer and message, the way out."""
    found = check.diagnostics if check is not None else ()
    lines = [_line(one) for one in sorted(found, key=lambda one: one.severity != "error")[:_FINDINGS]]
    return [*lines, f"{len(found) - _FINDINGS} more"] if len(found) > _FINDINGS else lines


def _line(found: Diagnostic) -> str:
    fix = f" Fix: {found.hint}" if found.hint else ""
    return f"{found.severity} {found.code} {found.message[:400]}.{fix[:400]}"
