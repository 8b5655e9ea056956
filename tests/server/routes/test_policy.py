"""The host policy over HTTP and WebSocket, on a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from tests.policy.conftest import CASES, FakeTime, table_of
from tests.policy.served import Served, Shell, load, row, serving

pytestmark = [pytest.mark.anyio, pytest.mark.real]
SETTINGS = "nav.settings"
ODD: list[Any] = [
    None,
    True,
    5,
    1.5,
    [],
    ["nav.settings"],
    {},
    "",
    "constructor",
    "__proto__",
    "nav.settings ",
    "x" * 100_000,
]


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with serving() as served:
        yield served


# ---------------------------------------------------------------- the two ways in: the same words on both

Ask = Callable[[str, str, Any], Awaitable[Any]]


def over_http(here: Served, _: Shell, plugin: str) -> Ask:
    async def ask(token: str, subject: str, value: Any) -> Any:
        path, body = {
            "action": (f"/v1/plugins/{plugin}/actions", {"action": value}),
            "say": (f"/v1/plugins/{plugin}/pet/lines", value),
        }[subject]
        answer = await here.http.post(
            path, content=json.dumps(body), headers={**here.as_plugin(token), "content-type": "application/json"}
        )
        assert answer.status_code == 200
        return answer.json()

    return ask


def over_websocket(_: Served, shell: Shell, __: str) -> Ask:
    async def ask(token: str, subject: str, value: Any) -> Any:
        if subject == "action":
            return await shell.result("runAction", plugin_token=token, action=value)
        return await shell.result("pet.say", plugin_token=token, **value)

    return ask


WAYS = pytest.mark.parametrize("way", [over_http, over_websocket])
Way = Callable[[Served, Shell, str], Ask]


@WAYS
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["kind"] == "policy-action"])
async def test_cases_of_actions(way: Way, name: str) -> None:
    given: dict[str, Any] = CASES[name]["input"]
    async with serving(table=table_of(given["allowlist"], given.get("known_actions"))) as here, here.shell() as shell:
        await shell.request(
            "shell/mount", version="1", focused=True, actions=given.get("handlers") or given["handlers_present"]
        )
        token = await load(here, shell, "demo")
        ask = way(here, shell, "demo")
        results = [await ask(token, "action", action) for action in given["calls"]]
        answers = ["ok" if result["ok"] else result["reason"] for result in results]
        assert answers == CASES[name]["expected"]["answers"]
        assert [asked["action"] for asked in shell.asked] == [
            action for action, answer in zip(given["calls"], answers, strict=True) if answer == "ok"
        ]


@WAYS
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["kind"] == "policy-pet"])
async def test_cases_of_the_pet(way: Way, name: str) -> None:
    given: dict[str, Any] = CASES[name]["input"]
    expected: dict[str, Any] = CASES[name]["expected"]
    clock = FakeTime()
    async with serving(clock_s=clock, schedule=clock.schedule) as here, here.shell() as shell:
        token = await load(here, shell, "demo")
        ask = way(here, shell, "demo")
        await here.http.put("/v1/pet", json={"visible": True, "core_status": "idle"})
        start_s, accepted, texts = clock.now_s, [], []
        for number, call in enumerate(given["calls"]):
            clock.move(start_s + call.get("t", number * 60.0) - clock.now_s)
            before = (await here.http.get("/v1/pet")).json()["lines"]
            said = await ask(token, "say", {"text": call["text"], **({"ttlMs": call["ttl"]} if "ttl" in call else {})})
            lines = (await here.http.get("/v1/pet")).json()["lines"]
            assert len(lines) <= 3
            accepted.append(said["ok"])
            texts.append(lines[-1]["text"] if lines[len(before) :] else None)
        if "accepted" in expected:
            assert accepted == expected["accepted"]
        if "texts" in expected:
            assert texts == expected["texts"]
        if "max_live" in expected:
            assert texts == ["one", "two", "three", None, None, "six"]
            clock.move(60)
            await shell.until(lambda: shell.texts_out()[-1:] == [[]])
            assert max(len(out) for out in shell.texts_out()) == expected["max_live"]


@WAYS
async def test_odd_ids_are_unknown_the_answer_is_bounded_and_the_connection_stays(way: Way, here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        ask = way(here, shell, "demo")
        for action in [*ODD, "\ud800", "nav.setting\u0455"]:
            result = await ask(token, "action", action)
            assert (result["ok"], result["reason"]) == (False, "unknown")
            assert len(result["error"]) < 250
        assert await shell.result("ping") == {"ok": True}


@WAYS
async def test_odd_lines_get_their_reasons(way: Way, here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        ask = way(here, shell, "demo")
        assert await ask(token, "say", {}) == {"ok": False, "reason": "empty"}
        assert await ask(token, "say", {"text": "x", "id": "y" * 65}) == {"ok": False, "reason": "id"}
        odd = {"text": ["a", 5], "id": 7, "tone": {}, "ttlMs": "long"}
        assert await ask(token, "say", odd) == {"ok": True, "line": "7"}


async def test_many_at_once_over_both_ways_never_overrun_the_limits(here: Served) -> None:
    async with here.shell() as one, here.shell() as two:
        token = await load(here, one, "demo")
        await here.http.put("/v1/pet", json={"visible": True})
        ways = [over_http(here, one, "demo"), over_websocket(here, one, "demo"), over_websocket(here, two, "demo")]
        said = await asyncio.gather(*(ways[n % 3](token, "say", {"text": f"line {n}"}) for n in range(60)))
        reasons = sorted(answer.get("reason", "ok") for answer in said)
        assert reasons == ["lines"] * 7 + ["ok"] * 3 + ["rate"] * 50
        await two.until(lambda: len(two.texts_out()) == 3)
        await one.until(lambda: len(one.texts_out()) == 3)
        assert one.texts_out() == two.texts_out()
        assert [len(out) for out in one.texts_out()] == [1, 2, 3]


# ---------------------------------------------------------------- shells


async def test_the_answers_when_no_shell_is_there_or_none_has_a_handler(here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        ask = over_http(here, shell, "demo")
        assert (await ask(token, "action", SETTINGS))["reason"] == "unavailable"
        mounted = await shell.result("shell/mount", version="1", focused=True, actions=["nav.cron", "app.quit"])
        verdicts = {action["id"]: action["verdict"] for action in mounted["actions"]}
        assert (verdicts["nav.cron"], verdicts[SETTINGS], verdicts["session.archive"]) == (
            "ok",
            "unavailable",
            "denied",
        )
        assert "app.quit" not in verdicts
        assert (await ask(token, "action", SETTINGS))["reason"] == "unavailable"
        assert await ask(token, "action", "nav.cron") == {"ok": True}
        assert shell.asked == [{"action": "nav.cron", "plugin": "demo"}]
        await shell.until(lambda: bool(shell.of("policy/actions")))
        listed = (await here.http.get("/v1/plugins/demo/actions")).json()["actions"]
        assert listed == [{"id": "nav.cron", "label": "Open scheduled jobs", "category": "navigation"}]


async def test_a_shell_that_goes_midway_one_too_slow_and_one_that_says_no() -> None:
    async with serving(deadline_s=0.05) as here, here.shell() as plugin_side:
        token = await load(here, plugin_side, "demo")
        ask = over_websocket(here, plugin_side, "demo")

        async def never(_: dict[str, Any]) -> Any:
            await asyncio.Event().wait()

        async def no(_: dict[str, Any]) -> Any:
            return {"ok": False, "error": "locked"}

        async with here.shell() as shell:
            await shell.request("shell/mount", version="1", focused=True)
            shell.answer = never
            late = await ask(token, "action", SETTINGS)
            assert (late["reason"], "did not answer" in late["error"]) == ("unavailable", True)
            shell.answer = no
            refused = await ask(token, "action", SETTINGS)
            assert (refused["reason"], "(locked)" in refused["error"]) == ("unavailable", True)

    async with serving(deadline_s=30) as here, here.shell() as plugin_side:
        token = await load(here, plugin_side, "demo")
        ask = over_websocket(here, plugin_side, "demo")
        async with here.shell() as shell:
            await shell.request("shell/mount", version="1", focused=True)
            shell.answer = never
            waiting = asyncio.ensure_future(ask(token, "action", SETTINGS))
            await shell.until(lambda: bool(shell.asked))
        gone = await waiting
        assert (gone["reason"], "went away" in gone["error"]) == ("unavailable", True)


async def test_an_answer_that_comes_too_late_is_dropped_and_the_next_call_works() -> None:
    async with serving(deadline_s=0.05) as here, here.shell() as shell:
        token = await load(here, shell, "demo")
        await shell.request("shell/mount", version="1", focused=True)
        release = asyncio.Event()

        async def late(_: dict[str, Any]) -> Any:
            await release.wait()
            return {"ok": True}

        shell.answer = late
        assert (await over_http(here, shell, "demo")(token, "action", SETTINGS))["reason"] == "unavailable"
        release.set()
        shell.answer = None
        assert await shell.result("ping") == {"ok": True}
    async with serving() as here, here.shell() as shell:
        token = await load(here, shell, "demo")
        await shell.request("shell/mount", version="1", focused=True)
        assert await over_http(here, shell, "demo")(token, "action", SETTINGS) == {"ok": True}


async def test_of_two_shells_the_focused_one_is_asked_even_by_a_call_over_its_own_connection(here: Served) -> None:
    async with here.shell() as one, here.shell() as two:
        token = await load(here, one, "demo")
        await one.request("shell/mount", version="1", focused=False)
        await two.request("shell/mount", version="1", focused=False)
        ask = over_websocket(here, one, "demo")
        await ask(token, "action", SETTINGS)
        await one.request("shell/focus", focused=True)
        await ask(token, "action", SETTINGS)
        await one.request("shell/unmount")
        await ask(token, "action", SETTINGS)
        assert (len(one.asked), len(two.asked)) == (1, 2)


# ---------------------------------------------------------------- tokens


async def test_the_plugin_is_that_of_the_token_whatever_a_field_says(here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo", name="Demo\u202e plugin")
        await load(here, shell, "other")
        await here.http.put("/v1/pet", json={"visible": True})
        await shell.result(
            "pet.say", plugin_token=token, text="hi", plugin="other", label="Hermes", id="x", ttlMs=20_000
        )
        (line,) = (await here.http.get("/v1/pet")).json()["lines"]
        assert (line["plugin"], line["label"]) == ("demo", "Demo plugin")
        await shell.request("shell/mount", version="1", focused=True)
        await shell.result("runAction", plugin_token=token, action=SETTINGS, plugin="other")
        assert shell.asked == [{"action": SETTINGS, "plugin": "demo"}]


async def test_unknown_tokens_are_turned_away_and_foreign_paths_forbidden(here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        await load(here, shell, "other")
        paths = ["actions", "pet/lines", "notifications"]
        for path in paths:
            for sent, status in [("wrong", 401), (token, 403)]:
                answer = await here.http.post(
                    f"/v1/plugins/other/{path}", json={"title": "x", "text": "x"}, headers=here.as_plugin(sent)
                )
                assert answer.status_code == status
                assert answer.headers["content-type"] == "application/problem+json"
        for path in ["/v1/pet", "/v1/actions", "/v1/policy/audit", "/v1/notifications", "/v1/plugins"]:
            assert (await here.http.get(path, headers=here.as_plugin(token))).status_code == 403
        put = await here.http.put("/v1/pet", json={"visible": True}, headers=here.as_plugin(token))
        assert put.status_code == 403
        key = await here.http.get("/v1/plugins/standalone:demo/actions", headers=here.as_plugin(token))
        assert key.status_code == 200
        for method in ("runAction", "pet.say", "pet.clear", "action/report"):
            answered = await shell.request(method, plugin_token="wrong", action=SETTINGS, text="x")
            assert answered["error"]["code"] == -32001


@WAYS
async def test_a_dead_token_is_unavailable_and_gone(way: Way, here: Served) -> None:
    async with here.shell() as shell:
        token = await load(here, shell, "demo")
        await shell.request("shell/mount", version="1", focused=True)
        here.pipeline.unload("demo")
        ask = way(here, shell, "demo")
        result = await ask(token, "action", SETTINGS)
        assert (result["reason"], "no longer running" in result["error"]) == ("unavailable", True)
        assert await ask(token, "say", {"text": "x"}) == {"ok": False, "reason": "gone"}
        assert shell.asked == []
        assert await shell.result("pet.clear", plugin_token=token) == {"ok": False, "reason": "gone"}


async def test_a_tool_speaks_for_a_plugin_only_while_it_runs(here: Served) -> None:
    here.pipeline.load(row("demo"))
    assert (await here.http.post("/v1/plugins/demo/pet/lines", json={"text": "x"})).json()["ok"] is True
    here.pipeline.unload("demo")
    said = await here.http.post("/v1/plugins/demo/pet/lines", json={"text": "x"})
    assert said.json() == {"ok": False, "reason": "gone"}
    assert (await here.http.post("/v1/plugins/nobody/pet/lines", json={"text": "x"})).status_code == 404
