"""The host's side, without the network: from a catalogue to pages, every fault of a plugin visible in its place.

What is fetched comes in as values (``Fetched``), so that the rules are one for a dashboard elsewhere and for our own
backends. A hostile or broken backend harms its own page only: everything is bounded, and nothing here raises.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from loader.pages.check import PageCheck, check_page
from loader.pages.limits import is_identifier, poll_interval_s
from loader.pages.manifest import Manifest, PageContribution
from loader.pages.paths import PathFault, scoped_path

_Key = TypeVar("_Key")
_Made = TypeVar("_Made")

CATALOG_PATH = "/api/dashboard/plugins"
MANIFEST_PATH = "mobile/manifest"
PROBE_TIMEOUT_S = 5.0
PAGE_TIMEOUT_S = 10.0
ANSWER_LIMIT_BYTES = 4 * 1024 * 1024
# The phone has no bound. Judging a manifest costs seconds for each megabyte; this holds more pages than anybody lists.
MANIFEST_LIMIT_LETTERS = 262_144
JUDGED_LIMIT_LETTERS = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer, bounded. ``problem`` says in one line why there is none (then ``status`` is 0)."""

    status: int
    text: str
    problem: str | None = None

    @property
    def failure(self) -> str | None:
        if self.problem is not None:
            return self.problem
        return None if 200 <= self.status < 300 else f"the backend answered {self.status}"


Fetch: TypeAlias = Callable[[str, float], Awaitable[Fetched]]
"""``await fetch(path, timeout_s)``: a GET within the host's own origin. Never raises for what the other side does."""


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One plugin of the catalogue. Blank strings count as absent."""

    id: str
    label: str
    description: str | None = None
    version: str | None = None
    icon: str = "Puzzle"


@dataclass(frozen=True, slots=True)
class CatalogFault:
    """Something in the catalogue that is no plugin with pages, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Surface:
    """What a probe found. ``why`` is None when the plugin has pages; ``check`` holds the manifest's findings."""

    entry: CatalogEntry
    manifest: Manifest | None = None
    why: str | None = None
    check: PageCheck | None = None

    @property
    def name(self) -> str:
        return (self.manifest and self.manifest.display_name) or self.entry.label

    @property
    def pages(self) -> tuple[PageContribution, ...]:
        """What can be opened: of two contributions with one id the first."""
        found: dict[str, PageContribution] = {}
        for contribution in self.manifest.contributions if self.manifest else ():
            if contribution.surface == "page" and contribution.document.method.upper() == "GET":
                found.setdefault(contribution.id, contribution)
        return tuple(found.values())

    @property
    def poll_s(self) -> int | None:
        updates = self.manifest.updates if self.manifest else None
        return poll_interval_s(updates.poll_seconds) if updates else None


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page that is asked for. ``document`` is canonical; None with ``why``, one line, when it cannot be shown."""

    document: dict[str, Any] | None
    why: str | None = None
    check: PageCheck | None = None


class Judged:
    """What was made of the last answers: hosts are polled, and the same answer costs no second judgement."""

    def __init__(self) -> None:
        self._last: OrderedDict[object, tuple[Fetched, Any]] = OrderedDict()
        self._letters = 0

    async def of(self, judge: Callable[[_Key, Fetched], _Made], key: _Key, fetched: Fetched) -> _Made:
        """``judge(key, fetched)``, in a thread, unless that is what it was asked last of this key."""
        known = self._last.get(key)
        if known is not None and known[0] == fetched:
            self._last.move_to_end(key)
            found: _Made = known[1]
            return found
        made = await asyncio.to_thread(judge, key, fetched)
        # Each is counted with what it costs besides its letters, so that many short ones are bounded too.
        self._letters += len(fetched.text) - len(self._last.pop(key, (Fetched(0, ""), None))[0].text)
        self._last[key] = (fetched, made)
        while self._letters + 1024 * len(self._last) > JUDGED_LIMIT_LETTERS and len(self._last) > 1:
            self._letters -= len(self._last.popitem(last=False)[1][0].text)
        return made


def read_catalog(value: object) -> tuple[tuple[CatalogEntry, ...], tuple[CatalogFault, ...]] | str:
    """The plugins worth a probe, and what is wrong with the others; a line when it is no catalogue at all."""
    if not isinstance(value, list):
        return "the catalogue is no array"
    entries: dict[str, CatalogEntry] = {}
    faults: list[CatalogFault] = []
    for row in value:
        name = _text(row, "name") if isinstance(row, Mapping) else None
        if name is None:
            faults.append(CatalogFault("", "an entry without a name"))
        elif not is_identifier(name):
            faults.append(CatalogFault(name[:128], "its name is no identifier, so it is never asked for pages"))
        elif row.get("has_api") is not True and _text(row, "api") is None:
            faults.append(CatalogFault(name, "it has no backend, so it has no pages"))
        elif name in entries:
            faults.append(CatalogFault(name, "it is listed twice; the first counts"))
        else:
            entries[name] = CatalogEntry(
                name,
                _text(row, "label") or name,
                _text(row, "description"),
                _text(row, "version"),
                _text(row, "icon") or "Puzzle",
            )
    return tuple(entries.values()), tuple(faults)


def read_manifest(entry: CatalogEntry, fetched: Fetched) -> Surface:
    """The surface behind a probe's answer."""
    if fetched.failure is not None:
        return Surface(entry, why=fetched.failure)
    if len(fetched.text) > MANIFEST_LIMIT_LETTERS:
        return Surface(entry, why=f"its manifest has more than {MANIFEST_LIMIT_LETTERS} letters")
    check = check_page(fetched.text, "manifest", catalog_name=entry.id)
    faults = [found for found in check.diagnostics if found.severity == "error"]
    # A page that cannot be opened costs itself only: paths and methods are judged when one is asked for.
    barring = [found for found in faults if found.code != "HP713"]
    if barring:
        return Surface(entry, why=f"its manifest is refused: {barring[0].code} {barring[0].message}", check=check)
    return Surface(entry, check.lenient, check=check)


def page_path(surface: Surface, contribution_id: str) -> str | PathFault:
    """Where the page's document is read."""
    for contribution in surface.pages:
        if contribution.id == contribution_id:
            return scoped_path(surface.entry.id, contribution.document.path)
    return PathFault("empty", f"{surface.entry.id} has no page {contribution_id!r}", "Look at its manifest.")


def read_page(asked: tuple[str, str], fetched: Fetched) -> OpenedPage:
    """The page behind a document's answer; ``asked``: of which plugin, which contribution."""
    contribution_id = asked[1]
    if fetched.failure is not None:
        return OpenedPage(None, fetched.failure)
    check = check_page(fetched.text, "document")
    if check.canonical is None:
        first = next(found for found in check.diagnostics if found.severity == "error")
        return OpenedPage(None, f"the page is refused: {first.code} {first.message}", check)
    if all(page["id"] != contribution_id for page in check.canonical["pages"]):
        return OpenedPage(None, f"its document has no page {contribution_id!r}", check)
    return OpenedPage(check.canonical, None, check)


async def probe(entry: CatalogEntry, fetch: Fetch, judged: Judged) -> Surface:
    """Ask one plugin for its manifest."""
    path = scoped_path(entry.id, MANIFEST_PATH)
    if isinstance(path, PathFault):
        return Surface(entry, why=path.text)
    return await judged.of(read_manifest, entry, await fetch(path, PROBE_TIMEOUT_S))


async def open_page(surface: Surface, contribution_id: str, fetch: Fetch, judged: Judged) -> OpenedPage:
    """Ask one plugin for the document of one of its pages."""
    path = page_path(surface, contribution_id)
    if isinstance(path, PathFault):
        return OpenedPage(None, path.text)
    return await judged.of(read_page, (surface.entry.id, contribution_id), await fetch(path, PAGE_TIMEOUT_S))


def _text(row: Any, key: str) -> str | None:
    found = row.get(key)
    return found.strip() or None if isinstance(found, str) else None
