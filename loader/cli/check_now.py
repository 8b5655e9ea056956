"""Runs a check in this process's own pool of killable workers: what `check`, `rehearse` and `reload` share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from loader.analysis.pool import AnalysisPool
from loader.analysis.rehearsal.play import UserEvent
from loader.checking.checked import CheckRun
from loader.checking.run import CheckSettings, check_targets
from loader.checking.suppressing import without_suppressed
from loader.checking.targets import Target
from loader.home import PROFILES_FOLDER, Home
from loader.inventory.pins import Pins
from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings

WORKERS = 2


async def check_now(
    targets: Sequence[Target],
    analysis: AnalysisSettings,
    *,
    strict: bool = False,
    events: tuple[UserEvent, ...] = (),
    workers: int = WORKERS,
) -> CheckRun:
    """Check the targets; the workers end with it, whatever happens. ``events`` are played in each rehearsal."""
    if not targets:
        return CheckRun((), strict=strict)
    pins = await asyncio.to_thread(_pins, {target.place for target in targets if target.in_home})
    pool = AnalysisPool(min(workers, len(targets)))
    await pool.start()
    try:
        return await check_targets(
            targets, _Playing(pool, events), CheckSettings(analysis, strict, pins), excuse=without_suppressed
        )
    finally:
        await pool.close()


class _Playing:
    """The pool with what a person does in each rehearsal."""

    def __init__(self, pool: AnalysisPool, events: tuple[UserEvent, ...]) -> None:
        self._pool = pool
        self._events = events

    async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict:
        return await self._pool.analyze(source, settings, key, events=self._events)


def _pins(homes: Iterable[str]) -> dict[str, Mapping[str, str]]:
    """The user's pins of each home; they are kept in its root. Where none were ever made, nothing is touched."""
    found = {}
    for place in homes:
        home = Path(place)
        root = home.parent.parent if home.parent.name == PROFILES_FOLDER else home
        pins = Pins.of(Home(root, home, None, "a plugin in it is checked"))
        pins.refresh()
        found[place] = pins.by_id()
    return found
