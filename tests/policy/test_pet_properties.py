"""The book of lines against a model that is written as the table of the policy reads, over 10,000 steps."""

from __future__ import annotations

import regex
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from loader.policy.pet import PetBook
from loader.policy.text import clean_line, clean_name

PLUGINS = st.sampled_from(["a", "b", "c"])
IDS = st.sampled_from([None, None, "x", "y", "z", "w", " x\u202e", "", "n" * 65])
TEXTS = st.one_of(
    st.sampled_from(["hello", "", "\u202e", "👨‍👩‍👧" * 200, "e\u0301" * 500, "one\u2028two\x9b", "\ud800"]),
    st.text(max_size=200),
)
TTLS = st.one_of(st.none(), st.sampled_from([0, 1, 1_500, 29_999, 31_000, 10**300, float("nan"), "9000", True]))
STEPS_S = st.one_of(st.just(0.0), st.sampled_from([0.001, 0.5, 1.0, 3.0, 9.999, 10.0, 31.0]), st.floats(0, 12))


class Model:
    """Lists and sums only; nothing is forgotten, so that every rule can be checked against the whole past."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, float]] = []
        self.accepted: list[tuple[str, float]] = []
        self.lines: list[tuple[str, str, str, float, float]] = []

    def live(self, now_s: float) -> list[tuple[str, str, str, float, float]]:
        self.lines = [line for line in self.lines if now_s < line[4]]
        return self.lines


class PetMachine(RuleBasedStateMachine):
    steps = 0

    @initialize(start_s=st.sampled_from([0.0, 1e5, 1e9]))
    def begin(self, start_s: float) -> None:
        self.now_s = start_s
        self.book = PetBook()
        self.book.visible = True
        self.model = Model()

    @rule(seconds=STEPS_S)
    def time_passes(self, seconds: float) -> None:
        self.now_s += seconds

    @rule(plugin=PLUGINS, text=TEXTS, line_id=IDS, ttl=TTLS)
    def say(self, plugin: str, text: str, line_id: str | None, ttl: object) -> None:
        model, now_s = self.model, self.now_s
        cleaned = clean_line(text, graphemes=120, code_points=480)
        name = None if line_id is None else clean_name(line_id, code_points=64)
        in_window = sum(1 for who, at_s in model.counted if who == plugin and now_s - at_s < 10)
        mine = [line for line in model.live(now_s) if line[0] == plugin]
        place = next((i for i, line in enumerate(model.lines) if line[:2] == (plugin, name)), None)

        expected = None
        if not cleaned:
            expected = "empty"
        elif line_id is not None and name is None:
            expected = "id"
        elif in_window >= 10:
            expected = "rate"
        elif place is None and len(mine) >= 3:
            expected = "lines"

        said = self.book.say(plugin, text, now_s, line_id=line_id, ttl=ttl)  # type: ignore[arg-type]
        assert said.reason == expected
        if expected in (None, "lines"):
            model.counted.append((plugin, now_s))
        if expected is not None:
            return
        assert said.line is not None
        assert name is None or said.line == name
        numeric = isinstance(ttl, int | float) and not isinstance(ttl, bool) and ttl == ttl
        life_s = min(max(ttl, 1000), 30_000) / 1000 if numeric else 6.0  # type: ignore[call-overload]
        line = (plugin, said.line, cleaned, now_s, now_s + life_s)
        model.accepted.append((plugin, now_s))
        if place is None:
            model.lines.append(line)
        else:
            model.lines[place] = line

    @rule(plugin=PLUGINS, line_id=IDS)
    def clear(self, plugin: str, line_id: str | None) -> None:
        name = None if line_id is None else clean_name(line_id, code_points=64)
        self.book.clear(plugin, self.now_s, line_id=line_id)
        self.model.lines = [
            line for line in self.model.lines if line[0] != plugin or (line_id is not None and line[1] != name)
        ]

    @rule(plugin=PLUGINS)
    def reload(self, plugin: str) -> None:
        self.book.drop_revision(plugin, "")
        self.model.lines = [line for line in self.model.lines if line[0] != plugin]

    @invariant()
    def counts_steps(self) -> None:
        PetMachine.steps += hasattr(self, "book")

    @invariant()
    def shows_what_the_model_shows(self) -> None:
        if not hasattr(self, "book"):
            return
        shown = self.book.shown(self.now_s)
        assert [(line.plugin, line.id, line.text) for line in shown] == [
            line[:3] for line in self.model.live(self.now_s)
        ]

    @invariant()
    def keeps_every_promise(self) -> None:
        if not hasattr(self, "book"):
            return
        shown = self.book.shown(self.now_s)
        for plugin in ("a", "b", "c"):
            assert sum(line.plugin == plugin for line in shown) <= 3
            times = [at_s for who, at_s in self.model.accepted if who == plugin]
            assert all(later - earlier >= 10 for earlier, later in zip(times, times[10:], strict=False))
        for line in shown:
            assert self.now_s < line.expires_at_s <= self.now_s + 30
            assert len(regex.findall(r"\X", line.text)) <= 120 and len(line.text) <= 480
            assert not regex.search(r"[\p{Cc}\p{Cs}\p{Bidi_Control}]", line.text)
        lines, windows = self.book.remembered()
        assert lines <= 9 and windows <= 3


def test_the_book_follows_its_model_over_ten_thousand_steps() -> None:
    PetMachine.steps = 0
    steady = settings(
        max_examples=230, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    run_state_machine_as_test(PetMachine, settings=steady)
    assert PetMachine.steps >= 10_000
