"""`unpin`: any bytes may load again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

if TYPE_CHECKING:
    from loader.home import Home

EXAMPLE = "hermes-desktop unpin my-plugin"


def command(plugin: PluginId, json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Take the pin off a plugin: any bytes that pass the check may load again."""
    from loader.cli.changing import change

    def left_over(home: Home) -> dict[str, Any] | None:
        from loader.inventory.pins import Pins
        from loader.reports.safe import visible

        pins = Pins.of(home)
        pins.refresh()
        if plugin not in pins.by_id():
            return None
        pins.unset(plugin)
        return {"id": plugin, "text": f"{visible(plugin)} is gone, and now so is its pin"}

    change(
        lambda access: access.unpin(plugin),
        _said,
        json=json,
        hermes_home=hermes_home,
        profile=profile,
        left_over=left_over,
    )


def _said(row: dict[str, Any]) -> str:
    from loader.cli.row_lines import named

    return f"{named(row)} is not pinned"
