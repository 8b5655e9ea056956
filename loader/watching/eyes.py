"""Watch a home: the system's events where they come, our own look where they do not.

Three things keep the watch from going silent, as every file watcher does sooner or later. Each change among folders
sets up new watches before anyone looks, so that nothing falls in between. Every few seconds our own look at the
stamps finds what no event told; once is a lost event (a full queue in the kernel) and gets new watches, twice in a
row is a file system without events (a network mount, a container's shared folder) and ends in polling. And when the
system has no watches left, polling starts at once. Polling is said exactly once, and stays.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from functools import partial
from typing import TypeAlias

from loader.home import Home
from loader.listing import NotListed
from loader.nouns import LogLevel
from loader.watching.native import open_native
from loader.watching.opening import Handle, Opener, PathsMoved, WatchUnavailable
from loader.watching.plan import Batch, Plan, make_plan
from loader.watching.scan import Snapshot, changed, take_snapshot

Log: TypeAlias = Callable[[LogLevel, str], object]

POLL_EVERY_S = 1.0
CHECK_EVERY_S = 5.0
# An event may be on its way while we look at the stamps: so long it gets before it counts as lost.
_GRACE_S = 0.5
_LOST_IN_A_ROW = 2
# In a storm the folders change faster than watches are set up; then those that are gone are passed over.
_PATIENT_ATTEMPTS = 5
_ATTEMPTS = 8
# A watch that breaks is set up anew; one that breaks again and again is none.
_BREAKS = 3
_LINUX = sys.platform.startswith("linux")


async def watch(
    home: Home,
    *,
    step_ms: int,
    stop: asyncio.Event,
    log: Log,
    opener: Opener = open_native,
    snapshot: Callable[[Home], Snapshot] = take_snapshot,
    platform: str = sys.platform,
    poll_every_s: float = POLL_EVERY_S,
    check_every_s: float = CHECK_EVERY_S,
) -> AsyncGenerator[frozenset[str], None]:
    """Yield sets of absolute paths that may have changed, until ``stop`` is set or the iterator is closed.

    A path is a plugin's folder (``<door>/<folder>``; for a package its own folder), or a door, or
    ``<home>/config.yaml``, a folder of ``profiles``, or that of the records; whatever it is, it is a hint to look, also
    at what is gone.
    The first set comes when the watch stands and names everything: what changed before it stood is in it. Never an
    empty set, no order, the same path as often as it likes.

    ``step_ms`` is the native watch's step: what does not end a save, and everything where there is no inotify, takes
    one or two of them. ``log`` is called on the event loop, once, when polling begins. Blocks nothing: the disk is
    looked at in threads.
    """
    eyes = _Eyes(home, step_ms, opener, snapshot, platform)
    why = WatchUnavailable("changes come without any")
    try:
        yield await eyes.open()
        async with aclosing(_native(eyes, stop, check_every_s)) as batches:
            async for hints in batches:
                yield hints
    except WatchUnavailable as error:
        why = error
    finally:
        eyes.close()
    if stop.is_set():
        return
    log("warning", _polling_text(why, poll_every_s))
    async with aclosing(_polling(home, stop, snapshot, poll_every_s)) as batches:
        async for hints in batches:
            yield hints


async def _native(eyes: _Eyes, stop: asyncio.Event, check_every_s: float) -> AsyncGenerator[frozenset[str], None]:
    """Hints from events; ends when ``stop`` is set or when events are missing, raises WatchUnavailable."""
    loop = asyncio.get_running_loop()
    told: set[str] = set()
    lost_in_a_row = 0
    due = loop.time() + check_every_s
    while not stop.is_set():
        if hints := await eyes.wait(stop, due - loop.time()):
            told |= hints
            yield hints
        if stop.is_set() or loop.time() < due:
            continue
        # An event counts for the change it told of and for none that comes after the look.
        told_of, told = told, set()
        suspects = await eyes.look() - told_of
        grace = loop.time() + _GRACE_S
        while suspects - told and not stop.is_set() and loop.time() < grace:
            if hints := await eyes.wait(stop, grace - loop.time()):
                told |= hints
                yield hints
        lost = suspects - told
        lost_in_a_row = lost_in_a_row + 1 if lost else 0
        if lost and not stop.is_set():
            if lost_in_a_row >= _LOST_IN_A_ROW:
                yield lost
                return
            yield lost | await eyes.reopen()
        due = loop.time() + check_every_s


async def _polling(
    home: Home, stop: asyncio.Event, snapshot: Callable[[Home], Snapshot], poll_every_s: float
) -> AsyncGenerator[frozenset[str], None]:
    before = await asyncio.to_thread(snapshot, home)
    # What changed between the last good look and this one.
    yield frozenset(before) | await asyncio.to_thread(_doors, home)
    while not stop.is_set():
        try:
            await asyncio.wait_for(stop.wait(), poll_every_s)
            return
        except TimeoutError:
            pass
        after = await asyncio.to_thread(snapshot, home)
        if hints := changed(before, after):
            yield hints
        before = after


def _doors(home: Home) -> frozenset[str]:
    try:
        packages = home.package_roots
    except NotListed:  # only hints: the reconcile looks there again
        packages = ()
    return frozenset(str(path) for path in (*home.desktop_roots, *packages))


class _Eyes:
    """The native watches of one home and what they have said since we last asked."""

    def __init__(
        self, home: Home, step_ms: int, opener: Opener, snapshot: Callable[[Home], Snapshot], platform: str
    ) -> None:
        self._step_ms = step_ms
        self._opener = opener
        self._make_plan = partial(make_plan, home, platform=platform)
        self._snapshot = partial(snapshot, home)
        self._seen: Snapshot = {}
        self._plan: Plan | None = None
        self._handles: tuple[Handle, ...] = ()
        self._loop = asyncio.get_running_loop()
        self._heard = asyncio.Event()
        self._hints: set[str] = set()
        self._structural = False
        self._breaks = 0
        self._trouble: WatchUnavailable | None = None

    async def open(self) -> frozenset[str]:
        """Set the first watches up; gives everything that they are about."""
        await self.reopen()
        plan = self._current()
        return plan.roots | plan.folders | {hint for rules in plan.rules.values() for hint in (r.hint for r in rules)}

    async def reopen(self) -> frozenset[str]:
        """New watches on what is there now; gives the hints that differ from what was watched and seen before.

        The watch stands first, then we look: at the folders, since what came in between shows as another plan, and
        at the stamps, since the old watches may have died with their folders before they said everything.
        """
        hints: frozenset[str] = frozenset()
        plan = await asyncio.to_thread(self._make_plan)
        for attempt in range(_ATTEMPTS):
            try:
                handles = await self._open(plan, tolerant=attempt >= _PATIENT_ATTEMPTS)
            except PathsMoved:
                plan = await asyncio.to_thread(self._make_plan)
                continue
            old, self._handles = self._handles, handles
            for handle in handles:
                handle.start(partial(self._deliver, plan), self._failed)
            for handle in old:
                handle.close()
            if self._plan is not None:
                hints |= plan.concerns(self._plan)
            self._plan = plan
            again = await asyncio.to_thread(self._make_plan)
            if again.rules == plan.rules:
                break
            plan = again
        else:
            # A storm outlasts us: hand out what we have, and try again at the next wait.
            self._structural = True
            self._heard.set()
        return hints | await self.look()

    async def look(self) -> frozenset[str]:
        """What differs from our last look at the stamps, whether or not an event told of it."""
        before, self._seen = self._seen, await asyncio.to_thread(self._snapshot)
        return changed(before, self._seen)

    async def wait(self, stop: asyncio.Event, timeout_s: float) -> frozenset[str]:
        """The next hints; empty when ``stop`` is set or the time is up. Raises WatchUnavailable."""
        if not self._heard.is_set():
            await _first_of(self._heard, stop, timeout_s)
        if stop.is_set() or not self._heard.is_set():
            return frozenset()
        if self._trouble is not None:
            raise self._trouble
        hints = self._take()
        structural, self._structural = self._structural, False
        if structural:
            hints |= await self.reopen()
            again = self._structural
            hints |= self._take()
            if again:
                self._heard.set()
        return hints

    def close(self) -> None:
        for handle in self._handles:
            handle.close()
        self._handles = ()

    # ------------------------------------------------------------ inside

    def _current(self) -> Plan:
        if self._plan is None:
            raise WatchUnavailable("the folders do not hold still long enough to be watched")
        return self._plan

    def _take(self) -> frozenset[str]:
        hints, self._hints = frozenset(self._hints), set()
        self._heard.clear()
        return hints

    async def _open(self, plan: Plan, *, tolerant: bool) -> tuple[Handle, ...]:
        opened: list[Handle] = []
        try:
            for folders, recursive in ((plan.shallow, False), (plan.deep, True)):
                if folders:
                    setup = partial(
                        self._opener, folders, recursive=recursive, step_ms=self._step_ms, tolerant=tolerant
                    )
                    opened.append(await asyncio.to_thread(setup))
        except BaseException:  # cancellation too: no watch may stay behind
            for handle in opened:
                handle.close()
            raise
        return tuple(opened)

    def _deliver(self, plan: Plan, batch: Batch) -> None:
        """In the watch's thread: what concerns nobody (a database beside the doors) never wakes the loop."""
        hints, structural = plan.read(batch)
        if hints or structural:
            self._call(partial(self._hear, hints, structural or plan.links_moved(hints)))

    def _failed(self, reason: str) -> None:
        self._call(partial(self._break, reason))

    def _call(self, callback: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed, nobody listens any more
            self._loop.call_soon_threadsafe(callback)

    def _hear(self, hints: frozenset[str], structural: bool) -> None:
        self._hints |= hints
        self._structural = self._structural or structural
        self._heard.set()

    def _break(self, reason: str) -> None:
        self._breaks += 1
        self._trouble = WatchUnavailable(reason) if self._breaks > _BREAKS else None
        self._hear(frozenset(), structural=True)


async def _first_of(first: asyncio.Event, second: asyncio.Event, timeout_s: float) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in (first, second)]
    try:
        await asyncio.wait(waits, timeout=max(0.0, timeout_s), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def _polling_text(why: WatchUnavailable, poll_every_s: float) -> str:
    look = f"Looking for changes every {poll_every_s:g} s instead."
    if why.limit:
        way_out = "Raise fs.inotify.max_user_watches (and max_user_instances) and start again." if _LINUX else ""
        return f"The system's file watch limit is reached ({why}). {look} {way_out}".rstrip()
    return f"No file events: {why}. {look}"
