"""``/v1/page-hosts``: Hermes hosts elsewhere, as a person connects them, and their pages.

The service asks them, under their own tokens and under bounds; the page gets names, addresses and checked documents.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from loader.errors import NeedsPerson
from loader.nouns import Json
from loader.pages.connections import PageHostEntry
from loader.server.json_answer import JsonAnswer
from loader.server.page_places import places_of
from loader.server.page_problems import DRAFT_CONFLICT, NOT_SENT, PAGE_UNAVAILABLE, UNKNOWN_PAGE
from loader.server.parts import ForPersons, PartsHere
from loader.server.problem_kinds import APPROVAL_REQUIRED, INVALID
from loader.server.problems import Problem, documented
from loader.server.routes.page_shapes import (
    Decided,
    DraftDecision,
    ElementId,
    NewPageHost,
    PageChoice,
    PageHostList,
    PageHostRow,
    PageId,
    PluginId,
    Press,
    Pressed,
    ShownPage,
    SurfaceRow,
    Surfaces,
)

router = APIRouter(tags=["pages"])
HostId = Annotated[str, Path(alias="host", description="a connected host's id", examples=["host-0f1e2d3c4b5a6978"])]


@router.get("/v1/page-hosts", response_model=PageHostList)
async def list_page_hosts(request: Request, parts: PartsHere) -> Any:
    """The connected hosts; their tokens stay with the service."""
    hosts = [_row(entry) for entry in await places_of(request, parts).entries()]
    return JsonAnswer({"hosts": hosts})


@router.post(
    "/v1/page-hosts",
    status_code=201,
    response_model=PageHostRow,
    responses=documented(APPROVAL_REQUIRED, INVALID),
    dependencies=[ForPersons],
)
async def connect_page_host(body: NewPageHost, request: Request, parts: PartsHere) -> Any:
    """A person connects a host, as `hermes-desktop page connect` does. Its pages are off until somebody turns them on.

    A token that would cross the network unencrypted is kept only if the person has agreed to that.
    """
    try:
        entry = await places_of(request, parts).connect(**body.model_dump())
    except NeedsPerson as error:
        raise Problem(APPROVAL_REQUIRED, str(error), {"reason": "unconfirmed"}) from error
    return JsonAnswer(_row(entry), status_code=201)


@router.delete(
    "/v1/page-hosts/{host}",
    status_code=204,
    response_class=Response,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED),
    dependencies=[ForPersons],
)
async def disconnect_page_host(host: HostId, request: Request, parts: PartsHere) -> Response:
    """A person takes a host away: its token and what was allowed to its pages count no more."""
    await places_of(request, parts).disconnect(host)
    return Response(status_code=204)


def _row(entry: PageHostEntry) -> dict[str, Json]:
    return {
        "id": entry.connection,
        "name": entry.name,
        "url": entry.url,
        "profile": entry.profile,
        "has_token": entry.token is not None,
    }


@router.get(
    "/v1/page-hosts/{host}/pages",
    response_model=Surfaces,
    responses=documented(UNKNOWN_PAGE, PAGE_UNAVAILABLE),
)
async def list_foreign_pages(host: HostId, request: Request, parts: PartsHere) -> Any:
    """What the host's catalogue offers: each plugin's pages, or why it has none."""
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
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, PAGE_UNAVAILABLE),
    dependencies=[ForPersons],
)
async def choose_foreign_pages(
    host: HostId, plugin: PluginId, body: PageChoice, request: Request, parts: PartsHere
) -> Any:
    """A person's choice counts for this host, its profile and this plugin, and nowhere else."""
    _, desk = await places_of(request, parts).foreign(host)
    return JsonAnswer(await desk.choose(plugin, body.enabled, body.write))


@router.get(
    "/v1/page-hosts/{host}/pages/{plugin}/{page}",
    response_model=ShownPage,
    responses=documented(UNKNOWN_PAGE, NOT_SENT, PAGE_UNAVAILABLE),
)
async def show_foreign_page(host: HostId, plugin: PluginId, page: PageId, request: Request, parts: PartsHere) -> Any:
    """As `/v1/pages/{plugin}/{page}`, of a host elsewhere."""
    _, desk = await places_of(request, parts).foreign(host)
    return JsonAnswer(await desk.show(plugin, page))


@router.post(
    "/v1/page-hosts/{host}/pages/{plugin}/{page}/actions/{element}",
    response_model=Pressed,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, DRAFT_CONFLICT, PAGE_UNAVAILABLE),
    dependencies=[ForPersons],
)
async def press_foreign(
    host: HostId,
    plugin: PluginId,
    page: PageId,
    element: ElementId,
    body: Press,
    request: Request,
    parts: PartsHere,
) -> Any:
    """A person presses a button; the service sends what it may, within the plugin's own routes on that host."""
    _, desk = await places_of(request, parts).foreign(host)
    sent = await desk.press(plugin, page, element, seen=body.seen, state=body.state, confirmed=body.confirmed)
    return JsonAnswer({"sent": sent})


@router.post(
    "/v1/page-hosts/{host}/drafts/{page}/{decision}",
    response_model=Decided,
    responses=documented(UNKNOWN_PAGE, APPROVAL_REQUIRED, NOT_SENT, DRAFT_CONFLICT, PAGE_UNAVAILABLE),
    dependencies=[ForPersons],
)
async def decide_on_foreign_draft(
    host: HostId,
    page: PageId,
    decision: Annotated[Literal["promote", "remove"], Path(examples=["promote"])],
    body: DraftDecision,
    request: Request,
    parts: PartsHere,
) -> Any:
    """A person keeps or removes a draft there, of exactly the digest that was listed."""
    _, desk = await places_of(request, parts).foreign(host)
    await desk.decide(page, decision, body.expected_digest)
    return {"ok": True}
