"""`disable`: a choice that outlives restarts and re-installs."""

from __future__ import annotations

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

EXAMPLE = "hermes-desktop disable my-plugin"


def command(plugin: PluginId, json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Turn a plugin off. The choice is yours and lasts until you forget it.

    Works without a service too: the next one finds the choice.
    """
    from loader.cli.changing import change, switched
    from loader.cli.packaged import switch_app

    if switch_app(plugin, False, json=json, hermes_home=hermes_home, profile=profile):
        return
    change(lambda access: access.choose(plugin, False), switched, json=json, hermes_home=hermes_home, profile=profile)
