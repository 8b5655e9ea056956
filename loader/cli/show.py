"""`show`: all that is known of one plugin."""

from __future__ import annotations

from loader.cli.options import AsJson, HermesHome, PluginId, Profile, home_of

EXAMPLE = "hermes-desktop show my-plugin"


def command(plugin: PluginId, json: AsJson = False, hermes_home: HermesHome = None, profile: Profile = None) -> None:
    """Show all that is known of one plugin: where it lies, its state, its findings.

    Asks the service; where none runs, looks and checks on its own.
    """
    from loader.cli.access import open_access
    from loader.cli.console import print_json, remark, say
    from loader.cli.row_lines import row_page
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    with open_access(home) as access:
        row = access.row(plugin)
        if access.service is None:
            remark(f"No service is running for {visible(str(home.root))}: this is a look of our own.")
    if json:
        print_json(row)
        return
    for line in row_page(row):
        say(line)
