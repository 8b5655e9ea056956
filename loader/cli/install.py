"""`install`: bring a plugin or package from elsewhere, after a look at it and a person's word."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop install owner/repo --probe"


def command(
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="Folder, archive, owner/repo, URL, link."),
    ],
    probe: Annotated[bool, typer.Option("--probe", help="Only look; install nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Your word in advance, for scripts.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there; shows what changes.")] = False,
    ref: Annotated[str | None, typer.Option(metavar="COMMIT", help="This commit of a repository (40 hex).")] = None,
    enable: Annotated[bool, typer.Option("--enable", help="Turn it on too.")] = False,
    approve: Annotated[bool, typer.Option("--approve", help="Approve all that it asks for too.")] = False,
    without: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="Leave out: desktop, agent, backend, skills.")
    ] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Install a plugin, package or web app after a look at it. It stays off.

    Asks first. Exits 4 when nobody says yes, 1 when it would not load.
    """
    from loader.cli.installing import Wish, bring
    from loader.packages.sources import parse_source

    home = home_of(hermes_home, profile)
    named, link = parse_source(source, ref=ref)
    wish = Wish(
        only_look=probe,
        yes=yes,
        replace=force or (link is not None and link.force),
        as_json=json,
        enable=enable or (link is not None and link.enable),
        approve=approve,
        without=tuple(without or ()),
    )
    return bring(home, named, wish)
