"""Lists of tabs for the ``storage`` namespace: what the app says, without anything of plugins. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from loader.nouns import Json
from loader.wall.hosts import is_walled_origin, names_walled_host

Listing: TypeAlias = Literal["browser", "workspace"]

TABS_LIMIT = 1_000
_TEXT_LETTERS = 2_000
_FIELDS: Mapping[Listing, Mapping[str, type]] = {
    "browser": {"id": str, "title": str, "url": str, "active": bool},
    "workspace": {"id": str, "title": str, "kind": str, "active": bool},
}


def tabs_for_plugins(told: Json, listing: Listing, is_plugins: Callable[[str], bool]) -> list[Json]:
    """The tabs in a shell's answer, with the fields that plugins are told and no other.

    Left out: what the shell itself marks as a plugin's (``plugin``), and every address of a plugin's origin, marked or
    not. ``is_plugins`` tells addresses that plugins are developed at.
    """
    found: list[Json] = []
    for tab in told[:TABS_LIMIT] if isinstance(told, list) else ():
        if not isinstance(tab, dict) or not isinstance(tab.get("id"), str) or tab.get("plugin"):
            continue
        url = tab.get("url")
        if isinstance(url, str) and (is_walled_origin(url) or names_walled_host(url) or is_plugins(url)):
            continue
        found.append(
            {
                name: value[:_TEXT_LETTERS] if isinstance(value, str) else value
                for name, kind in _FIELDS[listing].items()
                if isinstance(value := tab.get(name), kind)
            }
        )
    return found
