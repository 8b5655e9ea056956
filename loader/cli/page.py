"""`page check`: what is wrong with a declarative page, a manifest or a draft, where, and the way out."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from loader.cli.check_show import Form
from loader.cli.options import HermesHome, Profile

EXAMPLE = "hermes-desktop page check page.json --contribution today"

As = Literal["auto", "document", "manifest", "draft"]


def command(
    what: Annotated[Literal["check"], typer.Argument(metavar="check", hidden=True, help="The only thing to do.")],
    targets: Annotated[list[str], typer.Argument(metavar="FILE|-|ID|URL", hidden=True, help="What to check.")],
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
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Check declarative pages, manifests and drafts as a phone reads them.

    FILE is a JSON file, - standard input. ID is a draft, else an installed plugin:
    then the running service asks its backend for the manifest and every page. URL
    is a Hermes dashboard: all its plugins (token: HERMES_DASHBOARD_TOKEN).
    """
    from loader.checking.checked import CheckRun
    from loader.cli import exits
    from loader.cli.options import home_of
    from loader.cli.page_show import show_pages
    from loader.cli.page_targets import PageWish, checked_pages

    wish = PageWish(None if kind == "auto" else kind, tuple(contribution) if contribution else None, plugin)
    pages = [page for target in targets for page in checked_pages(target, wish, lambda: home_of(hermes_home, profile))]
    run = CheckRun(tuple(page.file for page in pages), strict)
    show_pages(run, pages, form)
    return exits.FINDINGS if run.failed else exits.FINE
