"""What the routes work with: put together once by ``app.create_app``, reached through ``app.state.parts``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias

from fastapi import Depends, Header
from fastapi.requests import HTTPConnection

from loader.backends.host import Backends
from loader.nouns import Plugin
from loader.packages.shelf import EmptyShelf
from loader.packages.walled import Shelf
from loader.server.announcer import About
from loader.server.capabilities import Capabilities
from loader.server.controlling import Controlling
from loader.server.desk import Desk
from loader.server.hub import Hub
from loader.server.ports import PipelinePort, PolicyPort
from loader.server.problem_kinds import APPROVAL_REQUIRED, UNKNOWN_PLUGIN
from loader.server.problems import Problem
from loader.server.sessions import Caller, Credentials, Person
from loader.server.shims import ExportNames
from loader.server.wall import Wall


@dataclass(frozen=True, slots=True)
class Parts:
    about: About
    pipeline: PipelinePort
    policy: PolicyPort
    hub: Hub
    desk: Desk
    credentials: Credentials
    capabilities: Capabilities
    exports: ExportNames
    wall: Wall
    backends: Backends | None = None
    shelf: Shelf = field(default_factory=EmptyShelf)
    controlling: Controlling | None = None


def _parts(connection: HTTPConnection) -> Parts:
    found = connection.app.state.parts
    assert isinstance(found, Parts)  # noqa: S101 - create_app put it there
    return found


def _caller(connection: HTTPConnection) -> Caller | None:
    """Who presents the token, as the gate judged it; None at the open doors only."""
    caller: Caller | None = connection.state.caller
    return caller


PartsHere: TypeAlias = Annotated[Parts, Depends(_parts)]
CallerHere: TypeAlias = Annotated[Caller | None, Depends(_caller)]
Face: TypeAlias = Annotated[
    str | None, Header(alias="Hermes-Face", max_length=16, description="`cli` or `mcp`, for the log", examples=["cli"])
]


def plugin_of(parts: Parts, id_or_key: str) -> Plugin:
    """The row behind an id (then the owner's) or a key. Raises a 404 problem."""
    plugin = parts.pipeline.find(id_or_key)
    if plugin is None:
        raise Problem(UNKNOWN_PLUGIN, f"{id_or_key!r} is neither an id nor a key of a plugin here")
    return plugin


async def fresh_plugin_of(parts: Parts, id_or_key: str) -> Plugin:
    """As `plugin_of`, after one more look where nothing goes by that name: what came just now, no event has told of."""
    return await parts.pipeline.find_fresh(id_or_key) or plugin_of(parts, id_or_key)


def require_person(caller: CallerHere) -> None:
    """For what only a person may do: the endpoint's token alone is not enough. Raises a 403 problem.

    A route's whole duty stands in its head: ``dependencies=[ForPersons]``.
    """
    if not isinstance(caller, Person):
        raise Problem(APPROVAL_REQUIRED, "open the page with `hermes-desktop open`, or answer in the terminal")


ForPersons: Final = Depends(require_person)
