"""Floods over the WebSocket: every answer is still one of the policy's own, and nobody else pays."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from tests.policy.served import Served, Shell, row, serving

pytestmark = [pytest.mark.anyio, pytest.mark.real]
SETTINGS = "nav.settings"


async def load(here: Served, shell: Shell, *plugins: str) -> list[str]:
    for plugin in plugins:
        here.pipeline.load(row(plugin))
    await shell.until(lambda: len(shell.of("plugin/load")) >= len(plugins))
    return [params["plugin_token"] for params in shell.of("plugin/load")]


async def test_a_thousand_actions_in_one_breath_are_a_thousand_values() -> None:
    async with serving() as here, here.shell() as shell:
        (token,) = await load(here, shell, "demo")
        await shell.request("shell/mount", version="1", focused=True)
        actions = [SETTINGS, "app.quit", "session.archive", None] * 250
        answers = await asyncio.gather(*(shell.result("runAction", plugin_token=token, action=a) for a in actions))
        outcomes = Counter(
            (action, answer.get("reason", "ok")) for action, answer in zip(actions, answers, strict=True)
        )
        assert outcomes[("app.quit", "unknown")] == outcomes[("session.archive", "denied")] == 250
        assert outcomes[(None, "unknown")] == 250
        assert outcomes[(SETTINGS, "ok")] + outcomes[(SETTINGS, "unavailable")] == 250
        assert outcomes[(SETTINGS, "ok")] == len(shell.asked) > 0
        assert await shell.result("runAction", plugin_token=token, action=SETTINGS) == {"ok": True}


async def test_a_plugin_whose_calls_wait_takes_no_turn_from_another() -> None:
    async with serving(deadline_s=30) as here, here.shell() as shell, here.shell() as flooding, here.shell() as quiet:
        loud, calm = await load(here, shell, "loud", "calm")
        await shell.request("shell/mount", version="1", focused=True)
        go = asyncio.Event()

        async def slow(params: dict[str, Any]) -> Any:
            if params["plugin"] == "loud":
                await go.wait()
            return {"ok": True}

        shell.answer = slow
        flood = [
            asyncio.create_task(flooding.result("runAction", plugin_token=loud, action=SETTINGS)) for _ in range(600)
        ]
        assert await flooding.result("ping") == {"ok": True}
        assert await quiet.result("runAction", plugin_token=calm, action=SETTINGS) == {"ok": True}
        go.set()
        answers = await asyncio.gather(*flood)
        assert Counter(answer.get("reason", "ok") for answer in answers) == {"ok": 128, "unavailable": 472}


async def test_a_notification_is_not_answered_even_when_it_is_turned_away() -> None:
    async with serving(deadline_s=30) as here, here.shell() as shell, here.shell() as silent:
        (token,) = await load(here, shell, "demo")
        params = {"plugin_token": token, "action": "app.quit"}
        for _ in range(400):
            await silent.connection.send(json.dumps({"jsonrpc": "2.0", "method": "runAction", "params": params}))
        # An answer to one of them would have no request of ours to go to, and end the reader.
        assert await silent.result("ping") == {"ok": True}
        assert silent.of("log") != []
