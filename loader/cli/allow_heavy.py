"""`allow-heavy`: a person answers for a plugin that used too much in the rehearsal."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from loader.cli.options import AsJson, HermesHome, PluginId, Profile

EXAMPLE = "hermes-desktop allow-heavy my-plugin"


def command(
    plugin: PluginId,
    forget: Annotated[bool, typer.Option("--forget", help="Take the permission back.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Let a plugin load that used too much time or memory in the rehearsal (HP404).

    For its present bytes only: the next revision has to be allowed anew. The sandbox is slower than the app, but what
    never ends there may freeze the app's window.
    """
    from loader.cli.changing import change

    change(
        lambda access: access.allow_heavy(plugin, not forget),
        partial(_said, allowed=not forget),
        json=json,
        hermes_home=hermes_home,
        profile=profile,
    )


def _said(row: dict[str, Any], *, allowed: bool) -> str:
    from loader.cli.row_lines import named
    from loader.reports.safe import visible

    if not allowed:
        return f"{named(row)} is held to the limits again"
    return f"{named(row)} may be heavy, in this revision ({visible(row['revision'][:12])})"
