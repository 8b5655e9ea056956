"""How long bad news has to hold still before it is told.

Editors write in pieces, truncate first, move aside and back. Good bytes are announced at once; a failure waits
until nothing moved for a while. Stillness is counted in content, not in time stamps: something that touches a
broken file for ever must not keep its error from being told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.settings import ServiceSettings

BadNews: TypeAlias = Literal["failure", "blank", "absence", "declared-integrity"]


def settle_s(news: BadNews, settings: ServiceSettings) -> float:
    """Seconds of stillness before this kind of bad news is told."""
    match news:
        case "failure":
            return settings.failure_settle_ms / 1000
        case "blank" | "absence":
            return settings.absence_settle_ms / 1000
        case "declared-integrity":
            return settings.declared_integrity_settle_ms / 1000


@dataclass(slots=True)
class Stillness:
    """Since when the same thing has been seen. ``token`` is whatever tells one content from another."""

    token: object = None
    since_s: float = 0.0

    def observe(self, token: object, now_s: float) -> None:
        if token != self.token:
            self.token = token
            self.since_s = now_s

    def remaining_s(self, wanted_s: float, now_s: float) -> float:
        """How long it still has to hold; 0 when it has held long enough."""
        # A microsecond of slack: 10.0 + 0.25 - 10.0 is not 0.25 in floating point.
        left = self.since_s + wanted_s - now_s
        return left if left > 1e-6 else 0.0
