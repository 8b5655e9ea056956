"""`policy audit`: who asked for what, and how often it was refused."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop policy audit"


def command(
    what: Annotated[Literal["audit"], typer.Argument(metavar="audit", help="The only thing to ask for so far.")],
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Print what plugins asked of the host since the service started, and how often they were refused."""
    from loader import client
    from loader.cli.console import console, print_json, remark
    from loader.cli.policy_lines import audit_table

    with client.connect(home_of(hermes_home, profile)) as service:
        report = service.request("GET", f"/v1/policy/{what}")
    if json:
        print_json(report)
    elif report["rows"]:
        console().print(audit_table(report["rows"]))
    else:
        remark(f"No plugin has asked for anything in {report['since_s']:.0f} s.")
