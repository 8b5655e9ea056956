"""`forget`: take a choice back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

if TYPE_CHECKING:
    from loader.home import Home

EXAMPLE = "hermes-desktop forget my-plugin"


def command(plugin: PluginId, json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Forget your choice: the app's switch or the plugin's own default counts again.

    Works without a service too: the next one finds the choice.
    """
    from loader.cli.changing import change, switched

    def left_over(home: Home) -> dict[str, Any] | None:
        from loader.inventory.choices import Choices
        from loader.reports.safe import visible

        choices = Choices.of(home)
        choices.refresh()
        if plugin not in choices.by_id():
            return None
        choices.set(plugin, None)
        return {"id": plugin, "text": f"{visible(plugin)} is gone, and now so is your choice about it"}

    change(
        lambda access: access.choose(plugin, None),
        switched,
        json=json,
        hermes_home=hermes_home,
        profile=profile,
        left_over=left_over,
    )
