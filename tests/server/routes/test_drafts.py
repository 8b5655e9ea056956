"""Drafted pages over HTTP: agents draft, persons decide, and a plugin of that name comes first."""

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from loader.server.app import create_app
from loader.server.jsonrpc import object_of
from tests.pages.building import LABEL, document, line
from tests.server.conftest import AUTH, BASE
from tests.server.fakes import make, settle

pytestmark = pytest.mark.anyio

MOBILE = "/api/plugins/hermes-relay/mobile"
MINE = {"Hermes-Session": "s1"}
OTHERS = {"Hermes-Session": "s2"}


@dataclasses.dataclass
class Service:
    home: Path
    agent: httpx.AsyncClient
    person: httpx.AsyncClient
    parts: Any


@pytest.fixture
async def service(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Service]:
    parts, _ = make()
    parts = dataclasses.replace(parts, about=dataclasses.replace(parts.about, root=str(tmp_path), home=str(tmp_path)))
    asgi = create_app(parts)
    session = parts.credentials.redeem(parts.credentials.issue_code())
    assert session is not None

    def client(headers: dict[str, str]) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(asgi, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers)

    async with client(AUTH) as agent, client({"Authorization": f"Bearer {session.token}"}) as person:
        yield Service(tmp_path, agent, person, parts)


def body(**more: Any) -> dict[str, Any]:
    return {"title": "Trip", "document": document(line(), page="trip"), **more}


async def drafted(service: Service, headers: dict[str, str] = MINE, **more: Any) -> dict[str, Any]:
    answer = await service.agent.put(f"{MOBILE}/plugins/trip/draft", json=body(**more), headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def kind(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


async def test_a_draft_is_listed_served_and_told_to_every_window(service: Service) -> None:
    said: list[Any] = []
    service.parts.hub.publish = said.append
    entry = await drafted(service)
    await settle()
    assert [(event.plugin, event.event, event.payload) for event in said] == [
        ("hermes-relay", "mobile.changed", {"page": "trip"})
    ]
    manifest = (await service.person.get(f"{MOBILE}/manifest")).json()
    (row,) = manifest["contributions"]
    assert (row["title"], row["digest"], row["document"]["path"]) == (
        "Draft: Trip",
        entry["digest"],
        "mobile/pages/trip",
    )
    page = (await service.person.get(f"{MOBILE}/pages/trip")).json()
    assert page["host_revision"] == 1


async def test_a_document_that_no_host_shows_is_refused_with_its_findings(service: Service) -> None:
    bad = body(document=document({"type": "text", "id": "t", "text": "bare"}, page="trip"))
    answer = await service.agent.put(f"{MOBILE}/plugins/trip/draft", json=bad)
    assert kind(answer) == (400, "draft-refused")
    assert answer.json()["diagnostics"][0]["pointer"] == "/document/pages/0/content/text"


async def test_an_agents_publish_is_answered_with_what_a_person_would_decide(service: Service) -> None:
    entry = await drafted(service)
    answer = await service.agent.post(
        f"{MOBILE}/plugins/trip/promote", json={"expected_digest": entry["digest"]}, headers=MINE
    )
    assert kind(answer) == (403, "approval-required")
    told = answer.json()
    assert told["approval_required"] is True
    assert (told["digest"], told["approval_endpoint"]) == (entry["digest"], "mobile/plugins/trip/promote")
    assert (await service.person.get(f"{MOBILE}/plugins/trip")).json()["status"] == "draft"


async def test_a_person_keeps_the_very_revision_and_no_other(service: Service) -> None:
    stale = (await drafted(service))["digest"]
    fresh = (await drafted(service, title="Trip again"))["digest"]
    promote = f"{MOBILE}/plugins/trip/promote"
    assert kind(await service.person.post(promote, json={"expected_digest": stale})) == (409, "draft-conflict")
    assert kind(await service.person.post(promote, json={})) == (400, "draft-refused")
    kept = await service.person.post(promote, json={"expected_digest": fresh})
    assert (kept.status_code, kept.json()["status"], kept.json()["revision"]) == (200, "published", 3)
    over = await service.agent.put(f"{MOBILE}/plugins/trip/draft", json=body(), headers=MINE)
    assert kind(over) == (409, "draft-conflict")
    asked = await service.agent.post(f"{MOBILE}/plugins/trip/remove", json={}, headers=MINE)
    assert kind(asked) == (403, "approval-required")
    gone = await service.person.post(f"{MOBILE}/plugins/trip/remove", json={"expected_digest": kept.json()["digest"]})
    assert gone.json() == {"ok": True, "id": "trip"}


async def test_a_session_takes_its_own_draft_back_and_does_not_see_anothers(service: Service) -> None:
    await drafted(service)
    for path in ("pages/trip", "plugins/trip"):
        assert kind(await service.agent.get(f"{MOBILE}/{path}", headers=OTHERS)) == (404, "unknown-draft")
    assert (await service.agent.get(f"{MOBILE}/manifest", headers=OTHERS)).json()["contributions"] == []
    remove = f"{MOBILE}/plugins/trip/remove"
    assert kind(await service.agent.post(remove, json={}, headers=OTHERS)) == (404, "unknown-draft")
    assert (await service.agent.post(remove, headers=MINE)).json() == {"ok": True, "id": "trip"}


async def test_the_hosts_own_page_is_unavailable_for_now(service: Service) -> None:
    answer = await service.person.get(f"{MOBILE}/pages/git")
    assert kind(answer) == (503, "page-unavailable")
    assert answer.headers["retry-after"]


async def test_a_plugin_of_that_name_comes_first_and_drafts_move(service: Service) -> None:
    dashboard = service.home / "plugins" / "hermes-relay" / "dashboard"
    dashboard.mkdir(parents=True)
    (dashboard / "manifest.json").write_text('{"name": "hermes-relay", "api": "plugin_api.py"}', "utf-8")
    # Handed on to the backends, of which this service has none.
    assert kind(await service.person.get(f"{MOBILE}/manifest")) == (404, "backend-no-manifest")
    moved = await service.person.get("/api/plugins/hermes-drafts/mobile/manifest")
    assert moved.json()["id"] == "hermes-drafts"


async def test_the_other_name_is_not_ours_meanwhile(service: Service) -> None:
    answer = await service.person.get("/api/plugins/hermes-drafts/mobile/manifest")
    assert kind(answer) == (404, "backend-no-manifest")


async def test_a_plugins_token_opens_no_draft(service: Service) -> None:
    token = service.parts.credentials.mint("hermes-relay", "r1")
    answer = await service.agent.get(f"{MOBILE}/manifest", headers={"Authorization": f"Bearer {token}"})
    assert kind(answer) == (403, "not-yours")


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"[" * 100_000])
async def test_a_body_that_is_no_object_is_refused(service: Service, content: bytes) -> None:
    assert kind(await service.agent.put(f"{MOBILE}/plugins/trip/draft", content=content)) == (400, "bad-request")


async def test_a_body_beyond_the_limit_is_not_read(service: Service) -> None:
    answer = await service.agent.put(f"{MOBILE}/plugins/trip/draft", content=b" " * (3 * 1024 * 1024))
    assert kind(answer) == (413, "too-large")


async def test_a_chat_cards_text_names_nothing_that_reaches_anything(service: Service) -> None:
    """``CARD:`` in a chat is presentation: drafted as text it is text, and as a document it is refused."""
    card = 'CARD: {"plugin": "hermes-relay", "action": {"request": {"path": "x"}}, "grants": ["plugin.api.write"]}'
    text = {"type": "text", "id": "t", "text": {**LABEL, "value": card}}
    await drafted(service, document=document(text, page="trip"))
    page = (await service.person.get(f"{MOBILE}/pages/trip")).json()
    assert page["pages"][0]["content"]["text"]["value"] == card
    answer = await service.agent.put(f"{MOBILE}/plugins/card/draft", json={"title": "Card", "document": card})
    assert kind(answer) == (400, "draft-refused")
    assert [row["id"] for row in (await service.person.get(f"{MOBILE}/plugins")).json()["plugins"]] == ["trip"]


async def test_an_event_of_drafts_is_a_plugins_push_on_the_wire(service: Service) -> None:
    from loader.nouns import BackendEvent
    from loader.server.protocol import encode

    message = service.parts.hub._announcer.message(BackendEvent("hermes-relay", "mobile.changed", {"page": "trip"}), 4)
    frame = object_of(encode(message))
    assert frame["method"] == "plugin.hermes-relay.mobile.changed"
