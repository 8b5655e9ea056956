"""The user's pins, for whoever changes the bytes under them."""

from __future__ import annotations

from loader.inventory.pins import Pins


class Pinned:
    """The pins as they stand in the file now."""

    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        pins.refresh()

    def integrity(self, package_id: str) -> str | None:
        return self._pins.by_id().get(package_id)

    def folder(self, package_id: str) -> str | None:
        return self._pins.folder_of(package_id)

    def set(self, package_id: str, integrity: str, folder: str | None) -> None:
        self._pins.set(package_id, integrity, folder)

    def unset(self, package_id: str) -> None:
        if package_id in self._pins.by_id():
            self._pins.unset(package_id)
