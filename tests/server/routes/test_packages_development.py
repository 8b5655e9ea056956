"""A web app under development through the control plane: a person's yes counts for the manifest that was shown."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.packages.dev_server import DevServer, dev_server
from tests.server.routes.test_packages import Service, kind
from tests.server.routes.test_packages import service as service

APP = "com.example.board"


def manifest(*apis: str) -> str:
    return json.dumps({"kind": "web-app", "id": APP, "name": "Board", "requestedApis": [*apis]})


@pytest.fixture
def server() -> Iterator[DevServer]:
    with dev_server({"plugin.json": manifest("tools")}) as server:
        yield server


@pytest.mark.anyio
async def test_a_person_is_told_that_there_is_no_network_wall_and_answers_for_one_manifest(
    service: Service, server: DevServer
) -> None:
    named = {"source": server.url}
    probe = (await service.person.post("/v1/packages/probe", json=named)).json()
    assert (probe["id"], probe["kind"], probe["installable"]) == (APP, "web-app", True)
    assert ("no network wall" in probe["warning"], probe["served_from"]) == (True, server.url)
    server.files["plugin.json"] = manifest("tools", "ai")
    late = await service.person.post("/v1/packages/install", json=named | {"digest": probe["digest"]})
    assert kind(late)[0] == 409
    probe = (await service.person.post("/v1/packages/probe", json=named)).json()
    done = await service.person.post("/v1/packages/install", json=named | {"digest": probe["digest"]})
    assert (done.status_code, done.json()["enabled"], done.json()["lacks"]) == (200, False, ["ai", "tools"])
    walled = service.parts.shelf.get(APP)
    assert walled is not None
    assert (walled.url, walled.folder, walled.enabled) == (server.url, None, False)
    assert (await service.person.delete(f"/v1/packages/{APP}")).status_code == 200
    assert service.parts.shelf.get(APP) is None


@pytest.mark.anyio
async def test_for_an_agent_it_waits_for_a_person(service: Service, server: DevServer) -> None:
    asked = await service.agent.post("/v1/packages/install", json={"source": server.url})
    assert "approval" in kind(asked)[1]
    (waiting,) = (await service.person.get("/v1/packages/requests")).json()["requests"]
    assert "no network wall" in json.dumps(waiting)
    assert service.parts.shelf.get(APP) is None
