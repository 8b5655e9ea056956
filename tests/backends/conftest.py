"""A home with backends, and a real server before them."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from loader.backends import host, launch
from loader.backends.host import Backends
from loader.home import Home
from loader.nouns import BackendEvent, Event, Logged
from loader.server.app import create_app, make_parts, no_policy
from loader.server.endpoint import bind
from loader.server.listening import server_for
from loader.server.parts import Parts
from loader.server.sessions import Credentials
from loader.settings import BackendSettings
from tests.server.fakes import ABOUT, TOKEN, FakePipeline

PATIENCE_S = 60.0
ROUTER = "from fastapi import APIRouter\nrouter = APIRouter()\n"


@pytest.fixture(autouse=True)
def measured_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under ``make coverage`` only: a worker's environment is made new and its file system is read-only, so that what
    measures it would neither start in it nor have a place to write to."""
    started_by = "COVERAGE_PROCESS_CONFIG"
    if started_by not in os.environ:
        return
    from coverage import Coverage

    measured = Coverage.current()
    assert measured is not None
    results = str(Path(measured.config.data_file or "").absolute().parent)
    environment, sandbox = launch.environment, launch.sandbox

    def with_measuring(*args: Any) -> dict[str, str]:
        return {**environment(*args), started_by: os.environ[started_by]}

    def with_results(bwrap: str, *args: Any) -> tuple[str, ...]:
        *made, end = sandbox(bwrap, *args)
        return (*made, "--bind", results, results, end)

    monkeypatch.setattr(host, "environment", with_measuring)
    monkeypatch.setattr(launch, "sandbox", with_results)


@dataclass
class BackendHome:
    root: Path

    @property
    def home(self) -> Home:
        return Home(self.root, self.root, None, "the test says so")

    def package(self, name: str, api: str | None = ROUTER, *, manifest: dict[str, Any] | None = None) -> Path:
        """A package with a backend; gives its dashboard folder."""
        dashboard = self.root / "plugins" / name / "dashboard"
        dashboard.mkdir(parents=True, exist_ok=True)
        said = {"name": name, "api": "plugin_api.py"} if manifest is None else manifest
        (dashboard / "manifest.json").write_text(json.dumps(said), "utf-8")
        if api is not None:
            (dashboard / "plugin_api.py").write_text(api, "utf-8")
        return dashboard

    def enable(self, *names: str, disabled: tuple[str, ...] = ()) -> None:
        text = json.dumps({"plugins": {"enabled": list(names), "disabled": list(disabled)}})
        (self.root / "config.yaml").write_text(text, "utf-8")


@pytest.fixture
def at(tmp_path: Path) -> BackendHome:
    root = tmp_path / "hermes"
    root.mkdir()
    return BackendHome(root)


@dataclass
class Served:
    parts: Parts
    pipeline: FakePipeline
    backends: Backends
    port: int
    http: httpx.AsyncClient
    published: list[Any] = field(default_factory=list)

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.http.get(f"/api/plugins/{path}", **more)

    @property
    def errors(self) -> list[str]:
        return [event.text for event in self.published if isinstance(event, Logged) and event.level == "error"]

    @property
    def events(self) -> list[BackendEvent]:
        return [event for event in self.published if isinstance(event, BackendEvent)]


@asynccontextmanager
async def serving(home: Home, *, look: bool = False, **settings: Any) -> AsyncIterator[Served]:
    """``look``: also run what watches code and switches between requests."""
    published: list[Any] = []
    made: list[Any] = []

    def make_pipeline(emit: Callable[[Event], None]) -> FakePipeline:
        made.append(FakePipeline(emit))
        return made[0]  # type: ignore[no-any-return]

    def make_backends(publish: Any, _: object) -> Backends:
        def said(event: Any) -> None:
            published.append(event)
            publish(event)

        chosen = replace(BackendSettings(drain_s=5.0, first_pause_s=0.01), **settings)
        made.append(
            Backends(home, chosen, publish=said, which=lambda name: f"/usr/bin/{name}" if name == "bwrap" else None)
        )
        return made[1]  # type: ignore[no-any-return]

    parts = make_parts(ABOUT, Credentials(TOKEN), make_pipeline, no_policy, make_backends=make_backends)
    listening = bind(0)
    port: int = listening.getsockname()[1]
    server = server_for(create_app(parts, port=lambda: port))
    running = asyncio.create_task(server.serve(sockets=[listening]))
    looking = asyncio.create_task(made[1].run()) if look else None
    try:
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}",
            headers={"Authorization": f"Bearer {TOKEN}"},
            timeout=PATIENCE_S,
            trust_env=False,
        ) as http:
            yield Served(parts, made[0], made[1], port, http, published)
    finally:
        if looking is not None:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        else:
            await made[1].close()
        parts.hub.close_all(1001, "the test ends")
        server.should_exit = True
        await running
        listening.close()


async def until(holds: Callable[[], bool], what: str = "it") -> None:
    """A poll with a deadline, for what another process does."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - the other side is another process
            await asyncio.sleep(0.02)
