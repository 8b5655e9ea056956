"""``/v1/page-hosts``: pages of Hermes hosts elsewhere, as a person connected them (``hermes-desktop page connect``).

The service asks them, under their own tokens and under bounds; the page gets names, addresses and checked documents.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request

from loader.server.json_answer import JsonAnswer
from loader.server.page_places import places_of
from loader.server.page_problems import DRAFT_CONFLICT, NOT_SENT, PAGE_UNAVAILABLE, UNKNOWN_PAGE
from loader.server.parts import CallerHere, PartsHere, require_person
from loader.server.problem_kinds import APPROVAL_REQUIRED, NOT_YOURS
from loader.server.problems import documented
from loader.server.routes.page_shapes import (
    Decided,
    DraftDecision,
    ElementId,
    PageChoice,
    PageHostList,
    PageId,
    PluginId,
    Press,
    Pressed,
    ShownPage,
    SurfaceRow,
    Surfaces,
    no_plugin,
)

router = APIRouter(tags=["pages"])
HostId = Annotated[str, Path(alias="host", description="a connected host's id", examples=["host-0f1e2d3c4b5a6978"])]


@router.get("/v1/page-hosts", response_model=PageHostList, responses=documented(NOT_YOURS))
async def list_page_hosts(request: Request, parts: PartsHere, caller: CallerHere) -> Any:
    """The connected hosts; their tokens stay with the service."""
    no_plugin(caller)
    hosts = [
        {
            "id": entry.connection,
            "name": entry.name,
            "url": entry.url,
            "profile": entry.profile,
            "has_token": entry.token is not None,
        }
        for entry in await places_of(request, parts).entries()
    ]
    return JsonAnswer({"hosts": hosts})


@router.get(
    "/v1/page-hosts/{host}/pages",
    response_model=Surfaces,
    responses=documented(UNKNOWN_PAGE, PAGE_UNAVAILABLE, NOT_YOURS),
)
async def list_foreign_pages(host: HostId, request: Request, parts: PartsHere, caller: CallerHere) -> Any:
    """What the host's catalogue offers: each plugin's pages, or why it has none."""
    no_plugin(caller)
    place, desk = await places_of(request, parts).foreign(host)
    surfaces, faults = await place.look()
    return JsonAnswer(
        {
            "surfaces": await desk.rows(surfaces),
            "faults": [{"name": fault.name, "why": fault.why} for fault in faults],
        }
    )


@router.put(
    "/v1/page-hosts/{host}/pages/{plugin}",
    response_model=SurfaceRow,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, PAGE_UNAVAILABLE, NOT_YOURS),
)
async def choose_foreign_pages(
    host: HostId, plugin: PluginId, body: PageChoice, request: Request, parts: PartsHere, caller: CallerHere
) -> Any:
    """A person's choice counts for this host, its profile and this plugin, and nowhere else."""
    no_plugin(caller)
    require_person(caller)
    _, desk = await places_of(request, parts).foreign(host)
    return JsonAnswer(await desk.choose(plugin, body.enabled, body.write))


@router.get(
    "/v1/page-hosts/{host}/pages/{plugin}/{page}",
    response_model=ShownPage,
    responses=documented(UNKNOWN_PAGE, NOT_SENT, PAGE_UNAVAILABLE, NOT_YOURS),
)
async def show_foreign_page(
    host: HostId, plugin: PluginId, page: PageId, request: Request, parts: PartsHere, caller: CallerHere
) -> Any:
    """As `/v1/pages/{plugin}/{page}`, of a host elsewhere."""
    no_plugin(caller)
    _, desk = await places_of(request, parts).foreign(host)
    return JsonAnswer(await desk.show(plugin, page))


@router.post(
    "/v1/page-hosts/{host}/pages/{plugin}/{page}/actions/{element}",
    response_model=Pressed,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, DRAFT_CONFLICT, PAGE_UNAVAILABLE),
)
async def press_foreign(
    host: HostId,
    plugin: PluginId,
    page: PageId,
    element: ElementId,
    body: Press,
    request: Request,
    parts: PartsHere,
    caller: CallerHere,
) -> Any:
    """A person presses a button; the service sends what it may, within the plugin's own routes on that host."""
    no_plugin(caller)
    require_person(caller)
    _, desk = await places_of(request, parts).foreign(host)
    sent = await desk.press(plugin, page, element, seen=body.seen, state=body.state, confirmed=body.confirmed)
    return JsonAnswer({"sent": sent})


@router.post(
    "/v1/page-hosts/{host}/drafts/{page}/{decision}",
    response_model=Decided,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, DRAFT_CONFLICT, PAGE_UNAVAILABLE),
)
async def decide_on_foreign_draft(
    host: HostId,
    page: PageId,
    decision: Annotated[Literal["promote", "remove"], Path(examples=["promote"])],
    body: DraftDecision,
    request: Request,
    parts: PartsHere,
    caller: CallerHere,
) -> Any:
    """A person keeps or removes a draft there, of exactly the digest that was listed."""
    no_plugin(caller)
    require_person(caller)
    _, desk = await places_of(request, parts).foreign(host)
    await desk.decide(page, decision, body.expected_digest)
    return {"ok": True}
