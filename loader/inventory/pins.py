"""Pins: hashes that the user set for a plugin; only these bytes may run.

A pin is kept by id, but it has to be checked before anything looks inside a file, and the id stands inside. So each
pin remembers in which folder the plugin lay: a file is checked against the pins of its folder's name, of the id that
it had when it was last looked at, and of the plugins that were pinned in that folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loader.home import Home
from loader.inventory.ledger import Ledger
from loader.nouns import Json
from loader.state import StateFile

PINS_FILE = "pins.json"


@dataclass(frozen=True, slots=True)
class Pin:
    """``integrity`` as written: hashes separated by white space, and perhaps malformed (the check says so)."""

    integrity: str
    folder: str | None = None


class _PinEntry:
    def read(self, stored: Json) -> Pin:
        """Whatever stands there is a pin: one that a hand garbled must refuse the file, not let everything pass."""
        if isinstance(stored, str):
            return Pin(stored)
        if isinstance(stored, dict):
            integrity, folder = stored.get("integrity"), stored.get("folder")
            return Pin(integrity if isinstance(integrity, str) else "", folder if isinstance(folder, str) else None)
        return Pin("")

    def write(self, value: Pin) -> Json:
        return {"integrity": value.integrity, "folder": value.folder}


class Pins:
    """The pins of one root. ``refresh``, ``set`` and ``unset`` block and raise as ``Ledger`` says."""

    def __init__(self, ledger: Ledger[Pin]) -> None:
        self._ledger = ledger

    @classmethod
    def of(cls, home: Home) -> Pins:
        return cls(Ledger(lambda report: StateFile(home.state_dir / PINS_FILE, report=report), _PinEntry()))

    def by_id(self) -> Mapping[str, str]:
        """The integrity of each pinned id, as written."""
        return {plugin_id: pin.integrity for plugin_id, pin in self._ledger.by_id().items()}

    def folder_of(self, plugin_id: str) -> str | None:
        """The folder that a pin was set for; None where there is none, or it named none."""
        pin = self._ledger.by_id().get(plugin_id)
        return pin.folder if pin is not None else None

    def foretold(self, folder: str, plugin_id: str | None) -> tuple[str, ...]:
        """What the bytes in this folder must match, as far as it can be told without looking inside; sorted."""
        pins = self._ledger.by_id()
        named = {pins[name].integrity for name in (folder, plugin_id) if name is not None and name in pins}
        return tuple(sorted(named | {pin.integrity for pin in pins.values() if pin.folder == folder}))

    def refresh(self) -> tuple[str, ...]:
        return self._ledger.refresh()

    def set(self, plugin_id: str, integrity: str, folder: str | None = None) -> None:
        self._ledger.set(plugin_id, Pin(integrity, folder))

    def unset(self, plugin_id: str) -> None:
        self._ledger.set(plugin_id, None)
