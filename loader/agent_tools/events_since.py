"""The tool `events_since`: what happened in the service after an event that was seen."""

from __future__ import annotations

import asyncio

from pydantic import Field

from loader import client
from loader.agent_tools.tool import AgentTool, Answer, Arguments, Desk
from loader.cli.event_lines import event_line
from loader.cli.events import so_far
from loader.client import ServiceEvent
from loader.errors import UsageError
from loader.server.endpoint import Endpoint

_POLL_S = 0.2


class EventsArguments(Arguments):
    since: str = Field(
        default="",
        max_length=200,
        pattern=r"^(\S+:\d{1,15})?$",
        description="The cursor of the last answer (<instance>:<number>). Empty: from the service's start.",
    )
    wait_s: float = Field(default=0.0, ge=0, le=60, description="If nothing is new, wait so many seconds for it.")
    limit: int = Field(default=50, ge=1, le=500, description="At most so many events, the newest.")


async def _run(desk: Desk, given: EventsArguments) -> Answer:
    home = desk.find_home()
    endpoint = await asyncio.to_thread(client.find, home)
    if endpoint is None:
        raise UsageError(
            f"No service runs for {home.root}, so nothing happens. A person starts it with `hermes-desktop serve`."
        )
    loop = asyncio.get_running_loop()
    deadline = loop.time() + given.wait_s
    while True:
        instance, seq = await asyncio.to_thread(_now, endpoint)
        if not _is_last(given.since, instance, seq) or loop.time() >= deadline:
            break
        await asyncio.sleep(min(_POLL_S, max(deadline - loop.time(), 0)))
    if _is_last(given.since, instance, seq):
        return Answer(f"nothing new\ncursor: {instance}:{seq}")
    events = await asyncio.to_thread(_events, endpoint, given.since or f"{instance}:0", seq)
    return Answer("\n".join(_lines(events, given.limit, f"{instance}:{seq}")))


def _is_last(since: str, instance: str, seq: int) -> bool:
    return since == f"{instance}:{seq}"


def _now(endpoint: Endpoint) -> tuple[str, int]:
    with client.Client(endpoint) as connected:
        health = connected.health()
    return str(health["instance"]), int(health["seq"])


def _events(endpoint: Endpoint, since: str, last_seq: int) -> list[ServiceEvent]:
    with client.Client(endpoint) as connected:
        return list(so_far(connected.events(since), last_seq))


def _lines(events: list[ServiceEvent], limit: int, cursor: str) -> list[str]:
    greeting = next((event for event in events if event.method == "hello"), None)
    lines = []
    if greeting is not None and not greeting.params.get("resumed"):
        lines.append("What came before is not known any more (or the service is another one). How it is now:")
        lines.append(event_line(*greeting))
        cursor = f"{greeting.params['instance']}:{greeting.params['seq']}"
    happened = [event for event in events if event.method != "hello"]
    if len(happened) > limit:
        lines.append(f"{len(happened) - limit} older ones left out")
    shown = happened[-limit:]
    lines += [event_line(*event).strip() for event in shown]
    return [*(lines or ["nothing new"]), f"cursor: {cursor}"]


TOOL = AgentTool(
    "events_since",
    "Read events",
    "What happened in the running service, a line for each event: loads, failures with their first error, unloads, log "
    "lines. Give the cursor of the last answer to get only what is new.",
    EventsArguments,
    _run,
)
