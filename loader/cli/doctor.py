"""`doctor`: why each plugin runs or does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loader.cli import exits
from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.discovery import PassedOver
    from loader.home import Home
    from loader.reports.chain import Chain

EXAMPLE = "hermes-desktop doctor my-plugin"

REMOTE_NOTE = "Only this machine's folders are scanned, also when the app talks to a remote backend."


def command(
    plugin: Annotated[str | None, typer.Argument(metavar="ID", help="One plugin only, by id, key or folder.")] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """Say why each plugin runs or does not: home, folder, file, check, choice, service, shell.

    Works with and without a service. Exits 1 when something keeps a plugin that is on from running.
    """
    from loader.cli.access import open_access
    from loader.discovery import survey
    from loader.reports.chain import chain_of

    home = home_of(hermes_home, profile)
    passed_over = survey(home).passed_over
    with open_access(home) as access:
        service = access.service
        rows = _with_backends(access.rows(), home)
    if plugin is not None:
        rows = [row for row in rows if plugin in (row["id"], row["key"], row["folder"])]
        passed_over = tuple(one for one in passed_over if _folder_name(one.path) == plugin)
        if not rows and not passed_over:
            raise _nowhere(plugin, home)
    chains = [chain_of(row, home=str(home.root), rule=home.rule, service=service) for row in rows]
    if json:
        _print_json(home, service, chains, passed_over)
    else:
        _print_text(home, service, chains, passed_over, whole=plugin is not None)
    return exits.FINDINGS if any(map(_is_ill, chains)) or (plugin and not chains) else exits.FINE


def _with_backends(rows: list[Any], home: Home) -> list[Any]:
    """Without a service nobody has said what becomes of a package's backend: look for ourselves."""
    from loader.backends.host import rows_at_rest

    found = {backend["folder"]: backend for backend in rows_at_rest(home)}
    return [
        {**row, "backend": found[row["folder"]]} if row["backend"] is None and row["folder"] in found else row
        for row in rows
    ]


def _is_ill(chain: Chain) -> bool:
    """Something is wrong, as against somebody having switched it off."""
    return chain.broken is not None and not any(
        link.name == "choice" and link.state == "breaks" for link in chain.links
    )


def _folder_name(path: str) -> str:
    from pathlib import Path

    return Path(path).name


def _nowhere(plugin: str, home: Home) -> Exception:
    """Where the plugin might be instead: in a profile whose desktop-plugins nobody reads, in another door."""
    from loader.discovery import candidates_named
    from loader.errors import TimedOut, UsageError
    from loader.home import STANDALONE_FOLDER
    from loader.reports.safe import visible

    waiting = candidates_named(home, plugin)
    if waiting:  # only a running service can know less than the disk: it shows a plugin once its first check is over
        return TimedOut(f"{waiting[0].path} is still being checked by the service. Ask again in a moment.")
    looked = [*home.desktop_roots, *home.package_roots]
    said = f"there is no plugin '{visible(plugin, limit=80)}' in {', '.join(map(str, looked))} ({home.rule})."
    for other in home.homes:
        place = other / STANDALONE_FOLDER / plugin
        if other not in (home.root, home.home) and place.is_dir():
            return UsageError(f"{said} {place} exists, but is only read with --profile {other.name}.")
    return UsageError(f"{said} Is it another home? Name it with --hermes-home.")


def _print_json(home: Home, service: str | None, chains: Sequence[Chain], passed_over: Sequence[PassedOver]) -> None:
    from dataclasses import asdict

    from loader.cli.console import print_json

    answer: dict[str, Any] = {
        "home": {
            "root": str(home.root),
            "home": str(home.home),
            "profile": home.profile,
            "rule": home.rule,
            "note": home.note,
            "desktop_roots": [str(root) for root in home.desktop_roots],
            "package_roots": [str(root) for root in home.package_roots],
        },
        "service": service,
        "remote_note": REMOTE_NOTE,
        "plugins": [
            {
                "key": chain.key,
                "id": chain.id,
                "verdict": chain.verdict,
                "broken_at": chain.broken.name if chain.broken else None,
                "links": [asdict(link) for link in chain.links],
            }
            for chain in chains
        ],
        "passed_over": [asdict(one) for one in passed_over],
    }
    print_json(answer)


_MARKS = {"holds": ("ok", "green"), "breaks": ("NO", "bold red"), "waits": ("--", "yellow")}


def _print_text(
    home: Home, service: str | None, chains: Sequence[Chain], passed_over: Sequence[PassedOver], *, whole: bool
) -> None:
    from rich.text import Text

    from loader.cli.console import console, say
    from loader.reports.safe import visible

    out = console()
    say(f"Home      {visible(str(home.root))} ({visible(home.rule)})")
    if home.profile is not None:
        say(f"Profile   {visible(home.profile)}: {visible(str(home.home))}")
    if home.note:
        say(f"Note      {visible(home.note)}")
    for root in (*home.desktop_roots, *home.package_roots):
        say(f"Scanned   {visible(str(root))}{'' if root.is_dir() else ' (is not there)'}")
    say(f"Service   {service or 'none is running: hermes-desktop serve'}")
    say(REMOTE_NOTE)
    for chain in chains:
        say()
        style = "bold red" if chain.broken else ""
        out.print(Text.assemble((visible(chain.id), "bold"), " ", (chain.verdict, style)))
        for link in chain.links:
            # Of a plugin that runs, or among many, the links that hold say nothing new.
            if link.state == "holds" and not whole:
                continue
            mark, style = _MARKS[link.state]
            out.print(Text.assemble("  ", (f"{mark:<2}", style), f"  {link.name:<8}{link.says}"))
            if link.remedy and link.state != "holds":
                out.print(Text(f"              {visible(link.remedy)}", "dim"))
    if not chains:
        say()
        say("No plugin was found.")
    if passed_over:
        say()
        say("Passed over:")
        for one in passed_over:
            say(f"  {visible(one.path)}: {visible(one.text)}")
