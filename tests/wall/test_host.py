"""What answers on a plugin's own host, and what never does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loader.packages.walled import host_of
from tests.server.fakes import TOKEN
from tests.wall.conftest import AUTH, IN_FRAME, OF_THE_PAGE, PLAIN, PORT, Walled
from tests.wall.fakes import NOTES, OTHER, grants, web_app

pytestmark = pytest.mark.anyio
SCRIPT = {name.replace("-", "_"): value for name, value in OF_THE_PAGE.items()}
FRAMED = {name.replace("-", "_"): value for name, value in IN_FRAME.items()}
API = [
    *("/v1/health", "/v1/plugins", "/v1/wall", "/v1/session", "/v1/events", "/openapi.json", "/workbench/app.js"),
    *("/workbench/", "/workbench/frame.html", "/modules/x/plugin.js", "/sdk/x/react.js", "/api/plugins/notes/x"),
    *("/v1/react", "/docs", "/redoc", "/favicon.ico", "http://127.0.0.1/v1/plugins", "//v1/plugins", "/./v1/plugins"),
]


async def test_the_page_is_shown_once_with_the_bridge_first(walled: Walled) -> None:
    opened = await walled.open()
    first = await walled.show(opened)
    assert first.status_code == 200
    assert first.text.startswith('<!doctype html><script src="/.hermes/bridge.js"></script><title>Notes')
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert "frame-ancestors http://127.0.0.1:8787 http://localhost:8787" in first.headers["content-security-policy"]
    assert (await walled.show(opened)).status_code == 409, "a second load is nobody's"


async def test_without_a_ticket_of_its_own_no_page_is_shown(walled: Walled) -> None:
    other = await walled.open(OTHER)
    ticket = other["frame_url"].partition("?")[2]
    for path in ("/", "/index.html", "/second.html", "/?hermes-ticket=", f"/?{ticket}", "/?hermes-ticket=guess"):
        for headers in (
            FRAMED,
            {},
            {"Sec_Fetch_Site": "same-origin", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"},
        ):
            assert (await walled.get(path, **headers)).status_code == 409, (path, headers)
    assert (await walled.show(other)).status_code == 200, "the other's ticket was not used up by it"


async def test_its_own_files_are_its_own_pages_alone(walled: Walled) -> None:
    mine = await walled.get("/assets/app.js", **SCRIPT)
    assert (mine.status_code, mine.text) == (200, "document.title += '!'")
    assert mine.headers["content-type"] == "text/javascript; charset=utf-8"
    for site in ("cross-site", "same-site"):
        foreign = await walled.get(
            "/assets/app.js", Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors", Sec_Fetch_Dest="script"
        )
        assert foreign.status_code == 409
    template = await walled.get(
        "/second.html", Sec_Fetch_Site="same-origin", Sec_Fetch_Mode="cors", Sec_Fetch_Dest="empty"
    )
    assert template.status_code == 200 and template.text == "<!doctype html><title>Second</title>", (
        "no bridge in a piece"
    )


@pytest.mark.parametrize("path", API)
@pytest.mark.parametrize("token", [None, TOKEN])
async def test_nothing_of_the_service_answers_there(walled: Walled, path: str, token: str | None) -> None:
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        answer = await walled.http.request(method, path, headers={"Host": walled.host, **OF_THE_PAGE, **bearer})
        if path == "/v1/health" and method == "GET":
            assert answer.text == "theirs", "a file of the package's own, by an unlucky name"
        else:
            assert answer.status_code in (404, 405), (method, answer.status_code, answer.text)
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/nothing.js", "/", "/v1/plugins", "/index.html", "/.hermes/nothing"])
async def test_refusals_carry_the_wall_too(walled: Walled, path: str) -> None:
    for answer in (await walled.get(path, **SCRIPT), await walled.get(path, method="POST")):
        assert "sandbox allow-scripts" in answer.headers["content-security-policy"]
        assert answer.headers["connection-allowlist"] == "(response-origin)"
        assert "set-cookie" not in answer.headers and "camera=()" in answer.headers["permissions-policy"]


async def test_the_bridge_tells_what_is_approved_and_no_file_takes_its_place(walled: Walled) -> None:
    told = await walled.get("/.hermes/bridge.js", **SCRIPT)
    assert f'"pluginId": "{NOTES}"' in told.text and '"apis": ["tools"]' in told.text and '"1.4.0"' in told.text
    assert "theirs" not in told.text and "granted */ null" not in told.text
    for path in ("/.hermes/", "/.hermes", "/.hermes/bridge.js/", "/%2ehermes/bridge.js", "/.hermes/%62ridge.js"):
        assert (await walled.get(path, **SCRIPT)).status_code == 404, path


async def test_no_service_worker_and_no_page_of_its_own_window(walled: Walled) -> None:
    worker = {"Sec_Fetch_Site": "same-origin", "Sec_Fetch_Mode": "same-origin", "Sec_Fetch_Dest": "serviceworker"}
    assert (await walled.get("/assets/app.js", **worker)).status_code == 409
    assert (await walled.get("/assets/app.js", **SCRIPT, Service_Worker="script")).status_code == 409
    opened = await walled.open()
    for dest in ("document", "embed", "object", "frame"):
        assert (await walled.show(opened, **{"Sec-Fetch-Dest": dest})).status_code == 409


async def test_a_host_that_is_off_unknown_or_gone_is_foreign(walled: Walled) -> None:
    assert (await walled.get("/assets/app.js", host=f"{host_of('com.example.none')}:{PORT}")).status_code == 421
    assert (await walled.get("/assets/app.js")).status_code == 200
    walled.shelf.change(enabled=False)
    assert (await walled.get("/assets/app.js")).status_code == 421
    walled.shelf.change(enabled=True)
    assert (await walled.get("/assets/app.js")).status_code == 200
    walled.shelf.take()
    assert (await walled.get("/assets/app.js")).status_code == 421
    for host in (walled.host.upper(), f"{host_of(OTHER)}.:{PORT}", host_of(OTHER), f"{host_of(OTHER)}:1"):
        assert (await walled.get("/assets/app.js", host=host)).status_code == 421


async def test_no_plugins_origin_is_let_in_to_the_service_even_where_somebody_configured_it(walled: Walled) -> None:
    for origin in (
        f"http://{walled.host}",
        f"http://{host_of(OTHER)}",
        f"https://{walled.host}",
        "http://P-1.LOCALHOST.:9",
    ):
        for path in ("/v1/plugins", "/v1/health", "/v1/wall"):
            answer = await walled.http.get(path, headers={**AUTH, "Origin": origin})
            assert answer.status_code == 403 and "access-control-allow-origin" not in answer.headers
        preflight = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        assert (await walled.http.options("/v1/reload", headers=preflight)).status_code == 403


# ---------------------------------------------------------------- opening


async def test_a_frame_is_opened_for_what_is_on_and_by_whom_the_service_knows(walled: Walled) -> None:
    opened = await walled.open()
    assert opened["origin"] == f"http://{walled.host}" and opened["kind"] == "web-app"
    assert opened["frame_url"].startswith(f"http://{walled.host}/index.html?hermes-ticket=")
    assert opened["token"] not in opened["frame_url"]
    assert (await walled.http.post(f"/v1/wall/{NOTES}/frames")).status_code == 401
    frame_token = {"Authorization": f"Bearer {opened['token']}"}
    assert (await walled.http.post(f"/v1/wall/{NOTES}/frames", headers=frame_token)).status_code == 401
    plugin = {"Authorization": f"Bearer {walled.parts.credentials.mint('notes', 'r')}"}
    assert (await walled.http.post(f"/v1/wall/{NOTES}/frames", headers=plugin)).status_code == 403
    assert (await walled.http.post("/v1/wall/none/frames", headers=AUTH)).status_code == 404
    walled.shelf.change(enabled=False)
    assert (await walled.http.post(f"/v1/wall/{NOTES}/frames", headers=AUTH)).status_code == 409
    apps = (await walled.http.get("/v1/wall", headers=AUTH)).json()["apps"]
    assert [(app["id"], app["enabled"]) for app in apps] == [(NOTES, False), (OTHER, True), (PLAIN, True)]


@pytest.mark.parametrize(
    ("origin", "ancestor"),
    [("app://hermes", "app:"), ("null", "file:"), ("https://workbench.example", "https://workbench.example")],
)
async def test_an_app_window_may_embed_what_it_opened(walled: Walled, origin: str, ancestor: str) -> None:
    opened = await walled.open(**{"Origin": origin})
    policy = (await walled.show(opened)).headers["content-security-policy"]
    assert f" {ancestor}" in policy.partition("frame-ancestors")[2].partition(";")[0]


async def test_an_address_under_development_is_shown_as_it_is_and_may_load_the_bridge(walled: Walled) -> None:
    walled.shelf.put(web_app("com.example.dev", url="http://localhost:5173/app/", grants=grants("storage")))
    opened = await walled.open("com.example.dev")
    assert (opened["frame_url"], opened["origin"]) == ("http://localhost:5173/app/", "http://localhost:5173")
    host = f"{host_of('com.example.dev')}:{PORT}"
    script = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "script"}
    told = await walled.get("/.hermes/bridge.js", host=host, **script)
    assert told.status_code == 200 and told.headers["cross-origin-resource-policy"] == "cross-origin"
    assert (await walled.get("/index.html", host=host, **SCRIPT)).status_code == 404


# ---------------------------------------------------------------- a plugin.js


async def test_a_walled_plugin_js_has_its_frame_its_module_and_its_shims_and_no_file_of_the_package(
    walled: Walled,
) -> None:
    text = "import { host } from '@hermes/plugin-sdk'\nimport { useState } from 'react'\nexport default { id: 'plain' }"
    walled.pipeline.save(PLAIN, text)
    host = f"{host_of(PLAIN)}:{PORT}"
    opened = await walled.open(PLAIN)
    page = await walled.show(opened)
    assert page.text.index("/.hermes/bridge.js") < page.text.index("/.hermes/frame/frame.js")
    module = await walled.get("/.hermes/plugin.js", host=host, **SCRIPT)
    assert module.text == text.replace("'@hermes/plugin-sdk'", '"/.hermes/sdk/plugin-sdk.js"').replace(
        "'react'", '"/.hermes/sdk/react.js"'
    )
    assert "useState" in (await walled.get("/.hermes/sdk/react.js", host=host, **SCRIPT)).text
    frame = await walled.get("/.hermes/frame/frame.js", host=host, **SCRIPT)
    assert frame.status_code == 200 and "/workbench/" not in frame.text
    for path in ("/.hermes/frame/shell_context.js", "/.hermes/frame/shell_sdk.js", "/.hermes/frame/shared/areas.js"):
        found = await walled.get(path, host=host, **SCRIPT)
        assert found.status_code == 200 and "'/workbench/" not in found.text, path
    for path in (
        "/plugin.js",
        "/notes/index.html",
        "/.hermes/frame/app.js",
        "/.hermes/frame/../app.js",
        "/.hermes/sdk/x.js",
    ):
        assert (await walled.get(path, host=host, **SCRIPT)).status_code == 404, path


async def test_what_runs_behind_the_wall_has_no_address_and_no_token_for_a_shell(walled: Walled) -> None:
    running = walled.pipeline.save(PLAIN)
    walled.pipeline.live[PLAIN] = replace(running, walled=True)
    (entry,) = walled.parts.hub._announcer.hello(1).plugins or ()
    assert entry["module_url"] is None and entry["plugin_token"] is None
    assert entry["frame"] == {"open": f"/v1/wall/{PLAIN}/frames"}
    walled.pipeline.live[PLAIN] = replace(running, walled=False)
    (entry,) = walled.parts.hub._announcer.hello(2).plugins or ()
    assert str(entry["module_url"]).startswith("/modules/") and entry["plugin_token"] and "frame" not in entry


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8"])
async def test_the_service_itself_is_never_shown_as_one(walled: Walled, host: str) -> None:
    """Its own page in that frame would be of its own page's origin."""
    walled.shelf.put(web_app("com.example.dev", url=f"http://{host}:{PORT}/"))
    answer = await walled.http.post("/v1/wall/com.example.dev/frames", headers=AUTH)
    assert (answer.status_code, "this service itself" in answer.text) == (409, True)
    walled.shelf.put(web_app("com.example.dev", url=f"http://{host}:5173/"))
    opened = await walled.open("com.example.dev")
    assert (opened["frame_url"], opened["origin"]) == (f"http://{host}:5173/", f"http://{host}:5173")
