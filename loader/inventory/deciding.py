"""What a person decides about one plugin: a switch, a pin, an allowance; kept first, then carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from loader.errors import UsageError
from loader.integrity import check_form, integrity_of
from loader.inventory.decisions import Decisions
from loader.inventory.inventory import Inventory
from loader.inventory.scanning import InThread
from loader.nouns import Plugin


class Deciding:
    """``known(id)`` finds the row or raises UsageError; ``decide`` lets what is kept count; ``hurry(keys)`` looks at
    these at once; ``judge_anew(id)`` judges what is known of an id once more and gives the tasks that do it."""

    def __init__(
        self,
        inventory: Inventory,
        decisions: Decisions,
        in_thread: InThread,
        *,
        known: Callable[[str], Awaitable[Plugin]],
        decide: Callable[[], None],
        hurry: Callable[[Iterable[str]], Awaitable[None]],
        judge_anew: Callable[[str], list[asyncio.Task[None] | None]],
    ) -> None:
        self._inventory = inventory
        self._decisions = decisions
        self._in_thread = in_thread
        self._known = known
        self._decide = decide
        self._hurry = hurry
        self._judge_anew = judge_anew

    async def choose(self, plugin_id: str, choice: bool | None) -> Plugin:
        row = await self._known(plugin_id)
        decided: set[str] = set()
        # With what is switched off may end a revision beside whose file, and under whose id, it stood until now.
        while names := set(self._inventory.decided_as(row.key)) - decided:
            for name in sorted(names):
                await self._in_thread(self._decisions.choices.set, name, choice)
            decided |= names
            self._decide()
        return self._now(row)

    async def pin(self, plugin_id: str, integrity: str | None) -> Plugin:
        row = await self._known(plugin_id)
        own_id = self._own_id(row)
        await self._hurry([row.key])
        subject = self._inventory.subject(row.key)
        source = subject.source if subject else None
        if integrity is None:
            if source is None:
                raise UsageError(f"'{row.id}' cannot be pinned: its file cannot be read. Mend it, or give a hash.")
            integrity = integrity_of(source.sha256)
        if malformed := check_form(integrity):
            raise UsageError(". ".join(filter(None, (malformed[0].message, malformed[0].hint))))
        await self._in_thread(self._decisions.pins.set, own_id, integrity, row.folder)
        return await self._after_pinning(row)

    async def unpin(self, plugin_id: str) -> Plugin:
        row = await self._known(plugin_id)
        await self._in_thread(self._decisions.pins.unset, self._own_id(row))
        return await self._after_pinning(row)

    async def allow_heavy(self, plugin_id: str, allowed: bool) -> Plugin:
        row = await self._known(plugin_id)
        if allowed and not row.revision:
            raise UsageError(f"'{row.id}' cannot be allowed: its file cannot be read.")
        await self._in_thread(self._decisions.heavy.set, self._own_id(row), row.revision if allowed else None)
        if tasks := [task for task in self._judge_anew(row.id) if task is not None]:
            await asyncio.wait(tasks)
        return self._now(row)

    async def _after_pinning(self, row: Plugin) -> Plugin:
        self._decide()
        await self._hurry(self._inventory.keys_of(row.id))
        return self._now(row)

    def _now(self, row: Plugin) -> Plugin:
        return self._inventory.row(row.key) or row

    def _own_id(self, row: Plugin) -> str:
        """Where what concerns these bytes is kept. Raises UsageError for a row whose id another one runs under."""
        owner = self._inventory.find(row.id)
        if row.state == "shadowed" and owner is not None and owner.key != row.key:
            raise UsageError(f"{row.key} does not run: '{row.id}' is {owner.key}. Name that one, or remove it first.")
        return next(iter(self._inventory.decided_as(row.key)), row.id)
