"""`lsp`: the check inside an editor, over standard input and output."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from loader.cli.options import HermesHome, Profile, home_of

EXAMPLE = "hermes-desktop lsp"


def command(
    no_rehearse: Annotated[bool, typer.Option("--no-rehearse", help="Look at the text only; play nothing.")] = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Serve an editor (language server protocol) on standard input and output.

    An editor starts this; docs/editors.md has the configurations. Findings while you type, quick fixes, explanations
    and completions in files called plugin.js, and in JavaScript that imports the SDK.
    """
    import asyncio

    from loader.cli.console import remark
    from loader.language_server.stdio import serve_stdio
    from loader.settings import AnalysisSettings

    if sys.stdin.isatty():
        remark("Speaking LSP on standard input and output: an editor starts this. Ctrl-C ends it.")
    analysis = AnalysisSettings(rehearsal="off" if no_rehearse else "warn")
    asyncio.run(serve_stdio(lambda: home_of(hermes_home, profile), analysis))
