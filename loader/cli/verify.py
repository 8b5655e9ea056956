"""`verify`: whether what was installed still lies there as it was."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli import exits
from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop verify"


def command(
    plugin: Annotated[str | None, typer.Argument(metavar="ID", help="One of them. Without: all.")] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Compare what `install` brought with the record of it, file by file. Exits 1 when something differs.

    Caches that Python and file managers write by themselves do not count. Of a web app under development only the
    manifest can be compared.
    """
    from loader.cli.console import console, print_json, remark
    from loader.packages.install import Packages
    from loader.reports.package import differences_text
    from loader.reports.package_data import changes_json, origin_json

    packages = Packages(home_of(hermes_home, profile))
    records = (packages.get(plugin),) if plugin is not None else packages.installed()
    found = [(record, packages.verify(record)) for record in records]
    if json:
        rows = [
            {"id": record.id, "ok": not changes, "folder": str(packages.folder_of(record)), **changes_json(changes)}
            | {"origin": origin_json(record), "served_from": record.url}
            for record, changes in found
        ]
        print_json({"packages": rows})
    elif not found:
        remark("Nothing was installed with `hermes-desktop install`.")
    else:
        out = console()
        for record, changes in found:
            out.print(differences_text(record, packages.folder_of(record), changes), end="")
    return exits.FINDINGS if any(changes for _, changes in found) else exits.FINE
