"""Requests as an attacker writes them, byte by byte, against the real server."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from tests.server.fakes import TOKEN
from tests.server.running import Running, running

pytestmark = pytest.mark.anyio
HOST = "Host: 127.0.0.1\r\n"


@pytest.fixture
async def service(anyio_backend: str) -> AsyncIterator[Running]:
    async with running() as found:
        found.pipeline.save("board")
        yield found


async def status(service: Running, request: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    writer.write(request.encode("latin-1"))
    async with asyncio.timeout(20):
        line = await reader.readline()
    writer.close()
    return int(line.split()[1])


@pytest.mark.parametrize(
    "target",
    [
        *("/v1/plugins", "//v1/plugins", "/v1//plugins", "/v1/./plugins", "/v1/health/../plugins", "/%76%31/plugins"),
        *("/v1%2fplugins", "/modules/../v1/plugins", "/modules/..%2fv1/plugins", "/modules/%2e%2e/v1/plugins"),
        *(
            "/sdk/%2e%2e%2fv1%2fplugins",
            "/workbench/../v1/plugins",
            "/v1/plugins;/v1/health",
        ),
        *(
            "/V1/PLUGINS",
            "/v1/plugins/",
            "/v1/plugins?x=/v1/health",
            "/v1/plugins%00",
            "/%2fv1/plugins",
            "/v1/plugins%3f",
        ),
        *("/api/plugins/board/items", "/api/plugins//board/items", "/api//plugins/board", "/api/plugins/%2e%2e/x"),
        *("http://127.0.0.1/v1/plugins", "http://127.0.0.1/v1/health", "/openapi.json", "/%6dodules/x", "*"),
    ],
)
async def test_no_spelling_gets_around_the_token(service: Running, target: str) -> None:
    for method in ("GET", "POST", "DELETE", "HEAD"):
        assert await status(service, f"{method} {target} HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n") == 401, method


async def test_the_same_target_with_the_token_is_a_request_like_any_other(service: Running) -> None:
    bearer = f"Authorization: Bearer {TOKEN}\r\n"
    for target, wanted in [("/v1/plugins", 200), ("//v1/plugins", 404), ("/v1/health/../plugins", 404), ("/v1/x", 404)]:
        assert await status(service, f"GET {target} HTTP/1.1\r\n{HOST}{bearer}Connection: close\r\n\r\n") == wanted


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("GET / HTTP/1.0\r\n", 421),
        ("GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1 evil.example\r\n", 421),
        ("GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n", 401),
        ("GET http://127.0.0.1/ HTTP/1.1\r\nHost: evil.example\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\nOrigin: https://evil.example\r\n", 403),
    ],
)
async def test_the_host_counts_as_it_stands_in_its_own_header(service: Running, head: str, wanted: int) -> None:
    assert await status(service, head + "Connection: close\r\n\r\n") == wanted


async def test_a_chunked_body_is_cut_at_the_limit(service: Running) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    writer.write(
        (
            f"POST /v1/reload HTTP/1.1\r\n{HOST}Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n"
        ).encode()
    )
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    answer = asyncio.create_task(reader.readline())
    async with asyncio.timeout(20):
        for _ in range(64):
            writer.write(chunk)
            await asyncio.wait({answer}, timeout=0.001)
            if answer.done():
                break
        assert (await answer).split()[1] == b"413"
    writer.close()


async def answer(service: Running, *pieces: str) -> bytes:
    """All that comes until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    received = b""
    for piece in pieces:
        writer.write(piece.encode("latin-1"))
        if piece is not pieces[-1]:
            received += await reader.readuntil(b"\r\n\r\n")
    async with asyncio.timeout(20):
        received += await reader.read()
    writer.close()
    return received


@pytest.mark.parametrize(
    "garbage", ["\x16\x03\x01\x02\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", f"GET /\x01 HTTP/1.1\r\n{HOST}\r\n"]
)
async def test_what_is_no_http_is_told_so_in_a_problem_document(service: Running, garbage: str) -> None:
    head, _, body = (await answer(service, garbage)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"content-type: application/problem+json" in head
    assert json.loads(body)["type"] == "urn:hermes-desktop:problem:bad-request"


async def test_nonsense_behind_an_answer_costs_its_sender_the_connection_and_the_log_nothing(
    service: Running, caplog: pytest.LogCaptureFixture
) -> None:
    refused = f"POST /v1/reload HTTP/1.1\r\n{HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert (await answer(service, refused, "zzz\r\n")).startswith(b"HTTP/1.1 401 ")
    assert [record for record in caplog.records if record.exc_info] == []


async def test_head_is_an_answer_without_its_body(service: Running) -> None:
    sent = await answer(service, f"HEAD /v1/health HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")
    assert sent.startswith(b"HTTP/1.1 200 ") and b"content-length: 15" in sent and sent.endswith(b"\r\n\r\n")


@pytest.mark.parametrize("path", ["/v1/events/", "/v1/plugins", "/", "/nowhere"])
async def test_a_websocket_to_nowhere_is_refused_with_a_problem_document(service: Running, path: str) -> None:
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    head, _, body = (
        await answer(service, f"GET {path} HTTP/1.1\r\n{HOST}Authorization: Bearer {TOKEN}\r\n{upgrade}{key}\r\n")
    ).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 ") and json.loads(body)["type"] == "urn:hermes-desktop:problem:not-found"
