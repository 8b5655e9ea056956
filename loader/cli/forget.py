"""`forget`: take a choice back."""

from __future__ import annotations

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

EXAMPLE = "hermes-desktop forget my-plugin"


def command(plugin: PluginId, json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Forget your choice: the app's switch or the plugin's own default counts again.

    Works without a service too: the next one finds the choice.
    """
    from loader.cli.changing import change, switched

    change(lambda access: access.choose(plugin, None), switched, json=json, hermes_home=hermes_home, profile=profile)
