"""`uninstall`: remove what `install` brought."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli import exits
from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop uninstall my-plugin"


def command(
    plugin: Annotated[str, typer.Argument(metavar="ID", help="What was installed with `install`.")],
    purge: Annotated[bool, typer.Option("--purge", help="Forget your choices about it too.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Your word in advance, for scripts.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Remove an installed package: its folder, its pin, its record and your approvals.

    What it stored in the app stays, and so do your choices about it unless you say --purge. What you made by hand is
    never touched: only what `install` brought can be uninstalled.
    """
    from loader.cli.auditing import noted
    from loader.cli.consent import must_be_able_to_ask, says_yes
    from loader.cli.console import console, print_json, remark, say
    from loader.packages.install import Packages
    from loader.reports.package import differences_text
    from loader.reports.safe import visible

    home = home_of(hermes_home, profile)
    packages = Packages(home)
    with noted(home, "purge" if purge else "uninstall", plugin) as line:
        record = packages.get(plugin)
        folder = packages.folder_of(record)
        if not yes:
            must_be_able_to_ask(f"Uninstalling {record.id}")
            changes = packages.verify(record)
            if changes:
                import sys

                console(sys.stderr).print(differences_text(record, folder, changes), end="")
            if not says_yes(f"Remove {visible(str(folder))}?"):
                line.outcome = "refused"
                remark("Nothing was changed.")
                return exits.NEEDS_PERSON
        packages.uninstall(record.id, purge=purge)
    if json:
        print_json({"id": record.id, "folder": str(folder), "uninstalled": True, "purged": purge})
    else:
        say(f"Uninstalled {visible(record.id)}: {visible(str(folder))} is gone")
    return exits.FINE
