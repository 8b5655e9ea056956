"""`backend`: the Python halves of packages, behind /api/plugins: on and off, what they do, what they print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from loader.cli import exits
from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.home import Home

EXAMPLE = "hermes-desktop backend enable team-board"


def command(
    what: Annotated[
        Literal["list", "enable", "disable", "restart", "logs"],
        typer.Argument(metavar="WHAT", help="list, enable, disable, restart or logs."),
    ] = "list",
    name: Annotated[str | None, typer.Argument(metavar="ID", help="Whose; for all but list.")] = None,
    lines: Annotated[int, typer.Option("--lines", metavar="N", help="How many lines of the log.")] = 50,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> int:
    """List backends, switch them on or off in config.yaml, restart one, or print its log.

    The switch is Hermes' own and follows for its gateway; the desktop half has another (hermes-desktop enable).
    """
    from loader.errors import UsageError

    home = home_of(hermes_home, profile)
    if what == "list":
        return _list(home, json=json)
    if name is None:
        raise UsageError(f"whose? Name one: hermes-desktop backend {what} ID")
    match what:
        case "enable":
            return _switch(home, name, enabled=True)
        case "disable":
            return _switch(home, name, enabled=False)
        case "restart":
            return _restart(home, name)
        case "logs":
            return _logs(home, name, lines)


def _list(home: Home, *, json: bool) -> int:
    from loader.cli.console import console, print_json, remark

    rows = _rows(home)
    if json:
        print_json({"backends": rows})
    elif not rows:
        remark("No package of this home has a dashboard/manifest.json.")
    else:
        from rich.table import Table

        from loader.reports.safe import visible

        table = Table("backend", "state", "why", box=None, pad_edge=False)
        for row in rows:
            table.add_row(visible(row["name"]), row["state"], visible(row["detail"], limit=300))
        console().print(table)
    return exits.FINE


def _rows(home: Home) -> list[dict[str, Any]]:
    """From the service, which knows what runs; without one from the disk."""
    from loader import client

    endpoint = client.find(home)
    if endpoint is not None:
        with client.Client(endpoint) as service:
            rows: list[dict[str, Any]] = service.request("GET", "/v1/backends")["backends"]
            return rows
    from loader.backends.host import rows_at_rest

    return rows_at_rest(home)


def _switch(home: Home, name: str, *, enabled: bool) -> int:
    from loader.backends.catalog import CatalogReader
    from loader.backends.config import CONFIG_FILE, set_enabled
    from loader.cli.console import remark
    from loader.reports.safe import visible

    catalog = CatalogReader(home).read()
    manifest = catalog.by_name.get(name) or catalog.by_folder.get(name)
    if manifest is None and enabled:
        raise _unknown(name, sorted(catalog.by_name), home)
    # Whoever turns a plugin off must be able to, also when its files are gone.
    names = (name,) if manifest is None else manifest.names
    if manifest is not None and enabled and manifest.problem:
        remark(f"{visible(name)} has no backend that can run: {visible(manifest.problem)}")
    did = set_enabled(home, names, enabled)
    shown = " and ".join(f"'{visible(one)}'" for one in names)
    state = "enabled" if enabled else "disabled"
    verb = "is" if len(names) == 1 else "are"
    print(f"{shown} {verb} {'' if did else 'already '}{state} in {home.home / CONFIG_FILE}")
    if enabled and len(names) > 1:
        remark("The package goes by two names; the names of plugin.yaml and dashboard/manifest.json should be one.")
    return exits.FINE


def _restart(home: Home, name: str) -> int:
    from urllib.parse import quote

    from loader import client
    from loader.reports.safe import visible

    with client.connect(home) as service:
        service.request("POST", f"/v1/backends/{quote(name, safe='')}/restart")
    print(f"{visible(name)} was restarted")
    return exits.FINE


def _logs(home: Home, name: str, lines: int) -> int:
    from loader.backends.catalog import CatalogReader
    from loader.backends.host import log_path
    from loader.cli.console import remark
    from loader.reports.safe import visible

    path = log_path(home, name)
    found: list[str] = []
    for part in (path.with_name(f"{path.name}.1"), path):
        if part.is_file():
            found += part.read_text("utf-8", "replace").splitlines()
    if not found:
        known = CatalogReader(home).read().by_name
        if name not in known:
            raise _unknown(name, sorted(known), home)
        remark(f"{visible(name)} has printed nothing yet ({path}).")
    for line in found[-max(lines, 0) :]:
        print(visible(line, limit=2000))
    return exits.FINE


def _unknown(name: str, known: list[str], home: Home) -> Exception:
    import difflib

    from loader.errors import UsageError
    from loader.reports.safe import visible

    near = difflib.get_close_matches(name, known, n=1)
    guess = f"Did you mean '{near[0]}'?" if near else "'hermes-desktop backend list' shows those that are there."
    return UsageError(f"no package in {home.home} has a backend '{visible(name, limit=80)}'. {guess}")
