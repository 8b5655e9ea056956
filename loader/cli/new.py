"""`new`: begin a plugin from a template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.authoring.creating import NewPlugin

EXAMPLE = "hermes-desktop new my-plugin --template page"

TemplateName: TypeAlias = Literal["pane", "status", "page", "theme", "directive", "command", "package", "web-app"]


def command(
    plugin: Annotated[str, typer.Argument(metavar="ID", help="The plugin's id, and its folder's name.")],
    template: Annotated[TemplateName, typer.Option("--template", help="What it begins as.")] = "pane",
    into: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Make it in this folder."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be made; make nothing.")] = False,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Begin a plugin from a template: it passes the check, and editors complete the SDK.

    It is made in the home's desktop-plugins (a package in its plugins, a web app in the current folder). Nothing is
    ever overwritten.
    """
    from pathlib import Path

    from loader.authoring.creating import plan_new, write_new
    from loader.cli.console import print_json, say

    in_home = into is None and template != "web-app"
    new = plan_new(plugin, template, home_of(hermes_home, profile) if in_home else Path.cwd() / (into or ""))
    if not dry_run:
        write_new(new)
    if json:
        print_json(new_json(new, dry_run=dry_run))
        return
    for line in _lines(new, dry_run=dry_run):
        say(line)


def new_json(new: NewPlugin, *, dry_run: bool) -> dict[str, Any]:
    """What was made, or would be, and what to do next; for programs."""
    return {
        "id": new.id,
        "template": new.template.name,
        "folder": str(new.folder),
        "entry": str(new.entry),
        "files": [file.path for file in new.files],
        "made": not dry_run,
        "next": next_steps(new),
    }


def next_steps(new: NewPlugin) -> list[str]:
    if new.template.is_app:
        return [
            f"python3 -m http.server 5173 --bind 127.0.0.1 --directory {new.folder}",
            "hermes-desktop install http://localhost:5173/ --approve --enable",
            "hermes-desktop serve",
            f"hermes-desktop open {new.id}",
        ]
    steps = [f"hermes-desktop check {new.folder} --strict", f"hermes-desktop rehearse {new.folder}"]
    if new.template.is_package:
        steps.append(f"hermes-desktop enable {new.id}")
    return [*steps, "hermes-desktop serve"]


def _lines(new: NewPlugin, *, dry_run: bool) -> list[str]:
    from loader.reports.safe import visible

    own = [file.path for file in new.files if not file.path.startswith("types/")]
    lines = [f"{'Would make' if dry_run else 'Made'} {visible(str(new.folder))}: {new.template.about}"]
    lines += [f"  {path}" for path in own]
    types = len(new.files) - len(own)
    lines.append(f"  types/  ({types} file{'s' if types > 1 else ''}, for editors)")
    return lines if dry_run else [*lines, "Next:", *(f"  {visible(step)}" for step in next_steps(new))]
