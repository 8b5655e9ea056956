"""The package among the examples hangs together: one name everywhere, and a backend that answers."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import httpx
import pytest
from fastapi import FastAPI
from ruamel.yaml import YAML

PACKAGE = Path(__file__).parents[2] / "example_plugins" / "team-board"


def _manifest() -> dict[str, str]:
    manifest: dict[str, str] = json.loads((PACKAGE / "dashboard" / "manifest.json").read_text(encoding="utf-8"))
    return manifest


def _backend() -> ModuleType:
    # By path and without a package, as Hermes mounts it.
    spec = importlib.util.spec_from_file_location("team_board_api", PACKAGE / "dashboard" / _manifest()["api"])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_folder_manifests_and_desktop_half_carry_one_name() -> None:
    agent = YAML(typ="safe").load((PACKAGE / "plugin.yaml").read_text(encoding="utf-8"))
    desktop = (PACKAGE / "desktop" / "plugin.js").read_text(encoding="utf-8")
    assert (agent["name"], _manifest()["name"]) == (PACKAGE.name, PACKAGE.name)
    assert f"id: '{PACKAGE.name}'" in desktop


@pytest.mark.anyio
async def test_the_backend_keeps_cards() -> None:
    app = FastAPI()
    app.include_router(_backend().router, prefix="/api/plugins/team-board")
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test/api/plugins/team-board") as client:
        assert (await client.get("/cards")).json() == {"cards": []}
        made = await client.post("/cards", json={"title": "  Write tests  "})
        assert (made.status_code, made.json()) == (201, {"id": 1, "title": "Write tests", "done": False})
        assert (await client.put("/cards/1/done", params={"done": True})).json()["done"] is True
        assert (await client.put("/cards/2/done")).status_code == 404
        assert (await client.post("/cards", json={"title": "   "})).status_code == 422
        assert len((await client.get("/cards")).json()["cards"]) == 1
