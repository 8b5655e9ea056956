"""`events`: what happens in the service, line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loader.cli.options import AsJson, HermesHome, Profile, home_of

if TYPE_CHECKING:
    from loader.client import ServiceEvent

EXAMPLE = "hermes-desktop events --follow --json"


def command(
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until Ctrl-C or the service's end.")] = False,
    since: Annotated[
        str | None, typer.Option(metavar="INSTANCE:SEQ", help="Begin behind this event, if it is still known.")
    ] = None,
    json: AsJson = False,
    hermes_home: HermesHome = None,
    profile: Profile = None,
) -> None:
    """Print what happened in the service since it started, or with --follow what happens.

    A line for each event, without tokens and codes. Of a long run only the last some thousand events are known.
    """
    from loader import client

    written = _writer(json)
    with client.connect(home_of(hermes_home, profile)) as connected:
        if not follow:
            health = connected.health()
            for event in so_far(connected.events(since or f"{health['instance']}:0"), int(health["seq"])):
                written(*event)
            return
        try:
            for event in connected.events(since):
                written(*event)
        except KeyboardInterrupt:
            return  # that is how one ends it


def so_far(events: Iterable[ServiceEvent], last_seq: int) -> Iterator[ServiceEvent]:
    """The greeting and what it announces, up to the event that was the last one when we asked."""
    for event in events:
        yield event
        greeting_only = event.method == "hello" and not event.params.get("resumed")
        if greeting_only or _number(event) >= last_seq:
            return


def _number(event: ServiceEvent) -> int:
    return int(event.params.get("seq", 0))


def _writer(json: bool) -> Callable[[str, Mapping[str, Any]], None]:
    from loader.cli.event_lines import event_json, event_line

    line = event_json if json else event_line

    def write(method: str, params: Mapping[str, Any]) -> None:
        sys.stdout.write(f"{line(method, params)}\n")
        sys.stdout.flush()  # whoever reads us through a pipe wants each event when it comes

    return write
