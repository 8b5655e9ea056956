"""`trust`: let an installed desktop plugin run in the app, without the wall."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop trust my-plugin"


def command(
    plugin: Annotated[str, typer.Argument(metavar="ID", help="What was installed with `install`.")],
    yes: Annotated[bool, typer.Option("--yes", help="Your word in advance, for scripts.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Let an installed plugin run in the app, with all that the app can do.

    Ends with an update from another place. Exits 4 when nobody says yes.
    """
    from loader.cli import exits
    from loader.cli.auditing import noted
    from loader.cli.consent import must_be_able_to_ask, says_yes
    from loader.cli.console import print_json, remark, say
    from loader.packages.install import Packages, only
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    with noted(home, "trust", plugin) as line:
        packages = Packages(home)
        record = packages.get(plugin)
        if not yes and record.entry is not None:
            must_be_able_to_ask(f"Trusting {record.id}")
            remark(f"{record.id} came from {visible(record.source)}. Without the wall it can do whatever the app can.")
            if not says_yes(f"Let {visible(record.id)} run in the app?"):
                line.outcome = "refused"
                remark("Nothing was changed.")
                return exits.NEEDS_PERSON
        packages.trust(record.id, True, only(lambda now: now, record))
    if json:
        print_json({"id": record.id, "trusted": True})
    else:
        say(f"{visible(record.id)} runs in the app, without the wall")
    return exits.FINE
