"""What a person does in a rehearsal, as commands and agents ask for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UserEvent:
    """Something a person does in the rehearsal: ``type`` "click", "change", … on the thing that reads ``text``."""

    type: str
    text: str = ""
    value: str | None = None
    key: str | None = None
