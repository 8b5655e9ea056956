"""The pool: nobody waits for what hangs, nothing a plugin does comes out as an exception, and no process is left."""

import asyncio
import dataclasses
import hashlib
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from loader.analysis import pool as pool_module
from loader.analysis.cache import VerdictCache
from loader.analysis.checked import Checked
from loader.analysis.lanes import Job, Lost
from loader.analysis.pool import AnalysisPool
from loader.analysis.rehearsal.user_event import UserEvent
from loader.analysis.worker_process import Answer
from loader.codes import finding
from loader.nouns import Rehearsal, Source, Verdict
from loader.settings import AnalysisSettings

pytestmark = pytest.mark.anyio

SETTINGS = AnalysisSettings(rehearsal_cpu_s=0.5, static_deadline_s=5.0)
STATIC_ONLY = AnalysisSettings(rehearsal="off")


def source(text: str) -> Source:
    data = text.encode()
    return Source(data, text, hashlib.sha256(data).hexdigest())


# ---------------------------------------------------------------- with fake lanes


class FakeLane:
    """Answers when told to; texts that begin with "hang" only end when killed."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.busy_with: str | None = None
        self.closed = False
        self.warm = True
        self._killed: asyncio.Event | None = None

    async def run(self, job: Job[Any]) -> Answer[Any] | Lost:
        if not job.args:
            return Answer(None, 1, 1)
        text, what = job.args[0].text, job.function.__name__
        assert self.busy_with is None, "a lane does one job at a time"
        self.busy_with = text
        self.log.append(f"{what} {text}")
        self._killed = asyncio.Event()
        try:
            if self.hangs(what, text):
                await self._killed.wait()
                return Lost("killed", "killed")
            await asyncio.sleep(0)
            return self.answer(what, job.args)
        finally:
            self.busy_with = None

    @staticmethod
    def hangs(_: str, text: str) -> bool:
        return text.startswith("hang")

    def answer(self, what: str, args: tuple[Any, ...]) -> Answer[Any] | Lost:
        text: str = args[0].text
        lost = {"timeout": "timeout", "crash": "died", "burn": "cpu", "fault": "failed"}
        if what == "check":
            if text.startswith("check-"):
                return Lost(lost[text.split("-")[1]], "detail")  # type: ignore[arg-type]
            bad = (finding("HP101", "no module"),) if "refused" in text else ()
            return Answer(Checked(Verdict(args[0].sha256, diagnostics=bad), (), "strange" not in text), 1, 1)
        if what == "play_ahead":
            if text.startswith("ahead-"):
                return Lost(lost[text.split("-")[1]], "detail")  # type: ignore[arg-type]
            return Answer(b"played", 1, 1)
        if text.startswith("play-"):
            return Lost(lost[text.split("-")[1]], "detail")  # type: ignore[arg-type]
        return Answer(Verdict(args[0].sha256, rehearsal=Rehearsal(ran=True)), 1, 1)

    def warm_up(self) -> None:
        assert self.busy_with is None

    def kill(self) -> None:
        if self._killed is not None:
            self._killed.set()

    def close(self) -> Future[None]:
        self.closed = True
        self.kill()
        done: Future[None] = Future()
        done.set_result(None)
        return done


class Lanes:
    def __init__(self) -> None:
        self.made: list[FakeLane] = []
        self.log: list[str] = []

    def __call__(self) -> FakeLane:
        self.made.append(FakeLane(self.log))
        return self.made[-1]

    @property
    def busy(self) -> list[str]:
        return [lane.busy_with for lane in self.made if lane.busy_with is not None]


async def until(condition: Callable[[], object], deadline_s: float = 5.0) -> None:
    ends = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < ends, "did not come to pass"
        await asyncio.sleep(0.002)


@pytest.fixture
async def fake() -> AsyncIterator[tuple[AnalysisPool, Lanes]]:
    lanes = Lanes()
    pool = AnalysisPool(2, lane=lanes, slow_after_s=0.02, extra_lanes=2)
    yield pool, lanes
    await pool.close()


async def test_checks_then_rehearses(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    verdict = await pool.analyze(source("good"), SETTINGS, "a")
    assert verdict.rehearsal == Rehearsal(ran=True)
    assert lanes.log == ["check good", "rehearse good"]


async def test_does_not_rehearse_when_it_is_off(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    await pool.analyze(source("good"), STATIC_ONLY, "a")
    assert lanes.log == ["check good"]


async def test_quick_jobs_need_no_more_lanes_than_workers(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    await asyncio.gather(*(pool.analyze(source(f"good {n}"), SETTINGS, f"{n}") for n in range(50)))
    assert len(lanes.made) == 2


async def test_a_newer_job_of_the_same_key_cancels_the_older(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, _ = fake
    older = asyncio.create_task(pool.analyze(source("hang"), SETTINGS, "a"))
    await asyncio.sleep(0)
    verdict = await pool.analyze(source("good"), SETTINGS, "a")
    assert verdict.sha256 == source("good").sha256
    with pytest.raises(asyncio.CancelledError):
        await older


async def test_a_superseded_job_that_hangs_is_killed_after_its_grace(
    fake: tuple[AnalysisPool, Lanes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "SUPERSEDED_GRACE_S", 0.0)
    pool, lanes = fake
    older = asyncio.create_task(pool.analyze(source("hang"), SETTINGS, "a"))
    await until(lambda: lanes.busy == ["hang"])
    await pool.analyze(source("good"), SETTINGS, "a")
    await until(lambda: lanes.busy == [])
    assert older.cancelled() or older.done()


async def test_a_superseded_job_that_still_waits_never_runs(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    tasks = [asyncio.create_task(pool.analyze(source(f"version {n}"), SETTINGS, "a")) for n in range(20)]
    await asyncio.wait(tasks)
    assert [task.cancelled() for task in tasks] == [True] * 19 + [False]
    assert lanes.log[-1] == "rehearse version 19"
    assert len(lanes.log) < 8


async def test_others_go_on_while_every_worker_hangs(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    hung = [asyncio.create_task(pool.analyze(source(f"hang {n}"), SETTINGS, f"h{n}")) for n in range(2)]
    await until(lambda: len(lanes.busy) == 2)
    for number in range(5):
        await pool.analyze(source(f"good {number}"), SETTINGS, f"g{number}")
    assert not any(task.done() for task in hung)


async def test_more_hung_jobs_than_lanes_give_way_to_fresh_ones(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    hung = [asyncio.create_task(pool.analyze(source(f"hang {n}"), SETTINGS, f"h{n}")) for n in range(10)]
    await until(lambda: len(lanes.busy) >= 3)
    await asyncio.gather(*(pool.analyze(source(f"good {n}"), SETTINGS, f"g{n}") for n in range(5)))
    assert len(lanes.made) <= 4 or len([lane for lane in lanes.made if not lane.closed]) <= 4
    assert not any(task.done() for task in hung)


async def test_spare_lanes_are_given_back(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    hung = [asyncio.create_task(pool.analyze(source(f"hang {n}"), SETTINGS, f"h{n}")) for n in range(2)]
    await until(lambda: len(lanes.busy) == 2)
    await asyncio.gather(*(pool.analyze(source(f"good {n}"), SETTINGS, f"g{n}") for n in range(4)))
    for lane in lanes.made:
        lane.kill()
    await asyncio.gather(*hung)
    await pool.analyze(source("last"), SETTINGS, "last")
    await until(lambda: len([lane for lane in lanes.made if not lane.closed]) <= 2)


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("check-timeout", "HP106", "did not finish within 5 s"),
        ("check-crash", "HP106", "crashed on it twice"),
        ("check-fault", "HP106", "detail"),
        ("play-timeout", "HP405", "too busy"),
        ("play-crash", "HP405", "engine failed"),
        ("play-burn", "HP404", "took too long"),
        ("play-fault", "HP405", "engine failed"),
    ],
)
async def test_what_ran_out_is_a_finding_and_never_kept(
    fake: tuple[AnalysisPool, Lanes], text: str, code: str, says: str
) -> None:
    pool, _ = fake
    verdict = await pool.analyze(source(text), SETTINGS, "a")
    assert [one.code for one in verdict.diagnostics] == [code]
    assert says in verdict.diagnostics[0].message
    assert not verdict.cacheable


async def test_a_crash_is_tried_once_more(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    await pool.analyze(source("check-crash"), SETTINGS, "a")
    assert lanes.log == ["check check-crash"] * 2


async def test_a_kept_verdict_needs_no_worker(tmp_path: Path) -> None:
    lanes = Lanes()
    cache = VerdictCache(tmp_path, checker="x")
    pool = AnalysisPool(2, lane=lanes, cache=cache)
    first = await pool.analyze(source("good"), SETTINGS, "a")
    await until(lambda: cache.get(first.sha256, SETTINGS) is not None)
    done = len(lanes.log)
    assert await pool.analyze(source("good"), SETTINGS, "b") == first
    assert len(lanes.log) == done
    await pool.analyze(source("good"), SETTINGS, "a", events=(UserEvent("click", "x"),))
    assert len(lanes.log) > done, "what a person does is played each time"
    await pool.close()


# ---------------------------------------------------------------- rehearsed beside the check


async def two_idle(pool: AnalysisPool, lanes: Lanes) -> None:
    await asyncio.gather(*(pool.analyze(source(f"first {n}"), SETTINGS, f"f{n}") for n in range(2)))
    assert len(lanes.made) == 2
    lanes.log.clear()


async def test_with_nothing_else_to_do_a_text_is_rehearsed_beside_its_check(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    await two_idle(pool, lanes)
    verdict = await pool.analyze(source("good"), SETTINGS, "a")
    assert verdict.rehearsal == Rehearsal(ran=True)
    assert sorted(lanes.log) == ["check good", "finish good", "play_ahead good"]


@pytest.mark.parametrize("text", ["strange good", "ahead-crash", "ahead-fault", "ahead-timeout"])
async def test_what_was_played_beside_counts_only_where_it_is_the_same(
    fake: tuple[AnalysisPool, Lanes], text: str
) -> None:
    pool, lanes = fake
    await two_idle(pool, lanes)
    verdict = await pool.analyze(source(text), SETTINGS, "a")
    assert verdict.rehearsal == Rehearsal(ran=True)
    assert lanes.log[-1] == f"rehearse {text}"


async def test_what_burns_the_processor_is_not_played_twice(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    await two_idle(pool, lanes)
    verdict = await pool.analyze(source("ahead-burn"), SETTINGS, "a")
    assert [one.code for one in verdict.diagnostics] == ["HP404"]
    assert sorted(lanes.log) == ["check ahead-burn", "play_ahead ahead-burn"]


async def test_what_the_check_refuses_is_not_waited_for(
    fake: tuple[AnalysisPool, Lanes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "SUPERSEDED_GRACE_S", 0.0)
    pool, lanes = fake
    await two_idle(pool, lanes)
    monkeypatch.setattr(FakeLane, "hangs", staticmethod(lambda what, _: what == "play_ahead"))
    verdict = await pool.analyze(source("refused"), SETTINGS, "a")
    assert [one.code for one in verdict.diagnostics] == ["HP101"]
    await until(lambda: lanes.busy == [])
    assert "finish refused" not in lanes.log


async def test_nobody_waits_for_what_is_played_beside(fake: tuple[AnalysisPool, Lanes]) -> None:
    pool, lanes = fake
    await two_idle(pool, lanes)
    await asyncio.gather(*(pool.analyze(source(f"good {n}"), SETTINGS, f"g{n}") for n in range(10)))
    assert len([line for line in lanes.log if line.startswith("play_ahead")]) <= 1


async def test_with_a_cache_the_workers_come_with_the_first_job_or_a_little_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes = Lanes()
    pool = AnalysisPool(2, lane=lanes, cache=VerdictCache(tmp_path, checker="x"))
    monkeypatch.setattr(pool_module, "WARM_AFTER_S", 1000)
    await pool.start()
    assert lanes.made == []
    await pool.analyze(source("good"), SETTINGS, "a")
    assert lanes.made
    await pool.close()
    later = Lanes()
    monkeypatch.setattr(pool_module, "WARM_AFTER_S", 0.001)
    pool = AnalysisPool(2, lane=later, cache=VerdictCache(tmp_path, checker="x"))
    await pool.start()
    await until(lambda: len(later.made) == 2)
    await pool.close()


async def test_closing_cancels_what_waits() -> None:
    lanes = Lanes()
    pool = AnalysisPool(1, lane=lanes, slow_after_s=60)
    tasks = [asyncio.create_task(pool.analyze(source(f"hang {n}"), SETTINGS, f"{n}")) for n in range(3)]
    await until(lambda: lanes.busy)
    await pool.close()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError | Verdict) for result in results)
    assert all(lane.closed for lane in lanes.made)


async def test_closing_does_not_wait_for_a_job_that_nobody_answers_any_more() -> None:
    class Deaf(FakeLane):
        async def run(self, job: Job[Any]) -> Answer[Any] | Lost:
            await asyncio.Event().wait()
            raise AssertionError

    pool = AnalysisPool(1, lane=lambda: Deaf([]))
    await pool.start()
    await asyncio.wait_for(pool.close(), 10)


# ---------------------------------------------------------------- with real processes

GOOD = "export default { id: 'demo', name: 'Demo', register(ctx) { ctx.register({ id: 'p', area: 'panes' }) } }"


@pytest.fixture
async def real() -> AsyncIterator[AnalysisPool]:
    pool = AnalysisPool(2, slow_after_s=0.3)
    await pool.start()
    yield pool
    await pool.close()
    await until(lambda: workers_of_this_process() == [], deadline_s=10.0)


def workers_of_this_process() -> list[int]:
    psutil = pytest.importorskip("psutil")  # a development dependency
    found = []
    for child in psutil.Process().children(recursive=True):
        try:
            if "spawn_main" in " ".join(child.cmdline()) and child.status() != psutil.STATUS_ZOMBIE:
                found.append(child.pid)
        except psutil.NoSuchProcess:
            continue
    return found


@pytest.mark.real
async def test_closing_ends_while_the_first_process_is_being_started() -> None:
    for milliseconds in (0, 1, 2, 4, 7, 10, 15, 20, 30):
        pool = AnalysisPool(1)
        await pool.start()
        await asyncio.sleep(milliseconds / 1000)  # each time another moment of the start
        await asyncio.wait_for(pool.close(), 20)
    await until(lambda: workers_of_this_process() == [], deadline_s=10.0)


@pytest.mark.real
async def test_hung_plugins_get_their_finding_and_good_ones_do_not_wait(real: AnalysisPool) -> None:
    hung = [
        asyncio.create_task(
            real.analyze(source(f"for (;;) {{}}\nexport default {{ id: 'h{n}' , register() {{}} }}"), SETTINGS, f"h{n}")
        )
        for n in range(3)
    ]
    await asyncio.sleep(0)
    good = await asyncio.gather(*(real.analyze(source(f"{GOOD} // {n}"), SETTINGS, f"g{n}") for n in range(4)))
    assert all(verdict.identity.exported_id == "demo" and verdict.ok for verdict in good)
    for verdict in await asyncio.gather(*hung):
        assert [one.code for one in verdict.diagnostics if one.severity == "error"] == ["HP404"]


def untimed(verdict: Verdict) -> Verdict:
    played = verdict.rehearsal
    if played is not None:
        played = dataclasses.replace(played, cpu_ms=0.0, memory_bytes=0)
    return dataclasses.replace(verdict, rehearsal=played, timings_ms=())


@pytest.mark.real
async def test_played_beside_or_after_comes_to_the_same(real: AnalysisPool) -> None:
    texts = [
        GOOD,
        "import { noSuchName } from '@hermes/plugin-sdk'\n" + GOOD,
        "export default {",
        "throw new Error('x')",
    ]
    one_after_the_other = AnalysisPool(1)
    try:
        for number, text in enumerate(texts):
            # Two processes that wait: the second one is there after the first text at the latest.
            await asyncio.gather(*(real.analyze(source(f"{GOOD} // {number}{n}"), SETTINGS, f"g{n}") for n in range(2)))
            beside = await real.analyze(source(text), SETTINGS, "a")
            after = await one_after_the_other.analyze(source(text), SETTINGS, "a")
            assert untimed(beside) == untimed(after)
    finally:
        await one_after_the_other.close()


@pytest.mark.real
async def test_a_worker_killed_while_idle_does_not_hold_the_next_job_up(real: AnalysisPool) -> None:
    psutil = pytest.importorskip("psutil")  # a development dependency
    for number in range(3):
        async with asyncio.timeout(45):
            assert (await real.analyze(source(f"{GOOD} // {number}"), STATIC_ONLY, "a")).ok
        for pid in workers_of_this_process():
            process = psutil.Process(pid)
            process.kill()
            await until(lambda process=process: not process.is_running() or process.status() == "zombie")  # type: ignore[misc]


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="stops a process by a signal")
async def test_a_job_that_a_killed_process_never_read_is_given_to_another(real: AnalysisPool) -> None:
    psutil = pytest.importorskip("psutil")  # a development dependency
    assert (await real.analyze(source(f"{GOOD} // before"), STATIC_ONLY, "a")).ok
    workers = [psutil.Process(pid) for pid in workers_of_this_process()]
    for worker in workers:
        worker.suspend()
    # More than a pipe holds: what is killed has read a part of it, or nothing.
    task = asyncio.create_task(real.analyze(source(f"{GOOD} // {'x' * 500_000}"), STATIC_ONLY, "a"))
    await asyncio.sleep(0)
    for worker in workers:
        worker.kill()
    async with asyncio.timeout(60):
        assert (await task).ok


@pytest.mark.real
async def test_a_killed_worker_costs_nobody_an_answer(real: AnalysisPool) -> None:
    await real.analyze(source(GOOD), SETTINGS, "warm")
    psutil = pytest.importorskip("psutil")  # a development dependency
    for number in range(3):
        task = asyncio.create_task(real.analyze(source(f"{GOOD} // {number}"), SETTINGS, "a"))
        await asyncio.sleep(0)
        for pid in workers_of_this_process():
            psutil.Process(pid).kill()
        assert (await task).ok


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals by number")
def test_workers_end_with_the_service_even_when_it_is_killed() -> None:
    psutil = pytest.importorskip("psutil")  # a development dependency
    script = textwrap.dedent(
        """
        import asyncio, hashlib, sys
        from loader.analysis.pool import AnalysisPool
        from loader.nouns import Source
        from loader.settings import AnalysisSettings

        def source(text):
            return Source(text.encode(), text, hashlib.sha256(text.encode()).hexdigest())

        async def main():
            pool = AnalysisPool(2)
            await pool.start()
            settings = AnalysisSettings(rehearsal_cpu_s=60.0)
            hung = [source(f"for(;;){{}} // {n}") for n in range(2)]
            tasks = [asyncio.create_task(pool.analyze(one, settings, one.text)) for one in hung]
            await pool.analyze(source("export default { id: 'a', register() {} }"), settings, "good")
            print("ready", flush=True)
            await asyncio.gather(*tasks)

        if __name__ == "__main__":
            asyncio.run(main())
        """
    )
    service = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=Path.cwd())
    try:
        assert service.stdout is not None
        assert service.stdout.readline() == b"ready\n"
        workers = psutil.Process(service.pid).children(recursive=True)
        assert workers
    finally:
        service.send_signal(signal.SIGKILL)
        service.wait()
        if service.stdout is not None:
            service.stdout.close()
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert alive == []
