"""`actions`: which of the app's own actions a plugin may run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.home import Home

EXAMPLE = "hermes-desktop actions --denied"


def command(
    denied: Annotated[bool, typer.Option("--denied", help="Those that plugins may not run, instead.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """List the app's actions that plugins may run with ctx.runAction; any other id is unknown to it.

    With a running service the verdict also says whether a connected app window can run it now.
    """
    from loader.cli.console import console, print_json

    rows = _rows(_home(hermes_home, profile))
    chosen = [row for row in rows if (row["verdict"] == "denied") is denied]
    if json:
        print_json({"actions": chosen})
        return
    from loader.cli.policy_lines import actions_table

    console().print(actions_table(chosen))


def _home(hermes_home: str | None, profile: str | None) -> Home | None:
    """None where no home is: the table is the app's, not the home's. One that was named has to exist."""
    from loader.errors import UsageError

    try:
        return home_of(hermes_home, profile)
    except UsageError:
        if hermes_home is not None or profile is not None:
            raise
        return None


def _rows(home: Home | None) -> list[dict[str, Any]]:
    from loader import client
    from loader.policy.actions import app_actions

    if home is not None and client.find(home) is not None:
        with client.connect(home) as service:
            rows: list[dict[str, Any]] = service.request("GET", "/v1/actions")["actions"]
            return rows
    table = app_actions()
    return [dict(row) for row in table.verdicts(table.owned(()))]
