"""``/v1/packages`` and its calls over JSON-RPC: agents ask, a person decides, and nothing else is ever done."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from loader.home import Home
from loader.nouns import RequestsChanged
from loader.packages.asking import Requests
from loader.packages.audit import Audit
from loader.packages.control import Control
from loader.packages.install import Packages
from loader.packages.shelf import HomeShelf
from loader.packages.standings import Standings
from loader.server.app import create_app
from loader.server.controlling import Controlling
from loader.server.desk import Desk
from loader.server.hub import Client
from loader.server.jsonrpc import object_of
from loader.server.parts import Parts
from loader.server.requests import Request, decode
from loader.server.sessions import Caller, Person, Tool
from loader.testing import FakeAnalyzer
from tests.packages.conftest import make_app, make_package, make_plugin
from tests.server.conftest import AUTH, BASE
from tests.server.fakes import FakePipeline, make

pytestmark = pytest.mark.anyio

APP = "com.example.board"
BOTH = {"apis": ["storage", "tools"], "capabilities": ["read-only"]}


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@dataclasses.dataclass
class Service:
    home: Home
    parts: Parts
    pipeline: FakePipeline
    agent: httpx.AsyncClient
    person: httpx.AsyncClient
    clock: Clock
    said: list[Any]

    @property
    def packages(self) -> Packages:
        return Packages(self.home)

    def audit(self) -> list[tuple[str, str, str, str]]:
        return [(e.caller, e.action, e.id, e.outcome) for e in Audit(self.home).last(100)]

    async def rpc(self, credential: Caller, method: str, **params: Any) -> dict[str, Any]:
        """A call as ``/v1/events`` carries it out; the answer's frame."""
        client = Client(self.parts.hub, 100, 10_000_000)
        client.credential = credential
        request = decode(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
        assert isinstance(request, Request)
        await self.parts.desk.handle(client, request)
        return object_of(await client.next_text())


@pytest.fixture
async def service(tmp_path: Path, anyio_backend: str) -> AsyncIterator[Service]:
    root = tmp_path / "home"
    root.mkdir()
    home = Home(root, root, None, "a test")
    parts, pipeline = make()
    standings, clock, said = Standings(home), Clock(), list[Any]()
    shelf = HomeShelf(home, standings, pipeline.find, pipeline.refresh)
    requests = Requests(lambda: said.append(RequestsChanged(len(requests.waiting()))), now_s=clock)
    control = Control(home, FakeAnalyzer(), shelf.refresh, requests=requests)
    controlling = Controlling(control, standings, shelf, lambda: pipeline)
    desk = Desk(parts.hub, pipeline, parts.policy, parts.credentials, parts.exports, parts.wall, controlling)
    parts = dataclasses.replace(parts, shelf=shelf, controlling=controlling, desk=desk)
    asgi = create_app(parts)
    session = parts.credentials.redeem(parts.credentials.issue_code())
    assert session is not None

    def client(headers: dict[str, str]) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(asgi, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers)

    async with client(AUTH) as agent, client({"Authorization": f"Bearer {session.token}"}) as person:
        yield Service(home, parts, pipeline, agent, person, clock, said)


def kind(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


async def installed(service: Service, source: Path, **more: Any) -> dict[str, Any]:
    """As a person does it: look, then say yes to what was shown."""
    probe = (await service.person.post("/v1/packages/probe", json={"path": str(source)})).json()
    body = {"path": str(source), "digest": probe["digest"], **more}
    answer = await service.person.post("/v1/packages/install", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


# ---------------------------------------------------------------- a person


async def test_a_person_looks_installs_approves_turns_on_opens_and_removes(service: Service, tmp_path: Path) -> None:
    row = await installed(service, make_app(tmp_path / "app"))
    assert (row["id"], row["enabled"], row["walled"], row["lacks"]) == (APP, False, True, ["storage", "tools"])
    refused = await service.person.put(f"/v1/packages/{APP}/enabled", json={"enabled": True})
    assert kind(refused) == (422, "invalid")
    assert "hermes-desktop approve" in refused.json()["detail"]
    closed = await service.person.post(f"/v1/packages/{APP}/open")
    assert kind(closed) == (422, "invalid")
    row = (
        await service.person.put(f"/v1/packages/{APP}/grants", json=BOTH | {"apis": ["storage", "tools", "cdp"]})
    ).json()
    assert row["approved"] == BOTH
    row = (await service.person.put(f"/v1/packages/{APP}/enabled", json={"enabled": True})).json()
    assert row["enabled"] is True
    walled = service.parts.shelf.get(APP)
    assert walled is not None
    assert walled.enabled
    opened = (await service.person.post(f"/v1/packages/{APP}/open")).json()
    assert opened == {"id": APP, "url": f"/#/app/{APP}"}
    listed = (await service.agent.get("/v1/packages")).json()["packages"]
    assert [package["id"] for package in listed] == [APP]
    removed = await service.person.delete(f"/v1/packages/{APP}")
    assert removed.json() == {"id": APP, "uninstalled": True, "purged": False}
    assert service.parts.shelf.all() == ()
    assert (await service.agent.get("/v1/packages")).json() == {"packages": []}
    assert service.audit() == [
        ("person", "install", APP, "done"),
        ("person", "enable", APP, "refused"),
        ("person", "approve", APP, "done"),
        ("person", "enable", APP, "done"),
        ("person", "uninstall", APP, "done"),
    ]


async def test_a_person_says_yes_to_what_they_were_shown_only(service: Service, tmp_path: Path) -> None:
    source = make_plugin(tmp_path / "p", "notes")
    blind = await service.person.post("/v1/packages/install", json={"path": str(source)})
    assert kind(blind) == (422, "invalid")
    probe = (await service.person.post("/v1/packages/probe", json={"path": str(source)})).json()
    make_plugin(source, "notes", version=2)
    late = await service.person.post("/v1/packages/install", json={"path": str(source), "digest": probe["digest"]})
    assert kind(late) == (409, "package-changed")
    assert service.packages.installed() == ()
    assert service.audit()[-1][3] == "changed"


async def test_a_person_installs_approves_and_turns_on_in_one(service: Service, tmp_path: Path) -> None:
    row = await installed(service, make_app(tmp_path / "app"), approve=BOTH, enable=True)
    assert (row["enabled"], row["approved"]) == (True, BOTH)


async def test_parts_by_checkbox(service: Service, tmp_path: Path) -> None:
    source = make_package(tmp_path / "pack")
    probe = (await service.person.post("/v1/packages/probe", json={"path": str(source)})).json()
    assert probe["choices"] == ["desktop", "agent", "backend", "skills"]
    await installed(service, source, without=["backend", "agent"])
    names = sorted(path.name for path in (service.home.root / "plugins" / "pack").iterdir())
    assert names == ["desktop", "skills"]


async def test_an_update_looks_where_it_came_from(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    await installed(service, source)
    make_app(source, text="two", apis=("tools", "storage", "ai"))
    probe = (await service.person.post("/v1/packages/probe", json={"installed": APP})).json()
    assert probe["change"]["files"]["changed"] == ["index.html", "plugin.json"]
    assert probe["change"]["requests_more"] == {"apis": ["ai"], "capabilities": []}
    body = {"installed": APP, "digest": probe["digest"]}
    assert (await service.person.post("/v1/packages/install", json=body)).json()["lacks"] == ["ai", "storage", "tools"]
    assert service.audit()[-1] == ("person", "update", APP, "done")


@pytest.mark.parametrize(
    ("before", "after", "older"),
    [("1.10.0", "1.9.9", True), ("1.9.0", "1.10.0", False), ("1.0.0", "1.0.0-rc.1", False), ("2.0.0", "0.0.0", True)],
)
async def test_an_update_says_both_versions_and_which_is_older(
    service: Service, tmp_path: Path, before: str, after: str, older: bool
) -> None:
    source = make_app(tmp_path / "app")
    manifest = json.loads((source / "plugin.json").read_text())
    for version in (before, after):
        (source / "plugin.json").write_text(json.dumps(manifest | {"version": version}))
        if version == before:
            await installed(service, source)
    probe = (await service.person.post("/v1/packages/probe", json={"installed": APP})).json()
    assert (probe["name"], probe["version"]) == ("Board", after)
    assert probe["change"]["versions"] == {"before": before, "after": after, "older": older}


async def test_an_update_shows_the_code_that_changes(service: Service, tmp_path: Path) -> None:
    source = make_plugin(tmp_path / "p", "notes")
    await installed(service, source)
    make_plugin(source, "notes", version=2)
    change = (await service.person.post("/v1/packages/probe", json={"installed": "notes"})).json()["change"]
    assert [line[:1] for line in change["code"][-2:]] == ["-", "+"]
    assert ("v1" in change["code"][-2], "v2" in change["code"][-1]) == (True, True)
    assert (change["code_more"], change["versions"]) == (0, None)


async def test_what_is_no_longer_ticked_in_an_update_is_taken_back(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    await installed(service, source, approve=BOTH, enable=True)
    make_app(source, text="two")
    probe = (await service.person.post("/v1/packages/probe", json={"installed": APP})).json()
    assert probe["keeps"] == BOTH
    body = {"installed": APP, "digest": probe["digest"], "approve": {"apis": ["storage"], "capabilities": []}}
    row = (await service.person.post("/v1/packages/install", json=body)).json()
    assert row["approved"] == body["approve"]
    assert (row["enabled"], row["lacks"]) == (False, ["tools"])
    make_app(source, text="three")
    probe = (await service.person.post("/v1/packages/probe", json={"installed": APP})).json()
    row = (await service.person.post("/v1/packages/install", json={"installed": APP, "digest": probe["digest"]})).json()
    assert row["approved"] == body["approve"], "where nothing is said of it, it stays"


async def test_parts_that_were_left_out_stay_out_of_an_update_until_somebody_ticks_them(
    service: Service, tmp_path: Path
) -> None:
    source = make_package(tmp_path / "pack")
    folder = service.home.root / "plugins" / "pack"

    def names() -> list[str]:
        return sorted(path.name for path in folder.iterdir())

    await installed(service, source, without=["backend", "agent"])
    (source / "skills" / "write" / "SKILL.md").write_text("# Write more")
    probe = (await service.person.post("/v1/packages/probe", json={"installed": "pack"})).json()
    assert (probe["choices"], probe["without"]) == (["desktop", "skills", "agent", "backend"], ["agent", "backend"])
    body = {"installed": "pack", "digest": probe["digest"]}
    assert (await service.person.post("/v1/packages/install", json=body)).status_code == 200
    assert names() == ["desktop", "skills"]
    asked = (await service.agent.post("/v1/packages/install", json={"installed": "pack"})).json()
    assert asked["without"] == ["agent", "backend"], "an agent's update brings nothing back either"
    assert (await service.person.post("/v1/packages/install", json=body | {"without": ["agent"]})).status_code == 200
    assert names() == ["dashboard", "desktop", "skills"]


async def test_a_persons_word_about_a_row_is_about_what_it_showed(service: Service, tmp_path: Path) -> None:
    shown = await installed(service, make_app(tmp_path / "app"))
    make_app(tmp_path / "app", text="other bytes")
    now = await installed(service, tmp_path / "app", force=True)
    assert now["revision"] != shown["revision"]
    late = await service.person.put(f"/v1/packages/{APP}/grants", json=BOTH | {"revision": shown["revision"]})
    assert kind(late) == (409, "package-changed")
    assert service.packages.entry(APP).consent.approved.apis == frozenset()
    row = await service.person.put(f"/v1/packages/{APP}/grants", json=BOTH | {"revision": now["revision"]})
    assert row.json()["approved"] == BOTH
    first = await installed(service, make_plugin(tmp_path / "p", "notes"))
    make_plugin(tmp_path / "p", "notes", version=2)
    await installed(service, tmp_path / "p", force=True)
    body = {"trusted": True, "revision": first["revision"]}
    assert kind(await service.person.put("/v1/packages/notes/trust", json=body)) == (409, "package-changed")
    assert service.packages.entry("notes").consent.trusted is False
    assert service.audit()[-1] == ("person", "trust", "notes", "changed")


async def test_trust_and_a_purge_are_a_persons_word(service: Service, tmp_path: Path) -> None:
    await installed(service, make_plugin(tmp_path / "p", "notes"))
    for client, code in ((service.agent, 403), (service.person, 200)):
        answer = await client.put("/v1/packages/notes/trust", json={"trusted": True})
        assert answer.status_code == code
    assert service.parts.shelf.get("notes") is None
    assert (await service.agent.put("/v1/packages/notes/trust", json={"trusted": False})).status_code == 200
    assert service.parts.shelf.get("notes") is not None
    assert kind(await service.agent.delete("/v1/packages/notes?purge=true")) == (403, "approval-required")
    assert (await service.person.delete("/v1/packages/notes?purge=true")).json()["purged"] is True


# ---------------------------------------------------------------- what is no wish


@pytest.mark.parametrize(
    ("body", "code", "slug"),
    [
        ({}, 422, "invalid"),
        ({"source": "a/b", "path": "/x"}, 422, "invalid"),
        ({"path": "relative"}, 422, "invalid"),
        ({"source": "./relative"}, 422, "invalid"),
        ({"path": "/nothing/there"}, 422, "invalid"),
        ({"link": "https://example.org"}, 422, "invalid"),
        ({"link": "hermes://plugin/install?repo=file:///etc"}, 422, "invalid"),
        ({"repository": "--upload-pack=x"}, 422, "invalid"),
        ({"repository": "ada/board", "ref": "main"}, 422, "invalid"),
        ({"installed": "nothing"}, 404, "unknown-package"),
        ({"source": "x" * 5000}, 422, "invalid"),
        ({"source": 7}, 422, "invalid"),
        ({"path": "/x", "without": "agent"}, 422, "invalid"),
    ],
)
async def test_a_wish_names_exactly_one_source(service: Service, body: dict[str, Any], code: int, slug: str) -> None:
    for client in (service.agent, service.person):
        for route in ("probe", "install"):
            digest = {"digest": "sha256:0"} if route == "install" else {}
            answer = await client.post(f"/v1/packages/{route}", json=body | digest)
            assert kind(answer) == (code, slug), answer.text
    assert service.packages.installed() == ()


async def test_hostile_ids_are_no_packages(service: Service) -> None:
    for name in ("..%2f..%2fetc", "a" * 200, "%00", "con.example", "No.Such"):
        assert (await service.person.put(f"/v1/packages/{name}/enabled", json={"enabled": True})).status_code in (
            404,
            422,
        )
        assert (await service.person.delete(f"/v1/packages/{name}")).status_code in (404, 422)


async def test_a_plugins_token_opens_none_of_it(service: Service) -> None:
    token = service.parts.credentials.mint("notes", "ab")
    headers = {"Authorization": f"Bearer {token}"}
    for method, path in (
        ("GET", "/v1/packages"),
        ("GET", "/v1/packages/audit"),
        ("POST", "/v1/packages/probe"),
        ("POST", "/v1/packages/install"),
        ("PUT", "/v1/packages/notes/grants"),
        ("PUT", "/v1/packages/notes/trust"),
        ("PUT", "/v1/packages/notes/enabled"),
        ("DELETE", "/v1/packages/notes"),
        ("POST", "/v1/packages/notes/open"),
        ("GET", "/v1/packages/requests"),
        ("POST", "/v1/packages/requests/1"),
    ):
        answer = await service.agent.request(method, path, headers=headers)
        assert kind(answer) == (403, "not-yours"), path


# ---------------------------------------------------------------- the same over JSON-RPC


async def test_the_calls_of_agents_over_json_rpc(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    told = (await service.rpc(Tool(), "install_plugin", path=str(source)))["result"]
    assert (told["approval_required"], told["request"]) == (True, 1)
    await service.person.post("/v1/packages/requests/1", json={"approve": True})
    told = (await service.rpc(Tool(), "approve_plugin_grants", id=APP, **BOTH))["result"]
    assert (told["approval_required"], told["action"]) == (True, "approve")
    refused = await service.rpc(Tool(), "set_plugin_enabled", id=APP, enabled=True)
    assert "hermes-desktop approve" in refused["error"]["message"]
    await service.person.post("/v1/packages/requests/2", json={"approve": True})
    assert (await service.rpc(Tool(), "set_plugin_enabled", id=APP, enabled=True))["result"]["enabled"] is True
    assert (await service.rpc(Tool(), "open_plugin_tab", id=APP))["result"]["url"] == f"/#/app/{APP}"
    listed = (await service.rpc(Tool(), "list_plugins"))["result"]
    assert (listed["plugins"], [package["id"] for package in listed["packages"]]) == ([], [APP])
    assert (await service.rpc(Tool(), "uninstall_plugin", id=APP))["result"]["uninstalled"] is True
    assert "was not installed" in (await service.rpc(Tool(), "uninstall_plugin", id=APP))["error"]["message"]


async def test_a_person_over_json_rpc_says_yes_to_a_digest(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    blind = await service.rpc(Person(), "install_plugin", path=str(source))
    assert "probe it first" in blind["error"]["message"]
    probe = (await service.person.post("/v1/packages/probe", json={"path": str(source)})).json()
    done = await service.rpc(Person(), "install_plugin", path=str(source), digest=probe["digest"])
    assert done["result"]["id"] == APP
    assert (await service.rpc(Person(), "approve_plugin_grants", id=APP, **BOTH))["result"]["approved"] == BOTH


async def test_a_service_without_packages_says_so(anyio_backend: str) -> None:
    parts, _ = make()
    client = Client(parts.hub, 100, 10_000)
    request = decode('{"jsonrpc": "2.0", "id": 1, "method": "list_plugins"}')
    assert isinstance(request, Request)
    await parts.desk.handle(client, request)
    assert object_of(await client.next_text())["error"]["code"] == -32601  # type: ignore[index,call-overload]


async def test_looks_stand_in_line_and_the_line_is_short(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    looks = [service.agent.post("/v1/packages/probe", json={"path": str(source)}) for _ in range(8)]
    answers = await asyncio.gather(*looks)
    assert {answer.status_code for answer in answers} == {200, 503}
    assert sum(answer.status_code == 200 for answer in answers) == 4
