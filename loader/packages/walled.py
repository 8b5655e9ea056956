"""What stands behind the wall: one package from elsewhere, as the service may run it at this moment.

Only this is consulted when a plugin asks for something. It is made from the record, the approval and the switch, anew
whenever one of them changes; what a person did not approve is not in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from loader.nouns import Event
from loader.packages.grants import Grants

WalledKind: TypeAlias = Literal["web-app", "desktop"]

HOST_SUFFIX = ".localhost"
HOST_DIGITS = 32


@dataclass(frozen=True, slots=True)
class Walled:
    """``folder`` holds the installed files; None for a development address, whose pages ``url`` serves itself.
    ``entry`` is a relative path with slashes. ``grants`` is what was asked for and approved, both. ``revision`` tells
    one installed state from the next (hex); authority is given for one revision and ends with it.
    ``storage`` names its part of a browser's storage."""

    id: str
    kind: WalledKind
    name: str
    folder: Path | None
    url: str | None
    entry: str
    grants: Grants
    enabled: bool
    revision: str
    version: str = "0.0.0"
    storage: str = ""

    @property
    def host(self) -> str:
        """The name of its own origin. A page that is served elsewhere keeps nothing there, and names it in its text."""
        return host_of(self.id, self.storage if self.url is None else "")


def host_of(plugin_id: str, storage: str = "") -> str:
    """The name of a plugin's own origin, without a port: no other plugin has it, and no other page is in it.

    ``storage`` tells packages of one id apart that must not find each other's (``loader.packages.storages``).
    """
    spelled = f"{plugin_id}\n{storage}" if storage else plugin_id
    return f"p-{sha256(spelled.encode()).hexdigest()[:HOST_DIGITS]}{HOST_SUFFIX}"


class Shelf(Protocol):
    """All that stands behind the wall. Lives on the event loop; nothing here reads the disk."""

    def get(self, plugin_id: str) -> Walled | None: ...

    def all(self) -> tuple[Walled, ...]:
        """By id."""
        ...

    def subscribe(self, changed: Callable[[str], None]) -> Callable[[], None]:
        """``changed`` is called with the id after each change (the switch, an approval, an update, a removal, trust).
        The answer ends it."""
        ...

    def observe(self, event: Event) -> None:
        """Each event of the inventory, before it is published: a switch may have been thrown."""
        ...

    async def refresh(self) -> None:
        """See at once what was changed through this service, or by another process."""
        ...

    async def run(self) -> None:
        """Keep it true until cancelled."""
        ...
