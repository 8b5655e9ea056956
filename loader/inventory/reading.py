"""Looking at one plugin, few at a time and in a thread; and bringing along what is known of its bytes already.

The verdict that was kept is read on the same way: a start with hundreds of unchanged plugins goes to a thread once
for each, not three times.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from loader.inventory.decisions import Decisions
from loader.inventory.following import Track
from loader.inventory.looking import Look, look_again, look_at
from loader.inventory.scanning import InThread
from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings

# Enough to hide a slow disk, few enough that 500 plugins of 16 MiB are not in memory twice.
READS_AT_ONCE = 4

Kept = Callable[[Source, AnalysisSettings], Verdict | None]
"""The verdict on a text if it was kept from an earlier time. Blocking."""


@dataclass(frozen=True, slots=True)
class Reader:
    """``refresh`` reads again what people decided; ``pins_of`` gives the pins that a plugin's bytes have to match."""

    decisions: Decisions
    in_thread: InThread
    analysis_settings: Callable[[], AnalysisSettings]
    pins_of: Callable[[Track], tuple[str, ...]]
    refresh: Callable[[], Awaitable[None]]
    kept: Kept | None = None
    _reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READS_AT_ONCE))

    async def look(self, track: Track, fresh: bool) -> Look:
        """What lies there now; ``fresh``: whatever a stat says."""
        pins = self.pins_of(track)
        look = await self._read(track, fresh, pins)
        if any(found.code == "HP010" for found in look.findings):
            # An update by another process writes the pin and then the bytes: the pins that refuse may be the old ones.
            await self.refresh()
            if self.pins_of(track) != pins:
                look = await self._read(track, True, self.pins_of(track))
        return look

    async def _read(self, track: Track, fresh: bool, pins: tuple[str, ...]) -> Look:
        settings, known = self.analysis_settings(), frozenset(track.verdicts)

        def read() -> tuple[Look, Verdict | None, float]:
            last = None if fresh else track.look
            look = look_at(track.candidate, pins) if last is None else look_again(last, track.candidate, pins)
            self.decisions.catch_up(look.candidate, was_read=look.source is not None)
            began_s = time.perf_counter()
            verdict = self._verdict(look, known, settings)
            return look, verdict, (time.perf_counter() - began_s) * 1000

        async with self._reading:
            found: tuple[Look, Verdict | None, float] = await self.in_thread(read)
        look, verdict, took_ms = found
        # Under other settings than those of now it is another question's answer.
        if verdict is not None and settings == self.analysis_settings():
            track.keep(verdict)
            track.checked_in_ms = took_ms
        return look

    def _verdict(self, look: Look, known: frozenset[str], settings: AnalysisSettings) -> Verdict | None:
        source = look.source
        if self.kept is None or source is None or source.sha256 in known or not look.may_be_opened:
            return None
        return self.kept(source, settings)
