"""Following one plugin from "something may have changed" to what the inventory is told.

Each plugin is followed by a task of its own, so that none waits for another's deadline. A round is: look, judge,
settle, look again, tell. A poke at any moment starts a round anew; what the earlier one found out counts only as
far as the bytes are still the same.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from loader.codes import finding
from loader.inventory.clock import Clock, wait_event
from loader.inventory.judging import bad_news
from loader.inventory.looking import Look
from loader.inventory.settling import Stillness, settle_s
from loader.inventory.subject import Subject
from loader.nouns import Candidate, LoadReason, Source, Verdict
from loader.settings import AnalysisSettings, ServiceSettings

# The running revision, the latest save, and the one before: what an author switches between.
_KEPT_VERDICTS = 3
_ASK_AGAIN_S = 1.0
# After a shrug: as soon as the next look at everything, then ever later, and at last only when somebody asks.
_AFTER_A_SHRUG_S = (0.0, 10.0, 20.0, 40.0, 80.0, 160.0)
_SHRUGS = frozenset(("HP106", "HP402", "HP404"))


class Analyzer(Protocol):
    """The analysis of one text, out of this process (loader.analysis.pool.AnalysisPool)."""

    async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict: ...


@runtime_checkable
class Remembering(Protocol):
    """An analyzer that keeps verdicts from earlier times."""

    def kept(self, source: Source, settings: AnalysisSettings) -> Verdict | None:
        """The kept verdict on this text. Blocking: called in a thread."""


@dataclass(slots=True)
class _Job:
    sha256: str
    settings: AnalysisSettings
    task: asyncio.Task[Verdict]
    started_s: float


@dataclass(frozen=True, slots=True)
class _Shrugged:
    """How often in a row the analysis gave these bytes up for what may pass, and since when."""

    sha256: str
    times: int
    since_s: float


@dataclass(slots=True, eq=False)
class Track:
    """Everything that is known of one plugin while it is followed."""

    key: str
    folder: str
    candidate: Candidate | None
    cause: LoadReason
    poked: asyncio.Event = field(default_factory=asyncio.Event)
    still: Stillness = field(default_factory=Stillness)
    hurry: bool = False
    """Somebody waits: tell what there is, without settling."""
    anew: bool = False
    """Judge again although the bytes are the same."""
    look: Look | None = None
    told: object = None
    """The token of the look that the inventory was told of last."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    earlier: dict[str, Verdict] = field(default_factory=dict)
    """What was said before somebody asked for a new judgement: stands where the new one cannot be made."""
    checked_in_ms: float = 0.0
    job: _Job | None = None
    task: asyncio.Task[None] | None = None
    trouble: str | None = None
    shrugged: _Shrugged | None = None

    def judge_anew(self) -> None:
        """Forget the verdicts, but keep them for the case that no better one can be had."""
        self.earlier, self.verdicts, self.anew = self.verdicts, {}, True

    def keep(self, verdict: Verdict) -> None:
        """The verdict on these bytes, and no more of older ones than an author goes back to."""
        self.verdicts[verdict.sha256] = verdict
        while len(self.verdicts) > _KEPT_VERDICTS:
            self.verdicts.pop(next(iter(self.verdicts)))

    def may_be_better_now(self, now_s: float) -> bool:
        """Whether to ask again by ourselves: no worker could be started, one was killed, the machine was too busy."""
        shrugged = self.shrugged
        return (
            self.unsure
            and self.task is None
            and shrugged is not None
            and shrugged.times <= len(_AFTER_A_SHRUG_S)
            and now_s - shrugged.since_s >= _AFTER_A_SHRUG_S[shrugged.times - 1]
        )

    @property
    def unsure(self) -> bool:
        """Whether the last word about these bytes was a shrug: a deadline, the machine's mood."""
        source = self.look.source if self.look else None
        verdict = self.verdicts.get(source.sha256) if source else None
        return verdict is not None and _is_shrug(verdict)


@dataclass(frozen=True, slots=True)
class Follower:
    """The round that every plugin goes through.

    ``look(track, fresh)`` reads the disk (``fresh``: whatever a stat says), ``judge`` is pure, ``tell`` hands a
    subject to the inventory (None: the plugin is gone) and must not wait.
    """

    settings: ServiceSettings
    analyzer: Analyzer
    clock: Clock
    analysis_settings: Callable[[], AnalysisSettings]
    look: Callable[[Track, bool], Awaitable[Look]]
    judge: Callable[[Track, Look, Verdict | None], Subject]
    tell: Callable[[Track, Subject | None], None]

    async def follow(self, track: Track) -> None:
        """Rounds until nothing is left to be told. Ends at once when poked for nothing."""
        try:
            seen: object = None
            while True:
                fresh = track.poked.is_set()
                track.poked.clear()
                hurry, anew = track.hurry, track.anew
                look = track.look = await self.look(track, fresh)
                track.still.observe(look.token, self.clock.now_s())
                agreed, seen = look.token == seen, look.token

                if look.token == track.told and not anew:
                    await self._drop_job(track)
                elif not await self._is_judged(track, look):
                    continue
                else:
                    # Poked while looking: the bytes may be another save's. Two looks that agree break a storm of pokes.
                    if track.poked.is_set() and not agreed:
                        continue
                    if not await self._tell(track, look, hurry):
                        continue
                    track.anew = False if anew else track.anew
                track.hurry = False if hurry else track.hurry
                if not track.poked.is_set():
                    return
        finally:
            if track.job is not None:
                track.job.task.cancel()
                track.job = None

    async def _tell(self, track: Track, look: Look, hurry: bool) -> bool:
        """Tell the inventory, or wait for stillness first. False: look again."""
        if look.absent:
            subject, passes = None, False
        else:
            sha256 = look.source.sha256 if look.source else ""
            subject = self.judge(track, look, track.verdicts.get(sha256) if look.may_be_opened else None)
            passes = not subject.failing
        # Gone before it was ever told of: nothing to settle.
        unknown = look.absent and track.told is None
        if not (passes or hurry or unknown):
            wanted_s = settle_s(bad_news(look), self.settings)
            left_s = track.still.remaining_s(wanted_s, self.clock.now_s())
            if left_s > 0:
                await wait_event(self.clock, track.poked, left_s)
                return False
        track.told = None if look.absent else look.token
        self.tell(track, subject)
        return True

    async def _is_judged(self, track: Track, look: Look) -> bool:
        """Whether the verdict for what was seen is there; False: look again first."""
        source = look.source
        if source is None or not look.may_be_opened:
            await self._drop_job(track)
            return True
        if source.sha256 in track.verdicts:
            return True
        settings = self.analysis_settings()
        if track.job is None or (track.job.sha256, track.job.settings) != (source.sha256, settings):
            await self._drop_job(track)
            analysis = asyncio.ensure_future(self.analyzer.analyze(source, settings, track.key))
            track.job = _Job(source.sha256, settings, analysis, self.clock.now_s())
        job = track.job
        await self._first_of(job.task, track.poked)
        if not job.task.done():
            return False
        track.job = None
        if job.task.cancelled():
            # Not by us: the analyzer is closing, or another caller used the same key. Ask again, but not in a circle.
            await wait_event(self.clock, track.poked, _ASK_AGAIN_S)
            return False
        self._take_verdict(track, job)
        # The bytes may have changed meanwhile: the next look says whether the verdict is still about anything.
        return False

    def _take_verdict(self, track: Track, job: _Job) -> None:
        track.checked_in_ms = (self.clock.now_s() - job.started_s) * 1000
        error = job.task.exception()
        verdict = _gave_up(job.sha256, error) if error is not None else job.task.result()
        before = track.earlier.pop(job.sha256, None)
        if before is not None and before.ok and _is_shrug(verdict):
            # A hiccup of the machine must not take away what was found to be fine.
            verdict = before
        track.keep(verdict)
        if _gave_it_up(verdict):
            times = track.shrugged.times if track.shrugged and track.shrugged.sha256 == job.sha256 else 0
            track.shrugged = _Shrugged(job.sha256, times + 1, self.clock.now_s())
        else:
            track.shrugged = None

    async def _drop_job(self, track: Track) -> None:
        job, track.job = track.job, None
        if job is not None:
            job.task.cancel()
            await asyncio.wait([job.task])
            if not job.task.cancelled():
                # Finished or failed in the same moment: its answer is about bytes that nobody asks for any more.
                job.task.exception()

    @staticmethod
    async def _first_of(task: asyncio.Task[Verdict], event: asyncio.Event) -> None:
        waiting = asyncio.ensure_future(event.wait())
        try:
            await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waiting


def _gave_it_up(verdict: Verdict) -> bool:
    """Whether nobody knows whether it is fine; what used up its own time in the sandbox would do so again."""
    return "HP106" in {found.code for found in verdict.diagnostics if found.severity == "error"}


def _is_shrug(verdict: Verdict) -> bool:
    """Whether it fails for nothing but what ran out: time, memory, patience. Another time it may pass."""
    errors = {found.code for found in verdict.diagnostics if found.severity == "error"}
    return bool(errors) and errors <= _SHRUGS


def _gave_up(sha256: str, error: BaseException) -> Verdict:
    """The analyzer promises a verdict whatever the plugin does; if it fails all the same, nothing passes."""
    text = f"The analysis itself failed: {type(error).__name__}: {error}"
    return Verdict(sha256, diagnostics=(finding("HP106", text[:500]),), cacheable=False)
