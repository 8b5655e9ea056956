"""`pin`: from now on only these bytes."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

EXAMPLE = "hermes-desktop pin my-plugin"


def command(
    plugin: PluginId,
    integrity: Annotated[
        str | None, typer.Argument(metavar="HASH", help="sha256-… in base64; without it the present bytes.")
    ] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Load a plugin with this hash only: other bytes are refused (HP010).

    Several hashes in one argument, separated by spaces, mean one of them.
    """
    from loader.cli.changing import change

    change(lambda access: access.pin(plugin, integrity), _said, json=json, hermes_home=hermes_home, profile=profile)


def _said(row: dict[str, Any]) -> str:
    from loader.cli.row_lines import named
    from loader.reports.safe import visible

    refused = next((found for found in row["diagnostics"] if found["code"] == "HP010"), None)
    said = f"{named(row)} is pinned"
    if refused:
        return f"{said}, and refused: {visible(refused['message'])}"
    return f"{said} to its present bytes, {row['integrity']}"
