"""Drafted pages below ``/api/plugins/hermes-relay/mobile``, or ``hermes-drafts`` where a plugin of that name is here.

Agents draft and take back their own session's drafts; a person keeps or removes one exact revision. A request with the
endpoint's token is an agent's when it names a session (``Hermes-Session``), else a host's that shows them to a person.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Header, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from loader.backends.catalog import CatalogReader
from loader.home import Home
from loader.nouns import BackendEvent, PluginCaller
from loader.pages.draft_manifest import OTHER_ID, OWN_ID, draft_manifest
from loader.pages.drafts import DraftStore
from loader.server.bodies import BODY_DEADLINE_S
from loader.server.json_answer import JsonAnswer
from loader.server.page_news import CHANGED
from loader.server.page_problems import (
    DRAFT_CONFLICT,
    DRAFT_REFUSED,
    PAGE_UNAVAILABLE,
    UNKNOWN_DRAFT,
    approval_problem,
    findings_json,
)
from loader.server.parts import CallerHere, Parts, PartsHere
from loader.server.problem_kinds import APPROVAL_REQUIRED, BAD_REQUEST, NOT_YOURS, REFUSED, SLOW_BODY, TOO_LARGE
from loader.server.problems import Problem, documented
from loader.server.routes.backends import Proxied
from loader.server.sessions import Caller, Person

T = TypeVar("T")

BODY_LIMIT_BYTES = 2 * 1024 * 1024
UNNAMED = "unnamed"

DraftId = Annotated[str, Path(alias="draft", description="a draft's id", examples=["trip"])]
Session = Annotated[
    str | None, Header(alias="Hermes-Session", max_length=128, description="the agent's session", examples=["s-7"])
]


class DraftBody(BaseModel):
    title: str = Field(examples=["Trip"])
    document: dict[str, Any] = Field(
        description="a page document, version 1", examples=[{"schemaVersion": 1, "pages": []}]
    )
    description: str = Field("", examples=["What to pack"])
    lifecycle: str = Field("session", description="session or persistent", examples=["session"])


class DecisionBody(BaseModel):
    expected_digest: str = Field("", description="the revision that is meant; an agent has none", examples=["sha256:…"])


class DraftRow(BaseModel):
    model_config = ConfigDict(extra="allow")

    id: str = Field(examples=["trip"])
    title: str = Field(examples=["Trip"])
    status: str = Field(description="draft or published", examples=["draft"])
    lifecycle: str = Field(examples=["session"])
    revision: int = Field(examples=[1])
    digest: str = Field(examples=["sha256:…"])


class DraftRows(BaseModel):
    plugins: list[DraftRow]
    faults: list[str] = Field(description="files of the store that are no drafts", examples=[[]])


class DraftRemoved(BaseModel):
    ok: bool = Field(examples=[True])
    id: str = Field(examples=["trip"])


class DraftChange(BaseModel):
    page: str = Field(max_length=64, description="the draft that has changed", examples=["trip"])


class MobileAnswer(BaseModel):
    model_config = ConfigDict(extra="allow")


async def drafts_id(parts: Parts) -> str:
    """Under which id drafts answer here and now."""

    def installed() -> bool:
        root, home = FilePath(parts.about.root), FilePath(parts.about.home)
        return OWN_ID in CatalogReader(Home(root, home, None, "")).read().by_name

    return OTHER_ID if await asyncio.to_thread(installed) else OWN_ID


def store_of(parts: Parts, plugin_id: str) -> DraftStore:
    """The store of the service's home; each change is pushed to every client, from the event loop."""
    loop = asyncio.get_running_loop()

    def changed(draft_id: str) -> None:
        event = BackendEvent(plugin_id, CHANGED, {"page": draft_id})
        loop.call_soon_threadsafe(parts.hub.publish, event)

    return DraftStore(FilePath(parts.about.home), changed=changed)


async def _asked(store: DraftStore, act: Callable[[DraftStore], T]) -> T:
    return await asyncio.to_thread(act, store)


def _no_plugin(caller: Caller | None) -> None:
    # A plugin may go by the name under which drafts answer; its token opens its own routes, which these are not.
    if isinstance(caller, PluginCaller):
        raise Problem(NOT_YOURS, "drafts are a person's and the agent's, no plugin's")


async def _body(request: Request) -> dict[str, Any]:
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_DEADLINE_S):
            async for chunk in request.stream():
                data += chunk
                if len(data) > BODY_LIMIT_BYTES:
                    raise Problem(TOO_LARGE, f"at most {BODY_LIMIT_BYTES} bytes")
    except TimeoutError:
        raise Problem(SLOW_BODY, f"it was not whole after {BODY_DEADLINE_S:g} s") from None
    if not data:
        return {}
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise Problem(BAD_REQUEST, "the body is no JSON") from None
    if not isinstance(found, dict):
        raise Problem(BAD_REQUEST, "the body is no JSON object")
    return found


def _body_of(model: type[BaseModel]) -> dict[str, Any]:
    """For the description of a route that reads its body itself, bounded."""
    schema = model.model_json_schema()
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


_DECISION: dict[str, Any] = {
    "responses": documented(DRAFT_REFUSED, APPROVAL_REQUIRED, UNKNOWN_DRAFT, DRAFT_CONFLICT, PAGE_UNAVAILABLE),
    "openapi_extra": _body_of(DecisionBody),
}


def _add(router: APIRouter, plugin_id: str, *, described: bool) -> None:
    base = f"/api/plugins/{plugin_id}/mobile"

    async def elsewhere(parts: Parts, caller: Caller | None) -> Response | None:
        """Somebody else answers under this id; else None."""
        if await drafts_id(parts) != plugin_id:
            return Proxied()
        _no_plugin(caller)
        return None

    @router.get(f"{base}/manifest", response_model=MobileAnswer, include_in_schema=described)
    async def draft_pages(parts: PartsHere, caller: CallerHere, session: Session = None) -> Any:
        """The manifest of all drafted pages that this session, or a person, may see."""
        other = await elsewhere(parts, caller)
        if other is not None:
            return other
        listed = await _asked(store_of(parts, plugin_id), lambda store: store.listed(session))
        return JsonAnswer(draft_manifest(plugin_id, listed.entries))

    @router.get(
        f"{base}/pages/{{draft}}",
        response_model=MobileAnswer,
        responses=documented(DRAFT_REFUSED, UNKNOWN_DRAFT, PAGE_UNAVAILABLE),
        include_in_schema=described,
    )
    async def draft_page(name: DraftId, parts: PartsHere, caller: CallerHere, session: Session = None) -> Any:
        """The document, with the store's revision in `host_revision`."""
        other = await elsewhere(parts, caller)
        return other or JsonAnswer(await _asked(store_of(parts, plugin_id), lambda store: store.page(name, session)))

    @router.get(f"{base}/plugins", response_model=DraftRows, include_in_schema=described)
    async def list_drafts(parts: PartsHere, caller: CallerHere, session: Session = None) -> Any:
        """All drafts without their documents."""
        other = await elsewhere(parts, caller)
        if other is not None:
            return other
        listed = await _asked(store_of(parts, plugin_id), lambda store: store.listed(session))
        return JsonAnswer({"plugins": [entry.summary() for entry in listed.entries], "faults": list(listed.faults)})

    @router.get(
        f"{base}/plugins/{{draft}}",
        response_model=DraftRow,
        responses=documented(DRAFT_REFUSED, UNKNOWN_DRAFT, PAGE_UNAVAILABLE),
        include_in_schema=described,
    )
    async def show_draft(name: DraftId, parts: PartsHere, caller: CallerHere, session: Session = None) -> Any:
        """One draft with its document."""
        other = await elsewhere(parts, caller)
        return other or JsonAnswer(
            (await _asked(store_of(parts, plugin_id), lambda store: store.get(name, session))).whole()
        )

    @router.put(
        f"{base}/plugins/{{draft}}/draft",
        response_model=DraftRow,
        responses=documented(DRAFT_REFUSED, DRAFT_CONFLICT, REFUSED, TOO_LARGE),
        openapi_extra=_body_of(DraftBody),
        include_in_schema=described,
    )
    async def write_draft(
        name: DraftId, request: Request, parts: PartsHere, caller: CallerHere, session: Session = None
    ) -> Any:
        """Draft a page, or its next revision. What no host would show is refused whole, with the findings."""
        other = await elsewhere(parts, caller)
        if other is not None:
            return other
        given = await _body(request) | {"plugin_id": name}
        maker = None if isinstance(caller, Person) else session or UNNAMED
        entry, check = await _asked(store_of(parts, plugin_id), lambda store: store.draft(given, maker))
        return JsonAnswer(entry.whole() | {"diagnostics": findings_json(check)})

    @router.post(
        f"{base}/plugins/{{draft}}/promote",
        response_model=DraftRow,
        include_in_schema=described,
        **_DECISION,
    )
    async def promote_draft(
        name: DraftId, request: Request, parts: PartsHere, caller: CallerHere, session: Session = None
    ) -> Any:
        """A person keeps exactly this revision. Anybody else is told what a person would decide about."""
        other = await elsewhere(parts, caller)
        if other is not None:
            return other
        given = await _body(request)
        store = store_of(parts, plugin_id)
        if not isinstance(caller, Person):
            raise approval_problem(await _asked(store, lambda store: store.ask_to_publish(name, session)))
        return JsonAnswer((await _asked(store, lambda store: store.promote(name, _digest(given)))).whole())

    @router.post(
        f"{base}/plugins/{{draft}}/remove",
        response_model=DraftRemoved,
        include_in_schema=described,
        **_DECISION,
    )
    async def remove_draft(
        name: DraftId, request: Request, parts: PartsHere, caller: CallerHere, session: Session = None
    ) -> Any:
        """A person removes exactly this revision; an agent takes back what its own session drafted."""
        other = await elsewhere(parts, caller)
        if other is not None:
            return other
        given = await _body(request)
        store = store_of(parts, plugin_id)
        if isinstance(caller, Person):
            removed = await _asked(store, lambda store: store.remove(name, _digest(given)))
            return JsonAnswer({"ok": True, "id": removed})
        approval = await _asked(store, lambda store: store.withdraw(name, session or UNNAMED))
        if approval is not None:
            raise approval_problem(approval)
        return JsonAnswer({"ok": True, "id": name.strip().lower()})


def _digest(given: dict[str, Any]) -> str:
    found = given.get("expected_digest")
    return found if isinstance(found, str) else ""


router = APIRouter(tags=["drafts"])


@router.post("/v1/drafts/changed", status_code=204, response_class=Response)
async def tell_of_draft(body: DraftChange, parts: PartsHere) -> Response:
    """Tell every window to look at the drafts again: for tools that write to the store themselves."""
    parts.hub.publish(BackendEvent(await drafts_id(parts), CHANGED, {"page": body.page}))
    return Response(status_code=204)


_add(router, OWN_ID, described=True)
_add(router, OTHER_ID, described=False)
