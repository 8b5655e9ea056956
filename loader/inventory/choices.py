"""The user's own switches: which plugins are on or off, by id. They outlive files, restarts and re-installs."""

from __future__ import annotations

from loader.home import Home
from loader.inventory.ledger import Ledger
from loader.nouns import Json
from loader.state import StateFile

CHOICES_FILE = "choices.json"


class _Switch:
    def read(self, stored: Json) -> bool | None:
        return stored if isinstance(stored, bool) else None

    def write(self, value: bool) -> Json:
        return value


class Choices(Ledger[bool]):
    """``by_id()`` gives the switches; ``set(id, None)`` forgets one. See ``Ledger`` for what blocks and raises."""

    @classmethod
    def of(cls, home: Home) -> Choices:
        """The switches of this root. Read with ``refresh``."""
        return cls(lambda report: StateFile(home.state_dir / CHOICES_FILE, report=report), _Switch())
