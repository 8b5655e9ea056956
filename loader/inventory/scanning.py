"""Finding out that something may have changed: the watcher's hints, the scans that follow, and the reconcile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from loader.discovery import candidates_named, discover
from loader.home import Home
from loader.inventory.app_choices import CONFIG_FILE
from loader.inventory.clock import Clock
from loader.inventory.following import Track
from loader.inventory.looking import moved
from loader.inventory.tracks import Tracks
from loader.nouns import Candidate, LoadReason, LogLevel
from loader.settings import ServiceSettings

# Above this, one scan of all folders is cheaper than asking name by name.
_NAMES_AT_ONCE = 20

InThread: TypeAlias = Callable[..., Awaitable[Any]]
"""Runs what blocks: asyncio.to_thread, or at once in a test."""

_log = logging.getLogger(__name__)


class Watch(Protocol):
    """loader.watching.watch: sets of absolute paths that may have changed."""

    def __call__(
        self, home: Home, *, step_ms: int, stop: asyncio.Event, log: Callable[[LogLevel, str], None]
    ) -> AsyncGenerator[frozenset[str], None]: ...


class Scanner:
    """Keeps the tracks equal to what lies on disk, and pokes those that may have changed.

    ``found`` is told of each new, changed or vanished track before it is poked. ``refresh`` reads the state files and
    the app's configuration again.
    """

    def __init__(
        self,
        home: Home,
        settings: ServiceSettings,
        tracks: Tracks,
        *,
        watch: Watch,
        clock: Clock,
        in_thread: InThread,
        poke: Callable[[Track], None],
        found: Callable[[Track], None],
        refresh: Callable[[], Awaitable[None]],
        complain: Callable[[LogLevel, str], None],
    ) -> None:
        self._home = home
        self._settings = settings
        self._tracks = tracks
        self._watch = watch
        self._clock = clock
        self._in_thread = in_thread
        self._poke = poke
        self._found = found
        self._refresh = refresh
        self._complain = complain
        self._scanning = asyncio.Lock()
        self._hinted = asyncio.Event()
        self._paths: set[str] = set()
        self._trouble: str | None = None

    async def scan(self, cause: LoadReason = "changed", *, names: frozenset[str] | None = None) -> None:
        """Find what came, went and moved. ``names``: only folders of these names."""
        # One at a time: what an earlier scan saw must not be believed after a later one.
        async with self._scanning:
            found: tuple[Candidate, ...] = await self._in_thread(_candidates, self._home, names)
            for track in self._tracks.update(found, cause, named=names):
                self._found(track)
                self._poke(track)
            if names is None:
                idle = [track for track in self._tracks if track.task is None]
                for track in await self._in_thread(_stale, idle):
                    self._poke(track)

    async def follow_hints(self) -> None:
        """Poke the plugins that the watcher names; never ends before it is cancelled or the watch breaks down."""
        stop = asyncio.Event()
        hints = self._watch(self._home, step_ms=self._settings.watch_step_ms, stop=stop, log=self._complain)
        try:
            async with aclosing(hints):
                async for paths in hints:
                    self._take(paths)
        except Exception as error:  # the watch is only the fast path: without it the reconcile still finds everything
            _log.exception("watching")
            text = f"Watching ended ({type(error).__name__}: {error}); changes are still found every"
            self._complain("warning", f"{text} {self._settings.reconcile_every_s:g} s.")
        finally:
            stop.set()

    async def scan_hinted(self) -> None:
        """After hints: what they name may be new or gone, which the tracks alone cannot tell."""
        while True:
            await self._hinted.wait()
            self._hinted.clear()
            paths, self._paths = {Path(path) for path in self._paths}, set()
            await self._try(self._scan_named(paths))

    async def reconcile(self) -> None:
        """Look at everything every few seconds: this alone brings each plugin to its end state."""
        while True:
            await self._clock.sleep(self._settings.reconcile_every_s)
            await self._try(self._scan_all())
            for track in self._tracks:
                if track.may_be_better_now(self._clock.now_s()):
                    track.judge_anew()
                    self._poke(track)

    async def _scan_all(self) -> None:
        await self._refresh()
        await self.scan()

    async def _scan_named(self, paths: set[Path]) -> None:
        roots: frozenset[Path] = await self._in_thread(_roots, self._home)
        names = frozenset(path.name for path in paths if path.parent in roots)
        if any(path.name == CONFIG_FILE or path == self._home.records_dir for path in paths):
            await self._refresh()
        paths.discard(self._home.records_dir)
        if len(names) > _NAMES_AT_ONCE or any(path.parent not in roots for path in paths):
            await self.scan()
        else:
            await self.scan(names=names)

    async def _try(self, scanning: Awaitable[None]) -> None:
        try:
            await scanning
            self._trouble = None
        except Exception as error:  # a scan that fails, for whatever reason, is tried again; the service goes on
            _log.exception("scanning")
            trouble = f"Looking for changes failed ({type(error).__name__}: {error}); it is tried again."
            if trouble != self._trouble:
                self._complain("error", trouble)
            self._trouble = trouble

    def _take(self, paths: frozenset[str]) -> None:
        for path in paths:
            for track in self._tracks.in_folder(path):
                self._poke(track)
        self._paths |= paths
        self._hinted.set()


# ---------------------------------------------------------------- what blocks


def _candidates(home: Home, names: frozenset[str] | None) -> tuple[Candidate, ...]:
    if names is None:
        return discover(home)
    return tuple(candidate for name in sorted(names) for candidate in candidates_named(home, name))


def _roots(home: Home) -> frozenset[Path]:
    return frozenset((*home.desktop_roots, *home.package_roots))


def _stale(tracks: list[Track]) -> list[Track]:
    """Whose files moved since they were looked at."""
    return [track for track in tracks if track.look is None or moved(track.look)]
