"""Plays one plugin through on the stage: load, register, draw, tick, events, unload; judges nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from loader.analysis.engine import Limits, Outcome, Sandbox, on_big_stack
from loader.analysis.engine.sandbox import OutcomeKind
from loader.analysis.rehearsal.events import EventLog
from loader.analysis.rehearsal.footprints import MARKS, MARKS_TEXT, TELL, Footprints
from loader.analysis.rehearsal.outcome import Played, judge
from loader.analysis.rehearsal.stage import Modules, Stage, stage_image
from loader.analysis.rehearsal.user_event import UserEvent
from loader.nouns import Diagnostic
from loader.settings import AnalysisSettings

Phase: TypeAlias = Literal["evaluate", "register", "render", "timers", "event", "unload"]

# Nothing waits for real time: while the module is pending, so many fake timers fire, over so much fake time.
_PENDING_ROUNDS = 20
_PENDING_TIMERS = 50
_PENDING_MS = 3_600_000
# Beyond so many, timers are the turns of a loop that looks for something in the app.
_FEW_TIMERS = 10
# After the first drawing: enough to see an interval twice, a debounce, an animation frame.
_TICKS = 8
_TICKS_MS = 60_000
_RENDER_ROUNDS = 5
# A second evaluation that only looks for a place may not cost what the first one may.
_AGAIN_CPU_S = 1.0


@dataclass(frozen=True, slots=True)
class Stopped:
    """The limit that ended the play, and where it stood."""

    phase: Phase
    kind: OutcomeKind


def rehearse_text(
    text: str,
    names: Sequence[tuple[str, tuple[str, ...]]],
    settings: AnalysisSettings,
    *,
    events: Sequence[UserEvent] = (),
    stage: Stage | None = None,
) -> Played:
    """Play `text` (without byte order mark) and judge it. Never raises for what the plugin does.

    ``names``: what it imports by name from each specifier. Raises StageBroken when our own stubs do not evaluate.
    """
    chosen = stage or stage_image()

    def work() -> Played:
        played = _Play(text, names, settings, chosen).run(events)
        if not any(_lacks_place(one) for one in played.findings):
            return played
        footprints = Footprints(text)
        if footprints.text is None:
            return played
        again = replace(settings, rehearsal_cpu_s=min(settings.rehearsal_cpu_s, _AGAIN_CPU_S))
        last = _Play(footprints.text, names, again, chosen, {MARKS: MARKS_TEXT}).last_mark()
        return replace(
            played,
            findings=tuple(
                replace(one, span=footprints.place(last, waits=one.code == "HP402")) if _lacks_place(one) else one
                for one in played.findings
            ),
        )

    return on_big_stack(work)


def _lacks_place(one: Diagnostic) -> bool:
    return one.span is None and one.code in ("HP402", "HP403")


class _Play:
    def __init__(
        self,
        text: str,
        names: Sequence[tuple[str, tuple[str, ...]]],
        settings: AnalysisSettings,
        stage: Stage,
        private: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings
        self._stage = stage
        self._text = text
        announced = dict(settings.sdk_exports) if settings.sdk_exports is not None else None
        self._modules = Modules(stage, text, dict(names), announced, private)
        self._log = EventLog()
        self.limit_bytes = max(
            settings.rehearsal_memory_floor_bytes,
            settings.rehearsal_memory_per_source_byte * len(text.encode("utf-8", "replace")),
        )
        self._cpu_left_s = settings.rehearsal_cpu_s
        self._cpu_s = 0.0
        self._phase: Phase = "evaluate"
        self._stopped: list[Stopped] = []
        self._alive = True
        self._kept_bytes = 0
        self._waited_by_asking = False

    def _begin(self) -> None:
        self._sandbox = Sandbox(
            normalize=self._modules.normalize,
            load=self._modules.load,
            limits=Limits(self._settings.rehearsal_cpu_s, self.limit_bytes),
            on_event=self._log.take,
            image=self._stage.image,
        )

    def last_mark(self) -> object:
        """Evaluate a text with marks alone: the last one that it passed (see `Footprints`)."""
        self._begin()
        try:
            self._evaluate()
            if self._alive:
                self._sandbox.run(TELL)
            return self._log.last("at")
        finally:
            self._sandbox.close()

    def run(self, events: Sequence[UserEvent]) -> Played:
        self._begin()
        try:
            pending = self._evaluate()
            if not pending and self._usable_default():
                self._register()
                # What a module keeps for ever is judged; what drawing it takes is not.
                self._kept_bytes = self._memory_now()
                if not self._stopped:
                    self._show(events)
            return judge(
                self._log,
                text=self._text,
                stage=self._stage,
                settings=self._settings,
                missing=self._modules.missing,
                pending=pending,
                polling=self._waited_by_asking,
                stopped=tuple((entry.phase, entry.kind) for entry in self._stopped),
                cpu_s=self._cpu_s,
                kept_bytes=self._kept_bytes,
                memory_bytes=self._memory_now(),
                limit_bytes=self.limit_bytes,
            )
        finally:
            self._sandbox.close()

    def _memory_now(self) -> int:
        return self._sandbox.memory_bytes

    # ------------------------------------------------------------ steps

    def _step(self, call: str, *, imports: str = "") -> Outcome | None:
        """One step of the driver; None when the guest is gone or the step hit a limit (which is noted)."""
        if not self._alive:
            return None
        if self._cpu_left_s <= 0:
            self._note(Outcome("cpu"))
            return None
        name = call.partition("(")[0]
        outcome = self._sandbox.run(
            f'{imports}import {{ phase, {name} }} from "@@driver";\nphase("{self._phase}");\n{call};',
            cpu_s=self._cpu_left_s,
        )
        self._cpu_left_s -= outcome.cpu_s
        self._cpu_s += outcome.cpu_s
        self._alive = self._alive and outcome.alive
        if outcome.kind in ("cpu", "memory", "stack", "broken", "starved"):
            self._note(outcome)
            return None
        return outcome

    def _note(self, outcome: Outcome) -> None:
        entry = Stopped(self._phase, outcome.kind)
        if entry not in self._stopped:
            self._stopped.append(entry)

    def _evaluate(self) -> bool:
        """Evaluate the module; True when it still waits for something after every fake timer has fired."""
        outcome = self._step("loaded(plugin)", imports='import * as plugin from "plugin.js";\n')
        if outcome is None:
            return False
        if outcome.kind == "threw":
            self._step("explain()")
            if self._log.last("evaluation-failed") is None and outcome.error is not None:
                error = {"name": outcome.error.name, "message": outcome.error.message, "stack": outcome.error.stack}
                self._log.take("evaluation-failed\n" + json.dumps({"error": error}))
            return False
        if outcome.kind == "done":
            return False
        self._step("explain()")
        fired = 0
        for _ in range(_PENDING_ROUNDS):
            if self._settled_evaluation() or not (more := self._tick(_PENDING_TIMERS, _PENDING_MS)):
                break
            fired += more
        self._step("waiting()")
        self._waited_by_asking = fired > _FEW_TIMERS
        return not self._settled_evaluation() and not self._stopped

    def _settled_evaluation(self) -> bool:
        return self._log.last("default") is not None or self._log.last("evaluation-failed") is not None

    def _usable_default(self) -> bool:
        found = self._log.last("default")
        if found is None or not found["present"] or found["thenable"] or self._stopped:
            return False
        identity = found["id"] or {}
        return identity.get("type") == "string" and (found["register"] == "function" or bool(found["buttons"]))

    def _register(self) -> None:
        self._phase = "register"
        self._step("register()")
        for _ in range(_PENDING_ROUNDS):
            if self._log.last("registered") is not None or self._log.last("register-failed") is not None:
                break
            if not self._tick(_PENDING_TIMERS, _PENDING_MS):
                break
        self._step("registerOver()")

    def _tick(self, most: int, within_ms: int) -> int:
        before = self._log.count("ticked")
        self._step(f"tick({most}, {within_ms})")
        if self._log.count("ticked") == before:
            return 0
        return int(self._log.last("ticked")["fired"])

    def _show(self, events: Sequence[UserEvent]) -> None:
        # From here on a limit is a warning, and what was used so far is not held against it.
        self._cpu_left_s = self._settings.rehearsal_cpu_s
        self._render()
        for event in events:
            self._play(event)
        self._unload()

    def _render(self) -> None:
        self._phase = "render"
        # A round more when drawing brought new contributions, or when one that never ends was cut off.
        for _ in range(_RENDER_ROUNDS):
            before = self._log.count("rendering")
            self._step("renderAll()")
            if self._log.count("rendering") == before or not self._alive:
                break
        self._phase = "timers"
        self._tick(_TICKS, _TICKS_MS)

    def _play(self, event: UserEvent) -> None:
        self._phase = "event"
        told = {"type": event.type, "text": event.text, "value": event.value, "key": event.key}
        self._step(f"play({json.dumps(told)})")
        self._phase = "timers"
        self._tick(_TICKS, _TICKS_MS)

    def _unload(self) -> None:
        self._phase = "unload"
        # Whatever the drawing has used, the clean-ups get their own share: they are judged by themselves.
        self._cpu_left_s = max(self._cpu_left_s, self._settings.rehearsal_cpu_s / 2)
        self._step("unload()")
        self._step("lastFrames()")
        self._step("leaks()")
