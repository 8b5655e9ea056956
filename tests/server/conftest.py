"""What tests of the server share."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from loader.server.app import create_app
from loader.server.parts import Parts
from tests.server.fakes import TOKEN, FakePipeline, make
from tests.server.running import Running, running

BASE = "http://127.0.0.1:8787"
AUTH = {"Authorization": f"Bearer {TOKEN}"}


@dataclass
class InProcess:
    """The app in this process: ``http`` sends no token of its own, ``tool`` the endpoint's."""

    parts: Parts
    pipeline: FakePipeline
    http: httpx.AsyncClient
    tool: httpx.AsyncClient


@pytest.fixture
async def app(anyio_backend: str) -> AsyncIterator[InProcess]:
    parts, pipeline = make(shipped={"react": ("useState", "Fragment"), "@hermes/plugin-sdk": ("host",)})
    asgi = create_app(parts, origins=("https://workbench.example",), port=lambda: 8787)
    transport = httpx.ASGITransport(asgi, raise_app_exceptions=False)
    async with (
        httpx.AsyncClient(transport=transport, base_url=BASE) as http,
        httpx.AsyncClient(transport=transport, base_url=BASE, headers=AUTH) as tool,
    ):
        yield InProcess(parts, pipeline, http, tool)


@pytest.fixture
async def service(anyio_backend: str) -> AsyncIterator[Running]:
    async with running() as found:
        yield found
