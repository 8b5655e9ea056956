"""The other limiters against their models: previews, notifications, the log of refusals."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from loader.policy.answers import Dropped
from loader.policy.notifications import NotificationGate
from loader.policy.previews import PreviewGate
from loader.policy.refusals import LogLine, RefusalLog

WHO = st.sampled_from(["a", "b", "c"])
STEPS_S = st.one_of(st.just(0.0), st.sampled_from([0.25, 0.999, 1.0, 10.0, 29.999, 30.0, 60.0]), st.floats(0, 70))
STEADY = settings(max_examples=60, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck))


class GateMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.previews, self.notifications, self.log = PreviewGate(), NotificationGate(), RefusalLog()
        self.prompts: list[tuple[str, float]] = []
        self.notified: list[tuple[str, str, float]] = []
        self.noted: Counter[str] = Counter()
        self.printed: list[tuple[str, float]] = []
        self.told: Counter[str] = Counter()

    @rule(seconds=STEPS_S)
    def time_passes(self, seconds: float) -> None:
        self.now_s += seconds

    @rule(frame=WHO, text=st.sampled_from(["do it", " \n ", "x" * 2_000]))
    def prompt(self, frame: str, text: str) -> None:
        answer = self.previews.send(frame, text, self.now_s)
        early = any(who == frame and self.now_s - at_s < 1 for who, at_s in self.prompts)
        if not text.strip():
            assert isinstance(answer, Dropped) and answer.reason == "empty"
        elif early:
            assert isinstance(answer, Dropped) and answer.reason == "rate"
        else:
            assert not isinstance(answer, Dropped) and answer.prompt == text[:500]
            self.prompts.append((frame, self.now_s))
        assert self.previews.remembered() <= 3

    @rule(plugin=WHO, title=st.sampled_from(["t1", "t2", "t3", "t4", "t5"]), focused=st.booleans())
    def notify(self, plugin: str, title: str, focused: bool) -> None:
        answer = self.notifications.notify(plugin, {"title": title}, self.now_s, focused=focused)
        past = [(what, self.now_s - at_s) for who, what, at_s in self.notified if who == plugin]
        expected = None
        if focused:
            expected = "focused"
        elif any(what == title and age_s < 30 for what, age_s in past):
            expected = "repeat"
        elif sum(age_s < 60 for _, age_s in past) >= 3:
            expected = "rate"
        assert (answer.reason if isinstance(answer, Dropped) else None) == expected
        if expected is None:
            self.notified.append((plugin, title, self.now_s))
        assert self.notifications.remembered() <= 9

    @rule(plugin=WHO, calls=st.integers(1, 200))
    def refuse(self, plugin: str, calls: int) -> None:
        for _ in range(calls):
            self._print(self.log.note(plugin, "runAction", "no", self.now_s))
        self.noted[plugin] += calls

    @rule()
    def due(self) -> None:
        self._print(self.log.due(self.now_s))

    def _print(self, lines: list[LogLine]) -> None:
        for line in lines:
            plugin, text = line.plugin, line.text
            assert text.startswith(f"[plugin:{plugin}] runAction: no")
            assert all(self.now_s - at_s >= 1 for who, at_s in self.printed if who == plugin)
            self.printed.append((plugin, self.now_s))
            self.told[plugin] += 1 + (int(text.split("(and ")[1].split()[0]) if "(and " in text else 0)

    def teardown(self) -> None:
        # Every refusal is told once the last second is over: one by one or folded, none lost, none twice.
        self.now_s += 2
        self._print(self.log.due(self.now_s))
        assert self.told == self.noted
        self.now_s += 2
        self._print(self.log.due(self.now_s))
        assert self.log.remembered() == 0
        assert self.log.next_due_s() is None


GateMachine.TestCase.settings = STEADY
TestTheGatesFollowTheirModels = GateMachine.TestCase
