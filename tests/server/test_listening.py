from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.client import connect

from loader.server.app import bare_app
from loader.server.listening import server_for
from tests.server.fakes import TOKEN
from tests.server.running import Running, running

pytestmark = pytest.mark.anyio


@pytest.fixture
async def service(anyio_backend: str) -> AsyncIterator[Running]:
    async with running() as found:
        yield found


def test_uvicorn_runs_as_the_protocol_says() -> None:
    config = server_for(bare_app()).config
    assert (config.ws_ping_interval, config.ws_ping_timeout, config.ws_max_size) == (20, 20, 1024 * 1024)
    assert config.access_log is False, "request lines hold capabilities"
    assert config.proxy_headers is False, "anybody on loopback could write them"


async def test_frames_are_not_compressed(service: Running) -> None:
    async with connect(
        f"ws://127.0.0.1:{service.port}/v1/events",
        additional_headers={"Authorization": f"Bearer {TOKEN}"},
        compression="deflate",
        proxy=None,
    ) as connection:
        assert connection.protocol.extensions == []
