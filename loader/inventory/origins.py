"""Where installed files came from: what the inventory needs of the record that installing keeps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from loader.nouns import Origin

_NONE: Mapping[str, Origin] = MappingProxyType({})


class Origins(Protocol):
    """Refreshed in a thread, asked on the event loop."""

    def catch_up(self, read: str | None = None) -> None:
        """Read what changed. Blocking, and cheap where nothing did: it is called after each look at a file. ``read`` is
        the path of the plugin.js whose bytes were read just before, None where there were none."""
        ...

    def refresh(self) -> tuple[str, ...]:
        """The same; gives what is wrong with the record, each thing once."""
        ...

    def by_path(self) -> Mapping[str, Origin]:
        """By the path of the plugin.js. The same object until something changes."""
        ...

    def counted(self) -> None:
        """What was read counts in the inventory now. On the event loop; often, so it must be cheap."""
        ...


class NoOrigins:
    """Nothing was installed."""

    def catch_up(self, _: str | None = None) -> None: ...

    def refresh(self) -> tuple[str, ...]:
        return ()

    def by_path(self) -> Mapping[str, Origin]:
        return _NONE

    def counted(self) -> None: ...
