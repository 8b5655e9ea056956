"""Where workers report: known by their secret, once; whoever brings none is hung up on and disturbs nobody."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from loader.backends.control import ControlServer
from loader.backends.inside.frames import HELLO, READY, Stream

pytestmark = pytest.mark.anyio

PATIENCE_S = 60.0


@pytest.fixture
async def control(tmp_path: Path, anyio_backend: str) -> AsyncIterator[ControlServer]:
    control = ControlServer(tmp_path)
    await control.open()
    yield control
    control.close()


async def connect(control: ControlServer) -> Stream:
    return Stream(*await asyncio.open_unix_connection(control.address["unix"]))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (HELLO, b"{}"),
        (HELLO, b'{"secret": "guessed"}'),
        (HELLO, b'{"secret": null}'),
        (HELLO, b"[]"),
        (HELLO, b"no JSON"),
        (HELLO, b"\xff"),
        (HELLO, b"[" * 200_000),
        (READY, b"{}"),
    ],
)
async def test_a_stranger_is_hung_up_on_and_the_one_that_is_expected_still_comes(
    control: ControlServer, kind: bytes, said: bytes
) -> None:
    secret, coming = control.expect()
    async with asyncio.timeout(PATIENCE_S):
        stranger = await connect(control)
        await stranger.write(kind, said)
        assert await stranger.read() is None
        stranger.close()
        assert not coming.done()
        worker = await connect(control)
        await worker.tell(HELLO, {"secret": secret})
        here = await coming
        await here.tell(READY, {"x": 1})
        assert await worker.read() == (READY, json.dumps({"x": 1}).encode())
        # The same secret again is nobody's any more.
        other = await connect(control)
        await other.tell(HELLO, {"secret": secret})
        assert await other.read() is None
        for stream in (here, worker, other):
            stream.close()
        await asyncio.sleep(0)


async def test_a_secret_that_nobody_waits_for_any_more_opens_nothing(control: ControlServer) -> None:
    secret, coming = control.expect()
    coming.cancel()
    async with asyncio.timeout(PATIENCE_S):
        late = await connect(control)
        await late.tell(HELLO, {"secret": secret})
        assert await late.read() is None
        late.close()
        await asyncio.sleep(0)


async def test_a_server_that_was_never_opened_is_closed_all_the_same(tmp_path: Path) -> None:
    ControlServer(tmp_path).close()
