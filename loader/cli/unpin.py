"""`unpin`: any bytes may load again."""

from __future__ import annotations

from typing import Any

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

EXAMPLE = "hermes-desktop unpin my-plugin"


def command(plugin: PluginId, json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Take the pin off a plugin: any bytes that pass the check may load again."""
    from loader.cli.changing import change

    change(lambda access: access.unpin(plugin), _said, json=json, hermes_home=hermes_home, profile=profile)


def _said(row: dict[str, Any]) -> str:
    from loader.reports.safe import visible

    return f"{visible(row['id'])} is not pinned"
