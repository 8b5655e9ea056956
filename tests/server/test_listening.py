import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx
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


async def test_answers_say_when_they_were_made(service: Running) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{service.port}", trust_env=False) as client:
        before = datetime.now(UTC).replace(microsecond=0)
        said = parsedate_to_datetime((await client.get("/v1/health")).headers["date"])
    assert before <= said <= datetime.now(UTC)


async def test_a_quiet_server_sleeps_until_it_is_told_to_end() -> None:
    server = server_for(bare_app())
    waiting = asyncio.create_task(server.main_loop())
    await asyncio.sleep(0)
    assert not any(not timer.cancelled() for timer in getattr(asyncio.get_running_loop(), "_scheduled", ()))
    server.should_exit = True
    await asyncio.wait_for(waiting, 10)


async def test_frames_are_not_compressed(service: Running) -> None:
    async with connect(
        f"ws://127.0.0.1:{service.port}/v1/events",
        additional_headers={"Authorization": f"Bearer {TOKEN}"},
        compression="deflate",
        proxy=None,
    ) as connection:
        assert connection.protocol.extensions == []
