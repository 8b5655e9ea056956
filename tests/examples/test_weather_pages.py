"""The example with pages: one name everywhere, pages that pass the check, and a write that a person confirms."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from ruamel.yaml import YAML

from loader.pages.check import check_page
from loader.pages.grants import Call, Choice, judge_action
from loader.pages.host import CatalogEntry, Fetched, Judged, open_page, probe

PACKAGE = Path(__file__).parents[2] / "example_plugins" / "weather-pages"
NAME = PACKAGE.name

pytestmark = pytest.mark.anyio


def _backend() -> ModuleType:
    # By path and without a package, as Hermes mounts it.
    spec = importlib.util.spec_from_file_location("weather_pages_api", PACKAGE / "dashboard" / "plugin_api.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
async def backend(anyio_backend: str) -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    app.include_router(_backend().router, prefix=f"/api/plugins/{NAME}")
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


def test_folder_manifests_and_desktop_half_carry_one_name() -> None:
    agent = YAML(typ="safe").load((PACKAGE / "plugin.yaml").read_text("utf-8"))
    dashboard = json.loads((PACKAGE / "dashboard" / "manifest.json").read_text("utf-8"))
    assert (agent["name"], dashboard["name"]) == (NAME, NAME)
    assert f"id: '{NAME}'" in (PACKAGE / "desktop" / "plugin.js").read_text("utf-8")


async def test_the_three_pages_pass_the_check_and_open(backend: httpx.AsyncClient) -> None:
    async def fetch(path: str, timeout_s: float) -> Fetched:
        answer = await backend.get(path)
        return Fetched(answer.status_code, answer.text)

    surface = await probe(CatalogEntry(NAME, NAME), fetch, Judged())
    assert surface.check is not None
    assert surface.check.findings == ()
    assert [page.id for page in surface.pages] == ["today", "week", "alerts"]
    for page in surface.pages:
        opened = await open_page(surface, page.id, fetch, Judged())
        assert opened.check is not None
        assert opened.check.findings == ()
        text = (await fetch(f"/api/plugins/{NAME}/{page.document.path}", 1.0)).text
        assert check_page(text, contributions=[page.id]).findings == ()


async def test_a_save_is_confirmed_granted_and_kept(backend: httpx.AsyncClient) -> None:
    document = (await backend.get(f"/api/plugins/{NAME}/mobile/pages/alerts")).json()
    (button,) = [one for one in document["pages"][0]["content"]["child"]["children"] if one["type"] == "button"]
    action = button["action"]
    granted = Choice(True, frozenset({"plugin.api.write"}))
    given: dict[str, Any] = {"choice": granted, "default_enabled": False, "asks": "confirmation" in action}
    request = action["request"]
    assert not isinstance(judge_action(NAME, request["method"], request["path"], confirmed=False, **given), Call)
    call = judge_action(NAME, request["method"], request["path"], confirmed=True, **given)
    assert isinstance(call, Call)
    state = document["initialState"] | {"city": {"type": "string", "value": " Oslo "}}
    assert (await backend.post(call.path, json={"arguments": {}, "state": state})).json() == {"ok": True}
    after = (await backend.get(f"/api/plugins/{NAME}/mobile/pages/alerts")).json()
    assert after["initialState"]["city"] == {"type": "string", "value": "Oslo"}
    assert after["host_revision"] != document["host_revision"]
    assert (await backend.get(f"/api/plugins/{NAME}/today")).json()["city"] == "Oslo"


@pytest.mark.parametrize("city", [{"type": "string", "value": "x" * 81}, {"type": "number", "value": 7}])
async def test_what_does_not_fit_is_refused(backend: httpx.AsyncClient, city: dict[str, Any]) -> None:
    answer = await backend.post(f"/api/plugins/{NAME}/mobile/alerts", json={"state": {"city": city}})
    assert answer.status_code == 422
