"""`list`: the plugins of the home, a line each."""

from __future__ import annotations

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop list --json"


def command(json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """List the plugins of the home: id, state, door, revision and what to know.

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
    if json:
        print_json({"plugins": rows})
    elif rows:
        print_table(rows_table(rows))
    else:
        remark(f"{visible(str(home.root))} holds no plugin ({visible(home.rule)}).")
