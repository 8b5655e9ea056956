"""`enable`: a choice that outlives restarts and re-installs."""

from __future__ import annotations

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

EXAMPLE = "hermes-desktop enable my-plugin"


def command(plugin: PluginId, json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Turn a plugin on. The choice is yours and lasts until you forget it.

    Works without a service too: the next one finds the choice. What came from elsewhere and asks for something is
    turned on only when you have approved it.
    """
    from loader.cli.changing import change, switched
    from loader.cli.packaged import switch_app

    if switch_app(plugin, True, json=json, hermes_home=hermes_home, profile=profile):
        return
    change(lambda access: access.choose(plugin, True), switched, json=json, hermes_home=hermes_home, profile=profile)
