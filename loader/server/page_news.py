"""Tells pages of ours when to look again: a backend is there, is another one, or is gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from loader.nouns import BackendEvent, Json

# As a backend says it for itself, and as drafts do.
CHANGED = "mobile.changed"


class PageNews:
    """``heard`` is called with each look at the backends; what may have changed a manifest is published once."""

    def __init__(self, publish: Callable[[BackendEvent], None]) -> None:
        self._publish = publish
        self._known: dict[str, tuple[str, Json, Json]] = {}

    def heard(self, folder: str, row: Mapping[str, Json] | None) -> None:
        before = self._known.get(folder)
        if row is None:
            if before is not None:
                del self._known[folder]
                self._publish(BackendEvent(before[0], CHANGED, {}))
            return
        # While it starts nothing is known yet: its next state is the news.
        if row["state"] == "starting":
            return
        now = (str(row["name"]), row["state"], row["pid"])
        if now != before:
            self._known[folder] = now
            self._publish(BackendEvent(now[0], CHANGED, {}))
