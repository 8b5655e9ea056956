"""Options that several commands share, and what they resolve to. Only here is the environment read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

if TYPE_CHECKING:
    from loader.home import Home

# Plain texts, not paths: typer's path type costs pydantic (see quick_params), and `~` is resolve_home's matter.
HermesHome: TypeAlias = Annotated[
    str | None, typer.Option("--hermes-home", metavar="DIR", help="The Hermes home, instead of HERMES_HOME.")
]
Profile: TypeAlias = Annotated[str | None, typer.Option("--profile", metavar="NAME", help="A profile of that home.")]
Mode: TypeAlias = Annotated[
    Literal["warn", "enforce", "off"],
    typer.Option("--rehearsal", help="What a failed rehearsal is: a warning, an error; or none at all."),
]
NoRehearse: TypeAlias = Annotated[bool, typer.Option("--no-rehearse", help="The same as --rehearsal off.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PluginId: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="A plugin's id, or its key.")]


def home_of(hermes_home: str | None, profile: str | None) -> Home:
    """The home that the options and the environment name. Raises UsageError (exit 2) when there is none."""
    from loader.home import resolve_home

    return resolve_home(hermes_home, profile)
