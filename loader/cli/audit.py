"""`audit`: who installed, approved, switched and removed what."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop audit --last 20"


def command(
    last: Annotated[int, typer.Option(min=1, max=100_000, metavar="COUNT", help="Only the last so many.")] = 200,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """List who installed, approved, switched and removed what from elsewhere, oldest first.

    The log is bounded: the oldest lines go.
    """
    from loader.cli.console import print_json, remark, say
    from loader.packages.audit import Audit
    from loader.reports.safe import visible

    found = Audit(home_of(hermes_home, profile)).last(last)
    if json:
        print_json({"audit": [entry.told() for entry in found]})
    elif not found:
        remark("Nothing was installed, approved or removed yet.")
    else:
        for entry in found:
            words = (entry.at, f"{entry.caller:<6}", f"{entry.action:<9}", f"{entry.outcome:<7}", entry.id)
            say("  ".join(visible(word) for word in words))
