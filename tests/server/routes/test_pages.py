"""Pages through our own service: what is listed, switched on, shown and pressed."""

import dataclasses
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from loader.server.app import ROUTERS, create_app
from tests.pages.building import LABEL, document, group, line
from tests.server.conftest import AUTH, BASE
from tests.server.fakes import make

pytestmark = pytest.mark.anyio

MANIFEST = {
    "schema_version": 1,
    "id": "weather",
    "display_name": "Weather",
    "updates": {"poll_seconds": 1},
    "requested_capabilities": [{"id": "plugin.api.write", "reason": "saves alerts"}],
    "contributions": [
        {"id": "home", "title": "Home", "document": {"path": "pages/home"}},
        {"id": "bad", "title": "Bad", "document": {"path": "pages/bad"}},
        {"id": "out", "title": "Out", "document": {"path": "../out"}},
    ],
}


def button(name: str, **action: Any) -> dict[str, Any]:
    return {"type": "button", "id": name, "label": LABEL, "action": {"id": name, **action}}


HOME = document(
    group(
        button("save", request={"path": "save"}, arguments={"n": {"type": "number", "value": 1}}),
        button("ask", request={"path": "save", "method": "PUT"}, confirmation=LABEL),
        button("look", request={"path": "look", "method": "GET"}),
        button("still"),
        button("broken", request={"path": "broken"}),
        button("drop", request={"path": "drop", "method": "DELETE"}),
    )
)


class Backend:
    """A plugin's backend, as the proxy would reach it."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.manifest: Any = MANIFEST
        self.router = APIRouter()
        self.router.add_api_route(
            "/api/plugins/weather/{path:path}",
            self.answer,
            methods=["GET", "POST", "PUT", "DELETE"],
            response_model=None,
        )

    async def rows(self) -> list[dict[str, Any]]:
        return [{"name": "weather", "state": "idle"}, {"name": "off", "state": "disabled"}]

    async def answer(self, path: str, request: Request) -> Response:
        body = await request.body()
        self.calls.append((request.method, path, json.loads(body) if body else None))
        match path:
            case "mobile/manifest":
                return JSONResponse(self.manifest)
            case "pages/home":
                return JSONResponse(HOME)
            case "pages/bad":
                return JSONResponse(document({"type": "web_view", "id": "w"}))
            case "broken":
                return PlainTextResponse("no JSON")
            case "huge":
                return PlainTextResponse("x" * (5 * 1024 * 1024))
        return JSONResponse({})

    @property
    def writes(self) -> list[tuple[str, str, Any]]:
        return [call for call in self.calls if not call[1].startswith(("mobile/", "pages/"))]


@dataclasses.dataclass
class Service:
    backend: Backend
    person: httpx.AsyncClient
    tool: httpx.AsyncClient

    async def shown(self) -> str:
        answer = await self.person.get("/v1/pages/weather/home")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["seen"])

    async def press(self, element: str, **more: Any) -> httpx.Response:
        body = {"seen": await self.shown(), "state": {"city": {"type": "string", "value": "Bergen"}}, **more}
        return await self.person.post(f"/v1/pages/weather/home/actions/{element}", json=body)


@pytest.fixture
async def service(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Service]:
    backend = Backend()
    parts, _ = make()
    about = dataclasses.replace(parts.about, root=str(tmp_path), home=str(tmp_path))
    parts = dataclasses.replace(parts, about=about, backends=backend)  # type: ignore[arg-type]  # has what is asked
    asgi = create_app(parts, routers=(backend.router, *ROUTERS))
    session = parts.credentials.redeem(parts.credentials.issue_code())
    assert session is not None
    transport = httpx.ASGITransport(asgi, raise_app_exceptions=False)
    person = {"Authorization": f"Bearer {session.token}"}
    async with (
        httpx.AsyncClient(transport=transport, base_url=BASE, headers=person) as by_person,
        httpx.AsyncClient(transport=transport, base_url=BASE, headers=AUTH) as by_tool,
    ):
        yield Service(backend, by_person, by_tool)


async def enable(service: Service, **choice: bool) -> Any:
    answer = await service.person.put("/v1/pages/weather", json={"enabled": True, **choice})
    assert answer.status_code == 200, answer.text
    return answer.json()


def kind(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


async def test_the_catalogue_is_a_dashboards(service: Service) -> None:
    rows = (await service.tool.get("/api/dashboard/plugins")).json()
    assert [(row["name"], row["has_api"]) for row in rows] == [
        ("weather", True),
        ("off", False),
        ("hermes-relay", True),
    ]


async def test_what_has_pages_is_listed_and_off(service: Service) -> None:
    found = (await service.person.get("/v1/pages")).json()
    weather, drafts = found["surfaces"]
    assert (weather["name"], weather["enabled"], weather["asks_to_write"], weather["poll_s"]) == (
        "Weather",
        False,
        True,
        5,
    )
    assert [page["id"] for page in weather["pages"]] == ["home", "bad", "out"]
    assert {finding["code"] for finding in weather["diagnostics"]} == {"HP713", "HP736"}
    assert drafts["id"] == "hermes-relay"
    assert [fault["name"] for fault in found["faults"]] == ["off"]


async def test_a_manifest_of_another_is_a_fault_that_is_seen(service: Service) -> None:
    service.backend.manifest = {**MANIFEST, "id": "climate"}
    row = (await service.person.get("/v1/pages")).json()["surfaces"][0]
    assert "HP716" in row["why"]
    assert row["pages"] == []
    assert kind(await service.person.get("/v1/pages/weather/home")) == (404, "unknown-page")


async def test_a_page_is_shown_once_a_person_switched_its_plugin_on(service: Service) -> None:
    assert kind(await service.person.get("/v1/pages/weather/home")) == (403, "action-not-sent")
    assert kind(await service.tool.put("/v1/pages/weather", json={"enabled": True})) == (403, "approval-required")
    assert (await enable(service))["enabled"] is True
    answer = (await service.person.get("/v1/pages/weather/home")).json()
    assert answer["document"]["pages"][0]["content"]["direction"] == "COLUMN"
    assert answer["poll_s"] == 5
    await service.person.put("/v1/pages/weather", json={"enabled": False})
    assert kind(await service.person.get("/v1/pages/weather/home")) == (403, "action-not-sent")


@pytest.mark.parametrize(("page", "said"), [("bad", "HP706"), ("out", "'..'")])
async def test_a_page_that_is_refused_says_why_and_costs_no_other(service: Service, page: str, said: str) -> None:
    await enable(service)
    answer = await service.person.get(f"/v1/pages/weather/{page}")
    assert kind(answer) == (503, "page-unavailable")
    assert said in answer.json()["detail"]
    assert "document" not in answer.json()
    await service.shown()


async def test_writing_needs_the_grant_and_sends_arguments_and_state(service: Service) -> None:
    await enable(service)
    refused = await service.press("save")
    assert (kind(refused), refused.json()["reason"]) == ((403, "action-not-sent"), "not-granted")
    assert service.backend.writes == []
    await enable(service, write=True)
    assert (await service.press("save")).json() == {"sent": True}
    state = {"city": {"type": "string", "value": "Bergen"}}
    assert service.backend.writes == [
        ("POST", "save", {"arguments": {"n": {"type": "number", "value": 1.0}}, "state": state})
    ]


async def test_reading_needs_no_grant_and_sends_nothing(service: Service) -> None:
    await enable(service)
    assert (await service.press("look")).json() == {"sent": True}
    assert (await service.press("still")).json() == {"sent": False}
    assert service.backend.writes == [("GET", "look", None)]


async def test_a_declared_confirmation_is_given_at_each_use(service: Service) -> None:
    await enable(service, write=True)
    assert (await service.press("ask")).json()["reason"] == "unconfirmed"
    assert (await service.press("ask", confirmed=True)).json() == {"sent": True}
    assert (await service.press("ask")).json()["reason"] == "unconfirmed"
    assert (await service.press("drop")).json() == {"sent": True}
    assert [(method, body is None) for method, _, body in service.backend.writes] == [("PUT", False), ("DELETE", True)]


async def test_an_answer_that_is_none_is_said(service: Service) -> None:
    await enable(service, write=True)
    answer = await service.press("broken")
    assert kind(answer) == (503, "page-unavailable")
    assert "no JSON object" in answer.json()["detail"]


async def test_only_a_person_presses_and_only_what_was_shown(service: Service) -> None:
    await enable(service, write=True)
    seen = await service.shown()
    url = "/v1/pages/weather/home/actions/save"
    assert kind(await service.tool.post(url, json={"seen": seen})) == (403, "approval-required")
    assert kind(await service.person.post(url, json={"seen": "sha256:0"})) == (409, "draft-conflict")
    assert kind(await service.person.post(url.replace("save", "nosuch"), json={"seen": seen})) == (404, "unknown-page")
    assert service.backend.writes == []


async def test_a_plugin_that_asks_for_nothing_is_granted_nothing(service: Service) -> None:
    service.backend.manifest = {**MANIFEST, "requested_capabilities": []}
    assert kind(await service.person.put("/v1/pages/weather", json={"write": True})) == (403, "action-not-sent")


async def test_an_answer_beyond_the_limit_is_cut_off(service: Service) -> None:
    contributions = [{"id": "home", "title": "Home", "document": {"path": "huge"}}]
    service.backend.manifest = {**MANIFEST, "contributions": contributions}
    await enable(service)
    answer = await service.person.get("/v1/pages/weather/home")
    assert kind(answer) == (503, "page-unavailable")
    assert "more than" in answer.json()["detail"]


@pytest.mark.parametrize("plugin", ["nosuch", "..", "%2e%2e", "a b"])
async def test_an_unknown_plugin_has_no_pages(service: Service, plugin: str) -> None:
    assert (await service.person.get(f"/v1/pages/{plugin}/home")).status_code == 404


async def test_drafts_are_pages_like_any_other(service: Service) -> None:
    body = {"title": "Trip", "document": document(line(), page="trip")}
    await service.tool.put("/api/plugins/hermes-relay/mobile/plugins/trip/draft", json=body)
    await service.person.put("/v1/pages/hermes-relay", json={"enabled": True})
    rows = (await service.person.get("/v1/pages")).json()["surfaces"]
    (page,) = rows[1]["pages"]
    assert (page["status"], page["title"]) == ("draft", "Draft: Trip")
    assert (await service.person.get("/v1/pages/hermes-relay/trip")).json()["document"]["host_revision"] == 1
