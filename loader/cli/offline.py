"""The inventory without a service: one look at the home in this process, with the service's own pipeline.

The same code judges, so that `list` says the same with and without a service. Nothing is watched, nothing settles,
and nothing runs: a row's ``running_revision`` is None here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from loader.analysis.pool import AnalysisPool
from loader.checking.run import Analyzer
from loader.checking.suppressing import without_suppressed
from loader.errors import TimedOut
from loader.home import Home
from loader.inventory.pipeline import Pipeline
from loader.nouns import Logged, LogLevel, Plugin
from loader.packages.standings import Standings
from loader.settings import AnalysisSettings, RehearsalMode, ServiceSettings

# Long enough for hundreds of plugins on a slow machine; each single one has its own deadline besides.
READY_WITHIN_S = 300.0


def _hear_nothing(_: Logged) -> None: ...


@asynccontextmanager
async def open_offline(
    home: Home,
    *,
    rehearsal: RehearsalMode = "warn",
    analyzer: Analyzer | None = None,
    hear: Callable[[Logged], None] = _hear_nothing,
) -> AsyncIterator[Pipeline]:
    """A pipeline in which every plugin of the home has its verdict. Its workers end with the block.

    ``hear`` gets what the pipeline has to say beside its rows, such as a damaged file of choices.
    Raises TimedOut when the verdicts do not come; whatever the pipeline itself fails with.
    """
    async with _analyzer(analyzer) as analyzes:
        pipeline = Pipeline(
            home,
            _settings(rehearsal),
            analyzer=analyzes,
            emit=lambda event: hear(event) if isinstance(event, Logged) else None,
            watch=_no_watch,
            origins=Standings(home),
            excuse=without_suppressed,
        )
        running = asyncio.create_task(pipeline.run())
        ready = asyncio.create_task(pipeline.wait_ready(READY_WITHIN_S))
        try:
            await asyncio.wait((running, ready), return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                await running
            if not await ready:
                raise TimedOut(f"the plugins of {home.root} had no verdict within {READY_WITHIN_S:g} s.")
            yield pipeline
        finally:
            ready.cancel()
            running.cancel()
            await asyncio.gather(running, ready, return_exceptions=True)


def at_rest(row: Plugin) -> Plugin:
    """A row as it is while no service runs: our own pipeline would have the plugin run, but nobody listens."""
    return replace(row, running_revision=None, loaded_at=None)


def _settings(rehearsal: RehearsalMode) -> ServiceSettings:
    # One look has nothing to wait for: what stands on disk now is the answer.
    return ServiceSettings(
        failure_settle_ms=0,
        absence_settle_ms=0,
        declared_integrity_settle_ms=0,
        reconcile_every_s=3600.0,
        analysis=AnalysisSettings(rehearsal=rehearsal, unknown_export="warning"),
    )


@asynccontextmanager
async def _analyzer(given: Analyzer | None) -> AsyncIterator[Analyzer]:
    if given is not None:
        yield given
        return
    pool = AnalysisPool()
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


async def _no_watch(
    home: Home, *, step_ms: int, stop: asyncio.Event, log: Callable[[LogLevel, str], None]
) -> AsyncGenerator[frozenset[str], None]:
    await stop.wait()
    yield frozenset()  # never reached while the pipeline is asked: it stops with us
