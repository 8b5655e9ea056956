"""The incidents of tests/cases that are about backends, played against a real server."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from loader.home import Home
from tests.backends.conftest import BackendHome, serving
from tests.server.fakes import TOKEN

pytestmark = [pytest.mark.anyio, pytest.mark.real]

# Split at line feeds only: a case's text may hold other separators.
LINES = (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text("utf-8").split("\n")
CASES = {case["id"]: case for case in (json.loads(line) for line in LINES if line)}


def lay(home: Home, case: dict[str, Any]) -> None:
    for name, text in case["input"]["files"].items():
        path = home.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def test_no_case_about_backends_is_left_out() -> None:
    played = {"disabled-backend-not-imported", "removed-route-still-answers"}
    assert {name for name, case in CASES.items() if case["kind"] == "backend"} == played


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_disabled_backend_is_not_imported(at: BackendHome, at_once: bool) -> None:
    case = CASES["disabled-backend-not-imported"]
    lay(at.home, case)
    ran = at.root / "plugins" / "peek" / "dashboard" / "ran"
    at.enable(*case["input"]["enabled"])
    async with serving(at.home, look=True, at_once=at_once) as served:
        statuses = [(await served.get("peek/x")).status_code]
        assert not ran.exists()
        at.enable("broken", "peek")
        statuses.append((await served.get("peek/x")).status_code)
        assert ran.exists()
        at.enable("broken")
        statuses.append((await served.get("peek/x")).status_code)
        assert statuses == case["expected"]["status"]
        for _ in range(2):
            assert (await served.get("broken/x")).status_code == 502
        assert len(served.errors) == 1 and served.errors[0].startswith("Failed to load plugin broken API routes")


async def test_a_removed_route_answers_no_more(at: BackendHome) -> None:
    case = CASES["removed-route-still-answers"]
    lay(at.home, case)
    at.enable("board")
    file = at.root / "plugins" / "board" / "dashboard" / "plugin_api.py"
    first = file.read_text()
    async with serving(at.home) as served:
        for number in range(4):
            for path in ("old", "both", "openapi.json"):
                assert (await served.get(f"board/{path}")).status_code == 200
            file.write_text(case["input"]["v2"])
            await served.http.post("/v1/reload", json={})
            answers = [await served.get(f"board/{path}") for path in ("old", "new", "both")]
            assert [answer.status_code for answer in answers] == case["expected"]["status"]
            assert (answers[1].json(), answers[2].json()) == ("new", case["expected"]["body_of_both"])
            routes = (await served.get("board/openapi.json")).json()["paths"]
            assert sorted(routes) == ["/api/plugins/board/both", "/api/plugins/board/new"]
            # What Python would take for the byte code of the next save: same size, same second.
            stale = file.with_name("__pycache__")
            stale.mkdir(exist_ok=True)
            (stale / f"plugin_api.cpython-311.opt-{number}.pyc").write_bytes(b"x")
            file.write_text(first)
            await served.http.post("/v1/reload", json={})


async def test_stale_byte_code_of_a_helper_is_not_used(at: BackendHome) -> None:
    import importlib.util
    import os
    import py_compile

    dashboard = at.package(
        "board",
        "from fastapi import APIRouter\nfrom . import helper\nrouter = APIRouter()\n"
        "@router.get('/v')\ndef v(): return helper.VALUE\n",
    )
    helper = dashboard / "helper.py"
    helper.write_text("VALUE = 1\n")
    os.utime(helper, (1_700_000_000, 1_700_000_000))
    py_compile.compile(str(helper), cfile=importlib.util.cache_from_source(str(helper)))
    helper.write_text("VALUE = 2\n")
    os.utime(helper, (1_700_000_000, 1_700_000_000))
    at.enable("board")
    async with serving(at.home) as served:
        assert (await served.get("board/v")).json() == 2


async def test_plugin_routes_need_the_token(at: BackendHome) -> None:
    case = CASES["plugin-routes-need-the-token"]
    lay(at.home, case)
    at.enable("board")
    async with serving(at.home) as served:
        statuses = []
        for method, path, token in case["input"]["requests"]:
            headers = {} if token is None else {"Authorization": f"Bearer {TOKEN if token == 'right' else token}"}
            async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
                # Spelled as it stands: a client's own tidying of the path would be no test.
                url = httpx.URL(f"http://127.0.0.1:{served.port}").copy_with(raw_path=path.encode())
                statuses.append((await http.request(method, url, headers=headers)).status_code)
        assert statuses == case["expected"]["status"]


async def test_a_plugins_token_opens_its_own_backend_only(at: BackendHome) -> None:
    for name in ("board", "other"):
        at.package(name, "from fastapi import APIRouter\nrouter = APIRouter()\n@router.get('/v')\ndef v(): return 1\n")
    at.enable("board", "other")
    async with serving(at.home) as served:
        token = served.parts.credentials.mint("board", "r1")
        headers = {"Authorization": f"Bearer {token}"}
        assert (await served.get("board/v", headers=headers)).status_code == 200
        assert (await served.get("other/v", headers=headers)).status_code == 403
        assert (await served.http.get("/v1/backends", headers=headers)).status_code == 403
        served.parts.credentials.retire(token)
        assert (await served.get("board/v", headers=headers)).status_code == 401
