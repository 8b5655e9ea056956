"""The routes of React: everybody may look, a person agrees, and to what was shown only."""

from __future__ import annotations

import pytest

from tests.server.conftest import InProcess

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody listens there: whatever is fetched after all fails at once.
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9")


def person(app: InProcess) -> dict[str, str]:
    session = app.parts.credentials.redeem(app.parts.credentials.issue_code())
    assert session is not None
    return {"Authorization": f"Bearer {session.token}"}


async def test_the_plan_is_shown_to_whoever_has_a_token(app: InProcess) -> None:
    told = (await app.tool.get("/v1/react")).json()
    assert (told["ready"], told["registry"]) == (False, "http://127.0.0.1:9")
    assert {package["name"] for package in told["packages"]} == {"react", "react-dom", "scheduler"}
    assert (await app.http.get("/v1/react")).status_code == 401
    assert (await app.http.get("/workbench/vendor/react.js")).status_code == 404


async def test_only_a_person_agrees_and_to_what_was_shown(app: InProcess) -> None:
    shown = {"registry": "http://127.0.0.1:9"}
    assert (await app.tool.post("/v1/react", json=shown)).json()["type"].endswith(":approval-required")
    other = await app.http.post("/v1/react", json={"registry": "https://registry.npmjs.org"}, headers=person(app))
    assert (other.status_code, other.json()["type"].rpartition(":")[2]) == (409, "refused")
