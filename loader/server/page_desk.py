"""The host's side of pages at one place: our own backends, or one Hermes host elsewhere.

Who may ask is judged by the routes; here it is what there is, what a person allowed, and what a press may send, judged
against the very document that was shown. What the check refuses never leaves here.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Literal, Protocol

from loader.errors import LoaderError
from loader.nouns import Json
from loader.pages.grants import Choice, Grants, NoCall, Scope, judge_action, scope_of
from loader.pages.host import (
    PAGE_TIMEOUT_S,
    CatalogEntry,
    CatalogFault,
    Fetched,
    Judged,
    Surface,
    open_page,
    page_path,
    probe,
    read_catalog,
)
from loader.pages.limits import WRITE_CAPABILITY, is_identifier
from loader.pages.manifest import CapabilityRequest
from loader.pages.paths import PathFault, scoped_path
from loader.server.page_problems import DRAFT_CONFLICT, NOT_SENT, PAGE_UNAVAILABLE, UNKNOWN_PAGE, findings_json
from loader.server.problems import Problem

# The plugin whose pages may be drafts, on every host.
DRAFTS = "hermes-relay"
SEEN_LIMIT = 64
SEEN_LIMIT_BYTES = 16 * 1024 * 1024
# Of a catalogue, and of a look at all that it names: what is beyond is said instead of asked.
PROBES_LIMIT = 100
# Of one plugin, in the list of all: what is beyond is counted.
LISTED_LIMIT = 200
LOOK_S = 20.0


class SeenPages:
    """The documents that were shown last, so that a press means what a person saw."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], tuple[dict[str, Any], int]] = OrderedDict()
        self._bytes = 0

    def put(self, key: tuple[str, str, str], document: dict[str, Any], size_bytes: int) -> None:
        self._bytes += size_bytes - self._kept.pop(key, ({}, 0))[1]
        self._kept[key] = (document, size_bytes)
        while len(self._kept) > SEEN_LIMIT or (self._bytes > SEEN_LIMIT_BYTES and len(self._kept) > 1):
            self._bytes -= self._kept.popitem(last=False)[1][1]

    def get(self, key: tuple[str, str, str]) -> dict[str, Any] | None:
        found = self._kept.get(key)
        return None if found is None else found[0]


class PagePlace(Protocol):
    """Where pages come from. ``connection`` and ``profile`` are parts of what a choice counts for."""

    @property
    def connection(self) -> str: ...

    @property
    def profile(self) -> str | None: ...

    @property
    def seen(self) -> SeenPages: ...

    @property
    def judged(self) -> Judged: ...

    async def catalog(self) -> object:
        """The catalogue's JSON value. Raises Problem when there is none now."""
        ...

    async def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout_s: float) -> Fetched:
        """A plugin's own route. Never raises for what the other side does."""
        ...


async def look_at(place: PagePlace) -> tuple[tuple[Surface, ...], tuple[CatalogFault, ...]]:
    """All plugins that could have pages, each asked in turn, for ``LOOK_S`` at most. Raises Problem (no catalogue)."""
    entries, faults = await _entries(place)
    ends_at = asyncio.get_running_loop().time() + LOOK_S
    found: list[Surface] = []
    for number, entry in enumerate(entries):
        if number >= PROBES_LIMIT:
            found.append(Surface(entry, why=f"it was not asked: {PROBES_LIMIT} plugins are, at a time"))
        elif asyncio.get_running_loop().time() >= ends_at:
            found.append(Surface(entry, why=f"it was not asked: the others took {LOOK_S:g} s"))
        else:
            found.append(await probe(entry, _fetch(place), place.judged))
    return tuple(found), faults


async def _entries(place: PagePlace) -> tuple[tuple[CatalogEntry, ...], tuple[CatalogFault, ...]]:
    found = read_catalog(await place.catalog())
    if isinstance(found, str):
        raise Problem(PAGE_UNAVAILABLE, found)
    return found


def _fetch(place: PagePlace) -> Any:
    async def fetch(path: str, timeout_s: float) -> Fetched:
        return await place.ask("GET", path, timeout_s=timeout_s)

    return fetch


class PageDesk:
    """What a person sees and does at one place. Each method raises Problem for what cannot be."""

    def __init__(self, place: PagePlace, grants: Grants) -> None:
        self._place = place
        self._grants = grants

    async def rows(self, surfaces: tuple[Surface, ...]) -> list[dict[str, Json]]:
        return [_surface_json(surface, await self._choice(surface.entry.id)) for surface in surfaces]

    async def choose(self, plugin: str, enabled: bool | None, write: bool | None) -> dict[str, Json]:
        """Switch a plugin's pages on or off, or let them write. Off keeps what was granted."""
        surface = await self._surface(plugin)
        scope = self._scope(plugin)
        if enabled is not None:
            await asyncio.to_thread(self._grants.enable, scope, enabled)
        if write is not None:
            if write and _write_request(surface) is None:
                raise Problem(NOT_SENT, f"{plugin} does not ask for {WRITE_CAPABILITY}")
            await asyncio.to_thread(self._grants.grant, scope, write)
        return _surface_json(surface, await self._choice(plugin))

    async def show(self, plugin: str, page: str) -> dict[str, Json]:
        """The page's document, checked and canonical. One that is refused is not shown: its findings are."""
        surface = await self._surface(plugin)
        if not (await self._choice(plugin)).is_on(_default_enabled(surface)):
            raise Problem(NOT_SENT, f"the pages of {plugin} are switched off")
        if isinstance(page_path(surface, page), PathFault) and all(one.id != page for one in surface.pages):
            raise Problem(UNKNOWN_PAGE, f"{plugin} has no page {page!r}")
        opened = await open_page(surface, page, _fetch(self._place), self._place.judged)
        if opened.document is None:
            raise Problem(PAGE_UNAVAILABLE, str(opened.why), {"diagnostics": findings_json(opened.check)})
        text = json.dumps(opened.document, sort_keys=True).encode()
        seen = f"sha256:{hashlib.sha256(text).hexdigest()}"
        self._place.seen.put((plugin, page, seen), opened.document, len(text))
        return {
            "document": opened.document,
            "seen": seen,
            "poll_s": surface.poll_s,
            "diagnostics": findings_json(opened.check),
        }

    async def press(
        self, plugin: str, page: str, element: str, *, seen: str, state: dict[str, Any], confirmed: bool
    ) -> bool:
        """Press a button of the page as it was shown. False: its action has no request."""
        shown = self._place.seen.get((plugin, page, seen))
        if shown is None:
            raise Problem(DRAFT_CONFLICT, "this is not the page as it was shown: load it anew")
        action = _action_of(shown, page, element)
        if action is None:
            raise Problem(UNKNOWN_PAGE, f"the page has no button {element!r}")
        if action["request"] is None:
            return False
        surface = await self._surface(plugin)
        call = judge_action(
            plugin,
            action["request"]["method"],
            action["request"]["path"],
            choice=await self._choice(plugin),
            default_enabled=_default_enabled(surface),
            asks=action["confirmation"] is not None,
            confirmed=confirmed,
        )
        if isinstance(call, NoCall):
            raise Problem(NOT_SENT, call.text, {"reason": call.why})
        payload = {"arguments": action["arguments"], "state": state} if call.has_body else None
        answer = await self._place.ask(call.method, call.path, payload, timeout_s=PAGE_TIMEOUT_S)
        failure = answer.failure or await asyncio.to_thread(_not_an_answer, answer, call.method)
        if failure is not None:
            raise Problem(PAGE_UNAVAILABLE, failure)
        return True

    async def decide(self, page: str, decision: Literal["promote", "remove"], digest: str) -> None:
        """Keep or remove the draft of exactly this digest at a place that is not ours (ours has routes of its own)."""
        surface = await self._surface(DRAFTS)
        choice = await self._choice(DRAFTS)
        if not choice.is_on(_default_enabled(surface)) or not choice.may_write:
            raise Problem(NOT_SENT, "drafted pages there may not be kept or removed: it is not granted")
        found = next((one for one in surface.pages if one.id == page and one.status), None)
        path = scoped_path(DRAFTS, f"mobile/plugins/{page}/{decision}")
        if found is None or isinstance(path, PathFault):
            raise Problem(UNKNOWN_PAGE, f"there is no draft {page!r}")
        if found.digest != digest:
            raise Problem(DRAFT_CONFLICT, "the draft has changed since it was shown")
        answer = await self._place.ask("POST", path, {"expected_digest": digest}, timeout_s=PAGE_TIMEOUT_S)
        if answer.status == 409:
            raise Problem(DRAFT_CONFLICT, "the draft has changed since it was shown")
        if answer.failure is not None:
            raise Problem(PAGE_UNAVAILABLE, answer.failure)

    async def _surface(self, plugin: str) -> Surface:
        entry = next((one for one in (await _entries(self._place))[0] if one.id == plugin), None)
        if entry is None:
            raise Problem(UNKNOWN_PAGE, f"no plugin {plugin!r} has a backend that could have pages")
        surface = await probe(entry, _fetch(self._place), self._place.judged)
        if surface.manifest is None:
            raise Problem(UNKNOWN_PAGE, f"{plugin} has no pages: {surface.why}")
        return surface

    def _scope(self, plugin: str) -> Scope:
        if not is_identifier(plugin):
            raise Problem(UNKNOWN_PAGE, "the plugin's id is no identifier")
        return scope_of(self._place.connection, self._place.profile, plugin)

    async def _choice(self, plugin: str) -> Choice:
        try:
            return await asyncio.to_thread(self._grants.of, self._scope(plugin))
        except LoaderError:
            return Choice()  # nothing is on and nothing granted where it cannot be known


def _not_an_answer(answer: Fetched, method: str) -> str | None:
    """A write answers with an object or nothing; what a read answers is not looked at."""
    if method == "GET" or not answer.text.strip():
        return None
    try:
        fits = isinstance(json.loads(answer.text), dict)
    except (ValueError, RecursionError):
        fits = False
    return None if fits else "the backend's answer is no JSON object"


def _action_of(document: dict[str, Any], page: str, element: str) -> dict[str, Any] | None:
    shown = next((one for one in document["pages"] if one["id"] == page), None)
    waiting = [] if shown is None else [shown["content"]]
    while waiting:
        found = waiting.pop()
        if found["id"] == element and found["type"] == "button":
            action: dict[str, Any] = found["action"]
            return action
        waiting += [*found.get("children", []), *([found["child"]] if "child" in found else [])]
    return None


def _default_enabled(surface: Surface) -> bool:
    return surface.manifest is not None and surface.manifest.default_enabled


def _write_request(surface: Surface) -> CapabilityRequest | None:
    requested = surface.manifest.requested_capabilities if surface.manifest else ()
    return next((one for one in requested if one.id == WRITE_CAPABILITY), None)


def _surface_json(surface: Surface, choice: Choice) -> dict[str, Json]:
    request = _write_request(surface)
    return {
        "id": surface.entry.id,
        "name": surface.name,
        "description": (surface.manifest.description if surface.manifest else None) or surface.entry.description,
        "enabled": choice.is_on(_default_enabled(surface)),
        "chosen": choice.enabled,
        "asks_to_write": request is not None,
        "write_reason": request.reason if request else None,
        "may_write": choice.may_write,
        "poll_s": surface.poll_s,
        "why": surface.why,
        "diagnostics": findings_json(surface.check),
        "pages": [
            {
                "id": page.id,
                "title": page.title,
                "description": page.description,
                "status": page.status,
                "lifecycle": page.lifecycle,
                "revision": page.revision,
                "digest": page.digest,
            }
            for page in surface.pages[:LISTED_LIMIT]
        ],
        "pages_beyond": max(len(surface.pages) - LISTED_LIMIT, 0),
    }
