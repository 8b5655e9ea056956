"""`page connect`, `disconnect` and `hosts`: the Hermes hosts elsewhere whose pages the web host shows."""

from __future__ import annotations

import sys
from typing import Any

from loader.cli import exits
from loader.cli.console import print_json, remark, say
from loader.errors import UsageError
from loader.home import Home
from loader.pages.connections import READ_ON_THE_WAY, TOKEN_LIMIT, PageHostEntry, PageHosts
from loader.reports.safe import visible
from loader.state import ensure_state_dir


def connect(home: Home, targets: list[str], *, token_stdin: bool, profile: str | None) -> int:
    """``targets``: a name and an address. The token comes by standard input, so that no list of processes shows it."""
    if len(targets) != 2:
        raise UsageError("name it and say where it is: hermes-desktop page connect NAME URL")
    token = None
    if token_stdin:
        token = sys.stdin.readline(TOKEN_LIMIT + 2).strip()
        if not token:
            raise UsageError("standard input holds no token.")
    ensure_state_dir(home.state_dir)
    entry = PageHosts(home.state_dir).connect(targets[0], targets[1], token=token, profile=profile)
    say(f"{entry.name} is connected: {visible(entry.url)}. Its pages are off until you switch them on.")
    if entry.is_read_on_the_way:
        remark(READ_ON_THE_WAY)
    return exits.FINE


def disconnect(home: Home, targets: list[str]) -> int:
    if len(targets) != 1:
        raise UsageError("which one? hermes-desktop page disconnect NAME")
    if not PageHosts(home.state_dir).disconnect(targets[0]):
        raise UsageError(f"no host {targets[0]!r} is connected: hermes-desktop page hosts")
    say(f"{targets[0]} is disconnected; its token and what was allowed to its pages count no more.")
    return exits.FINE


def hosts(home: Home, *, as_json: bool) -> int:
    entries = PageHosts(home.state_dir).all()
    if as_json:
        print_json({"hosts": [_row(entry) for entry in entries]})
    elif not entries:
        remark("No host is connected: hermes-desktop page connect NAME URL")
    for entry in () if as_json else entries:
        token = "with a token" if entry.token else "without a token"
        say(f"{entry.name}  {visible(entry.url)}  {token}" + (f"  profile {entry.profile}" if entry.profile else ""))
    return exits.FINE


def _row(entry: PageHostEntry) -> dict[str, Any]:
    return {
        "id": entry.connection,
        "name": entry.name,
        "url": entry.url,
        "profile": entry.profile,
        "has_token": entry.token is not None,
    }
