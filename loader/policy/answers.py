"""The shape of every no of previews, notifications and directives: a value with its reason, never an exception."""

from __future__ import annotations

from dataclasses import dataclass

from loader.nouns import Json


@dataclass(frozen=True, slots=True)
class Dropped:
    """``reason`` is one of the words that the module's ``WHY`` explains; ``error`` is that explanation."""

    reason: str
    error: str

    def as_json(self) -> dict[str, Json]:
        return {"ok": False, "reason": self.reason, "error": self.error}
