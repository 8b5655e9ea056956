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
    approve: Annotated[bool, typer.Option("--approve", help="Approve all that it asks for now.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Look again where a package came from: shows what changes, and asks.

    What you changed by hand is shown, and lost when you say yes. Installed with --ref, it stays at that commit until
    you name another one. Where it asks for more than you approved, it is off until you approve that.
    """
    from loader.cli.installing import Wish, bring
    from loader.packages.install import Packages
    from loader.packages.record import source_of
    from loader.packages.sources import checked_ref

    home = home_of(hermes_home, profile)
    record = Packages(home).get(plugin)
    source = source_of(record, ref=checked_ref(ref))
    wish = Wish(
        only_look=probe,
        yes=yes,
        replace=True,
        as_json=json,
        updates=plugin,
        approve=approve,
        without=record.without,
    )
    return bring(home, source, wish)
