"""The pet, notifications, prompts, directives, the log and the audit, on a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.policy.served import Served, load, row, serving

pytestmark = [pytest.mark.anyio, pytest.mark.real]
SETTINGS = "nav.settings"


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with serving() as served:
        yield served


# ---------------------------------------------------------------- the pet


async def test_lines_go_with_their_revision_at_once_and_the_window_stays(here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        await here.http.put("/v1/pet", json={"visible": True, "core_status": "idle"})
        for number in range(10):
            await shell.result("pet.say", plugin_token=token, text=str(number), id="x")
        fresh = await load(here, shell, "demo", "r2")
        assert fresh != token
        await shell.until(lambda: shell.texts_out()[-1] == [])
        assert await shell.result("pet.say", plugin_token=fresh, text="x") == {"ok": False, "reason": "rate"}
        order = [name for name, _ in shell.events if name in ("plugin/unload", "plugin/load", "pet/lines")]
        assert order[-3:] == ["plugin/unload", "plugin/load", "pet/lines"]


async def test_lines_are_cleared_one_by_one_all_at_once_and_by_their_own_call(here: Served) -> None:
    async with here.shell() as shell:
        await load(here, shell, "demo")
        await here.http.put("/v1/pet", json={"visible": True})
        path = "/v1/plugins/demo/pet/lines"

        async def say(text: str, **more: Any) -> None:
            assert (await here.http.post(path, json={"text": text, **more})).json()["ok"] is True

        async def texts() -> list[str]:
            return [line["text"] for line in (await here.http.get("/v1/pet")).json()["lines"]]

        await say("a", id="a/b ü")
        await say("b", id="b", call="first")
        await say("c", id="c")
        assert (await here.http.delete(f"{path}/a%2Fb%20%C3%BC")).json() == {"ok": True}
        assert await texts() == ["b", "c"]
        await say("b again", id="b", call="second")
        assert (await here.http.delete(f"{path}?call=first")).json() == {"ok": True}
        assert await texts() == ["b again", "c"]
        assert (await here.http.delete(f"{path}/nothing")).json() == {"ok": True}
        assert (await here.http.delete(path)).json() == {"ok": True}
        assert await texts() == []


async def test_the_pets_state_comes_from_the_shell_and_hides_lines(here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        assert (await here.http.get("/v1/pet")).json() == {"visible": False, "core_status": "idle", "lines": []}
        await shell.result("pet.say", plugin_token=token, text="hi", ttlMs=30_000)
        await here.http.put("/v1/pet", json={"visible": True, "core_status": "waiting"})
        shown = (await here.http.put("/v1/pet", json={"core_status": "idle"})).json()
        assert [line["text"] for line in shown["lines"]] == ["hi"]
        await here.http.put("/v1/pet", json={"core_status": "error"})
        await here.http.put("/v1/pet", json={"core_status": "error", "visible": True})
        await shell.until(lambda: len(shell.texts_out()) == 2)
        assert await shell.result("ping") == {"ok": True}
        assert shell.texts_out() == [["hi"], []]
        mistakes: list[Any] = [{"core_status": "dancing"}, {"visible": "yes"}, [], "x"]
        for wrong in mistakes:
            assert (await here.http.put("/v1/pet", json=wrong)).status_code == 422


# ---------------------------------------------------------------- the neighbours, the log, the audit


async def test_the_neighbours_answer_with_values(here: Served) -> None:
    async with here.shell() as shell:
        await shell.request("shell/mount", version="1", focused=True)
        await load(here, shell, "demo", directives=["demo-card"])
        notify = "/v1/plugins/demo/notifications"
        assert (await here.http.post(notify, json={"title": "x"})).json()["reason"] == "focused"
        await shell.request("shell/focus", focused=False)
        shown = (await here.http.post(notify, json={"title": "x", "activate": {"path": "cron"}, "icon": 1})).json()
        assert shown["notification"] == {
            "plugin": "demo",
            "title": "x",
            "body": "",
            "silent": False,
            "activate": "/cron",
        }
        assert (await here.http.post(notify, json={"title": "x"})).json()["reason"] == "repeat"
        assert (await here.http.put("/v1/notifications", json={"enabled": False})).json() == {"enabled": False}
        assert (await here.http.get("/v1/notifications")).json() == {"enabled": False}
        assert (await here.http.post(notify, json={"title": "y"})).json()["reason"] == "off"

        prompts = "/v1/previews/frame%201/prompts"
        assert (await here.http.post(prompts, json={"text": " go "})).json() == {"ok": True, "prompt": "go"}
        assert (await here.http.post(prompts, json={"text": "go"})).json()["reason"] == "rate"

        resolve = "/v1/directives/resolve"
        found = (await here.http.post(resolve, json={"text": '::demo-card{title="<b>"}'})).json()
        assert found == {"ok": True, "plugin": "demo", "name": "demo-card", "attributes": {"title": "<b>"}}
        assert (await here.http.post(resolve, json={"text": "words ::demo-card"})).json()["reason"] == "paragraph"


async def test_refusals_reach_the_log_folded_and_the_audit_counts_them_all(here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        for _ in range(50):
            await shell.result("runAction", plugin_token=token, action="app.quit")
        await shell.result("action/report", plugin_token=token, action=SETTINGS, result={"ok": True})
        await shell.until(lambda: len(shell.of("log")) == 2)
        first, folded = shell.of("log")
        assert (first["level"], first["plugin"]) == ("warning", "demo")
        assert first["text"].startswith("[plugin:demo] runAction: 'app.quit' is not a Hermes app action.")
        assert folded["text"].endswith("(and 48 more)")
        rows = (await here.http.get("/v1/policy/audit")).json()["rows"]
        assert [(told["what"], told["asked"], told["refused"]) for told in rows] == [
            ("(unknown)", 50, 50),
            (SETTINGS, 1, 0),
        ]
        table = (await here.http.get("/v1/actions")).json()["actions"]
        assert sum(told["verdict"] == "ok" for told in table) == 21


async def test_malformed_bodies_are_problems_and_not_refusals(here: Served) -> None:
    here.pipeline.load(row("demo"))
    for body in (b"", b"[]", b"5", b"{", b'"x"'):
        answer = await here.http.post(
            "/v1/plugins/demo/actions", content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code in (400, 422)
    deep = await here.http.post(
        "/v1/plugins/demo/actions",
        content=b'{"action":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        headers={"content-type": "application/json"},
    )
    assert deep.status_code in (200, 400, 422)
    plain_text = await here.http.post("/v1/plugins/demo/actions", content=b"x", headers={"content-type": "text/plain"})
    assert plain_text.status_code == 415
    assert isinstance(plain_text, httpx.Response)
