"""`update`: look again where a package came from."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop update my-plugin"


def command(
    plugin: Annotated[str, typer.Argument(metavar="ID", help="What was installed with `install`.")],
    probe: Annotated[bool, typer.Option("--probe", help="Only look; change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Your word in advance, for scripts.")] = False,
    ref: Annotated[str | None, typer.Option(metavar="COMMIT", help="This commit of its repository (40 hex).")] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Update an installed package from where it came from: shows what changes, and asks.

    What you changed in it by hand is part of what is shown, and is lost when you say yes. One that was installed with
    --ref stays at that commit until another one is named.
    """
    from loader.cli.installing import Wish, bring
    from loader.packages.install import Packages
    from loader.packages.record import source_of
    from loader.packages.sources import checked_ref

    home = home_of(hermes_home, profile)
    source = source_of(Packages(home).get(plugin), ref=checked_ref(ref))
    return bring(home, source, Wish(only_look=probe, yes=yes, replace=True, as_json=json, updates=plugin))
