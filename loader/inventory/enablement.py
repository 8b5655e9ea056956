"""Whether a plugin is on, and who said so. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loader.nouns import ChoiceSource, Door


@dataclass(frozen=True, slots=True)
class Enablement:
    """``choice`` is what a person decided, here or in the app; None when nobody did."""

    enabled: bool
    choice: bool | None
    choice_from: ChoiceSource


def decide(
    plugin_id: str,
    door: Door,
    default_enabled: bool,
    ours: Mapping[str, bool],
    app: Mapping[str, bool],
    *,
    foreign: bool = False,
) -> Enablement:
    """Our own switch, else the app's, else what the plugin says of itself; a package is off until someone chose, and so
    is whatever came from elsewhere (``foreign``): a choice that is forgotten or lost must not turn it on.

    Source: protocol.md, "Effective choice".
    """
    if plugin_id in ours:
        return Enablement(ours[plugin_id], ours[plugin_id], "ours")
    if plugin_id in app:
        return Enablement(app[plugin_id], app[plugin_id], "app")
    if door == "unified" or foreign:
        return Enablement(enabled=False, choice=None, choice_from="door")
    return Enablement(default_enabled, None, "plugin")
