"""The shelf of a service that runs: what stands behind the wall, kept equal to record, approvals and switches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from loader.errors import LoaderError
from loader.home import Home
from loader.nouns import Event, Logged, Plugin, PluginUnloaded
from loader.packages.grants import missing_to_enable
from loader.packages.install import Packages
from loader.packages.standings import Standing, Standings
from loader.packages.walled import Walled

# Who starts does not wait for an install that is under way: it ends by itself.
_SETTLE_WITHIN_S = 1.0

_log = logging.getLogger(__name__)


class HomeShelf:
    """``Shelf`` for one home. Lives on the event loop; ``in_thread`` runs what blocks.

    ``standings`` are those that the inventory asks too: when it has read them, on a word of the watch or by itself
    after a while, this follows. ``find_row`` gives its row of an id; ``refresh`` has it read all of it now.
    """

    def __init__(
        self,
        home: Home,
        standings: Standings,
        find_row: Callable[[str], Plugin | None],
        refresh: Callable[[], Awaitable[None]],
        *,
        in_thread: Callable[[Callable[[], None]], Awaitable[None]] = asyncio.to_thread,
    ) -> None:
        self._home = home
        self._standings = standings
        self._find_row = find_row
        self._refresh = refresh
        self._in_thread = in_thread
        self._seen: Mapping[str, Standing] = MappingProxyType({})
        self._walled: dict[str, Walled] = {}
        self._heard: list[Callable[[str], None]] = []
        standings.when_counted(self._counted)

    # ------------------------------------------------------------ questions

    def get(self, plugin_id: str) -> Walled | None:
        return self._walled.get(plugin_id)

    def all(self) -> tuple[Walled, ...]:
        return tuple(walled for _, walled in sorted(self._walled.items()))

    def subscribe(self, changed: Callable[[str], None]) -> Callable[[], None]:
        self._heard.append(changed)

        def end() -> None:
            if changed in self._heard:
                self._heard.remove(changed)

        return end

    # ------------------------------------------------------------ keeping it true

    async def run(self) -> None:
        """Until cancelled. What a crash left half-way is brought to an end first."""
        await self._in_thread(self._settle)
        await self.refresh()
        await asyncio.Event().wait()

    async def refresh(self) -> None:
        """See at once what was changed through this service, or by another process."""
        await self._in_thread(self._standings.catch_up)
        await self._refresh()
        self._counted()

    def _counted(self) -> None:
        if self._standings.by_id() is not self._seen:
            self._remake()

    def observe(self, event: Event) -> None:
        """Each event of the inventory, before anybody else hears of it: a switch may have been thrown."""
        if isinstance(event, Logged):
            return
        plugin_id = event.id if isinstance(event, PluginUnloaded) else event.plugin.id
        self._counted()
        self._put(plugin_id, self._seen.get(plugin_id))

    def _settle(self) -> None:
        try:
            Packages(self._home, lock_timeout_s=_SETTLE_WITHIN_S).installed()
        except LoaderError as error:
            _log.warning("%s", error)

    def _remake(self) -> None:
        self._seen = self._standings.by_id()
        for plugin_id in sorted({*self._walled, *self._seen}):
            self._put(plugin_id, self._seen.get(plugin_id))

    def _put(self, plugin_id: str, standing: Standing | None) -> None:
        walled = None if standing is None else walled_of(standing, self._find_row(plugin_id))
        if walled == self._walled.get(plugin_id):
            return
        if walled is None:
            del self._walled[plugin_id]
        else:
            self._walled[plugin_id] = walled
        for changed in tuple(self._heard):
            changed(plugin_id)


class EmptyShelf:
    """Nothing was installed, and nothing ever will be."""

    def get(self, _: str) -> Walled | None:
        return None

    def all(self) -> tuple[Walled, ...]:
        return ()

    def subscribe(self, _: Callable[[str], None]) -> Callable[[], None]:
        return lambda: None

    def observe(self, _: Event) -> None: ...

    async def refresh(self) -> None: ...

    async def run(self) -> None:
        await asyncio.Event().wait()


def walled_of(standing: Standing, row: Plugin | None) -> Walled | None:
    """None for what does not stand behind the wall: trusted, or without anything that a page could show. Pure."""
    approved = not missing_to_enable(standing.requested, standing.granted) and not standing.changing
    if standing.kind == "web-app" and standing.page is not None:
        on = standing.consent.on and approved
        return Walled(
            standing.id,
            "web-app",
            standing.name,
            standing.folder if standing.url is None else None,
            standing.url,
            standing.page,
            standing.granted,
            on,
            standing.revision,
            standing.origin.version,
            storage=standing.storage,
        )
    if standing.path is None or standing.consent.trusted:
        return None
    on = approved and row is not None and row.enabled and row.path == standing.path
    entry = standing.path[len(str(standing.folder)) + 1 :].replace("\\", "/")
    name = row.name if row is not None else standing.name
    return Walled(
        standing.id,
        "desktop",
        name,
        standing.folder,
        None,
        entry,
        standing.granted,
        on,
        standing.revision,
        storage=standing.storage,
    )
