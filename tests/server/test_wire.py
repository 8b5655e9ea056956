"""Requests as an attacker writes them, byte by byte, against the real server."""

import asyncio
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
