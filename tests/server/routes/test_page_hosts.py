"""Pages of a Hermes elsewhere through our service: shown, switched on, pressed, and what a hostile one costs."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from loader.nouns import Json
from loader.pages.connections import FILE, READ_ON_THE_WAY, PageHosts
from loader.server import page_desk
from loader.server.app import create_app
from loader.state import StateFile
from tests.pages.building import document
from tests.pages.fake_hermes import TOKEN, FakeHermes, button, fake_hermes
from tests.server.conftest import AUTH, BASE
from tests.server.fakes import make

pytestmark = pytest.mark.anyio


@dataclasses.dataclass
class Service:
    hosts: PageHosts
    person: httpx.AsyncClient
    tool: httpx.AsyncClient

    async def office(self) -> str:
        (host,) = (await self.tool.get("/v1/page-hosts")).json()["hosts"]
        return f"/v1/page-hosts/{host['id']}/pages"


@pytest.fixture
def hermes() -> Iterator[FakeHermes]:
    with fake_hermes() as fake:
        fake.offer("weather")
        yield fake


@pytest.fixture
async def service(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Service]:
    parts, _ = make()
    about = dataclasses.replace(parts.about, root=str(tmp_path), home=str(tmp_path))
    parts = dataclasses.replace(parts, about=about)
    transport = httpx.ASGITransport(create_app(parts), raise_app_exceptions=False)
    session = parts.credentials.redeem(parts.credentials.issue_code())
    assert session is not None
    person = {"Authorization": f"Bearer {session.token}"}
    async with (
        httpx.AsyncClient(transport=transport, base_url=BASE, headers=person, timeout=60) as by_person,
        httpx.AsyncClient(transport=transport, base_url=BASE, headers=AUTH, timeout=60) as by_tool,
    ):
        yield Service(PageHosts(tmp_path / "desktop-loader"), by_person, by_tool)


def kind(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


async def test_a_page_elsewhere_is_listed_switched_on_shown_and_pressed(service: Service, hermes: FakeHermes) -> None:
    service.hosts.connect("office", hermes.url, token=TOKEN)
    office = await service.office()
    (weather,) = (await service.tool.get(office)).json()["surfaces"]
    assert (weather["name"], weather["enabled"], weather["asks_to_write"]) == ("Weather", False, True)
    assert kind(await service.person.get(f"{office}/weather/home")) == (403, "action-not-sent")
    on = {"enabled": True, "write": True}
    assert kind(await service.tool.put(f"{office}/weather", json=on)) == (403, "approval-required")
    assert (await service.person.put(f"{office}/weather", json=on)).json()["may_write"] is True
    shown = (await service.person.get(f"{office}/weather/home")).json()
    press = f"{office}/weather/home/actions/save"
    body = {"seen": shown["seen"], "state": {"n": {"type": "number", "value": 1}}}
    assert kind(await service.tool.post(press, json=body)) == (403, "approval-required")
    assert (await service.person.post(press, json=body)).json()["reason"] == "unconfirmed"
    assert (await service.person.post(press, json=body | {"confirmed": True})).json() == {"sent": True}
    assert [call[3] for call in hermes.asked if call[0] == "POST"] == [{"arguments": {}, "state": body["state"]}]
    assert hermes.paths("POST") == ["/api/plugins/weather/save"]
    assert {call[2] for call in hermes.asked} == {f"Bearer {TOKEN}"}
    assert kind(await service.person.post(press, json=body | {"seen": "sha256:other"})) == (409, "draft-conflict")


async def test_a_person_connects_and_disconnects_a_host(service: Service, hermes: FakeHermes) -> None:
    new = {"name": "office", "url": f"{hermes.url}/", "token": TOKEN, "profile": " work "}
    assert kind(await service.tool.post("/v1/page-hosts", json=new)) == (403, "approval-required")
    assert kind(await service.tool.post("/v1/page-hosts", json={"name": 7})) == (403, "approval-required")
    made = await service.person.post("/v1/page-hosts", json=new)
    row = {"name": "office", "url": hermes.url, "profile": "work", "has_token": True}
    assert (made.status_code, made.json() | {"id": ""}) == (201, row | {"id": ""})
    assert (await service.tool.get("/v1/page-hosts")).json()["hosts"] == [made.json()]
    (weather,) = (await service.person.get(await service.office())).json()["surfaces"]
    assert (weather["name"], weather["enabled"]) == ("Weather", False)
    assert {call[2] for call in hermes.asked} == {f"Bearer {TOKEN}"}
    again = await service.person.post("/v1/page-hosts", json=new)
    assert kind(again) == (422, "invalid") and "connected already" in again.json()["detail"]
    assert TOKEN not in made.text + again.text

    address = f"/v1/page-hosts/{made.json()['id']}"
    assert kind(await service.tool.delete(address)) == (403, "approval-required")
    assert (await service.person.delete(address)).status_code == 204
    assert kind(await service.person.delete(address)) == (404, "unknown-page")
    assert service.hosts.all() == ()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "../x", "a host's name"),
        ("url", "ftp://hermes.example", "begin with http"),
        ("url", "https://a:b@hermes.example", "plain"),
        ("url", "https://hermes.exa\nmple", "one line"),
        ("url", "https://xn--a", "cannot be read"),
        ("token", "a\r\nX: y", "printable ASCII"),
        ("profile", "a\x07", "printable"),
        ("surprise", 1, "surprise"),
    ],
)
async def test_what_is_no_host_is_refused_in_the_words_of_the_command(
    service: Service, field: str, value: Any, said: str
) -> None:
    new = {"name": "office", "url": "https://hermes.example", field: value}
    refused = await service.person.post("/v1/page-hosts", json=new)
    assert kind(refused) == (422, "invalid")
    assert said in refused.json()["detail"]
    assert service.hosts.all() == ()


async def test_a_token_goes_unencrypted_only_where_a_person_has_agreed(service: Service) -> None:
    new = {"name": "office", "url": "http://hermes.example", "token": TOKEN}
    refused = await service.person.post("/v1/page-hosts", json=new)
    assert kind(refused) == (403, "approval-required")
    assert (refused.json()["reason"], refused.json()["detail"]) == ("unconfirmed", READ_ON_THE_WAY)
    assert service.hosts.all() == ()
    agreed = await service.person.post("/v1/page-hosts", json=new | {"read_on_the_way": True})
    assert agreed.status_code == 201


async def test_an_address_that_somebody_wrote_into_the_file_is_a_host_without_a_catalogue(
    service: Service, tmp_path: Path
) -> None:
    row: Json = {"connection": "host-1", "url": "https://xn--a"}
    StateFile(tmp_path / "desktop-loader" / FILE).update(lambda rows: {"office": row})
    answer = await service.tool.get(await service.office())
    assert kind(answer) == (503, "page-unavailable") and "cannot be read" in answer.json()["detail"]


async def test_its_token_leaves_the_service_for_nobody_else(service: Service, hermes: FakeHermes) -> None:
    service.hosts.connect("office", hermes.url, token=TOKEN, profile="work")
    hosts = await service.person.get("/v1/page-hosts")
    assert hosts.json()["hosts"][0] | {"id": ""} == {
        "id": "",
        "name": "office",
        "url": hermes.url,
        "profile": "work",
        "has_token": True,
    }
    office = await service.office()
    hermes.answers["/api/plugins/weather/mobile/manifest"] = "token"
    listed = await service.person.get(office)
    assert "repeats the token" in listed.json()["surfaces"][0]["why"]
    # A redirect would carry it away, so none is followed.
    hermes.answers["/api/plugins/weather/mobile/manifest"] = "moved"
    moved = await service.person.get(office)
    assert "302" in moved.json()["surfaces"][0]["why"]
    assert "/elsewhere" not in hermes.paths()
    assert all(TOKEN not in answer.text for answer in (hosts, listed, moved))


async def test_choices_count_for_one_host_profile_and_plugin(service: Service, hermes: FakeHermes) -> None:
    hermes.offer("climate")
    service.hosts.connect("office", hermes.url)
    office = await service.office()
    await service.person.put(f"{office}/weather", json={"enabled": True, "write": True})

    async def enabled() -> list[bool]:
        hosts = (await service.tool.get("/v1/page-hosts")).json()["hosts"]
        found = [await service.tool.get(f"/v1/page-hosts/{host['id']}/pages") for host in hosts]
        return [surface["enabled"] for answer in found for surface in answer.json()["surfaces"]]

    assert await enabled() == [True, False]
    service.hosts.connect("second", hermes.url)
    assert await enabled() == [True, False, False, False]
    # The same name anew is another connection: nothing that was allowed comes back.
    service.hosts.disconnect("second")
    service.hosts.disconnect("office")
    assert kind(await service.person.get(office)) == (404, "unknown-page")
    service.hosts.connect("office", hermes.url)
    assert await enabled() == [False, False]


@pytest.mark.parametrize(
    ("manners", "said"),
    [
        ("huge", "more than"),
        ("packed", "packed"),
        (500, "500"),
        (b"\xff\xfe", "no answer"),
        (b"[" * 100_000, "refused"),
        ({"id": "climate"}, "HP716"),
        ("moved", "302"),
    ],
)
async def test_a_hostile_plugin_costs_its_own_pages_only(
    service: Service, hermes: FakeHermes, manners: Any, said: str
) -> None:
    hermes.offer("other")
    hermes.answers["/api/plugins/weather/mobile/manifest"] = manners
    service.hosts.connect("office", hermes.url)
    weather, other = (await service.tool.get(await service.office())).json()["surfaces"]
    assert said in weather["why"] and weather["pages"] == []
    assert other["why"] is None and len(other["pages"]) == 1
    assert (await service.tool.get("/v1/pages")).status_code == 200


@pytest.mark.parametrize(
    ("catalog", "said"),
    [("huge", "more than"), (404, "404"), ({}, "no array"), (b"{", "no JSON"), (b"[" * 200_000, "JSON")],
)
async def test_a_host_without_a_catalogue_says_so(
    service: Service, hermes: FakeHermes, catalog: Any, said: str
) -> None:
    hermes.answers["/api/dashboard/plugins"] = catalog
    service.hosts.connect("office", hermes.url)
    answer = await service.tool.get(await service.office())
    assert kind(answer) == (503, "page-unavailable")
    assert said in answer.json()["detail"]


async def test_a_host_that_stalls_ends_at_the_deadline_and_holds_nobody_up(
    service: Service, hermes: FakeHermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loader.pages.host.PROBE_TIMEOUT_S", 0.5)
    hermes.answers["/api/plugins/weather/mobile/manifest"] = "stall"
    hermes.offer("other")
    service.hosts.connect("office", hermes.url)
    office = await service.office()
    slow = asyncio.create_task(service.tool.get(office))
    assert (await service.tool.get("/v1/pages")).status_code == 200
    weather, other = (await slow).json()["surfaces"]
    assert "no answer within" in weather["why"] and other["why"] is None


async def test_a_catalogue_of_thousands_is_asked_up_to_a_bound(
    service: Service, hermes: FakeHermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_desk, "PROBES_LIMIT", 2)
    for number in range(5):
        hermes.offer(f"p{number}")
    service.hosts.connect("office", hermes.url)
    surfaces = (await service.tool.get(await service.office())).json()["surfaces"]
    assert len(surfaces) == 6
    assert [surface["why"] is None for surface in surfaces] == [True, True, False, False, False, False]
    assert len([path for path in hermes.paths() if path.endswith("manifest")]) == 2


async def test_a_plugin_of_a_thousand_pages_is_listed_up_to_a_bound(service: Service, hermes: FakeHermes) -> None:
    many = [
        {"id": f"p{n}", "title": "T", "document": {"path": "pages/home"}} for n in range(page_desk.LISTED_LIMIT + 3)
    ]
    hermes.offer("weather", contributions=many)
    service.hosts.connect("office", hermes.url)
    (row,) = (await service.tool.get(await service.office())).json()["surfaces"]
    assert (len(row["pages"]), row["pages_beyond"]) == (page_desk.LISTED_LIMIT, 3)


async def test_two_who_look_at_once_ask_once(service: Service, hermes: FakeHermes) -> None:
    service.hosts.connect("office", hermes.url)
    office = await service.office()
    answers = await asyncio.gather(*(service.tool.get(office) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {200}
    assert hermes.paths().count("/api/plugins/weather/mobile/manifest") < 5


async def test_a_page_reaches_its_own_plugin_only(service: Service, hermes: FakeHermes) -> None:
    bad = button("out", request={"path": "/api/plugins/other/save"})
    hermes.answers["/api/plugins/weather/pages/home"] = document({"type": "group", "id": "g", "children": [bad]})
    service.hosts.connect("office", hermes.url)
    office = await service.office()
    await service.person.put(f"{office}/weather", json={"enabled": True, "write": True})
    shown = await service.person.get(f"{office}/weather/home")
    if shown.status_code == 200:
        pressed = await service.person.post(
            f"{office}/weather/home/actions/out", json={"seen": shown.json()["seen"], "confirmed": True}
        )
        assert pressed.status_code == 403, json.dumps(pressed.json())
    assert hermes.paths("POST") == []


async def test_a_draft_elsewhere_is_kept_by_a_person_in_exactly_its_revision(
    service: Service, hermes: FakeHermes
) -> None:
    draft = {"id": "trip", "title": "Trip", "document": {"path": "mobile/pages/trip"}, "status": "draft"}
    hermes.offer("hermes-relay", contributions=[{**draft, "digest": "sha256:new"}])
    promote = "/api/plugins/hermes-relay/mobile/plugins/trip/promote"
    hermes.answers[promote] = {"ok": True}
    service.hosts.connect("office", hermes.url)
    office = await service.office()
    address = f"{office.removesuffix('/pages')}/drafts/trip"
    new = {"expected_digest": "sha256:new"}
    assert kind(await service.tool.post(f"{address}/promote", json=new)) == (403, "approval-required")
    assert kind(await service.person.post(f"{address}/promote", json=new)) == (403, "action-not-sent")
    await service.person.put(f"{office}/hermes-relay", json={"enabled": True, "write": True})
    stale = await service.person.post(f"{address}/promote", json={"expected_digest": "sha256:old"})
    assert kind(stale) == (409, "draft-conflict")
    other = await service.person.post(f"{address.replace('trip', 'other')}/promote", json=new)
    assert kind(other) == (404, "unknown-page")
    assert hermes.paths("POST") == []
    assert (await service.person.post(f"{address}/promote", json=new)).json() == {"ok": True}
    assert [(call[1], call[3]) for call in hermes.asked if call[0] == "POST"] == [(promote, new)]
    hermes.answers[promote] = 409
    assert kind(await service.person.post(f"{address}/promote", json=new)) == (409, "draft-conflict")
    assert (await service.person.post(f"{address}/publish", json=new)).status_code == 422
