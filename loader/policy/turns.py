"""Calls that wait for an app window, shared out so that no plugin's flood leaves another without a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """At most ``limit`` calls wait. A plugin may hold as many as are still free: alone half of all, and whoever comes
    later finds room."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def take(self, plugin: str) -> Iterator[bool]:
        """For as long as the call waits; False when the plugin has to wait for its own earlier calls first."""
        if not self.free(plugin):
            yield False
            return
        self._waiting[plugin] += 1
        try:
            yield True
        finally:
            self._waiting[plugin] -= 1
            if not self._waiting[plugin]:
                del self._waiting[plugin]

    def free(self, plugin: str) -> bool:
        return self._waiting[plugin] < self._limit - self._waiting.total()

    def remembered(self) -> int:
        return len(self._waiting)
