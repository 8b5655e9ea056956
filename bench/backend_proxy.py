"""What the way through the service costs: the same router behind the proxy and bare in uvicorn, as ratios.

    python -m bench.backend_proxy [--quick]

Small JSON (requests a second, one after another, and eight at a time), a 100 MB download, and WebSocket messages
there and back. Times of one machine say little; the ratios travel.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import httpx
from websockets.asyncio.client import connect

from loader.backends.host import Backends
from loader.home import Home
from loader.inventory.pipeline import Pipeline
from loader.nouns import Event
from loader.server.announcer import About
from loader.server.app import create_app, make_parts, no_policy
from loader.server.endpoint import bind
from loader.server.listening import server_for
from loader.server.sessions import Credentials
from loader.settings import ServiceSettings
from loader.testing import FakeAnalyzer

TOKEN = "bench"
API = """
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
router = APIRouter()

@router.get("/small")
async def small(): return {"items": [1, 2, 3], "name": "bench"}

@router.get("/big")
async def big(size: int):
    async def pieces():
        for _ in range(size // 65536): yield b"x" * 65536
    return StreamingResponse(pieces(), media_type="application/octet-stream")

@router.websocket("/echo")
async def echo(socket: WebSocket):
    await socket.accept()
    try:
        while True: await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect: pass
"""
SERVE = """
import sys, uvicorn
from fastapi import FastAPI
sys.path.insert(0, sys.argv[1])
from plugin_api import router
app = FastAPI()
app.include_router(router, prefix="/api/plugins/bench")
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False, http="h11",
            ws="websockets-sansio", ws_per_message_deflate=False)
"""


@dataclass
class Sizes:
    requests: int
    download_bytes: int
    messages: int
    rounds: int


async def serve(root: Path, port: int) -> None:
    """The service, in a process of its own, as the bare one is."""
    home = Home(root, root, None, "bench")

    def make_pipeline(emit: Callable[[Event], None]) -> Pipeline:
        return Pipeline(home, ServiceSettings(), analyzer=FakeAnalyzer(), emit=emit)

    parts = make_parts(
        About("bench", str(root), str(root), "i"),
        Credentials(TOKEN),
        make_pipeline,
        no_policy,
        make_backends=lambda *_: Backends(home, which=lambda _: None),
    )
    with bind(port) as listening:
        await server_for(create_app(parts, port=lambda: port)).serve(sockets=[listening])


@asynccontextmanager
async def running(*command: str) -> AsyncIterator[str]:
    """A server in a process of its own, answering; the command ends with its port."""
    with bind(0) as free:
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, str(port))
    try:
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            for _ in range(200):
                with contextlib.suppress(httpx.TransportError):
                    await http.get(f"{url}/api/plugins/bench/small")
                    break
                await asyncio.sleep(0.1)
        yield url
    finally:
        process.terminate()
        await process.wait()


async def measure(url: str, sizes: Sizes) -> dict[str, float]:
    """Seconds, by what was done: the median of the rounds."""
    path = f"{url}/api/plugins/bench"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    found: dict[str, list[float]] = {}
    async with httpx.AsyncClient(headers=headers, trust_env=False, timeout=120) as http:
        await http.get(f"{path}/small")

        async def some(count: int) -> None:
            for _ in range(count):
                (await http.get(f"{path}/small")).raise_for_status()

        for _ in range(sizes.rounds):
            began = perf_counter()
            await some(sizes.requests)
            found.setdefault("small JSON, one after another", []).append(perf_counter() - began)
            began = perf_counter()
            await asyncio.gather(*(some(sizes.requests // 8) for _ in range(8)))
            found.setdefault("small JSON, eight at a time", []).append(perf_counter() - began)
            began = perf_counter()
            size = 0
            async with http.stream("GET", f"{path}/big?size={sizes.download_bytes}") as answer:
                async for piece in answer.aiter_raw():
                    size += len(piece)
            assert size == sizes.download_bytes // 65536 * 65536
            found.setdefault(f"download of {sizes.download_bytes // 1_000_000} MB", []).append(perf_counter() - began)
            async with connect(
                f"{path.replace('http', 'ws', 1)}/echo", additional_headers=headers, proxy=None, compression=None
            ) as socket:
                began = perf_counter()

                async def send() -> None:
                    for number in range(sizes.messages):
                        await socket.send(f'{{"n": {number}}}')

                sending = asyncio.create_task(send())
                for _ in range(sizes.messages):
                    await socket.recv()
                await sending
                found.setdefault(f"{sizes.messages} messages there and back", []).append(perf_counter() - began)
    return {name: statistics.median(times) for name, times in found.items()}


async def run(sizes: Sizes) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        dashboard = root / "plugins" / "bench" / "dashboard"
        dashboard.mkdir(parents=True)
        (dashboard / "manifest.json").write_text(json.dumps({"name": "bench", "api": "plugin_api.py"}))
        (dashboard / "plugin_api.py").write_text(API)
        (root / "config.yaml").write_text("plugins: {enabled: [bench]}\n")
        async with running("-c", SERVE, str(dashboard)) as url:
            without = await measure(url, sizes)
        async with running("-m", "bench.backend_proxy", "--serve", str(root)) as url:
            through = await measure(url, sizes)
    return {
        name: {"bare_s": took, "proxied_s": through[name], "ratio": through[name] / took}
        for name, took in without.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, one round")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", nargs=2, metavar=("ROOT", "PORT"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        asyncio.run(serve(Path(chosen.serve[0]), int(chosen.serve[1])))
        return
    sizes = Sizes(80, 10_000_000, 200, 1) if chosen.quick else Sizes(800, 100_000_000, 5_000, 3)
    found = asyncio.run(run(sizes))
    if chosen.json:
        print(json.dumps(found, indent=2))
        return
    for name, row in found.items():
        print(f"{name:<34} bare {row['bare_s']:7.2f} s   proxied {row['proxied_s']:7.2f} s   x{row['ratio']:.2f}")


if __name__ == "__main__":
    main()
