"""What an agent asks for waits for a person, and is answered on exactly what was looked at."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from loader.nouns import Origin, RequestsChanged
from loader.packages.asking import LIFE_S, WAITING_LIMIT
from loader.packages.grants import Grants
from tests.packages.conftest import make_app
from tests.packages.test_shelf import asking
from tests.server.routes.test_packages import APP, BOTH, Service, installed, kind
from tests.server.routes.test_packages import service as service

pytestmark = pytest.mark.anyio


async def test_an_agents_install_waits_for_a_person(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    body = {"path": str(source), "approve": {"apis": ["storage", "ai"]}, "enable": True}
    answer = await service.agent.post("/v1/packages/install", json=body, headers={"Hermes-Face": "mcp"})
    assert kind(answer) == (403, "approval-required")
    told = answer.json()
    assert (told["approval_required"], told["request"], told["id"]) == (True, 1, APP)
    assert told["approval_endpoint"] == "/v1/packages/requests/1"
    assert told["grants"] == {"apis": ["storage"], "capabilities": []}, "never more than was asked for"
    assert told["probe"]["digest"] == told["digest"]
    assert service.packages.installed() == ()
    assert service.said == [RequestsChanged(1)]
    assert kind(await service.agent.get("/v1/packages/requests")) == (403, "approval-required")
    assert kind(await service.agent.post("/v1/packages/requests/1", json={"approve": True})) == (
        403,
        "approval-required",
    )
    (asked,) = (await service.person.get("/v1/packages/requests")).json()["requests"]
    assert (asked["by"], asked["id"], asked["expires_in_s"]) == ("mcp", APP, LIFE_S)
    assert (await service.agent.get("/v1/packages/requests/1")).json() == {"request": 1, "state": "waiting"}
    done = (await service.person.post("/v1/packages/requests/1", json={"approve": True})).json()
    assert (done["state"], done["package"]["approved"]["apis"]) == ("approved", ["storage"])
    assert done["package"]["enabled"] is False, "tools were not approved"
    assert (await service.agent.get("/v1/packages/requests/1")).json()["state"] == "approved"
    assert service.said == [RequestsChanged(1), RequestsChanged(0)]
    assert service.audit() == [("mcp", "install", APP, "asked"), ("person", "install", APP, "done")]


async def test_an_agents_update_shows_all_that_would_be_granted(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    await installed(service, source, approve={"apis": ["storage"], "capabilities": []})
    make_app(source, text="two")
    body = {"installed": APP, "approve": {"apis": ["tools"], "capabilities": []}}
    told = (await service.agent.post("/v1/packages/install", json=body)).json()
    assert told["grants"] == {"apis": ["storage", "tools"], "capabilities": []}
    done = (await service.person.post(told["approval_endpoint"], json={"approve": True})).json()
    assert done["package"]["approved"] == told["grants"]


async def test_a_persons_no_is_a_no(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    await service.agent.post("/v1/packages/install", json={"path": str(source)})
    done = (await service.person.post("/v1/packages/requests/1", json={"approve": False})).json()
    assert done == {"request": 1, "state": "refused"}
    assert service.packages.installed() == ()
    again = await service.person.post("/v1/packages/requests/1", json={"approve": True})
    assert kind(again) == (404, "unknown-request")
    assert service.audit()[-1] == ("person", "install", APP, "refused")


async def test_a_source_that_changed_meanwhile_has_to_be_asked_for_anew(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    await service.agent.post("/v1/packages/install", json={"path": str(source)})
    (source / "app.js").write_text("evil()")
    late = await service.person.post("/v1/packages/requests/1", json={"approve": True})
    assert kind(late) == (409, "package-changed")
    assert service.packages.installed() == ()
    assert (await service.agent.get("/v1/packages/requests/1")).json()["state"] == "changed"
    assert (await service.person.get("/v1/packages/requests")).json() == {"requests": []}
    answer = await service.agent.post("/v1/packages/install", json={"path": str(source)})
    assert answer.json()["request"] == 2


async def test_an_agents_approval_waits_and_belongs_to_the_installed_bytes(service: Service, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    await installed(service, source)
    answer = await service.agent.put(f"/v1/packages/{APP}/grants", json=BOTH)
    assert kind(answer) == (403, "approval-required")
    told = answer.json()
    assert (told["action"], told["grants"]) == ("approve", BOTH)
    assert service.packages.entry(APP).consent.approved == Grants()
    again = await service.agent.put(f"/v1/packages/{APP}/grants", json=BOTH)
    assert again.json()["request"] == told["request"], "the same wish is one request"
    make_app(source, text="another one")
    await installed(service, source, force=True)
    late = await service.person.post(f"/v1/packages/requests/{told['request']}", json={"approve": True})
    assert kind(late) == (409, "package-changed")
    await service.agent.put(f"/v1/packages/{APP}/grants", json=BOTH)
    done = await service.person.post("/v1/packages/requests/2", json={"approve": True})
    assert done.json()["package"]["approved"] == BOTH
    taken = await service.agent.put(f"/v1/packages/{APP}/grants", json={})
    assert taken.json()["approved"] == {"apis": [], "capabilities": []}, "to allow less needs nobody's leave"


async def test_requests_are_few_and_do_not_last(service: Service, tmp_path: Path) -> None:
    for number in range(WAITING_LIMIT):
        source = make_app(tmp_path / str(number), f"com.example.a{number}")
        assert kind(await service.agent.post("/v1/packages/install", json={"path": str(source)}))[0] == 403
    one_more = make_app(tmp_path / "more", "com.example.more")
    full = await service.agent.post("/v1/packages/install", json={"path": str(one_more)})
    assert kind(full) == (503, "packages-busy")
    service.clock.now_s = LIFE_S
    assert (await service.person.get("/v1/packages/requests")).json() == {"requests": []}
    assert (await service.agent.get("/v1/packages/requests/1")).json()["state"] == "expired"
    assert kind(await service.person.post("/v1/packages/requests/1", json={"approve": True})) == (
        404,
        "unknown-request",
    )
    assert service.packages.installed() == ()


async def test_an_agent_may_turn_on_what_a_person_approved_and_remove_it(service: Service, tmp_path: Path) -> None:
    await installed(service, make_app(tmp_path / "app"), approve=BOTH)
    assert (await service.agent.put(f"/v1/packages/{APP}/enabled", json={"enabled": True})).json()["enabled"] is True
    assert (await service.agent.delete(f"/v1/packages/{APP}")).json()["uninstalled"] is True


async def test_the_inventorys_own_switch_asks_for_the_approval_too(service: Service, tmp_path: Path) -> None:
    await installed(service, asking(tmp_path / "p"))
    running = service.pipeline.save("notes")
    origin = Origin("elsewhere", "", None, "0.0.0", "2026-01-02T03:04:05Z")
    service.pipeline.rows[running.key] = dataclasses.replace(service.pipeline.rows[running.key], origin=origin)
    refused = await service.agent.put("/v1/plugins/notes/enabled", json={"enabled": True})
    assert kind(refused) == (422, "invalid")
    assert "hermes-desktop approve notes --api storage" in refused.json()["detail"]
    assert (await service.agent.put("/v1/plugins/notes/enabled", json={"enabled": False})).status_code == 200
    assert service.audit()[-2:] == [("tool", "enable", "notes", "refused"), ("tool", "disable", "notes", "done")]
