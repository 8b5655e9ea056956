"""The cases of more.jsonl on a home: saves on a fake clock, backends and sockets on a real server."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from loader.nouns import PluginFailed, PluginLoaded, PluginUnloaded
from tests.backends.conftest import BackendHome, serving
from tests.cases.given import Case, named, of, spelled
from tests.inventory.conftest import Bench
from tests.server.fakes import TOKEN

pytestmark = pytest.mark.anyio
PATIENCE_S = 60.0


@pytest.fixture
async def bench(tmp_path: Path) -> Any:
    made = Bench(tmp_path)
    yield made
    await made.stop()


def said(bench: Bench) -> list[str]:
    """Loads, reloads, unloads and errors, as the cases write them."""
    words: list[str] = []
    for before, event in zip([None, *bench.events], bench.events, strict=False):
        match event:
            case PluginUnloaded():
                words.append(f"unload {event.id}")
            case PluginLoaded(plugin=row) if isinstance(before, PluginUnloaded) and before.reason == "changed":
                words[-1] = f"reload {row.id} {row.name}"
            case PluginLoaded(plugin=row):
                words.append(f"load {row.id} {row.name}")
            case PluginFailed(plugin=row):
                words.append(f"error {row.id}")
    return words


def link(bench: Bench, place: str, target: str) -> None:
    path = bench.path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(".new-link")
    beside.symlink_to(target)
    beside.replace(path)
    bench.hint(place)


def same_time(path: Path, text: str) -> None:
    before = path.stat()
    assert before.st_size == len(text.encode())
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


async def take(bench: Bench, step: list[Any]) -> None:
    what, *given = step
    if what == "wait":
        await bench.clock.advance(given[0])
        return
    path = bench.path(given[0])
    if what == "write":
        bench.write(given[0], given[1])
    elif what == "write same time":
        same_time(path, given[1])
    elif what == "remove":
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    elif what == "move":
        path.rename(bench.path(given[1]))
        bench.hint(given[1])
    else:
        assert what == "relink"
        link(bench, *given)
    bench.hint(given[0])


@pytest.mark.parametrize("case", of("watch", "reload", "identity"), ids=named)
async def test_a_home_ends_as_it_should(case: Case, bench: Bench) -> None:
    given, expected = case["input"], case["expected"]
    for place, text in given["files"].items():
        bench.write(place, text)
    for place, target in given.get("links", {}).items():
        link(bench, place, target)
    bench.deaf = given.get("deaf", False)
    await bench.start()
    for step in given["steps"]:
        await take(bench, step)
    heard = said(bench)
    if "loads" in expected:
        assert [word for word in heard if word.startswith(("load", "reload"))] == expected["loads"]
        assert {row.state for row in bench.pipeline.plugins() if row.folder != "demo"} == {"failed"}
    elif expected.get("any_order"):
        assert sorted(heard) == sorted(expected["events"])
    else:
        assert heard == expected["events"]
    for name, state in expected.get("state", {}).items():
        row = bench.row(name)
        assert (row.state, row.running_revision) == (state, row.revision)


@pytest.mark.real
@pytest.mark.parametrize("case", of("backend"), ids=named)
async def test_a_backend_answers_as_it_should(case: Case, tmp_path: Path) -> None:
    given, expected = case["input"], case["expected"]
    at = BackendHome(tmp_path / "hermes")
    for place, text in given["files"].items():
        path = at.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    config = at.root / "config.yaml"
    config.write_text(given["config"], "utf-8")
    async with serving(at.home) as served:
        answers = []
        for method, path, *body in given["requests"]:
            content = {"json": body[0]} if body else {}
            answers.append(await served.http.request(method, f"/api/plugins/{path}", **content))
        assert [answer.status_code for answer in answers] == expected["status"], [answer.text for answer in answers]
        for words in expected.get("said", ()):
            assert all(words in answer.json()["detail"] for answer in answers[:1])
        if "body" in expected:
            assert answers[-1].json() == expected["body"]
        if "bodies" in expected:
            assert [answer.json() for answer in answers] == expected["bodies"]
    assert config.read_text("utf-8") == given["config"]


async def entered(port: int) -> ClientConnection:
    client = await connect(
        f"ws://127.0.0.1:{port}/v1/events",
        subprotocols=["hermes-plugins.v1", f"bearer.{TOKEN}"],  # type: ignore[list-item]
        max_size=None,
        proxy=None,
    )
    assert json.loads(await client.recv())["method"] == "hello"
    return client


@pytest.mark.real
@pytest.mark.parametrize("case", of("websocket"), ids=named)
async def test_a_socket_holds_as_it_should(case: Case, tmp_path: Path) -> None:
    given = case["input"]
    at = BackendHome(tmp_path / "hermes")
    at.root.mkdir()
    async with asyncio.timeout(PATIENCE_S), serving(at.home) as served:
        clients = [await entered(served.port) for _ in range(given.get("windows", 1))]
        codes = []
        for frame in given.get("frames", ()):
            await clients[0].send(spelled(frame))
            answer = json.loads(await clients[0].recv())
            codes.append(answer.get("error", {}).get("code"))
        assert codes == case["expected"].get("codes", [])
        staying = [client for number, client in enumerate(clients) if number not in given.get("leave", ())]
        for number in range(20):
            served.pipeline.save(f"plugin-{number}")
            if number == 10:
                for client in clients:
                    if client not in staying:
                        client.transport.abort()
        for client in staying:
            told = [json.loads(await client.recv())["params"]["row"]["id"] for _ in range(20)]
            assert told == [f"plugin-{number}" for number in range(20)]
            await client.close()
