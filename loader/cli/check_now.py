"""Runs a check in this process's own pool of killable workers: what `check`, `rehearse` and `reload` share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from loader.analysis.rehearsal.user_event import UserEvent
from loader.checking.checked import CheckedFile, CheckRun
from loader.checking.mending import Mended, mend
from loader.checking.run import CheckSettings, check_targets
from loader.checking.suppressing import without_suppressed
from loader.checking.targets import Target
from loader.home import PROFILES_FOLDER, Home
from loader.inventory.allowances import Allowances
from loader.inventory.pins import Pins
from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings

if TYPE_CHECKING:
    from loader.analysis.cache import VerdictCache
    from loader.analysis.pool import AnalysisPool

WORKERS = 2


async def check_now(
    targets: Sequence[Target],
    analysis: AnalysisSettings,
    *,
    strict: bool = False,
    events: tuple[UserEvent, ...] = (),
    workers: int = WORKERS,
) -> CheckRun:
    """Check the targets once; ``events`` are played in each rehearsal."""
    async with open_checker(events=events, workers=min(workers, max(len(targets), 1))) as checker:
        return await checker.check(targets, CheckSettings(analysis, strict))


@asynccontextmanager
async def open_checker(
    *, events: tuple[UserEvent, ...] = (), workers: int = WORKERS, kept: bool = False
) -> AsyncIterator[Checker]:
    """For any number of rounds with the same workers, started when there is something to check. They end with the
    block, whatever happens.

    ``kept``: verdicts of earlier runs on the same bytes, by the same version and settings, count (never with events).
    """
    checker = Checker(events, workers, await asyncio.to_thread(kept_verdicts) if kept and not events else None)
    try:
        yield checker
    finally:
        await checker.close()


class Checker:
    """Checks and mends files with the user's pins, and with what comments and tables of settings want."""

    def __init__(self, events: tuple[UserEvent, ...], workers: int, kept: VerdictCache | None = None) -> None:
        self._events = events
        self._workers = workers
        self._kept = kept
        self._pool: AnalysisPool | None = None
        self._starting = asyncio.Lock()

    async def check(self, targets: Sequence[Target], settings: CheckSettings) -> CheckRun:
        if not targets:
            return CheckRun((), strict=settings.strict)
        settings = await _with_decisions(settings, targets)
        return await check_targets(targets, self, settings, excuse=without_suppressed)

    async def mend(
        self, target: Target, settings: CheckSettings, wanted: Callable[[CheckedFile], CheckedFile]
    ) -> Mended:
        """In memory: see ``loader.checking.mending``."""
        settings = await _with_decisions(settings, (target,))
        return await mend(target, self, settings, excuse=without_suppressed, wanted=wanted)

    async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict:
        """The verdict on one text, with what a person does in the rehearsal; workers start for what is not known."""
        if self._kept is not None:
            known = await asyncio.to_thread(self._kept.get, source.sha256, settings)
            if known is not None:
                return known
        pool = await self._started_pool()
        verdict = await pool.analyze(source, settings, key, events=self._events)
        if self._kept is not None:
            await asyncio.to_thread(self._kept.put, verdict, settings)
        return verdict

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    async def _started_pool(self) -> AnalysisPool:
        from loader.analysis.pool import AnalysisPool  # where every verdict is known, no pool is needed

        async with self._starting:
            if self._pool is None:
                self._pool = AnalysisPool(self._workers)
                await self._pool.start()
            return self._pool


def kept_verdicts() -> VerdictCache | None:
    """The user's own, beside those of services; None where nobody can be kept from writing into them."""
    import platformdirs

    from loader.analysis.cache import VerdictCache
    from loader.analysis.engine.artifact import private_folder

    folder = Path(platformdirs.user_cache_dir("hermes-desktop-loader", appauthor=False)) / "checks"
    return VerdictCache(folder) if private_folder(folder) else None


async def _with_decisions(settings: CheckSettings, targets: Iterable[Target]) -> CheckSettings:
    places = {target.place for target in targets if target.in_home}
    pins, heavy = await asyncio.to_thread(_decided, places)
    return replace(settings, pins=pins, heavy=heavy)


def _decided(homes: Iterable[str]) -> tuple[dict[str, Mapping[str, str]], dict[str, Mapping[str, str]]]:
    """The user's pins and allowances of each home, kept in its root. Where none were ever made, nothing is touched."""
    pinned: dict[str, Mapping[str, str]] = {}
    heavy: dict[str, Mapping[str, str]] = {}
    for place in homes:
        home = Path(place)
        root = home.parent.parent if home.parent.name == PROFILES_FOLDER else home
        where = Home(root, home, None, "a plugin in it is checked")
        pins, allowances = Pins.of(where), Allowances.of(where)
        pins.refresh()
        allowances.refresh()
        pinned[place], heavy[place] = pins.by_id(), allowances.by_id()
    return pinned, heavy
