from typing import Any

import httpx
import pytest

from loader.reports.shape import plugin_json
from loader.server.routes.rows import Row
from tests.server.conftest import InProcess

pytestmark = pytest.mark.anyio


def kind(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["type"].rpartition(":")[2]


async def test_rows_come_sorted_by_key(app: InProcess) -> None:
    for name in ("zebra", "ant", "bee"):
        app.pipeline.save(name)
    rows = (await app.tool.get("/v1/plugins")).json()["plugins"]
    assert [row["id"] for row in rows] == ["ant", "bee", "zebra"]


async def test_a_row_is_found_by_id_and_by_key(app: InProcess) -> None:
    app.pipeline.save("clock")
    by_id = await app.tool.get("/v1/plugins/clock")
    by_key = await app.tool.get("/v1/plugins/standalone%3Aclock")
    assert by_id.json() == by_key.json() == plugin_json(app.pipeline.plugins()[0])


async def test_the_documented_row_is_the_row_that_is_sent(app: InProcess) -> None:
    app.pipeline.save("clock")
    app.pipeline.fail("clock")
    row = (await app.tool.get("/v1/plugins/clock")).json()
    assert Row.model_validate(row).model_dump() == row


@pytest.mark.parametrize("name", ["nosuch", "unified:clock", "%2e%2e", "Clock", "%00", "%F0%9F%98%80"])
async def test_a_name_that_nothing_goes_by_is_unknown(app: InProcess, name: str) -> None:
    app.pipeline.save("clock")
    assert (await app.tool.get(f"/v1/plugins/{name}")).status_code == 404
    assert (await app.tool.put(f"/v1/plugins/{name}/enabled", json={"enabled": True})).status_code == 404


async def test_the_source_is_the_verified_bytes(app: InProcess) -> None:
    running = app.pipeline.save("clock", "export default '😀'", bom=True)
    response = await app.tool.get("/v1/plugins/clock/source")
    assert response.content == running.source.data and response.content.startswith(b"\xef\xbb\xbf")
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.headers["etag"] == f'"{running.revision}"'


async def test_an_unchanged_source_is_not_sent_again(app: InProcess) -> None:
    etag = f'"{app.pipeline.save("clock").revision}"'
    for known, status in [(etag, 304), ("*", 304), (f'W/{etag}, "x"', 304), ('"other"', 200), (etag.strip('"'), 200)]:
        response = await app.tool.get("/v1/plugins/clock/source", headers={"If-None-Match": known})
        assert response.status_code == status, known


async def test_bytes_that_were_never_verified_are_not_served(app: InProcess) -> None:
    app.pipeline.fail("broken")
    assert kind(await app.tool.get("/v1/plugins/broken/source")) == (404, "no-source")


async def test_a_choice_is_made_and_forgotten(app: InProcess) -> None:
    app.pipeline.save("clock")
    off = await app.tool.put("/v1/plugins/clock/enabled", json={"enabled": False})
    assert (off.json()["choice"], off.json()["enabled"]) == (False, False)
    forgotten = await app.tool.put("/v1/plugins/standalone%3Aclock/enabled", json={"enabled": None})
    assert forgotten.json()["choice"] is None


@pytest.mark.parametrize("body", [{}, {"enabled": "false"}, {"enabled": 1}, [], "no", None])
async def test_a_choice_that_is_none_is_refused(app: InProcess, body: Any) -> None:
    app.pipeline.save("clock")
    assert kind(await app.tool.put("/v1/plugins/clock/enabled", json=body)) == (422, "invalid")


async def test_a_pin_is_set_and_taken_away(app: InProcess) -> None:
    app.pipeline.save("clock")
    assert (await app.tool.put("/v1/plugins/clock/integrity", json={"integrity": None})).json()["pinned"] is True
    assert (await app.tool.delete("/v1/plugins/clock/integrity")).json()["pinned"] is False
    malformed = await app.tool.put("/v1/plugins/clock/integrity", json={"integrity": "md5-x"})
    assert kind(malformed) == (422, "invalid") and "HP011" in malformed.json()["detail"]


async def test_a_heavy_plugin_is_allowed_and_held_again(app: InProcess) -> None:
    app.pipeline.save("clock")
    for allowed in (True, False):
        answer = await app.tool.put("/v1/plugins/standalone:clock/heavy", json={"allowed": allowed})
        assert (answer.status_code, answer.json()["id"]) == (200, "clock")
    assert app.pipeline.asked == [("allow_heavy", "clock", True), ("allow_heavy", "clock", False)]
    assert kind(await app.tool.put("/v1/plugins/clock/heavy", json={"allowed": "yes"})) == (422, "invalid")
    assert kind(await app.tool.put("/v1/plugins/nosuch/heavy", json={"allowed": True})) == (404, "unknown-plugin")


async def test_a_reload_answers_rows(app: InProcess) -> None:
    app.pipeline.save("clock")
    app.pipeline.save("notes")
    every = await app.tool.post("/v1/reload", json={})
    assert [row["id"] for row in every.json()["plugins"]] == ["clock", "notes"]
    one = await app.tool.post("/v1/reload", json={"ids": ["notes"], "wait_s": 0.5})
    assert [row["id"] for row in one.json()["plugins"]] == ["notes"]
    assert app.pipeline.asked == [("reload", None), ("reload", ["notes"]), ("wait", ["notes"], 0.5)]


async def test_a_reload_of_nothing_known_says_so(app: InProcess) -> None:
    response = await app.tool.post("/v1/reload", json={"ids": ["nosuch"]})
    assert kind(response) == (404, "unknown-plugin") and "nosuch" in response.json()["detail"]


@pytest.mark.parametrize(
    "body", [{"ids": "clock"}, {"ids": [1]}, {"wait_s": -1}, {"wait_s": 1e9}, {"wait_s": "1"}, {"wait_s": True}]
)
async def test_a_reload_that_does_not_fit_is_refused(app: InProcess, body: Any) -> None:
    assert kind(await app.tool.post("/v1/reload", json=body)) == (422, "invalid")
    assert app.pipeline.asked == []


async def test_errors_of_every_kind_are_problem_documents(app: InProcess, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError("a bug")

    app.pipeline.on_reload = fail
    json = {"Content-Type": "application/json"}
    answers = {
        404: await app.tool.get("/nowhere"),
        405: await app.tool.delete("/v1/plugins"),
        422: await app.tool.post("/v1/reload", content=b"{", headers=json),
        500: await app.tool.post("/v1/reload", json={}),
    }
    for status, response in answers.items():
        document = response.json()
        assert response.status_code == document["status"] == status
        assert response.headers["content-type"] == "application/problem+json"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert document["type"].startswith("urn:hermes-desktop:problem:") and document["title"] and document["detail"]
    assert answers[405].headers["allow"] == "GET, HEAD"
    assert "a bug" in caplog.text and "a bug" not in answers[500].text


async def test_only_a_person_has_a_plugins_file_shown(app: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    app.pipeline.save("clock")
    assert kind(await app.tool.post("/v1/plugins/clock/reveal", json={})) == (403, "approval-required")
    session = app.parts.credentials.redeem(app.parts.credentials.issue_code())
    assert session is not None
    person = {"Authorization": f"Bearer {session.token}"}
    told = (await app.http.post("/v1/plugins/clock/reveal", json={}, headers=person)).json()
    assert (told["shown"], told["why"]) == (False, "the file is not there")
    assert kind(await app.http.post("/v1/plugins/..%2fclock/reveal", json={}, headers=person))[0] == 404


async def test_a_method_that_a_path_does_not_take_is_told_all_that_it_takes(app: InProcess) -> None:
    app.pipeline.save("clock")
    answer = await app.tool.post("/v1/plugins/clock/integrity", json={})
    assert (kind(answer), answer.headers["allow"]) == ((405, "method-not-allowed"), "DELETE, PUT")


@pytest.mark.parametrize(
    "path", ["/v1/health", "/v1/plugins", "/v1/plugins/clock/source", "/v1/plugins/nosuch", "/openapi.json"]
)
async def test_what_answers_get_answers_head(app: InProcess, path: str) -> None:
    app.pipeline.save("clock")
    get, head = await app.tool.get(path), await app.tool.head(path)
    assert (head.status_code, head.headers) == (get.status_code, get.headers)
