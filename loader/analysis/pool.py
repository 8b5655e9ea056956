"""The analysis pool: many texts, few processes, and no plugin waits for another one's deadline.

Jobs are served in order of arrival by `workers` lanes. A job that has not answered after a second is slow: it keeps
its process and runs on to its own deadline, while a fresh lane takes its place. At most `EXTRA_LANES` run slow at a
time; one more slow job gives way as long as others wait, and starts again when there is room.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loader.analysis import worker_process
from loader.analysis.cache import VerdictCache
from loader.analysis.checked import Checked
from loader.analysis.engine.pins import check_versions
from loader.analysis.lanes import Job, Lane, Lost
from loader.analysis.merge import merged
from loader.analysis.rehearsal.user_event import UserEvent
from loader.analysis.worker_process import Answer
from loader.codes import finding
from loader.nouns import Diagnostic, Rehearsal, Source, Verdict
from loader.settings import AnalysisSettings

SLOW_AFTER_S = 1.0
EXTRA_LANES = 4
START_DEADLINE_S = 60.0
# Starting two workers takes a second of processor time, which a service that starts has better use for.
WARM_AFTER_S = 3.0
# A superseded job of milliseconds ends by itself; killing its process would cost the next job a start.
SUPERSEDED_GRACE_S = 0.25
# Wall time for the rehearsal is the last fence only; its own limits count CPU time. A starved machine gets room.
REHEARSAL_WALL_FACTOR = 24.0
REHEARSAL_WALL_EXTRA_S = 150.0


class AnalysisPool:
    """`analyze` from any number of tasks of one event loop; `start` once, `close` at the end.

    ``cache`` keeps verdicts between runs; without one every text is analysed anew. ``lane`` makes a worker (tests
    pass a fake).
    """

    def __init__(
        self,
        workers: int = 2,
        *,
        cache: VerdictCache | None = None,
        cache_dir: Path | None = None,
        lane: Callable[[], Any] | None = None,
        slow_after_s: float = SLOW_AFTER_S,
        extra_lanes: int = EXTRA_LANES,
    ) -> None:
        self._workers = max(1, workers)
        self._cache = cache
        self._extra = extra_lanes
        self._slow_after_s = slow_after_s
        self._new_lane = lane or (lambda: Lane(cache_dir))
        self._lanes: list[Any] = []
        self._idle: list[Any] = []
        self._fresh: deque[_Turn] = deque()
        self._slow: deque[_Turn] = deque()
        self._running: dict[Any, _Turn] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._warming: asyncio.TimerHandle | None = None
        self._by_key: dict[str, asyncio.Future[Verdict]] = {}
        self._closed = False

    async def start(self) -> None:
        """Begin to start the first worker and return at once. Raises EngineMismatch for an engine of another make.

        With a cache none may be needed: then they come when the first job does, or all a little later.
        """
        check_versions()  # the private names are checked where they are used, in the worker
        if self._cache is not None:
            self._warming = asyncio.get_running_loop().call_later(WARM_AFTER_S, self._warm_all)
            return
        self._put(_Turn(Job(worker_process.ready, (), START_DEADLINE_S), asyncio.get_running_loop().create_future()))

    async def close(self) -> None:
        """End all workers, whatever they do; what still waits is cancelled."""
        self._closed = True
        if self._warming is not None:
            self._warming.cancel()
        for turn in (*self._fresh, *self._slow, *self._running.values()):
            turn.answer.cancel()
        self._fresh.clear()
        self._slow.clear()
        endings = [asyncio.wrap_future(lane.close()) for lane in self._lanes]
        self._lanes.clear()
        await asyncio.gather(*endings, return_exceptions=True)
        # What was handed to a process while that ended is answered by nobody.
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------ one analysis

    def kept(self, source: Source, settings: AnalysisSettings) -> Verdict | None:
        """The verdict on one text if it was kept, without any worker. Blocking, and may be called in any thread."""
        return None if self._cache is None else self._cache.get(source.sha256, settings)

    async def analyze(
        self, source: Source, settings: AnalysisSettings, key: str, *, events: tuple[UserEvent, ...] = ()
    ) -> Verdict:
        """The verdict on one text. Raises CancelledError when a newer job of the same key came, or at `close`.

        Never raises for what a plugin does: what ran out is HP106 (static) or HP404/HP405 (rehearsal).
        """
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[Verdict] = loop.create_future()
        older = self._by_key.get(key)
        self._by_key[key] = mine
        if older is not None:
            older.cancel()
        steps = loop.create_task(self._steps(lambda: self._verdict(source, settings, events), mine))
        self._tasks.add(steps)
        steps.add_done_callback(self._tasks.discard)
        try:
            return await mine
        finally:
            steps.cancel()
            if self._by_key.get(key) is mine:
                del self._by_key[key]

    async def _steps(self, work: Callable[[], Awaitable[Verdict]], answer: asyncio.Future[Verdict]) -> None:
        try:
            verdict = await work()
        except asyncio.CancelledError:
            answer.cancel()
            raise
        except Exception as error:  # ours, not the plugin's: hand it to whoever waits instead of losing it in a task
            if not answer.done():
                answer.set_exception(error)
            return
        if not answer.done():
            answer.set_result(verdict)

    async def _verdict(self, source: Source, settings: AnalysisSettings, events: tuple[UserEvent, ...]) -> Verdict:
        cache = self._cache if not events else None
        loop = asyncio.get_running_loop()
        if cache is not None:
            kept = await loop.run_in_executor(None, cache.get, source.sha256, settings)
            if kept is not None:
                return kept
        verdict = await self._computed(source, settings, events)
        if cache is not None:
            # Not waited for: who asked gets the verdict now, and a lost one is computed again.
            loop.run_in_executor(None, cache.put, verdict, settings)
        return verdict

    async def _computed(self, source: Source, settings: AnalysisSettings, events: tuple[UserEvent, ...]) -> Verdict:
        # The text is what is looked at; its bytes would double what crosses to the worker.
        source = dataclasses.replace(source, data=b"", findings=())
        ahead = None if events else self._play_ahead(source, settings)
        try:
            checked = await self._run(Job(worker_process.check, (source, settings), settings.static_deadline_s))
            if isinstance(checked, Lost):
                return _gave_up(source, checked, settings)
            passed: Checked = checked.value
            if not passed.wants_rehearsal(settings):
                return passed.verdict
            played = await self._played(source, passed, settings, events, ahead)
            if isinstance(played, Lost):
                return _not_played(passed.verdict, played, settings)
            verdict: Verdict = played.value
            return verdict
        finally:
            if ahead is not None:
                ahead.cancel()

    async def _played(
        self,
        source: Source,
        passed: Checked,
        settings: AnalysisSettings,
        events: tuple[UserEvent, ...],
        ahead: asyncio.Task[Answer[Any] | Lost] | None,
    ) -> Answer[Any] | Lost:
        if ahead is not None and passed.known_names:
            played = await ahead
            if isinstance(played, Answer):
                job = Job(worker_process.finish, (source, passed, played.value), settings.static_deadline_s)
                finished = await self._run(job)
                if isinstance(finished, Answer):
                    return finished
            elif played.kind == "cpu":
                return played
        return await self._run(Job(worker_process.rehearse, (source, passed, settings, events), _wall_s(settings)))

    def _play_ahead(self, source: Source, settings: AnalysisSettings) -> asyncio.Task[Answer[Any] | Lost] | None:
        """Begin the rehearsal beside the check where a process has nothing else to do: a save is answered sooner.

        What the check refuses was then played for nothing; the sandbox holds either way.
        """
        if settings.rehearsal == "off" or self._fresh or self._slow:
            return None
        if len([lane for lane in self._idle if lane.warm]) < 2:
            if len(self._lanes) == 1 and self._workers > 1:
                self._warm_spare()  # for the next save
            return None
        job = Job(worker_process.play_ahead, (source, settings), _wall_s(settings))
        task = asyncio.get_running_loop().create_task(self._run(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _warm_all(self) -> None:
        while len(self._lanes) < self._workers:
            self._warm_spare()

    def _warm_spare(self) -> None:
        spare = self._open_lane()
        spare.warm_up()
        self._idle.append(spare)

    async def _run(self, job: Job[Any]) -> Answer[Any] | Lost:
        lost = await self._run_once(job)
        if isinstance(lost, Lost) and lost.kind == "died":
            # A process can also be ended by others (the system short of memory). Twice is no accident.
            return await self._run_once(job)
        return lost

    async def _run_once(self, job: Job[Any]) -> Answer[Any] | Lost:
        turn = _Turn(job, asyncio.get_running_loop().create_future())
        self._put(turn)
        try:
            return await turn.answer
        except asyncio.CancelledError:
            turn.answer.cancel()
            if turn.lane is not None:
                lane = turn.lane
                loop = asyncio.get_running_loop()
                loop.call_later(SUPERSEDED_GRACE_S, lambda: self._kill_if_still(lane, turn))
            raise

    # ------------------------------------------------------------ who runs where

    def _put(self, turn: _Turn) -> None:
        if self._closed:
            turn.answer.cancel()
            return
        self._fresh.append(turn)
        self._dispatch()

    def _dispatch(self) -> None:
        """Give lanes to turns while both are there: fresh turns first, slow ones where there is room for slow ones."""
        while not self._closed:
            slow_running = sum(turn.slow for turn in self._running.values())
            turn = self._next(self._fresh)
            if turn is None and slow_running < self._extra:
                turn = self._next(self._slow)
            if turn is None:
                return
            quick_running = len(self._running) - slow_running
            if not turn.slow and quick_running >= self._workers:
                self._fresh.appendleft(turn)
                return
            if len(self._running) >= self._workers + self._extra:
                self._fresh.appendleft(turn)
                self._make_room()
                return
            lane = self._free_lane()
            turn.lane = lane
            self._running[lane] = turn
            task = asyncio.get_running_loop().create_task(self._occupy(lane, turn))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    @staticmethod
    def _next(queue: deque[_Turn]) -> _Turn | None:
        while queue:
            turn = queue.popleft()
            if not turn.answer.done():  # superseded while it waited
                return turn
        return None

    def _free_lane(self) -> Any:
        if not self._idle:
            return self._open_lane()
        lane = next((each for each in reversed(self._idle) if each.warm), self._idle[-1])
        self._idle.remove(lane)
        return lane

    def _open_lane(self) -> Any:
        lane = self._new_lane()
        self._lanes.append(lane)
        return lane

    async def _occupy(self, lane: Any, turn: _Turn) -> None:
        loop = asyncio.get_running_loop()
        if not lane.warm:
            # The clock of a job does not run while its process starts: a cold command would start a second one.
            await lane.run(Job(worker_process.ready, (), START_DEADLINE_S))
        if self._closed:
            self._running.pop(lane, None)
            return
        late_timer = loop.call_later(self._slow_after_s / 4, self._became_late, lane, turn)
        slow_timer = loop.call_later(self._slow_after_s, self._became_slow, lane, turn)
        try:
            answer = Lost("killed", "superseded") if turn.answer.done() else await lane.run(turn.job)
        finally:
            late_timer.cancel()
            slow_timer.cancel()
            self._running.pop(lane, None)
        turn.lane = None
        if isinstance(answer, Lost) and answer.kind == "killed" and turn.gave_way and not turn.answer.done():
            turn.gave_way = False
            self._slow.append(turn)
        elif not turn.answer.done():
            turn.answer.set_result(answer)
        if self._closed:
            return
        # Spare lanes are kept only as long as something is slow; two warm processes are enough for a quiet service.
        if len(self._lanes) > self._workers and len(self._idle) >= self._workers and not self._slow:
            self._lanes.remove(lane)
            lane.close()
        else:
            self._idle.append(lane)
        self._dispatch()

    def _became_late(self, lane: Any, turn: _Turn) -> None:
        """Have a process ready by the time this job may be called slow: starting one takes a third of a second."""
        room = len(self._lanes) < self._workers + self._extra
        if self._running.get(lane) is turn and not self._idle and room:
            self._warm_spare()

    def _became_slow(self, lane: Any, turn: _Turn) -> None:
        if self._running.get(lane) is turn:
            turn.slow = True
            self._dispatch()

    def _make_room(self) -> None:
        # The youngest slow job has the least to lose; one that is on its way out already frees the lane we need.
        for lane, turn in reversed(self._running.items()):
            if turn.gave_way:
                return
            if turn.slow:
                turn.gave_way = True
                lane.kill()
                return

    def _kill_if_still(self, lane: Any, turn: _Turn) -> None:
        if self._running.get(lane) is turn and lane.warm:
            lane.kill()


def _wall_s(settings: AnalysisSettings) -> float:
    return settings.rehearsal_cpu_s * REHEARSAL_WALL_FACTOR + REHEARSAL_WALL_EXTRA_S


@dataclass(eq=False)
class _Turn:
    """A job on its way through the pool."""

    job: Job[Any]
    answer: asyncio.Future[Answer[Any] | Lost]
    slow: bool = False
    gave_way: bool = False
    lane: Any = field(default=None)


def _gave_up(source: Source, lost: Lost, settings: AnalysisSettings) -> Verdict:
    cause = {
        "timeout": f"it did not finish within {settings.static_deadline_s:g} s",
        "died": "the parser crashed on it twice",
    }.get(lost.kind, lost.detail)
    diagnostic = finding(
        "HP106",
        f"the analysis gave up: {cause}",
        hint="split the file, or generate less deeply nested and shorter lines; saving it again starts a new try",
    )
    return Verdict(source.sha256, diagnostics=(diagnostic,), cacheable=False)


def _not_played(verdict: Verdict, lost: Lost, settings: AnalysisSettings) -> Verdict:
    diagnostic: Diagnostic
    if lost.kind == "cpu":
        from loader.analysis.rehearsal.outcome import FREEZE_HINT  # with it comes what only workers need

        diagnostic = finding(
            "HP404",
            f"took too long: more than {settings.rehearsal_cpu_s:g} s of CPU time in one uninterruptible step",
            hint=FREEZE_HINT,
        )
    else:
        cause = "the machine was too busy to finish it" if lost.kind == "timeout" else "the sandbox engine failed on it"
        diagnostic = finding("HP405", f"not rehearsed: {cause} ({lost.detail})")
    return dataclasses.replace(
        verdict,
        diagnostics=merged(verdict.diagnostics, (diagnostic,)),
        rehearsal=Rehearsal(ran=False, stopped_by=diagnostic.message),
        cacheable=False,
    )
