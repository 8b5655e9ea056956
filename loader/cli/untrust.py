"""`untrust`: put an installed desktop plugin behind the wall again."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop untrust my-plugin"


def command(
    plugin: Annotated[str, typer.Argument(metavar="ID", help="What was installed with `install`.")],
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Take your trust back: it runs behind the wall again, with no more than you approved."""
    from loader.cli.auditing import noted
    from loader.cli.console import print_json, say
    from loader.packages.install import Packages
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    with noted(home, "untrust", plugin):
        Packages(home).trust(plugin, False)
    if json:
        print_json({"id": plugin, "trusted": False})
    else:
        say(f"{visible(plugin)} runs behind the wall")
