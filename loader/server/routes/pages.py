"""``/v1/pages``: declarative pages of our own backends and drafts, for a host that draws them; and the catalogue.

A person switches a plugin's pages on, grants writing, and presses. What is refused by the check never leaves here, and
what a button may send is judged here against the very document that was shown.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from loader.errors import LoaderError
from loader.nouns import Json, PluginCaller
from loader.pages.grants import Choice, Grants, NoCall, Scope, judge_action, scope_of
from loader.pages.host import (
    PAGE_TIMEOUT_S,
    CatalogEntry,
    Fetched,
    Surface,
    open_page,
    page_path,
    probe,
    read_catalog,
)
from loader.pages.limits import WRITE_CAPABILITY, is_identifier
from loader.pages.paths import PathFault
from loader.server.inner_fetch import inner_fetch
from loader.server.page_problems import DRAFT_CONFLICT, NOT_SENT, PAGE_UNAVAILABLE, UNKNOWN_PAGE, findings_json
from loader.server.parts import CallerHere, Parts, PartsHere, require_person
from loader.server.problem_kinds import APPROVAL_REQUIRED, NOT_YOURS
from loader.server.problems import Problem, documented
from loader.server.routes.drafts import drafts_id
from loader.server.sessions import Caller
from loader.state import StateFile

CONNECTION = "local"
GRANTS_FILE = "page-grants.json"
SEEN_LIMIT = 64
# Refusals of a backend that say that there is nothing to probe.
_HAS_BACKEND = frozenset({"idle", "starting", "running", "failed", "crashed", "stopped"})

router = APIRouter(tags=["pages"])

PluginId = Annotated[str, Path(alias="plugin", description="a plugin's id", examples=["weather"])]
PageId = Annotated[str, Path(alias="page", description="a contribution's id", examples=["today"])]
ElementId = Annotated[str, Path(alias="element", description="a button's id", examples=["save"])]


class CatalogRow(BaseModel):
    name: str = Field(examples=["weather"])
    label: str = Field(examples=["weather"])
    description: str = Field(examples=[""])
    version: str = Field(examples=[""])
    icon: str = Field(examples=["Puzzle"])
    source: str = Field(examples=["user"])
    has_api: bool = Field(examples=[True])


class SurfaceRow(BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str = Field(examples=["weather"])
    name: str = Field(examples=["Weather"])
    enabled: bool = Field(examples=[False])
    why: str | None = Field(description="why it has no pages", examples=[None])


class Surfaces(BaseModel):
    surfaces: list[SurfaceRow]
    faults: list[dict[str, str]] = Field(description="what is listed and never asked", examples=[[]])


class ShownPage(BaseModel):
    model_config = ConfigDict(extra="allow")

    document: dict[str, Any] = Field(description="canonical: defaults filled in", examples=[{}])
    seen: str = Field(description="to be sent with actions", examples=["sha256:…"])


class PageChoice(BaseModel):
    enabled: StrictBool | None = Field(None, description="absent: as it was", examples=[True])
    write: StrictBool | None = Field(
        None, description="grant or take back writing; absent: as it was", examples=[False]
    )


class Press(BaseModel):
    seen: str = Field(max_length=100, description="of the page as it was shown", examples=["sha256:…"])
    state: dict[str, Any] = Field({}, description="the page's state, typed values", examples=[{}])
    confirmed: StrictBool = Field(False, description="a person has just confirmed", examples=[False])


class Pressed(BaseModel):
    sent: bool = Field(description="false: the action has no request", examples=[True])


# ---------------------------------------------------------------- what there is


async def _catalog(parts: Parts) -> list[dict[str, Json]]:
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


@router.get("/api/dashboard/plugins", response_model=list[CatalogRow])
async def catalog(parts: PartsHere) -> Any:
    """The catalogue as a dashboard serves it: our own backends, and the drafted pages."""
    return JSONResponse(await _catalog(parts))


@router.get("/v1/pages", response_model=Surfaces, responses=documented(NOT_YOURS))
async def list_pages(request: Request, parts: PartsHere, caller: CallerHere) -> Any:
    """Every plugin that could have pages: its pages, or why it has none. Each is asked in turn."""
    _no_plugin(caller)
    found = read_catalog(await _catalog(parts))
    entries, faults = ((), ()) if isinstance(found, str) else found
    grants = _grants(parts)
    rows = []
    for entry in entries:
        surface = await _probed(request, entry)
        rows.append(_surface_json(surface, await _choice(grants, _scope(parts, entry.id))))
    return JSONResponse({"surfaces": rows, "faults": [{"name": fault.name, "why": fault.why} for fault in faults]})


@router.put(
    "/v1/pages/{plugin}", response_model=SurfaceRow, responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_YOURS)
)
async def choose_pages(
    plugin: PluginId, body: PageChoice, request: Request, parts: PartsHere, caller: CallerHere
) -> Any:
    """A person switches a plugin's pages on or off, or lets them write. Off keeps what was granted."""
    _no_plugin(caller)
    require_person(caller)
    surface = await _surface(request, parts, plugin)
    grants, scope = _grants(parts), _scope(parts, plugin)
    if body.enabled is not None:
        await asyncio.to_thread(grants.enable, scope, body.enabled)
    if body.write is not None:
        if body.write and not _asks_to_write(surface):
            raise Problem(NOT_SENT, f"{plugin} does not ask for {WRITE_CAPABILITY}")
        await asyncio.to_thread(grants.grant, scope, body.write)
    return JSONResponse(_surface_json(surface, await _choice(grants, scope)))


# ---------------------------------------------------------------- one page


@router.get(
    "/v1/pages/{plugin}/{page}",
    response_model=ShownPage,
    responses=documented(UNKNOWN_PAGE, NOT_SENT, PAGE_UNAVAILABLE, NOT_YOURS),
)
async def show_page(plugin: PluginId, page: PageId, request: Request, parts: PartsHere, caller: CallerHere) -> Any:
    """The page's document, checked and canonical. One that is refused is not shown: its findings are."""
    _no_plugin(caller)
    surface = await _surface(request, parts, plugin)
    choice = await _choice(_grants(parts), _scope(parts, plugin))
    if not choice.is_on(_default_enabled(surface)):
        raise Problem(NOT_SENT, f"the pages of {plugin} are switched off")
    if isinstance(page_path(surface, page), PathFault) and all(one.id != page for one in surface.pages):
        raise Problem(UNKNOWN_PAGE, f"{plugin} has no page {page!r}")
    opened = await open_page(surface, page, _fetch(request))
    if opened.document is None:
        raise Problem(PAGE_UNAVAILABLE, str(opened.why), {"diagnostics": findings_json(opened.check)})
    text = json.dumps(opened.document, sort_keys=True)
    seen = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    _seen(request).put((plugin, page, seen), opened.document)
    return JSONResponse(
        {
            "document": opened.document,
            "seen": seen,
            "poll_s": surface.poll_s,
            "diagnostics": findings_json(opened.check),
        }
    )


@router.post(
    "/v1/pages/{plugin}/{page}/actions/{element}",
    response_model=Pressed,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, DRAFT_CONFLICT, PAGE_UNAVAILABLE),
)
async def press(
    plugin: PluginId,
    page: PageId,
    element: ElementId,
    body: Press,
    request: Request,
    parts: PartsHere,
    caller: CallerHere,
) -> Any:
    """A person presses a button of the page as it was shown. The page is to be loaded anew afterwards."""
    _no_plugin(caller)
    require_person(caller)
    shown = _seen(request).get((plugin, page, body.seen))
    if shown is None:
        raise Problem(DRAFT_CONFLICT, "this is not the page as it was shown: load it anew")
    action = _action_of(shown, page, element)
    if action is None:
        raise Problem(UNKNOWN_PAGE, f"the page has no button {element!r}")
    if action["request"] is None:
        return JSONResponse({"sent": False})
    surface = await _surface(request, parts, plugin)
    call = judge_action(
        plugin,
        action["request"]["method"],
        action["request"]["path"],
        choice=await _choice(_grants(parts), _scope(parts, plugin)),
        default_enabled=_default_enabled(surface),
        asks=action["confirmation"] is not None,
        confirmed=body.confirmed,
    )
    if isinstance(call, NoCall):
        raise Problem(NOT_SENT, call.text, {"reason": call.why})
    payload = {"arguments": action["arguments"], "state": body.state} if call.has_body else None
    answer = await inner_fetch(request, call.method, call.path, payload, timeout_s=PAGE_TIMEOUT_S)
    failure = answer.failure or _not_an_answer(answer, call.method)
    if failure is not None:
        raise Problem(PAGE_UNAVAILABLE, failure)
    return JSONResponse({"sent": True})


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


# ---------------------------------------------------------------- the parts of it


class SeenPages:
    """The documents that were shown last, so that a press means what a person saw."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], dict[str, Any]] = OrderedDict()

    def put(self, key: tuple[str, str, str], document: dict[str, Any]) -> None:
        self._kept[key] = document
        self._kept.move_to_end(key)
        while len(self._kept) > SEEN_LIMIT:
            self._kept.popitem(last=False)

    def get(self, key: tuple[str, str, str]) -> dict[str, Any] | None:
        return self._kept.get(key)


def _seen(request: Request) -> SeenPages:
    state = request.app.state
    if not hasattr(state, "seen_pages"):
        state.seen_pages = SeenPages()
    found: SeenPages = state.seen_pages
    return found


def _no_plugin(caller: Caller | None) -> None:
    if isinstance(caller, PluginCaller):
        raise Problem(NOT_YOURS, "pages are a host's to show, no plugin's")


def _fetch(request: Request) -> Any:
    async def fetch(path: str, timeout_s: float) -> Fetched:
        return await inner_fetch(request, "GET", path, timeout_s=timeout_s)

    return fetch


async def _probed(request: Request, entry: CatalogEntry) -> Surface:
    return await probe(entry, _fetch(request))


async def _surface(request: Request, parts: Parts, plugin: str) -> Surface:
    found = read_catalog(await _catalog(parts))
    entries = () if isinstance(found, str) else found[0]
    entry = next((one for one in entries if one.id == plugin), None)
    if entry is None:
        raise Problem(UNKNOWN_PAGE, f"no plugin {plugin!r} has a backend that could have pages")
    surface = await _probed(request, entry)
    if surface.manifest is None:
        raise Problem(UNKNOWN_PAGE, f"{plugin} has no pages: {surface.why}")
    return surface


def _grants(parts: Parts) -> Grants:
    return Grants(StateFile(FilePath(parts.about.root) / "desktop-loader" / GRANTS_FILE))


def _scope(parts: Parts, plugin: str) -> Scope:
    if not is_identifier(plugin):
        raise Problem(UNKNOWN_PAGE, "the plugin's id is no identifier")
    own = parts.about.home != parts.about.root
    return scope_of(CONNECTION, FilePath(parts.about.home).name if own else None, plugin)


async def _choice(grants: Grants, scope: Scope) -> Choice:
    try:
        return await asyncio.to_thread(grants.of, scope)
    except LoaderError:
        return Choice()  # nothing is on and nothing granted where it cannot be known


def _default_enabled(surface: Surface) -> bool:
    return surface.manifest is not None and surface.manifest.default_enabled


def _asks_to_write(surface: Surface) -> bool:
    requested = surface.manifest.requested_capabilities if surface.manifest else ()
    return any(one.id == WRITE_CAPABILITY for one in requested)


def _surface_json(surface: Surface, choice: Choice) -> dict[str, Json]:
    return {
        "id": surface.entry.id,
        "name": surface.name,
        "description": (surface.manifest.description if surface.manifest else None) or surface.entry.description,
        "enabled": choice.is_on(_default_enabled(surface)),
        "chosen": choice.enabled,
        "asks_to_write": _asks_to_write(surface),
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
            for page in surface.pages
        ],
    }
