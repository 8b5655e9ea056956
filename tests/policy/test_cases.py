"""The reported cases of actions and of the pet, through the core; over HTTP and WebSocket see tests/server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.policy.conftest import CASES, DEMO, table_of, world

pytestmark = pytest.mark.anyio


def of_kind(kind: str) -> list[str]:
    return [name for name, case in CASES.items() if case["kind"] == kind]


def test_every_case_is_run_by_a_test_here() -> None:
    assert set(of_kind("policy-action")) | set(of_kind("policy-pet")) == set(CASES)


@pytest.mark.parametrize("name", of_kind("policy-action"))
async def test_actions(name: str) -> None:
    given: dict[str, Any] = CASES[name]["input"]
    here = world(table_of(given["allowlist"], given.get("known_actions")))
    here.policy.shell_mounted("shell", True, tuple(given.get("handlers") or given["handlers_present"]))
    answers = []
    for action in given["calls"]:
        result = await here.policy.run_action(DEMO, action)
        answers.append("ok" if result["ok"] else result["reason"])
    assert answers == CASES[name]["expected"]["answers"]
    assert [params["action"] for _, params in here.shells.asked] == [
        action for action, answer in zip(given["calls"], answers, strict=True) if answer == "ok"
    ]


@pytest.mark.parametrize("name", of_kind("policy-pet"))
async def test_pet(name: str) -> None:
    given: dict[str, Any] = CASES[name]["input"]
    expected: dict[str, Any] = CASES[name]["expected"]
    here = world()
    here.policy.set_pet(True, "idle")
    start_s, accepted, texts = here.time.now_s, [], []
    for number, call in enumerate(given["calls"]):
        # Cases without times are about texts: far enough apart that no limit is met.
        here.time.move(start_s + call.get("t", number * 60.0) - here.time.now_s)
        before = here.policy.pet()["lines"]
        said = here.policy.say(DEMO, call["text"], {"ttlMs": call["ttl"]} if "ttl" in call else {})
        lines = here.policy.pet()["lines"]
        assert isinstance(lines, list) and isinstance(before, list)
        assert len(lines) <= 3
        accepted.append(said["ok"])
        texts.append(lines[-1]["text"] if lines[len(before) :] and isinstance(lines[-1], dict) else None)
    if "accepted" in expected:
        assert accepted == expected["accepted"]
    if "texts" in expected:
        assert texts == expected["texts"]
    if "max_live" in expected:
        assert texts == ["one", "two", "three", None, None, "six"]
        assert max(len(out) for out in here.texts_out()) == expected["max_live"]
