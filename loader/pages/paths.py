"""Paths that a page may name: always below its own plugin's routes, whatever they spell.

Nothing is decoded and nothing is normalised: what needs either is refused, so that no second reader can understand a
path differently from us.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.pages.limits import is_identifier

PathReason: TypeAlias = Literal["empty", "relative", "plain", "segment", "plugin", "absolute"]

# As a JSON schema says it: the phone's own rule, where one leading slash is dropped.
PATH_PATTERN = r"^/?(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*$(?!\n)"
_SEGMENT = re.compile(r"[A-Za-z0-9._~-]+", re.ASCII)
_NOT_PLAIN = re.compile(r"[?#\\%]")


@dataclass(frozen=True, slots=True)
class PathFault:
    """Why a path is refused, for programs (``reason``) and for people (``text``, ``hint``)."""

    reason: PathReason
    text: str
    hint: str


def path_segments(path: str) -> tuple[str, ...] | PathFault:
    """The segments of a plugin's own path, as the phone reads it: one leading slash and outer blanks are dropped."""
    plain = path.removeprefix("/").strip()
    if not plain:
        return PathFault("empty", "the path is empty", "Name the route below your plugin's own: pages/today.")
    if plain.startswith("/") or plain.endswith("/"):
        return PathFault(
            "relative", "the path begins or ends with a slash", "Write it without slashes at its ends: pages/today."
        )
    found = _NOT_PLAIN.search(plain)
    if found is not None:
        what = {"?": "a query", "#": "a fragment", "\\": "a backslash", "%": "a percent sign"}[found[0]]
        return PathFault(
            "plain",
            f"the path holds {what}",
            "Put what varies into the action's arguments or into a segment; nothing is decoded.",
        )
    segments = tuple(plain.split("/"))
    for segment in segments:
        if segment in ("", ".", ".."):
            what = "an empty segment" if not segment else f"the segment {segment!r}"
            return PathFault("segment", f"the path holds {what}", "Name the route in full, below your plugin's own.")
        if _SEGMENT.fullmatch(segment) is None:
            if ":" in segment:
                return PathFault(
                    "segment",
                    "the path is an address or names a scheme",
                    "Only routes of the plugin itself can be called, by a relative path: pages/today.",
                )
            return PathFault(
                "segment",
                "a segment of the path holds a letter outside A-Z a-z 0-9 . _ ~ -",
                "Use only these letters between the slashes.",
            )
    return segments


def means_another_place(path: str) -> bool:
    """Whether it is spelled like a route of the dashboard as a whole (``/api/…``), which it will not reach."""
    return path.strip().startswith("/api/")


def scoped_path(plugin_id: str, path: str) -> str | PathFault:
    """``/api/plugins/<plugin_id>/…`` for a path of that plugin's page, or why there is none.

    Stricter than the phone in one thing: a path spelled ``/api/…`` is refused instead of being taken below the
    plugin's own routes, where nobody means it.
    """
    if not is_identifier(plugin_id):
        return PathFault("plugin", "the plugin's id is no identifier", "Ids are letters, digits, '.', '_' and '-'.")
    segments = path_segments(path)
    if isinstance(segments, PathFault):
        return segments
    if means_another_place(path):
        return PathFault(
            "absolute",
            "the path is spelled as a route of the whole dashboard",
            "A page reaches its own plugin only: drop '/api/plugins/…/' from the front.",
        )
    return f"/api/plugins/{plugin_id}/{'/'.join(segments)}"
