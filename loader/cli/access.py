"""The inventory for commands: the service's when one runs, else one look of our own. The same calls, the same rows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from loader import client
from loader.home import Home
from loader.nouns import Logged, Plugin
from loader.reports.safe import visible
from loader.reports.shape import plugin_json
from loader.settings import RehearsalMode

if TYPE_CHECKING:
    from loader.inventory.pipeline import Pipeline

T = TypeVar("T")
Row: TypeAlias = dict[str, Any]


class Access(Protocol):
    """Blocking. Raises UsageError (exit 2) for a plugin that is not there, LoaderErrors as they come."""

    @property
    def service(self) -> str | None:
        """Which service answers, for people; None when none runs."""
        ...

    def rows(self) -> list[Row]: ...
    def row(self, name: str) -> Row: ...
    def choose(self, name: str, enabled: bool | None) -> Row: ...
    def pin(self, name: str, integrity: str | None) -> Row: ...
    def unpin(self, name: str) -> Row: ...
    def allow_heavy(self, name: str, allowed: bool) -> Row: ...


@contextmanager
def open_access(home: Home, *, rehearsal: RehearsalMode = "warn") -> Iterator[Access]:
    """The service's inventory, or our own. ``rehearsal``: whether our own look plays the plugins through."""
    endpoint = client.find(home)
    if endpoint is None:
        yield OwnLook(home, rehearsal)
        return
    with client.Client(endpoint) as connected:
        yield Served(connected)


class Served:
    """What the running service says."""

    def __init__(self, connected: client.Client) -> None:
        self._client = connected
        self.service: str | None = f"process {connected.endpoint.pid} at {connected.endpoint.url}"

    def rows(self) -> list[Row]:
        return self._client.plugins()

    def row(self, name: str) -> Row:
        return self._client.plugin(name)

    def choose(self, name: str, enabled: bool | None) -> Row:
        return self._client.choose(name, enabled)

    def pin(self, name: str, integrity: str | None) -> Row:
        return self._client.pin(name, integrity)

    def unpin(self, name: str) -> Row:
        return self._client.unpin(name)

    def allow_heavy(self, name: str, allowed: bool) -> Row:
        return self._client.allow_heavy(name, allowed)


class OwnLook:
    """What one look in this process says, and the state files for the service to come."""

    def __init__(self, home: Home, rehearsal: RehearsalMode, *, caller: Literal["cli", "mcp"] = "cli") -> None:
        self._home = home
        self._caller: Literal["cli", "mcp"] = caller
        self._rehearsal: RehearsalMode = rehearsal
        self.service: str | None = None

    def rows(self) -> list[Row]:
        async def ask(pipeline: Pipeline) -> list[Row]:
            return [_row(plugin) for plugin in pipeline.plugins()]

        return self._ask(ask)

    def row(self, name: str) -> Row:
        async def ask(pipeline: Pipeline) -> Row:
            return _row(_found(pipeline, name, self._home))

        return self._ask(ask)

    def choose(self, name: str, enabled: bool | None) -> Row:
        async def ask(pipeline: Pipeline) -> Row:
            from loader.cli.packaged import must_be_approved, note_switched

            found = _found(pipeline, name, self._home)
            if enabled and found.origin is not None:
                await asyncio.to_thread(must_be_approved, found.id, self._home, self._caller)
            row = _row(await pipeline.set_choice(found.key, enabled))
            if enabled is not None and found.origin is not None:
                await asyncio.to_thread(note_switched, found.id, enabled, self._home, self._caller)
            return row

        return self._ask(ask)

    def pin(self, name: str, integrity: str | None) -> Row:
        async def ask(pipeline: Pipeline) -> Row:
            return _row(await pipeline.set_pin(_found(pipeline, name, self._home).key, integrity))

        return self._ask(ask)

    def unpin(self, name: str) -> Row:
        async def ask(pipeline: Pipeline) -> Row:
            return _row(await pipeline.unpin(_found(pipeline, name, self._home).key))

        return self._ask(ask)

    def allow_heavy(self, name: str, allowed: bool) -> Row:
        async def ask(pipeline: Pipeline) -> Row:
            return _row(await pipeline.allow_heavy(_found(pipeline, name, self._home).key, allowed))

        return self._ask(ask)

    def _ask(self, ask: Callable[[Pipeline], Awaitable[T]]) -> T:
        from loader.cli.offline import open_offline  # with it comes the engine

        async def run() -> T:
            async with open_offline(self._home, rehearsal=self._rehearsal, hear=_tell) as pipeline:
                return await ask(pipeline)

        return asyncio.run(run())


def _tell(said: Logged) -> None:
    from loader.cli.console import remark

    if said.level in ("warning", "error"):
        remark(f"{said.level}: {visible(said.text)}")


def _row(plugin: Plugin) -> Row:
    from loader.cli.offline import at_rest

    return plugin_json(at_rest(plugin))


def _found(pipeline: Pipeline, name: str, home: Home) -> Plugin:
    found = pipeline.find(name)
    if found is None:
        raise no_such_plugin(name, [row.id for row in pipeline.plugins()], home)
    return found


def no_such_plugin(name: str, known: list[str], home: Home) -> Exception:
    import difflib

    from loader.errors import UsageError

    near = difflib.get_close_matches(name, known, n=1)
    guess = f"Did you mean '{near[0]}'?" if near else "'hermes-desktop list' shows those that are there."
    return UsageError(f"there is no plugin '{visible(name, limit=80)}' in {home.root}. {guess}")
