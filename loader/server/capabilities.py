"""Module URLs: an unguessable word bound to one plugin and one revision, since ``import()`` carries no header.

A capability dies with its revision. What is not alive answers 410, whether it once was or never has been: a guesser
learns nothing, and a restarted service needs no memory of its predecessor's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from loader.server.sessions import new_secret


@dataclass(frozen=True, slots=True)
class Grant:
    """What a capability opens."""

    plugin: str
    revision: str


class Capabilities:
    def __init__(self, make_capability: Callable[[], str] = new_secret) -> None:
        self._make = make_capability
        self._live: dict[str, Grant] = {}

    def grant(self, plugin: str, revision: str) -> str:
        capability = self._make()
        self._live[capability] = Grant(plugin, revision)
        return capability

    def revoke(self, capability: str) -> None:
        self._live.pop(capability, None)

    def opens(self, capability: str) -> Grant | None:
        """None when it is dead. A dict look-up is fine here: 256 random bits cannot be felt out by timing."""
        return self._live.get(capability)


def module_path(capability: str) -> str:
    return f"/modules/{capability}/plugin.js"


def sdk_path(capability: str, module: str) -> str:
    """``module``: plugin-sdk, react or jsx-runtime."""
    return f"/sdk/{capability}/{module}.js"
