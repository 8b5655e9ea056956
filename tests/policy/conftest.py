"""A service of the policy with everything around it faked: time, timers, shells, the hub."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from loader.nouns import ActionsChanged, Event, Json, Logged, PetLinesChanged, PluginCaller, PolicyEvent
from loader.policy.actions import Action, ActionTable
from loader.policy.service import PolicyService

# For `make mutation`: a mutant that lives is tried with every example there is.
settings.register_profile("mutation", max_examples=15, deadline=None, derandomize=True, database=None)

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
}
DEMO = PluginCaller("demo", "r1")


@dataclass(slots=True)
class FakeTime:
    """A clock that moves by hand and rings the timers that it passes, each at its own time."""

    now_s: float = 1000.0
    timers: dict[int, tuple[float, Callable[[], None]]] = field(default_factory=dict)
    made: int = 0

    def __call__(self) -> float:
        return self.now_s

    def schedule(self, delay_s: float, callback: Callable[[], None]) -> Callable[[], None]:
        self.made += 1
        number = self.made
        self.timers[number] = (self.now_s + delay_s, callback)
        return lambda: self.timers.pop(number, None) and None

    def move(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while due := [(at_s, number) for number, (at_s, _) in self.timers.items() if at_s <= end_s]:
            at_s, number = min(due)
            self.now_s = max(self.now_s, at_s)
            self.timers.pop(number)[1]()
        self.now_s = end_s


@dataclass(slots=True)
class FakeShells:
    """Answers ``action/run`` as each test says; ``asked`` holds (shell, params)."""

    asked: list[tuple[str, Mapping[str, Json]]] = field(default_factory=list)
    answer: Callable[[str], Awaitable[Json]] | None = None

    async def __call__(self, shell: str, method: str, params: Mapping[str, Json], timeout_s: float) -> Json:
        assert method == "action/run"
        assert timeout_s > 0
        self.asked.append((shell, params))
        return {"ok": True} if self.answer is None else await self.answer(shell)


@dataclass(slots=True)
class World:
    time: FakeTime
    shells: FakeShells
    published: list[Event | PolicyEvent]
    names: dict[str, str]
    policy: PolicyService

    def texts_out(self) -> list[list[str]]:
        """The texts of each ``pet/lines`` so far."""
        out = [event for event in self.published if isinstance(event, PetLinesChanged)]
        return [[str(row["text"]) for row in event.lines] for event in out]

    def tables_out(self) -> list[ActionsChanged]:
        return [event for event in self.published if isinstance(event, ActionsChanged)]

    def log(self) -> list[str]:
        return [event.text for event in self.published if isinstance(event, Logged)]


def world(table: ActionTable | None = None, *, deadline_s: float = 2.0) -> World:
    clock, shells, published = FakeTime(), FakeShells(), list[Event | PolicyEvent]()
    names: dict[str, str] = {}
    policy = PolicyService(
        publish=published.append,
        call_shell=shells,
        label_of=names.get,
        table=table,
        clock_s=clock,
        schedule=clock.schedule,
        deadline_s=deadline_s,
    )
    return World(clock, shells, published, names, policy)


def table_of(allowed: list[str], known: list[str] | None = None) -> ActionTable:
    return ActionTable.of((Action(i, i, "view") for i in allowed), (Action(i, i, "view") for i in known or []))


@pytest.fixture
def here() -> World:
    return world()
