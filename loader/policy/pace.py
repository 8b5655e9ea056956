"""How often something may go out: what comes too early is owed, and its newest state goes as soon as it may."""

from __future__ import annotations

from collections import deque


class Pace:
    """At most ``count`` in any stretch of ``window_s``. Times are monotonic seconds; a step back stands still."""

    def __init__(self, count: int, window_s: float) -> None:
        self._taken: deque[float] = deque(maxlen=count)
        self._count = count
        self._window_s = window_s

    def take(self, now_s: float) -> bool:
        """Whether one may go out now; if so it counts."""
        if now_s < self.free_at_s():
            return False
        self._taken.append(now_s)
        return True

    def free_at_s(self) -> float:
        """When the next one may go out; a time that has passed, or minus infinity, for at once."""
        return self._taken[0] + self._window_s if len(self._taken) == self._count else float("-inf")
