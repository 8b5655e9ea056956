"""Events that a backend pushes to the app's windows: judged, named, and held to a rate. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable

from loader.backend import EVENT_LIMIT, PAYLOAD_LIMIT_BYTES, event_fits
from loader.nouns import BackendEvent

BURST_S = 4.0


class EventGate:
    """One for each backend. A worker's word is not trusted: it is judged again here."""

    def __init__(self, plugin: str, events_per_s: float, now_s: Callable[[], float]) -> None:
        self._plugin = plugin
        self._per_s = events_per_s
        self._now_s = now_s
        self._left = events_per_s * BURST_S
        self._at_s = now_s()
        self.dropped = 0

    def judge(self, said: bytes) -> BackendEvent | None:
        """The event to publish; None for one that is malformed, too large or one too many."""
        now_s = self._now_s()
        self._left = min(self._per_s * BURST_S, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        if self._left < 1 or len(said) > PAYLOAD_LIMIT_BYTES + EVENT_LIMIT:
            self.dropped += 1
            return None
        try:
            found = json.loads(said)
            event, payload = found["event"], found["payload"]
        except (ValueError, KeyError, TypeError, RecursionError):
            self.dropped += 1
            return None
        if not event_fits(event) or not isinstance(payload, dict):
            self.dropped += 1
            return None
        self._left -= 1
        return BackendEvent(self._plugin, event, payload)
