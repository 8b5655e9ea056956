"""`actions`, `pet` and `policy` against a real service, and `actions` without one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from loader.cli.policy_lines import audit_table, bubble, bubble_words
from loader.server.endpoint import Endpoint, announced, claim
from loader.testing import until
from tests.cli.conftest import Cli, Outcome
from tests.policy.served import TOKEN, Served, row, serving

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def service(home: Path) -> AsyncIterator[Served]:
    """A real server that the command line finds by the home's endpoint.json."""
    async with serving() as here:
        endpoint = Endpoint(here.url, TOKEN, 1, "0", "instance", "2026-01-01T00:00:00Z")
        with claim(home / "desktop-loader"), announced(home / "desktop-loader", endpoint):
            yield here


async def in_thread(cli: Cli, *args: str) -> Outcome:
    return await asyncio.to_thread(cli, *args)


# ---------------------------------------------------------------- actions


def test_actions_lists_the_allowlist_without_a_service(cli: Cli) -> None:
    outcome = cli("actions")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert len(lines) == 22
    assert lines[1].split()[0] == "view.showBrowser"
    assert "session.archive" not in outcome.out


def test_actions_denied_lists_the_others(cli: Cli) -> None:
    rows = cli("actions", "--denied", "--json").json["actions"]
    assert {row["verdict"] for row in rows} == {"denied"}
    assert "session.archive" in [row["id"] for row in rows]


def test_actions_needs_no_home_unless_one_is_named(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "nowhere"))
    assert len(cli("actions", "--json").json["actions"]) == 21
    assert cli("actions", "--hermes-home", str(tmp_path / "nowhere")).code == 2


async def test_actions_tells_what_the_connected_window_can_run(cli: Cli, home: Path) -> None:
    async with service(home) as here, here.shell() as shell:
        await shell.request("shell/mount", version="1", focused=True, actions=["nav.cron"])
        outcome = await in_thread(cli, "actions", "--json")
        verdicts = {row["id"]: row["verdict"] for row in outcome.json["actions"]}
        assert (verdicts["nav.cron"], verdicts["nav.settings"]) == ("ok", "unavailable")


# ---------------------------------------------------------------- pet


def test_pet_and_policy_need_a_service_and_say_how_to_start_one(cli: Cli) -> None:
    for args in (("pet", "watch"), ("pet",), ("policy", "audit")):
        outcome = cli(*args)
        assert outcome.code == 3
        assert "hermes-desktop serve" in outcome.err
        assert outcome.out == ""


def test_wrong_words_are_wrong_usage(cli: Cli) -> None:
    assert cli("pet", "dance").code == 2
    assert cli("policy").code == 2
    assert cli("policy", "bribe").code == 2


async def test_pet_show_prints_what_shows_now(cli: Cli, home: Path) -> None:
    async with service(home) as here:
        here.pipeline.load(row("demo", name="Demo"))
        assert (await in_thread(cli, "pet", "show")).out == "(no pet is on screen)\n"
        await here.http.put("/v1/pet", json={"visible": True})
        assert (await in_thread(cli, "pet")).out == "(nothing to say)\n"
        await here.http.post("/v1/plugins/demo/pet/lines", json={"text": "hello", "id": "x"})
        assert (await in_thread(cli, "pet")).out == "Demo: hello\n"
        shown = (await in_thread(cli, "pet", "--json")).json
        assert [line["text"] for line in shown["lines"]] == ["hello"]


async def test_pet_watch_prints_a_line_for_each_change_until_the_service_ends(cli: Cli, home: Path) -> None:
    async with service(home) as here:
        here.pipeline.load(row("demo", name="Demo"))
        await here.http.put("/v1/pet", json={"visible": True})
        asked = 0
        answer = here.policy.pet

        def counted() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            return answer()

        here.policy.pet = counted  # type: ignore[method-assign]
        watching = asyncio.create_task(in_thread(cli, "pet", "watch", "--json"))
        await until(lambda: asked == 2)  # the snapshot of the hello, and the question that follows it
        await here.http.post("/v1/plugins/demo/pet/lines", json={"text": "one", "id": "x"})
        await until(lambda: asked == 3)
        await here.http.delete("/v1/plugins/demo/pet/lines")
        await until(lambda: asked == 4)
        here.parts.hub.close_all(1001, "over")
        outcome = await watching
    assert outcome.code == 0
    states: list[Any] = [json.loads(line) for line in outcome.out.splitlines()]
    assert [[line["text"] for line in state["lines"]] for state in states] == [[], ["one"], []]
    assert "has ended" in outcome.err


async def test_in_a_terminal_the_bubble_is_drawn_once_or_live(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    async with service(home) as here:
        here.pipeline.load(row("demo", name="Demo"))
        await here.http.put("/v1/pet", json={"visible": True})
        await here.http.post("/v1/plugins/demo/pet/lines", json={"text": "hello", "id": "x"})
        once = await in_thread(cli, "pet")
        assert "hello" in once.out
        assert "\u2500" in once.out  # its frame
        asked = asyncio.Event()
        loop, answer = asyncio.get_running_loop(), here.policy.pet

        def told() -> dict[str, Any]:
            loop.call_soon_threadsafe(asked.set)
            return answer()

        here.policy.pet = told  # type: ignore[method-assign]
        watching = asyncio.create_task(in_thread(cli, "pet", "watch"))
        await asked.wait()
        here.parts.hub.close_all(1001, "over")
        live = await watching
    assert live.code == 0
    assert "hello" in live.out
    assert "has ended" in live.err


async def test_ctrl_c_ends_the_watching_quietly(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("loader.cli.pet.states", interrupted)
    async with service(home):
        assert await in_thread(cli, "pet", "watch") == Outcome(0, "", "")


def drawn(pet: dict[str, Any]) -> str:
    console = Console(width=80, no_color=True, markup=False)
    with console.capture() as capture:
        console.print(bubble(pet))
    return capture.get()


def line(text: str, **more: Any) -> dict[str, Any]:
    return {"plugin": "d", "id": "x", "label": "Demo", "text": text, "tone": "wait", "expires_in_ms": 5, **more}


def test_the_bubble_draws_lines_and_says_who_speaks_instead() -> None:
    assert "No pet" in drawn({"visible": False, "core_status": "idle", "lines": []})
    assert "waits for you" in drawn({"visible": True, "core_status": "waiting", "lines": []})
    text = drawn({"visible": True, "core_status": "idle", "lines": [line("[bold]x[/] \x1b[31m\u202e"), line("two")]})
    assert "Demo: [bold]x[/] \\x1b[31m\\u{202e}" in text
    assert "Demo: two" in text
    assert "╭" in text


def test_the_words_of_the_bubble_for_a_pipe() -> None:
    assert bubble_words({"visible": True, "core_status": "error", "lines": []}) == ["(the agent has an error)"]
    assert bubble_words({"visible": True, "core_status": "idle", "lines": [line("a"), line("b\n")]}) == [
        "Demo: a",
        "Demo: b\\n",
    ]


# ---------------------------------------------------------------- policy audit


async def test_policy_audit_tells_who_asked_for_what(cli: Cli, home: Path) -> None:
    async with service(home) as here:
        here.pipeline.load(row("demo"))
        quiet = await in_thread(cli, "policy", "audit")
        assert (quiet.code, quiet.out) == (0, "")
        assert "No plugin has asked" in quiet.err
        for action in ("session.archive", "app.quit", "app.quit"):
            await here.http.post("/v1/plugins/demo/actions", json={"action": action})
        told = await in_thread(cli, "policy", "audit")
        assert [text.split() for text in told.out.splitlines()] == [
            ["PLUGIN", "CALL", "WHAT", "ASKED", "REFUSED", "OUTCOMES"],
            ["demo", "runAction", "(unknown)", "2", "2", "unknown", "2"],
            ["demo", "runAction", "session.archive", "1", "1", "denied", "1"],
        ]
        report = (await in_thread(cli, "policy", "audit", "--json")).json
        assert report["rows"][1]["outcomes"] == {"denied": 1}


def test_the_audit_prints_nothing_that_steers_a_terminal() -> None:
    told = {"plugin": "\x1b[2J", "kind": "k", "what": "w\u202e", "asked": 1, "refused": 0, "outcomes": {"ok\n": 1}}
    console = Console(width=120, no_color=True)
    with console.capture() as capture:
        console.print(audit_table([told]))
    assert "\x1b[2J" not in capture.get()
    assert "\u202e" not in capture.get()
