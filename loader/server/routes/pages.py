"""``/v1/pages``: declarative pages of our own backends and drafts, for a host that draws them; and the catalogue.

A person switches a plugin's pages on, grants writing, and presses.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from loader.server.json_answer import JsonAnswer
from loader.server.page_desk import PageDesk, look_at
from loader.server.page_places import own_catalog, places_of
from loader.server.page_problems import DRAFT_CONFLICT, NOT_SENT, PAGE_UNAVAILABLE, UNKNOWN_PAGE
from loader.server.parts import ForPersons, Parts, PartsHere
from loader.server.problem_kinds import APPROVAL_REQUIRED
from loader.server.problems import documented
from loader.server.routes.page_shapes import (
    CatalogRow,
    ElementId,
    PageChoice,
    PageId,
    PluginId,
    Press,
    Pressed,
    ShownPage,
    SurfaceRow,
    Surfaces,
)

router = APIRouter(tags=["pages"])


def _desk(request: Request, parts: Parts) -> PageDesk:
    return places_of(request, parts).own(request, parts)[1]


@router.get("/api/dashboard/plugins", response_model=list[CatalogRow])
async def catalog(parts: PartsHere) -> Any:
    """The catalogue as a dashboard serves it: our own backends, and the drafted pages."""
    return JsonAnswer(await own_catalog(parts))


@router.get("/v1/pages", response_model=Surfaces)
async def list_pages(request: Request, parts: PartsHere) -> Any:
    """Every plugin that could have pages: its pages, or why it has none. Each is asked in turn."""
    place, desk = places_of(request, parts).own(request, parts)
    surfaces, faults = await look_at(place)
    return JsonAnswer(
        {
            "surfaces": await desk.rows(surfaces),
            "faults": [{"name": fault.name, "why": fault.why} for fault in faults],
        }
    )


@router.put(
    "/v1/pages/{plugin}",
    response_model=SurfaceRow,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED),
    dependencies=[ForPersons],
)
async def choose_pages(plugin: PluginId, body: PageChoice, request: Request, parts: PartsHere) -> Any:
    """A person switches a plugin's pages on or off, or lets them write. Off keeps what was granted."""
    return JsonAnswer(await _desk(request, parts).choose(plugin, body.enabled, body.write))


@router.get(
    "/v1/pages/{plugin}/{page}",
    response_model=ShownPage,
    responses=documented(UNKNOWN_PAGE, NOT_SENT, PAGE_UNAVAILABLE),
)
async def show_page(plugin: PluginId, page: PageId, request: Request, parts: PartsHere) -> Any:
    """The page's document, checked and canonical. One that is refused is not shown: its findings are."""
    return JsonAnswer(await _desk(request, parts).show(plugin, page))


@router.post(
    "/v1/pages/{plugin}/{page}/actions/{element}",
    response_model=Pressed,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, DRAFT_CONFLICT, PAGE_UNAVAILABLE),
    dependencies=[ForPersons],
)
async def press(
    plugin: PluginId,
    page: PageId,
    element: ElementId,
    body: Press,
    request: Request,
    parts: PartsHere,
) -> Any:
    """A person presses a button of the page as it was shown. The page is to be loaded anew afterwards."""
    desk = _desk(request, parts)
    sent = await desk.press(plugin, page, element, seen=body.seen, state=body.state, confirmed=body.confirmed)
    return JsonAnswer({"sent": sent})
