"""`check`: what is wrong with these plugins, where, and the way out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from loader.cli import exits
from loader.cli.options import HermesHome, Mode, NoRehearse, Profile, home_of

if TYPE_CHECKING:
    from loader.checking.checked import CheckRun
    from loader.home import Home

EXAMPLE = "hermes-desktop check my-plugin --format json"

Form: TypeAlias = Literal["text", "json", "concise"]


def command(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Files, folders, homes, patterns.")] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print it.")] = "text",
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail the run too.")] = False,
    rehearsal: Mode = "warn",
    no_rehearse: NoRehearse = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Check plugins and say what is wrong, where.

    PATH is a file, a plugin's folder, a package, a home or a pattern; any other folder means its children. Without
    it: the current folder if it is a plugin, else the home.
    """
    import asyncio

    from loader.checking.targets import find_targets
    from loader.cli.check_now import check_now
    from loader.cli.console import remark
    from loader.reports.safe import visible
    from loader.settings import AnalysisSettings

    home_once: list[Home] = []

    def find_home() -> Home:
        if not home_once:
            home_once.append(home_of(hermes_home, profile))
        return home_once[0]

    targets = find_targets(paths or (), find_home=find_home)
    analysis = AnalysisSettings(rehearsal="off" if no_rehearse else rehearsal)
    run = asyncio.run(check_now(targets, analysis, strict=strict))
    show(run, form)
    if not targets:
        home = find_home()
        remark(f"{visible(str(home.root))} holds no plugin ({visible(home.rule)}).")
    return exits.FINDINGS if run.failed else exits.FINE


def show(run: CheckRun, form: Form) -> None:
    """Print a run: the findings on standard output; the concise form has its summary on standard error."""
    from loader.cli.console import console, print_json, remark, width
    from loader.reports.check_json import check_json
    from loader.reports.concise import concise_report
    from loader.reports.text import file_report, summary_line

    if form == "json":
        print_json(check_json(run))
    elif form == "concise":
        for file in run.files:
            sys.stdout.write(concise_report(file))
        remark(summary_line(run).plain)
    else:
        out = console()
        for file in run.files:
            out.print(file_report(file, width=width()), end="")
        out.print(summary_line(run))
