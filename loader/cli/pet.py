"""`pet`: the pet's bubble in the terminal, once or live."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.client import Client

EXAMPLE = "hermes-desktop pet watch"


def command(
    what: Annotated[
        Literal["watch", "show"], typer.Argument(metavar="watch|show", help="Draw it live, or once.")
    ] = "show",
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Draw the pet's bubble with the lines that plugins make it say. `watch` ends with Ctrl-C.

    With --json, or in a pipe, `watch` prints a line for each change.
    """
    from loader import client

    with client.connect(home_of(hermes_home, profile)) as service:
        if what == "show":
            _printer(json)(service.request("GET", "/v1/pet"))
            return
        try:
            _watch(service, json)
        except KeyboardInterrupt:
            return


def _watch(service: Client, json: bool) -> None:
    from loader.cli.console import console, remark

    out = console()
    if json or not out.is_terminal:
        show = _printer(json)
        for pet in states(service):
            show(pet)
    else:
        from rich.live import Live

        from loader.cli.policy_lines import bubble

        with Live(console=out, auto_refresh=False) as live:
            for pet in states(service):
                live.update(bubble(pet), refresh=True)
    remark("The service has ended.")


def states(service: Client) -> Iterator[dict[str, Any]]:
    """The pet at first and at each change, until the service ends."""
    for event in service.events():
        if event.method in ("hello", "pet/lines"):
            # Events tell the lines only; whether a pet is there and the core speaks stands in the state.
            yield service.request("GET", "/v1/pet")


def _printer(json: bool) -> Callable[[dict[str, Any]], None]:
    from loader.cli.console import console, say

    if json:
        from json import dumps

        # ASCII: one state is one line, whatever the lines of plugins hold.
        return lambda pet: _flushed(say, dumps(pet, ensure_ascii=True))
    if console().is_terminal:
        from loader.cli.policy_lines import bubble

        return lambda pet: console().print(bubble(pet))
    from loader.cli.policy_lines import bubble_words

    return lambda pet: _flushed(say, "\n".join(bubble_words(pet)))


def _flushed(say: Callable[[str], None], text: str) -> None:
    say(text)
    sys.stdout.flush()  # read through a pipe, line by line, by whoever started us
