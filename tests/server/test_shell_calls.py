"""What the service asks of a shell over ``/v1/events``: its answers, its silence, and its leaving."""

import asyncio
import json

import pytest

from loader.server.hub import CALLS_LIMIT
from tests.server.running import Running, mounted

pytestmark = pytest.mark.anyio


async def test_a_shell_is_asked_and_answers(service: Running) -> None:
    async with service.client() as client:
        shell = await mounted(client)
        asked = asyncio.create_task(service.parts.hub.call_shell(shell, "action/run", {"action": "a"}, 10))
        request = await client.frame()
        assert (request["method"], request["params"]) == ("action/run", {"action": "a"})
        await client.connection.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"ok": True}}))
        assert await asked == {"ok": True}


async def test_a_shell_that_answers_with_an_error_said_no(service: Running) -> None:
    async with service.client() as client:
        shell = await mounted(client)
        asked = asyncio.create_task(service.parts.hub.call_shell(shell, "action/run", {}, 10))
        request = await client.frame()
        error = {"code": -1, "message": "not now"}
        await client.connection.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}))
        assert await asked == {"ok": False, "error": "not now"}


async def test_a_late_answer_finds_nobody_and_harms_nobody(service: Running) -> None:
    async with service.client() as client:
        shell = await mounted(client)
        with pytest.raises(TimeoutError):
            await service.parts.hub.call_shell(shell, "action/run", {}, 0.01)
        request = await client.frame()
        await client.connection.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"ok": True}}))
        assert await client.result("ping") == {"ok": True}


@pytest.mark.parametrize("how", ["unmount", "drop"])
async def test_a_shell_that_leaves_midway_is_known_at_once(service: Running, how: str) -> None:
    async with service.client() as client:
        shell = await mounted(client)
        asked = asyncio.create_task(service.parts.hub.call_shell(shell, "action/run", {}, 60))
        await client.frame()
        if how == "unmount":
            await client.result("shell/unmount")
        else:
            client.connection.transport.abort()
        with pytest.raises(ConnectionError):
            await asked
        with pytest.raises(ConnectionError):
            await service.parts.hub.call_shell(shell, "action/run", {}, 60)


async def test_a_shell_is_not_buried_in_calls(service: Running) -> None:
    async with service.client() as client:
        shell = await mounted(client)
        calls = [
            asyncio.create_task(service.parts.hub.call_shell(shell, "action/run", {}, 60)) for _ in range(CALLS_LIMIT)
        ]
        await client.frame()
        with pytest.raises(ConnectionError):
            await service.parts.hub.call_shell(shell, "action/run", {}, 60)
        await client.result("shell/unmount")
        done = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(result, ConnectionError) for result in done)
