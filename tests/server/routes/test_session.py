import httpx
import pytest

from loader.server.parts import require_person
from loader.server.problems import Problem
from loader.server.sessions import Person, Tool
from tests.server.conftest import InProcess

pytestmark = pytest.mark.anyio


async def test_health_says_little_to_strangers_and_more_to_those_who_may_know(app: InProcess) -> None:
    assert (await app.http.get("/v1/health")).json() == {"status": "ok"}
    wrong = await app.http.get("/v1/health", headers={"Authorization": "Bearer wrong"})
    assert wrong.json() == {"status": "ok"}
    app.pipeline.save("clock")
    known = {"status": "ok", "version": "0.1.0", "root": "/root", "home": "/root", "instance": "i1", "seq": 1}
    assert (await app.tool.get("/v1/health")).json() == known


async def test_a_code_lets_a_person_in_once(app: InProcess) -> None:
    made = (await app.tool.post("/v1/session/code")).json()
    assert made["expires_in_s"] == 60
    entered = await app.http.post("/v1/session", json={"code": made["code"]})
    session = entered.json()
    assert session["expires_in_s"] > 0 and set(session) == {"token", "expires_in_s"}
    rows = await app.http.get("/v1/plugins", headers={"Authorization": f"Bearer {session['token']}"})
    assert rows.status_code == 200
    again = await app.http.post("/v1/session", json={"code": made["code"]})
    assert again.status_code == 403 and again.json()["type"].endswith(":wrong-code")


async def test_a_wrong_code_is_refused_and_not_repeated(app: InProcess) -> None:
    for body in ({"code": "s3cret-guess"}, {"code": "s3cret-guess" * 100}, {"code": ["s3cret-guess"]}):
        response = await app.http.post("/v1/session", json=body)
        assert response.status_code in (403, 422)
        assert "s3cret-guess" not in response.text


async def test_a_code_is_for_tools_and_persons_only(app: InProcess) -> None:
    app.pipeline.save("clock")
    assert (await app.http.post("/v1/session/code")).status_code == 401
    token = app.parts.credentials.mint("clock", "ab")
    refused = await app.http.post("/v1/session/code", headers={"Authorization": f"Bearer {token}"})
    assert refused.status_code == 403


def test_what_only_a_person_may_do_asks_for_one() -> None:
    require_person(Person())
    for other in (Tool(), None):
        with pytest.raises(Problem) as refused:
            require_person(other)
        assert (refused.value.kind.slug, refused.value.kind.status) == ("approval-required", 403)


async def test_the_page_is_static_and_locked_down(app: InProcess) -> None:
    page: httpx.Response = await app.http.get("/")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    # Previews show style attributes, and their policy cannot be wider than the page's.
    assert "unsafe" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    assert page.headers["x-frame-options"] == "DENY"
    assert "set-cookie" not in page.headers
    assert (await app.http.head("/")).status_code == 200


@pytest.mark.parametrize("path", ["/workbench/nosuch.js", "/workbench/", "/workbench"])
async def test_files_of_the_page_that_are_not_there_are_problems_too(app: InProcess, path: str) -> None:
    response = await app.http.get(path)
    assert response.status_code in (401, 404)
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "path", ["/workbench/..%2fserver%2fapp.py", "/workbench/%2e%2e/server/app.py", "/workbench//etc/passwd"]
)
async def test_the_page_is_no_way_to_other_files(app: InProcess, path: str) -> None:
    assert (await app.http.get(path)).status_code == 401
    assert (await app.tool.get(path)).status_code == 404


async def test_the_pages_own_files_need_no_token(app: InProcess) -> None:
    response = await app.http.get("/workbench/index.html")
    assert response.status_code == 200 and "content-security-policy" in response.headers
