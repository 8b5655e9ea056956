"""`list`: the plugins of the home, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.home import Home
    from loader.nouns import Json

EXAMPLE = "hermes-desktop list --json"


def command(
    origin: Annotated[bool, typer.Option("--origin", help="Show where installed ones came from.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """List the plugins of the home, and installed web apps: id, state, door, revision and what to know.

    Asks the service; where none runs, looks and checks on its own.
    """
    from loader.cli.access import open_access
    from loader.cli.console import print_json, print_table, remark
    from loader.cli.row_lines import rows_table
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    with open_access(home) as access:
        rows = access.rows()
        if access.service is None:
            remark(f"No service is running for {visible(str(home.root))}: this is a look of our own.")
    apps = apps_of(home)
    if json:
        print_json({"plugins": rows, "apps": apps})
    elif rows or apps:
        print_table(rows_table(rows, apps, with_origin=origin))
    else:
        remark(f"{visible(str(home.root))} holds no plugin ({visible(home.rule)}).")


def apps_of(home: Home) -> list[dict[str, Json]]:
    """The web apps that `install` brought, by id."""
    from loader.packages.install import Packages
    from loader.packages.shelf import walled_of
    from loader.packages.standings import standing_of
    from loader.reports.package_data import package_json

    found = (standing_of(home, entry) for entry, record in Packages(home).entries() if record.kind == "web-app")
    return [package_json(standing, walled_of(standing, None), None) for standing in found if standing is not None]
