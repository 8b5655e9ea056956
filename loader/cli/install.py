"""`install`: bring a plugin or package from elsewhere, after a look at it and a person's word."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop install owner/repo --probe"


def command(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="Folder, archive, owner/repo[/dir], git URL, link.")],
    probe: Annotated[bool, typer.Option("--probe", help="Only look; install nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Your word in advance, for scripts.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there; shows what changes.")] = False,
    ref: Annotated[str | None, typer.Option(metavar="COMMIT", help="This commit of a repository (40 hex).")] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Install a plugin (pinned to its bytes) or a package (off until you turn it on) after a look at it.

    Asks before anything changes, whatever a link wishes. Exits 4 when nobody says yes, 1 when it would not load.
    """
    from loader.cli.console import remark
    from loader.cli.installing import Wish, bring
    from loader.packages.sources import parse_source

    home = home_of(hermes_home, profile)
    named, link = parse_source(source, ref=ref)
    if link is not None and link.enable:
        remark("The link asks for the agent half to be turned on. That is left to you: nothing here does it.")
    replace = force or (link is not None and link.force)
    return bring(home, named, Wish(only_look=probe, yes=yes, replace=replace, as_json=json))
