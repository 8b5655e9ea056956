"""`version`: which build this is, and on what it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from loader import __version__

EXAMPLE = "hermes-desktop version --json"


def command(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Print the version of this program and of the Python it runs on."""
    import platform

    from loader.cli.console import print_json, say

    python, system = platform.python_version(), platform.system()
    if json:
        print_json({"name": "hermes-desktop", "version": __version__, "python": python, "system": system})
    else:
        say(f"hermes-desktop {__version__} (Python {python}, {system})")
