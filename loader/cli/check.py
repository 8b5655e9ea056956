"""`check`: what is wrong with these plugins, where, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from loader.cli import exits
from loader.cli.check_plainly import let_collect
from loader.cli.check_show import Form
from loader.cli.options import HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.home import Home
    from loader.preferences import Selection

EXAMPLE = "hermes-desktop check my-plugin --format json"


def command(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", hidden=True, help="Files, folders, homes, patterns.")
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
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail the run; HP6 are errors.")] = False,
    select: Annotated[
        list[str] | None, typer.Option(metavar="CODES", help="Only these codes or prefixes: HP502,HP6.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="CODES", help="All but these.")] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="Only what is new since FILE; made if missing.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Make FILE anew from what is found now.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is safe to mend, then check again.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print what --fix would change; write nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Again at every change, until Ctrl-C.")] = False,
    rehearsal: Annotated[
        Literal["warn", "enforce", "off"],
        typer.Option(metavar="MODE", show_default=False, help="warn, enforce (what fails is an error) or off."),
    ] = "warn",
    no_rehearse: Annotated[
        bool, typer.Option("--no-rehearse", hidden=True, help="The same as --rehearsal off.")
    ] = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Check plugins and say what is wrong, where.

    PATH is a file, a plugin's folder or id, a package, a home or a pattern; any other
    folder means its children. Default: this folder if it is a plugin, else the home.
    """
    import asyncio
    from pathlib import Path

    from loader.checking.run import CheckSettings
    from loader.cli.check_session import Session, Wish
    from loader.errors import UsageError
    from loader.settings import AnalysisSettings

    if update_baseline and baseline is None:
        raise UsageError("--update-baseline needs --baseline FILE.")
    if watch and (fix or diff or update_baseline):
        raise UsageError("--watch only looks: --fix, --diff and --update-baseline are for single runs.")
    home_once: list[Home] = []

    def find_home() -> Home:
        if not home_once:
            home_once.append(home_of(hermes_home, profile))
        return home_once[0]

    settings = CheckSettings(
        AnalysisSettings(rehearsal="off" if no_rehearse else rehearsal), strict, asked=_selection(select, ignore)
    )
    known = Path(baseline) if baseline is not None else None
    wish = Wish(tuple(paths or ()), settings, form, known, update_baseline, fix, diff)
    session = Session(wish, find_home)
    let_collect()
    if not watch:
        return asyncio.run(session.once())
    try:
        return asyncio.run(session.watch())
    except KeyboardInterrupt:
        return exits.FINE  # that is how one ends it


def _selection(select: list[str] | None, ignore: list[str] | None) -> Selection:
    from loader.preferences import Selection

    return Selection(_codes("--select", select) if select else None, _codes("--ignore", ignore or []))


def _codes(option: str, texts: list[str]) -> tuple[str, ...]:
    from loader.errors import UsageError
    from loader.preferences import ended, parse_codes

    try:
        return parse_codes(code for text in texts for code in text.split(",") if code.strip())
    except ValueError as wrong:
        raise UsageError(f"{option}: {ended(str(wrong))}") from None
