"""`completion`: a script that makes a shell complete commands, options and ids. Printed, never installed by itself."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

EXAMPLE = "hermes-desktop completion bash >> ~/.bashrc"


def command(
    shell: Annotated[
        Literal["bash", "zsh", "fish", "powershell"],
        typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell."),
    ],
) -> None:
    """Print the completion script of a shell: put it into your shell's start file."""
    # Typer's own --show-completion looks which program started this one, and gives up in a script or a container.
    from typer._completion_shared import get_completion_script

    from loader.cli.console import say
    from loader.cli.rim import PROGRAM

    variable = f"_{PROGRAM.replace('-', '_').upper()}_COMPLETE"
    say(get_completion_script(prog_name=PROGRAM, complete_var=variable, shell=shell))
