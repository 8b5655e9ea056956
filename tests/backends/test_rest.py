"""What a plugin's router answers comes through as it is."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.backends.conftest import ROUTER, BackendHome, serving, until
from tests.server.fakes import TOKEN

pytestmark = [pytest.mark.anyio, pytest.mark.real]

BOARD = (
    ROUTER
    + """
import asyncio, os
from pathlib import Path
from fastapi import Request, UploadFile, HTTPException
from fastapi.responses import FileResponse, StreamingResponse, Response

LEFT = Path(__file__).with_name("left")

@router.get("/items")
def items(): return {"n": 1}

@router.api_route("/echo/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"])
async def echo(request: Request, rest: str):
    body = await request.body()
    return {"method": request.method, "path": request.url.path, "rest": rest, "query": str(request.query_params),
            "size": len(body), "headers": dict(request.headers)}

@router.get("/missing")
def missing(): raise HTTPException(404, "no such card")

@router.get("/boom")
def boom(): raise RuntimeError("secret detail")

@router.get("/file")
@router.head("/file")
def file(): return FileResponse(__file__)

@router.post("/upload")
async def upload(file: UploadFile): return {"name": file.filename, "size": len(await file.read())}

@router.post("/sum")
async def sum_(request: Request):
    total = 0
    async for piece in request.stream(): total += len(piece)
    return total

@router.get("/big")
def big(size: int):
    def pieces():
        for _ in range(size // 65536): yield b"x" * 65536
    return StreamingResponse(pieces(), media_type="application/octet-stream")

@router.get("/events")
async def events():
    async def lines():
        try:
            number = 0
            while True:
                yield f"data: {number}\\n\\n"
                number += 1
                await asyncio.sleep(0.02)
        finally:
            LEFT.write_text("left")
    return StreamingResponse(lines(), media_type="text/event-stream")

@router.get("/slow")
async def slow():
    await asyncio.sleep(30)

@router.get("/cookie")
def cookie(response: Response):
    response.set_cookie("a", "b")
    response.headers["Connection"] = "x-private"
    response.headers["X-Private"] = "1"
    response.headers["X-Public"] = "1"
    return {}

@router.get("/cut")
async def cut():
    async def pieces():
        yield b"x" * 10
        os._exit(1)
    return StreamingResponse(pieces(), headers={"content-length": "100"})

@router.get("/here")
def here(): return {"cwd": os.getcwd(), "home": os.environ.get("HERMES_HOME"), "env": sorted(os.environ)}
"""
)


async def test_requests_of_every_kind(at: BackendHome) -> None:
    dashboard = at.package("board", BOARD)
    at.enable("board")
    async with serving(at.home) as served:
        assert (await served.get("board/items")).json() == {"n": 1}

        # methods, paths, queries and bodies arrive as they were sent
        for method in ("POST", "PUT", "PATCH", "DELETE", "PROPFIND"):
            answer = await served.http.request(method, "/api/plugins/board/echo/a%20b/c?x=1&y=%C3%A9", content=b"12345")
            said = answer.json()
            assert (said["method"], said["rest"], said["size"]) == (method, "a b/c", 5)
            assert said["path"] == "/api/plugins/board/echo/a b/c"
        assert said["query"] == "x=1&y=%C3%A9"

        # what opens us does not reach the plugin
        headers = {
            "Cookie": "a=b",
            "X-Hermes-Session-Token": "t",
            "X-Mine": "1",
            "Connection": "keep-alive, x-hop",
            "X-Hop": "1",
        }
        passed = (await served.get("board/echo/x", headers=headers)).json()["headers"]
        assert passed["x-mine"] == "1"
        assert not {"authorization", "cookie", "x-hermes-session-token", "x-hop", "connection"} & set(passed)

        # the backend's own errors are its own
        missing = await served.get("board/missing")
        assert (missing.status_code, missing.json()) == (404, {"detail": "no such card"})
        assert (await served.get("board/nowhere")).json() == {"detail": "Not Found"}
        boom = await served.get("board/boom")
        assert (boom.status_code, "secret" in boom.text) == (500, False)
        assert (await served.http.post("/api/plugins/board/items")).status_code == 405

        # HEAD, ranges, uploads
        head = await served.http.head("/api/plugins/board/file")
        assert int(head.headers["content-length"]) == len(BOARD.encode()) and head.content == b""
        part = await served.get("board/file", headers={"Range": "bytes=5-12"})
        assert (part.status_code, part.content) == (206, BOARD.encode()[5:13])
        sent = await served.http.post("/api/plugins/board/upload", files={"file": ("a.bin", os.urandom(3_000_000))})
        assert sent.json() == {"name": "a.bin", "size": 3_000_000}

        # what a backend may not set on our origin
        cookie = await served.get("board/cookie")
        assert cookie.headers["x-public"] == "1"
        assert not {"set-cookie", "x-private"} & set(cookie.headers)

        here = (await served.get("board/here")).json()
        assert here["home"] == str(at.root)
        assert Path(here["cwd"]).is_relative_to(at.home.state_dir)
        assert not any("TOKEN" in name for name in here["env"])
        assert (await served.get("board/openapi.json")).json()["info"]["title"] == "board"
        assert not (dashboard / "__pycache__").exists()


async def test_bodies_stream_both_ways_and_a_caller_that_leaves_is_noticed(at: BackendHome) -> None:
    dashboard = at.package("board", BOARD)
    at.enable("board")
    async with serving(at.home) as served:

        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(320):
                yield b"y" * 65536

        sum_ = await served.http.post("/api/plugins/board/sum", content=pieces())
        assert sum_.json() == 320 * 65536
        size = 0
        async with served.http.stream("GET", "/api/plugins/board/big?size=20971520") as answer:
            async for piece in answer.aiter_raw():
                size += len(piece)
        assert size == 20_971_520
        async with served.http.stream("GET", "/api/plugins/board/events") as answer:
            lines = answer.aiter_lines()
            assert [await anext(lines), await anext(lines), await anext(lines)] == ["data: 0", "", "data: 1"]
            assert not (dashboard / "left").exists()
        await until((dashboard / "left").exists, "the disconnect")


async def test_deadlines_and_broken_answers_are_seen_as_such(at: BackendHome) -> None:
    at.package("board", BOARD)
    at.enable("board")
    async with serving(at.home) as served:
        slow = await served.get("board/slow", headers={"Hermes-Timeout-Ms": "100"})
        assert (slow.status_code, slow.json()["type"]) == (504, "urn:hermes-desktop:problem:backend-timed-out")
        with pytest.raises(httpx.RemoteProtocolError):
            await served.get("board/cut")
        # It crashed, and comes back with the next request.
        assert (await served.get("board/items")).status_code == 200
        assert any("crashed" in said for said in served.errors)


# What a handler may make of its answer's length, and what the caller has to see: a status with a body, or a connection
# that breaks (None). Never an answer that goes on, and never one that is waited for without end.
LENGTHS = {
    "short": (200, [("content-length", "5")], (200, b"01234")),
    "shorter": (200, [("content-length", "3")], (200, b"012")),
    "empty": (200, [("content-length", "0")], (200, b"")),
    "long": (200, [("content-length", "50")], None),
    "word": (200, [("content-length", "abc")], (502, None)),
    "negative": (200, [("content-length", "-1")], (502, None)),
    "plus": (200, [("content-length", "+10")], (502, None)),
    "two": (200, [("content-length", "10"), ("content-length", "5")], (502, None)),
    "twice": (200, [("content-length", "10"), ("content-length", "10")], (200, b"0123456789")),
    "none": (200, [], (200, b"0123456789")),
    "chunked": (200, [("transfer-encoding", "chunked"), ("content-length", "10")], (200, b"0123456789")),
    "204": (204, [], (204, b"")),
    "304": (304, [("content-length", "10")], (304, b"")),
}
LYING = """
class Lying(Response):
    def __init__(self, said, headers): super().__init__(); self.said, self.pairs = said, headers
    async def __call__(self, scope, receive, send):
        pairs = [(name.encode(), value.encode()) for name, value in self.pairs]
        await send({"type": "http.response.start", "status": self.said, "headers": pairs})
        await send({"type": "http.response.body", "body": b"01234", "more_body": True})
        await send({"type": "http.response.body", "body": b"56789"})

@router.api_route("/length/{kind}", methods=["GET", "HEAD"])
def length(kind: str): return Lying(*LENGTHS[kind][:2])
"""


async def test_a_length_that_is_not_true_ends_the_answer_and_nobody_waits(at: BackendHome) -> None:
    at.package("board", f"{BOARD}\nLENGTHS = {LENGTHS!r}\n{LYING}")
    at.enable("board")
    async with serving(at.home) as served:
        for kind, (status, _, wanted) in LENGTHS.items():
            if wanted is None:
                with pytest.raises(httpx.RemoteProtocolError):
                    await served.get(f"board/length/{kind}")
            else:
                answer = await served.get(f"board/length/{kind}")
                assert answer.status_code == wanted[0], kind
                assert wanted[1] is None or answer.content == wanted[1], kind
            head = await served.http.head(f"/api/plugins/board/length/{kind}")
            assert (head.status_code, head.content) == (wanted[0] if wanted else status, b""), kind


async def test_an_answer_is_whole_though_the_body_was_never_read(at: BackendHome) -> None:
    at.package("board", BOARD + "@router.post('/unread')\nasync def unread(): return 'x' * 100_000\n")
    at.enable("board")
    async with serving(at.home) as served:
        for _ in range(100):
            answer = await served.http.post("/api/plugins/board/unread", content=b"y" * 100_000)
            assert (answer.status_code, len(answer.content)) == (200, 100_002)


@pytest.mark.parametrize(
    "path",
    [
        "board/../x",
        "board/%2e%2e/x",
        "board/%252e%252e/x",
        "board//x",
        "board/a%2fb",
        "board/a%5cb",
        "board/a%00b",
        "/items",
    ],
)
async def test_paths_that_could_lead_out_are_refused_before_anything_runs(at: BackendHome, path: str) -> None:
    at.package("board", BOARD)
    at.enable("board")
    async with serving(at.home) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(
            f"GET /api/plugins/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 400"), answer
        document = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert document["type"] == "urn:hermes-desktop:problem:backend-bad-path"
        assert "segment" in document["detail"]
        assert served.backends._seats == {}
