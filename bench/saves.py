"""From close(2) to the message at a client: ours, Vite's dev server on the same file, and bare watchers."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from bench.measuring import HERE, Numbers, node, numbers
from bench.service import loaded, serving
from bench.texts import home_with, plugin
from loader.home import Home
from loader.watching import watch

PAUSE_S = 0.35
# A service that has begun warms its workers a little later.
BEGUN_S = 6.0
STUB = "const any = () => null\nexport default any\n" + "".join(
    f"export const {name} = any\n"
    for name in [
        "host",
        "Button",
        "Input",
        "PANES_AREA",
        "PALETTE_AREA",
        "STATUSBAR_AREAS",
        "useValue",
        "useState",
        "useEffect",
        "useMemo",
        "jsx",
        "jsxs",
    ]
)


def save(path: Path, text: str) -> int:
    """Write as a plain editor does; the monotonic time in nanoseconds just after close."""
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
    return time.monotonic_ns()


async def beside_vite(rounds: int, sizes_kb: tuple[int, ...] = (5, 25, 100, 270)) -> dict[str, Any]:
    """For each size: message received, and module fetched, for both; saves take turns.

    What a message says differs: Vite's, that a file has changed, before it was looked at; ours, that these bytes were
    checked and rehearsed. What a client waits for is the module in its hand. Vite's with ESLint in it has been checked,
    as ours has (for undeclared names and for imports; not rehearsed): the nearest to the same work.
    """
    rows: dict[str, Any] = {}
    for size_kb in sizes_kb:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            root = Path(folder) / "home"
            ours = root / "desktop-plugins" / "bench" / "plugin.js"
            ours.parent.mkdir(parents=True)
            text = plugin(size_kb)
            save(ours, text)
            sites = [_site(Path(folder) / name, text) for name in ("plain", "linted")]
            rows[str(size_kb)] = await _side_by_side(root, ours, sites, text, rounds)
    return rows


def _site(folder: Path, text: str) -> Path:
    folder.mkdir()
    save(folder / "plugin.js", text)
    (folder / "stub.js").write_text(STUB, "utf-8")
    (folder / "index.html").write_text('<script type="module" src="/plugin.js"></script>', "utf-8")
    return folder


async def _side_by_side(root: Path, ours: Path, sites: list[Path], text: str, rounds: int) -> dict[str, Any]:
    plain, linted = sites
    times: dict[str, list[float]] = {
        name: []
        for name in ("ours", "ours, fetched", "vite", "vite, fetched", "vite + eslint", "vite + eslint, fetched")
    }
    async with (
        serving(root) as service,
        service.client() as shell,
        _vite(plain) as vite,
        _vite(linted, "lint") as vite_linted,
        httpx.AsyncClient() as http,
    ):
        base = service.endpoint.url
        await asyncio.sleep(BEGUN_S)
        await _settled(shell)
        for number in range(rounds + 2):
            changed = f"{text}// save {number}\n"
            await asyncio.sleep(PAUSE_S)
            began = save(ours, changed)
            params = await loaded(shell, "bench", hashlib.sha256(changed.encode()).hexdigest())
            times["ours"].append((time.monotonic_ns() - began) / 1e6)
            answer = await http.get(base + params["module_url"])
            assert answer.status_code == 200
            times["ours, fetched"].append((time.monotonic_ns() - began) / 1e6)

            for name, site, (address, hot) in (("vite", plain, vite), ("vite + eslint", linted, vite_linted)):
                message, fetched = await _at_vite(site / "plugin.js", changed, address, hot, http)
                times[name].append(message)
                times[f"{name}, fetched"].append(fetched)
    return {name: numbers(values[2:]).json() for name, values in times.items()}


async def _at_vite(path: Path, text: str, address: str, hot: Any, http: httpx.AsyncClient) -> tuple[float, float]:
    """Milliseconds from close(2) to the message, and to the module."""
    (await http.get(f"{address}/plugin.js")).raise_for_status()
    await asyncio.sleep(PAUSE_S)
    began = save(path, text)
    async with asyncio.timeout(30):
        while json.loads(await hot.recv())["type"] not in ("update", "full-reload"):
            pass
    message_ms = (time.monotonic_ns() - began) / 1e6
    answer = await http.get(f"{address}/plugin.js?t={began}")
    assert answer.status_code == 200
    assert text.splitlines()[-1] in answer.text, "the module of this very save"
    return message_ms, (time.monotonic_ns() - began) / 1e6


async def in_homes(counts: tuple[int, ...], rounds: int) -> dict[str, Any]:
    """One save of 25 KB in homes of so many plugins: message received."""
    rows: dict[str, Any] = {}
    for count in counts:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            root = home_with(Path(folder) / "home", count - 1)
            ours = root / "desktop-plugins" / "bench" / "plugin.js"
            ours.parent.mkdir(parents=True, exist_ok=True)
            text = plugin(25)
            save(ours, text)
            async with serving(root):
                pass  # what is new is checked: saves shall not wait for that
            async with serving(root) as service, service.client() as shell:
                await asyncio.sleep(BEGUN_S)
                await _settled(shell)
                values = []
                for number in range(rounds + 2):
                    changed = f"{text}// save {number}\n"
                    await asyncio.sleep(PAUSE_S)
                    began = save(ours, changed)
                    await loaded(shell, "bench", hashlib.sha256(changed.encode()).hexdigest())
                    values.append((time.monotonic_ns() - began) / 1e6)
                rows[str(count)] = numbers(values[2:]).json()
    return rows


async def _settled(shell: Any) -> None:
    """Read what the start brought: the snapshot, and loads that came after it."""
    try:
        async with asyncio.timeout(3):
            while True:
                await shell.recv()
    except TimeoutError:
        return


@asynccontextmanager
async def _vite(site: Path, *options: str) -> AsyncIterator[tuple[str, Any]]:
    process = await asyncio.create_subprocess_exec(
        node(), str(HERE / "vite_server.mjs"), str(site), *options,
        cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            told = json.loads(await process.stdout.readline())
        where = f"127.0.0.1:{told['port']}"
        async with httpx.AsyncClient() as http:
            (await http.get(f"http://{where}/plugin.js")).raise_for_status()
        async with connect(
            f"ws://{where}/?token={told['token']}",
            subprotocols=["vite-hmr"],  # type: ignore[list-item]
            proxy=None,
            compression=None,
        ) as hot:
            yield f"http://{where}", hot
    finally:
        await _ended(process)


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(5):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


async def bare_watchers(rounds: int) -> dict[str, Any]:
    """From close(2) to the event, no check: our hints, chokidar, @parcel/watcher."""
    rows: dict[str, Numbers] = {"ours": await _our_watcher(rounds)}
    for tool in ("chokidar", "parcel"):
        rows[tool] = await _node_watcher(tool, rounds)
    return {name: value.json() for name, value in rows.items()}


async def _our_watcher(rounds: int) -> Numbers:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder)
        path = root / "desktop-plugins" / "bench" / "plugin.js"
        path.parent.mkdir(parents=True)
        save(path, "0")
        stop, seen = asyncio.Event(), asyncio.Queue[int]()

        async def listen() -> None:
            async for _ in watch(Home(root, root, None, "bench"), step_ms=10, stop=stop, log=lambda *_: None):
                seen.put_nowait(time.monotonic_ns())

        listening = asyncio.create_task(listen())
        await asyncio.sleep(1.0)
        values = []
        for number in range(rounds + 1):
            await asyncio.sleep(PAUSE_S)
            while not seen.empty():
                seen.get_nowait()
            began = save(path, str(number))
            async with asyncio.timeout(30):
                values.append((await seen.get() - began) / 1e6)
        stop.set()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        return numbers(values[1:])


async def _node_watcher(tool: str, rounds: int) -> Numbers:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder) / "plugin.js"
        save(path, "0")
        process = await asyncio.create_subprocess_exec(
            node(), str(HERE / "watchers.mjs"), tool, folder, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        try:
            assert process.stdout is not None
            while await process.stdout.readline() != b"ready\n":
                pass
            values = []
            for number in range(rounds + 1):
                await asyncio.sleep(PAUSE_S)
                began = save(path, str(number))
                async with asyncio.timeout(30):
                    while (seen := int(await process.stdout.readline())) < began:
                        pass  # an event of the save before
                values.append((seen - began) / 1e6)
        finally:
            await _ended(process)
        return numbers(values[1:])
