"""The two kinds of places where pages come from: our own routes, asked from within, and a Hermes host elsewhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from loader.errors import UsageError
from loader.nouns import Json
from loader.pages.connections import PageHostEntry, PageHosts
from loader.pages.fetching import ask_host, host_client
from loader.pages.grants import FILE as GRANTS_FILE
from loader.pages.grants import Grants
from loader.pages.host import CATALOG_PATH, PAGE_TIMEOUT_S, CatalogFault, Fetched, Judged, Surface
from loader.server.inner_fetch import inner_fetch
from loader.server.page_desk import PageDesk, SeenPages, look_at
from loader.server.page_problems import PAGE_UNAVAILABLE, UNKNOWN_PAGE
from loader.server.parts import Parts
from loader.server.problems import Problem
from loader.server.routes.drafts import drafts_id
from loader.state import StateFile

if TYPE_CHECKING:
    import httpx  # as in loader.pages.fetching

OWN_CONNECTION = "local"
# Refusals of a backend that say that there is nothing to probe.
_HAS_BACKEND = frozenset({"idle", "starting", "running", "failed", "crashed", "stopped"})


async def own_catalog(parts: Parts) -> list[dict[str, Json]]:
    """Our backends and the drafted pages, as a dashboard lists its plugins."""
    rows = [] if parts.backends is None else await parts.backends.rows()
    found = [_catalog_row(str(row["name"]), "user", row["state"] in _HAS_BACKEND) for row in rows]
    return [*found, _catalog_row(await drafts_id(parts), "host", True) | {"label": "Drafted pages"}]


def _catalog_row(name: str, source: str, has_api: bool) -> dict[str, Json]:
    return {
        "name": name,
        "label": name,
        "description": "",
        "version": "",
        "icon": "Puzzle",
        "source": source,
        "has_api": has_api,
    }


class OwnPlace:
    """Our own service, asked with the caller's own token."""

    connection = OWN_CONNECTION

    def __init__(self, request: Request, parts: Parts, seen: SeenPages, judged: Judged) -> None:
        self._request = request
        self._parts = parts
        self.seen = seen
        self.judged = judged
        own = parts.about.home != parts.about.root
        self.profile = Path(parts.about.home).name if own else None

    async def catalog(self) -> object:
        return await own_catalog(self._parts)

    async def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout_s: float) -> Fetched:
        return await inner_fetch(self._request, method, path, body, timeout_s=timeout_s)


class ForeignPlace:
    """One Hermes host elsewhere. However many look at it, it is asked once at a time."""

    def __init__(self, entry: PageHostEntry) -> None:
        self.entry = entry
        self.connection = entry.connection
        self.profile = entry.profile
        self.seen = SeenPages()
        self.judged = Judged()
        self._http: httpx.AsyncClient | None = None
        self._looking: asyncio.Task[tuple[tuple[Surface, ...], tuple[CatalogFault, ...]]] | None = None

    async def catalog(self) -> object:
        fetched = await self.ask("GET", CATALOG_PATH, timeout_s=PAGE_TIMEOUT_S)
        if fetched.failure is not None:
            raise Problem(PAGE_UNAVAILABLE, f"{self.entry.name} gives no catalogue: {fetched.failure}")
        try:
            return await asyncio.to_thread(json.loads, fetched.text)
        except (ValueError, RecursionError):
            raise Problem(PAGE_UNAVAILABLE, f"{self.entry.name} gives no catalogue: it is no JSON") from None

    async def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout_s: float) -> Fetched:
        if self._http is None:
            try:
                self._http = await asyncio.to_thread(host_client, self.entry.url, self.entry.token)
            except UsageError as error:  # it was written into the file by somebody else
                return Fetched(0, "", str(error).rstrip("."))
        return await ask_host(self._http, method, path, body, timeout_s=timeout_s, token=self.entry.token)

    async def look(self) -> tuple[tuple[Surface, ...], tuple[CatalogFault, ...]]:
        """As ``look_at``; who comes while one is under way gets its answer."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(look_at(self), name=f"pages of {self.entry.name}")
        return await asyncio.shield(self._looking)


class PagePlaces:
    """All places of one service. Lives on the event loop."""

    def __init__(self, state_dir: Path) -> None:
        self._grants = Grants(StateFile(state_dir / GRANTS_FILE))
        self._hosts = PageHosts(state_dir)
        self._own_seen = SeenPages()
        self._own_judged = Judged()
        self._places: dict[str, ForeignPlace] = {}

    def own(self, request: Request, parts: Parts) -> tuple[OwnPlace, PageDesk]:
        place = OwnPlace(request, parts, self._own_seen, self._own_judged)
        return place, PageDesk(place, self._grants)

    async def entries(self) -> tuple[PageHostEntry, ...]:
        """The connected hosts as the file has them now. Raises LoaderError."""
        entries = await asyncio.to_thread(self._hosts.all)
        known = {entry.connection: entry for entry in entries}
        self._places = {key: place for key, place in self._places.items() if known.get(key) == place.entry}
        return entries

    async def connect(
        self, name: str, url: str, *, token: str | None, profile: str | None, read_on_the_way: bool
    ) -> PageHostEntry:
        """As ``PageHosts.connect``."""
        return await asyncio.to_thread(
            self._hosts.connect, name, url, token=token, profile=profile, read_on_the_way=read_on_the_way
        )

    async def disconnect(self, connection: str) -> None:
        """Raises Problem for one that is not connected (any longer)."""
        if not await asyncio.to_thread(self._hosts.disconnect_id, connection):
            raise Problem(UNKNOWN_PAGE, "no such host is connected")

    async def foreign(self, connection: str) -> tuple[ForeignPlace, PageDesk]:
        """Raises Problem for one that is not connected (any longer)."""
        entry = next((one for one in await self.entries() if one.connection == connection), None)
        if entry is None:
            raise Problem(UNKNOWN_PAGE, "no such host is connected")
        place = self._places.setdefault(connection, ForeignPlace(entry))
        return place, PageDesk(place, self._grants)


def places_of(request: Request, parts: Parts) -> PagePlaces:
    """The service's places, made with the first request."""
    state = request.app.state
    if not hasattr(state, "page_places"):
        state.page_places = PagePlaces(Path(parts.about.root) / "desktop-loader")
    found: PagePlaces = state.page_places
    return found
