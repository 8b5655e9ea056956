"""`rehearse`: play plugins through in the sandbox and show what they do."""

from __future__ import annotations

from typing import Annotated

import typer

from loader.cli import exits
from loader.cli.options import AsJson, HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop rehearse my-plugin"


def command(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Files, folders, homes, patterns.")] = None,
    enforce: Annotated[bool, typer.Option("--enforce", help="What fails in the rehearsal is an error.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Play plugins through in the sandbox: contributions, wireframes, console, leaks.

    PATH is what it is for `check`. Nothing of it reaches the network, a file or the real clock.
    """
    import asyncio

    from loader.checking.targets import find_targets
    from loader.cli.check_now import check_now
    from loader.cli.console import console, print_json, width
    from loader.reports.rehearsal import rehearsal_json, rehearsal_text
    from loader.reports.text import file_report, summary_line
    from loader.settings import AnalysisSettings

    targets = find_targets(paths or (), find_home=lambda: home_of(hermes_home, profile))
    run = asyncio.run(check_now(targets, AnalysisSettings(rehearsal="enforce" if enforce else "warn")))
    if json:
        print_json({"version": 1, "files": [rehearsal_json(file) for file in run.files]})
    else:
        out = console()
        for file in run.files:
            out.print(rehearsal_text(file))
            out.print(file_report(file, width=width()), end="")
        out.print(summary_line(run))
    return exits.FINDINGS if run.failed else exits.FINE
