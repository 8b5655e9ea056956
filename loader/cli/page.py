"""`page`: what is wrong with a declarative page, a manifest or a draft; and hosts whose pages are shown here."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from loader.cli.check_show import Form
from loader.cli.options import HermesHome, Profile

EXAMPLE = "hermes-desktop page check page.json --contribution today"

As = Literal["auto", "document", "manifest", "draft"]


def command(
    what: Annotated[
        Literal["check", "connect", "disconnect", "hosts"],
        typer.Argument(metavar="WHAT", hidden=True, help="check, connect, disconnect or hosts."),
    ],
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE|-|ID|URL", hidden=True, help="What to check; NAME URL to connect."),
    ] = None,
    form: Annotated[
        Form,
        typer.Option(
            "--format",
            metavar="FORMAT",
            show_default=False,
            help="text, json, concise, sarif, github, junit or agent.",
        ),
    ] = "text",
    kind: Annotated[
        As,
        typer.Option("--as", metavar="KIND", show_default=False, help="document, manifest or draft; else by its keys."),
    ] = "auto",
    contribution: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="An id under which the document is opened.")
    ] = None,
    plugin: Annotated[str | None, typer.Option(metavar="ID", help="The id that the manifest must have.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail the run.")] = False,
    token_stdin: Annotated[bool, typer.Option("--token-stdin", help="connect: its token comes by input.")] = False,
    host_profile: Annotated[
        str | None, typer.Option("--host-profile", metavar="NAME", help="connect: the profile that choices count for.")
    ] = None,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Check declarative pages, manifests and drafts as a phone reads them.

    FILE is a JSON file, - standard input. ID is a draft, else an installed plugin:
    then the running service asks its backend for the manifest and every page. URL
    is a Hermes dashboard: all its plugins (token: HERMES_DASHBOARD_TOKEN).
    connect NAME URL shows a Hermes elsewhere in the web host; disconnect, hosts.
    """
    if what != "check":
        return _hosts(what, targets or [], token_stdin, host_profile, form, hermes_home, profile)
    from loader.checking.checked import CheckRun
    from loader.cli import exits
    from loader.cli.options import home_of
    from loader.cli.page_show import show_pages
    from loader.cli.page_targets import PageWish, checked_pages
    from loader.errors import UsageError

    if not targets:
        raise UsageError("what is to be checked? hermes-desktop page check FILE")
    wish = PageWish(None if kind == "auto" else kind, tuple(contribution) if contribution else None, plugin)
    pages = [page for target in targets for page in checked_pages(target, wish, lambda: home_of(hermes_home, profile))]
    run = CheckRun(tuple(page.file for page in pages), strict)
    show_pages(run, pages, form)
    return exits.FINDINGS if run.failed else exits.FINE


def _hosts(
    what: Literal["connect", "disconnect", "hosts"],
    targets: list[str],
    token_stdin: bool,
    host_profile: str | None,
    form: Form,
    hermes_home: str | None,
    profile: str | None,
) -> int:
    from loader.cli import page_connect
    from loader.cli.options import home_of

    home = home_of(hermes_home, profile)
    if what == "connect":
        return page_connect.connect(home, targets, token_stdin=token_stdin, profile=host_profile)
    if what == "disconnect":
        return page_connect.disconnect(home, targets)
    return page_connect.hosts(home, as_json=form == "json")
