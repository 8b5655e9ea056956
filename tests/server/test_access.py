"""The gate. Attack spellings stand beside their near misses."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import unquote

import httpx
import pytest

from loader.errors import UsageError
from loader.nouns import PluginCaller
from loader.server.access import bearer_of, host_is_loopback, needs_no_token, normal_origins, origin_kind, plugin_may
from tests.server.conftest import AUTH, InProcess
from tests.server.fakes import TOKEN
from tests.server.running import running

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8787", "localhost", "LOCALHOST:1", "[::1]", "[::1]:65535", "127.8.8.8:80"]
)
def test_loopback_names_are_ours(host: str) -> None:
    assert host_is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        *(None, "", " ", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:8787"),
        *("localhost.", "127.0.0.1.", "127.1", "127.0.0", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "0.0.0.0"),
        *("128.0.0.1", "127.0.0.256", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:1:2", "::1", "[::2]", "[::ffff:7f00:1]"),
        *(
            "user@localhost",
            "localhost/",
            "localhost#",
            "localhost\n",
            " localhost",
            "localhost,evil.example",
            "ⅼocalhost",
        ),
    ],
)
def test_every_other_host_is_foreign(host: str | None) -> None:
    assert not host_is_loopback(host)


def kind(origin: str | None, host: str = "127.0.0.1:8787") -> str:
    return origin_kind(origin, host, normal_origins(["https://Workbench.example/"]), 8787)


def test_own_origins_are_told_by_scheme_host_and_port() -> None:
    assert kind("http://127.0.0.1:8787") == kind("http://localhost:8787") == kind("HTTP://LOCALHOST:8787") == "own"
    assert kind("http://localhost:9000", host="localhost:9000") == "own", "a forwarded port is still the same origin"


def test_configured_origins_are_compared_whole() -> None:
    assert kind("https://workbench.example") == "configured"
    assert kind("http://workbench.example") == kind("https://workbench.example:444") == "foreign"


@pytest.mark.parametrize("origin", ["null", "file://", "app://hermes", "vscode-webview://x", "chrome-extension://y"])
def test_origins_of_apps_need_only_a_token(origin: str) -> None:
    assert kind(origin) == "app"


@pytest.mark.parametrize(
    "origin",
    [
        *("https://evil.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example"),
        *(
            "http://evil.example/?http://localhost",
            "http://127.0.0.1:8788",
            "http://127.0.0.1",
            "https://127.0.0.1:8787",
        ),
        *("http://127.0.0.1:8787/", "http://127.0.0.1:8787 https://evil.example", "http://127.0.0.1:87870", "http:"),
        *("http://127.0.0.1:8787@evil.example", "HTTPS://EVIL.EXAMPLE", " https://evil.example", "http://[::1]:8787"),
    ],
)
def test_every_other_web_origin_is_foreign(origin: str) -> None:
    assert kind(origin) == "foreign"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("GET", "/"), ("HEAD", "/"), ("GET", "/v1/health"), ("POST", "/v1/session"), ("GET", "/workbench/app.js")),
        *(("GET", "/modules/abc/plugin.js"), ("GET", "/sdk/abc/react.js")),
    ],
)
def test_the_open_doors_are_those_of_the_protocol(method: str, path: str) -> None:
    assert needs_no_token(method, path, path.encode())


@pytest.mark.parametrize(
    ("method", "raw"),
    [
        *(
            ("POST", "/"),
            ("POST", "/v1/health"),
            ("GET", "/v1/session"),
            ("POST", "/v1/session/code"),
            ("PUT", "/sdk/a/b"),
        ),
        *(("GET", "/v1/plugins"), ("GET", "/v1/healthx"), ("GET", "/v1/health/"), ("GET", "/v1/health/../plugins")),
        *(("GET", "/modules/../v1/plugins"), ("GET", "/modules//v1/plugins"), ("GET", "//"), ("GET", "//v1/health")),
        *(("GET", "/modules/%2e%2e/v1/plugins"), ("GET", "/%76%31/health"), ("GET", "/sdk/..%2fv1%2fplugins")),
        *(
            ("GET", "/modules/a%2Fplugin.js"),
            ("GET", "/workbench/..\\v1"),
            ("GET", "/workbench/./x"),
            ("GET", "/modules"),
        ),
        *(("OPTIONS", "/v1/health"), ("DELETE", "/modules/a/plugin.js"), ("GET", "/MODULES/a"), ("GET", "http://x/")),
    ],
)
def test_no_other_spelling_opens_a_door(method: str, raw: str) -> None:
    assert not needs_no_token(method, unquote(raw), raw.encode())


DEMO = PluginCaller("demo", "ab")


def id_of(name: str) -> str | None:
    return {"standalone:demo": "demo", "demo": "demo", "standalone:other": "other", "other": "other"}.get(name)


@pytest.mark.parametrize(
    "path",
    [
        *("/v1/plugins/demo/actions", "/v1/plugins/standalone:demo/actions", "/v1/plugins/demo/pet/lines/x"),
        *("/v1/plugins/demo/notifications", "/api/plugins/demo/items", "/api/plugins/demo/"),
    ],
)
def test_a_plugin_opens_its_own_policy_and_backend(path: str) -> None:
    assert plugin_may(DEMO, path, id_of)


@pytest.mark.parametrize(
    "path",
    [
        *("/v1/plugins/other/actions", "/v1/plugins/standalone:other/actions", "/api/plugins/other/items"),
        *("/v1/plugins/demo", "/v1/plugins/demo/enabled", "/v1/plugins/demo/source", "/v1/plugins", "/v1/events"),
        *(
            "/v1/reload",
            "/v1/session/code",
            "/v1/plugins//demo/actions",
            "/api/plugins//demo",
            "/v1/plugins/Demo/actions",
        ),
        *("/v1/pet", "/api/plugins", "//api/plugins/demo/x", "/v1/plugins/demo/../other/actions", "/"),
    ],
)
def test_a_plugin_opens_nothing_else(path: str) -> None:
    assert not plugin_may(DEMO, path, id_of)


def test_a_browsers_socket_carries_its_token_in_the_subprotocols() -> None:
    from starlette.datastructures import Headers

    socket = {"type": "websocket", "subprotocols": ["hermes-plugins.v1", "bearer.t1", "bearer.t2"]}
    assert bearer_of(socket, Headers({})) == "t1"
    assert bearer_of(socket, Headers({"authorization": "Bearer t3"})) == "t3"
    assert bearer_of(socket, Headers({"authorization": "Basic t3"})) == ""
    assert bearer_of({"type": "http", "subprotocols": ["bearer.t1"]}, Headers({})) is None


# ---------------------------------------------------------------- through the app


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert document["status"] == response.status_code and document["title"] and document["detail"]
    return response.status_code, document["type"].rpartition(":")[2]


async def test_without_a_token_nothing_of_the_service_shows(app: InProcess) -> None:
    for method, path in [
        *(("GET", "/v1/plugins"), ("GET", "/v1/plugins/nosuch"), ("POST", "/v1/reload"), ("DELETE", "/v1/x")),
        *(("GET", "/openapi.json"), ("GET", "/nowhere"), ("POST", "/v1/session/code"), ("OPTIONS", "/v1/plugins")),
        *(("GET", "/api/plugins/board/items"), ("GET", "/api/plugins//board/items"), ("GET", "/v1/events")),
    ]:
        response = await app.http.request(method, path)
        assert problem(response) == (401, "unauthorized"), (method, path)
        assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("token", ["wrong", "", TOKEN + "x", TOKEN[:-1], TOKEN.upper(), "Bearer " + TOKEN])
async def test_a_wrong_token_is_as_good_as_none(app: InProcess, token: str) -> None:
    response = await app.http.get("/v1/plugins", headers={"Authorization": f"Bearer {token}"})
    assert problem(response) == (401, "unauthorized")


async def test_a_foreign_host_is_refused_whatever_it_asks(app: InProcess) -> None:
    for path in ("/", "/v1/plugins", "/v1/health", "/modules/x/plugin.js", "/v1/session"):
        response = await app.tool.get(path, headers={"Host": "evil.example"})
        assert problem(response) == (421, "foreign-host"), path


async def test_a_foreign_origin_is_refused_and_told_nothing(app: InProcess) -> None:
    for path in ("/", "/v1/plugins", "/v1/health"):
        response = await app.tool.get(path, headers={"Origin": "https://evil.example"})
        assert problem(response) == (403, "foreign-origin"), path
        assert "access-control-allow-origin" not in response.headers


async def test_an_app_origin_passes_with_a_token_and_may_read_even_errors(app: InProcess) -> None:
    for origin in ("null", "file://", "https://workbench.example", "http://127.0.0.1:8787"):
        answered = await app.tool.get("/v1/plugins", headers={"Origin": origin})
        assert (answered.status_code, answered.headers["access-control-allow-origin"]) == (200, origin)
        assert "origin" in answered.headers["vary"].lower()
        refused = await app.http.get("/v1/plugins", headers={"Origin": origin})
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, origin)


async def test_a_preflight_of_an_allowed_origin_needs_no_token(app: InProcess) -> None:
    ask = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"}
    answered = await app.http.options("/v1/plugins/demo/enabled", headers={**ask, "Origin": "null"})
    assert answered.status_code == 204
    assert answered.headers["access-control-allow-origin"] == "null"
    assert "authorization" in answered.headers["access-control-allow-headers"]
    assert "PUT" in answered.headers["access-control-allow-methods"]
    refused = await app.http.options("/v1/plugins", headers={**ask, "Origin": "https://evil.example"})
    assert problem(refused) == (403, "foreign-origin")


@pytest.mark.parametrize(
    ("wanted", "allowed"),
    [
        ("authorization, x-board-page", "authorization, x-board-page"),
        ("", "authorization, content-type"),
        ("x\u00e9", "authorization, content-type"),
        (", ".join(["x-a"] * 500), "authorization, content-type"),
    ],
)
async def test_a_preflight_may_ask_for_headers_of_a_backend(app: InProcess, wanted: str, allowed: str) -> None:
    ask = {"Access-Control-Request-Method": "GET", "Origin": "null", "Access-Control-Request-Headers": wanted}
    raw = [(name.encode(), value.encode()) for name, value in ask.items()]
    answered = await app.http.options("/api/plugins/board/items", headers=raw)
    assert answered.headers["access-control-allow-headers"] == allowed


async def test_a_private_network_preflight_is_answered(app: InProcess) -> None:
    ask = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Private-Network": "true", "Origin": "null"}
    answered = await app.http.options("/v1/plugins", headers=ask)
    assert answered.headers["access-control-allow-private-network"] == "true"


async def test_an_options_request_that_is_no_preflight_needs_a_token(app: InProcess) -> None:
    assert (await app.http.options("/v1/plugins", headers={"Origin": "null"})).status_code == 401


async def test_modules_answer_any_origin(app: InProcess) -> None:
    running = app.pipeline.save("demo", "export default 1")
    capability = app.parts.capabilities.grant("demo", running.revision)
    for origin in ("https://evil.example", "null", None):
        headers = {"Origin": origin} if origin else {}
        response = await app.http.get(f"/modules/{capability}/plugin.js", headers=headers)
        assert response.status_code == 200
        for name, value in {
            "access-control-allow-origin": "*",
            "cross-origin-resource-policy": "cross-origin",
            "referrer-policy": "no-referrer",
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
        }.items():
            assert response.headers[name] == value


async def test_a_plugin_token_opens_only_its_own_routes(app: InProcess) -> None:
    app.pipeline.save("demo")
    app.pipeline.save("other")
    token = app.parts.credentials.mint("demo", "ab")
    headers = {"Authorization": f"Bearer {token}"}
    assert (await app.http.get("/v1/plugins/demo/actions", headers=headers)).status_code == 200
    assert (await app.http.get("/v1/plugins/standalone%3Ademo/actions", headers=headers)).status_code == 200
    for path in (
        "/v1/plugins/other/actions",
        "/v1/plugins",
        "/v1/plugins/demo",
        "/openapi.json",
        "/v1/plugins//demo/actions",
    ):
        assert problem(await app.http.get(path, headers=headers)) == (403, "not-yours"), path
    health = await app.http.get("/v1/health", headers=headers)
    assert health.json() == {"status": "ok"}


async def test_a_dead_plugin_token_reaches_the_policy_and_no_backend(app: InProcess) -> None:
    app.pipeline.save("demo")
    token = app.parts.credentials.mint("demo", "ab")
    app.parts.credentials.retire(token)
    headers = {"Authorization": f"Bearer {token}"}
    answered = await app.http.post("/v1/plugins/demo/actions", json={"action": "session.new"}, headers=headers)
    assert (answered.status_code, answered.json()["reason"]) == (200, "unavailable")
    assert problem(await app.http.get("/api/plugins/demo/items", headers=headers)) == (401, "unauthorized")
    assert problem(await app.http.get("/v1/plugins/other/actions", headers=headers)) == (403, "not-yours")


# ---------------------------------------------------------------- bodies


async def test_writes_take_json_only(app: InProcess) -> None:
    for headers, content in [
        ({"Content-Type": "text/plain"}, b"{}"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"a=b"),
        ({"Content-Type": "text/plain"}, b""),
        ({}, b"{}"),
        ({"Content-Type": "application/json-patch+json"}, b"[]"),
    ]:
        response = await app.tool.post("/v1/reload", content=content, headers=headers)
        assert problem(response) == (415, "json-only"), (headers, content)


async def test_json_with_parameters_and_an_empty_write_are_fine(app: InProcess) -> None:
    with_charset = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert (await app.tool.post("/v1/reload", content=b"{}", headers=with_charset)).status_code == 200
    assert (await app.tool.post("/v1/reload")).status_code == 200


async def chunks(total: int) -> AsyncIterator[bytes]:
    for _ in range(total // 65536):
        yield b" " * 65536


async def test_a_body_over_a_mebibyte_is_refused(app: InProcess) -> None:
    json = {"Content-Type": "application/json"}
    whole = await app.tool.post("/v1/reload", content=b" " * (1024 * 1024 + 1), headers=json)
    assert problem(whole) == (413, "too-large")
    chunked = await app.tool.post("/v1/reload", content=chunks(2 * 1024 * 1024), headers=json)
    assert problem(chunked) == (413, "too-large")


async def test_a_body_of_a_mebibyte_passes(app: InProcess) -> None:
    json = {"Content-Type": "application/json"}
    exact = b"{}" + b" " * (1024 * 1024 - 2)
    assert (await app.tool.post("/v1/reload", content=exact, headers=json)).status_code == 200


async def test_the_token_is_judged_before_the_body(app: InProcess) -> None:
    response = await app.http.post("/v1/reload", content=b"x" * 2_000_000, headers={"Content-Type": "text/plain"})
    assert problem(response) == (401, "unauthorized")


async def test_every_answer_carries_the_safe_headers(app: InProcess) -> None:
    for response in (await app.tool.get("/v1/plugins"), await app.http.get("/v1/plugins"), await app.http.get("/")):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["cross-origin-resource-policy"] == "same-origin"
    assert AUTH["Authorization"] not in (await app.tool.get("/v1/health")).text


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1/api/plugins/x/y", "http://evil.example/v1/health", "127.0.0.1:1", "*"]
)
async def test_a_target_that_is_no_path_is_told_so(target: str) -> None:
    """Written by hand: no client of today would send it."""
    async with running() as service:
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        head = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        answer = (await reader.read()).decode()
        writer.close()
    assert answer.startswith("HTTP/1.1 400 ") and "begin with a slash" in answer


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("https://Workbench.Example/", "https://workbench.example"),
        (" https://workbench.example:443", "https://workbench.example"),
        ("http://workbench.example:80/", "http://workbench.example"),
        ("http://127.0.0.1:5173", "http://127.0.0.1:5173"),
        ("http://[::1]:5173/", "http://[::1]:5173"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ],
)
def test_an_origin_is_let_in_as_a_browser_will_send_it(given: str, sent: str) -> None:
    assert normal_origins([given]) == {sent}


@pytest.mark.parametrize(
    "given",
    [
        *(
            "*",
            "",
            "null",
            "file://",
            "app://hermes",
            "workbench.example",
            "//workbench.example",
            "https://",
            "https:///",
        ),
        *("https://workbench.example/app", "https://workbench.example/?x", "https://workbench.example#x"),
        *("https://me@workbench.example", "https://workbench.example:99999", "https://[::1", "https://bücher.example"),
    ],
)
def test_an_origin_that_no_browser_sends_is_wrong_usage(given: str) -> None:
    with pytest.raises(UsageError, match="no web origin"):
        normal_origins([given])


async def test_a_folder_of_another_name_opens_nobody_elses_door(app: InProcess) -> None:
    """Refused itself (HP303), it would let `evil` reach the backend of a package called `board`."""
    running = app.pipeline.save("evil")
    copy = replace(app.pipeline.rows["standalone:evil"], key="standalone:board", folder="board")
    app.pipeline.rows["standalone:board"] = copy
    token = app.parts.credentials.mint("evil", running.revision)
    statuses = {}
    for path in ("/api/plugins/board/cards", "/v1/plugins/board/actions", "/api/plugins/evil/cards"):
        answer = await app.http.get(path, headers={"Authorization": f"Bearer {token}"})
        statuses[path] = answer.json()["type"].rpartition(":")[2] if answer.is_error else "let in"
    assert statuses["/api/plugins/board/cards"] == statuses["/v1/plugins/board/actions"] == "not-yours"
    assert statuses["/api/plugins/evil/cards"] != "not-yours"
