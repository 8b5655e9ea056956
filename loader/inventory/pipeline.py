"""What to do when something changed: hint → look → integrity → analysis → judgement → settling → inventory → events.

The rim where the parts of the inventory meet the disk, the analysis and the clock. Little is decided here: what a
row says is the inventory's business (pure), when bad news may be told is settling's, what one plugin goes through
is following's.

Watch events are hints, never truths. A hint makes us look; so does the reconcile every few seconds, which alone
brings everything to its end state on a file system without events.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from typing import Any

from loader.errors import UsageError
from loader.home import Home
from loader.inventory.choices import Choices
from loader.inventory.clock import Clock, SystemClock, timestamp
from loader.inventory.deciding import Deciding
from loader.inventory.decisions import Decisions
from loader.inventory.following import Analyzer, Follower, Remembering, Track
from loader.inventory.history import History, Revision
from loader.inventory.identity import is_valid_id, shown
from loader.inventory.inventory import Inventory
from loader.inventory.judging import Excuse, judge
from loader.inventory.looking import Look
from loader.inventory.origins import Origins
from loader.inventory.pins import Pins
from loader.inventory.reading import Reader
from loader.inventory.scanning import InThread, Scanner, Watch
from loader.inventory.shells import Announced, SdkExports, judged_otherwise
from loader.inventory.subject import Subject
from loader.inventory.telling import Teller
from loader.inventory.tracks import Tracks
from loader.nouns import Event, Json, Plugin, Running, Source, Verdict
from loader.settings import ServiceSettings
from loader.watching import watch as watch_folders

# A switch thrown while the plugin is still being judged waits a little longer than any deadline of the analysis.
_VERDICT_WAIT_S = 15.0

_log = logging.getLogger(__name__)


class Pipeline:
    """All plugins of one home, kept equal to the disk.

    ``emit`` gets every event, in order, on the event loop, and must not wait. ``in_thread`` runs what blocks.
    Everything is called on the one event loop that runs ``run()``.
    """

    def __init__(
        self,
        home: Home,
        settings: ServiceSettings,
        *,
        analyzer: Analyzer,
        emit: Callable[[Event], None],
        choices: Choices | None = None,
        pins: Pins | None = None,
        origins: Origins | None = None,
        watch: Watch = watch_folders,
        clock: Clock | None = None,
        in_thread: InThread = asyncio.to_thread,
        excuse: Excuse | None = None,
        shipped_exports: Callable[[], tuple[tuple[str, tuple[str, ...]], ...]] = tuple,
    ) -> None:
        self._home = home
        self._settings = settings
        self._clock = clock or SystemClock()
        self._teller = Teller(emit, self._clock)
        self._in_thread = in_thread
        self._excuse = excuse
        self._shipped_exports = shipped_exports
        self._decisions = Decisions.of(
            home, settings.absence_settle_ms / 1000, self._clock.now_s, choices=choices, pins=pins, origins=origins
        )
        self._inventory = Inventory(settings)
        self._history = History()
        self._announced = Announced()
        self._analysis = settings.analysis
        self._tracks = Tracks()
        self._unready: set[str] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._settling = False
        self._scanner = Scanner(
            home,
            settings,
            self._tracks,
            watch=watch,
            clock=self._clock,
            in_thread=in_thread,
            poke=self._poke,
            found=lambda track: self._inventory.expect(track.key, track.folder),
            refresh=self.refresh,
            complain=self._teller.complain,
        )
        reader = Reader(
            self._decisions,
            in_thread,
            lambda: self._analysis,
            self._pins_of,
            self.refresh,
            analyzer.kept if isinstance(analyzer, Remembering) else None,
        )
        self._deciding = Deciding(
            self._inventory,
            self._decisions,
            in_thread,
            known=self._known,
            decide=self._decide,
            hurry=lambda keys: self._hurry([track for key in keys if (track := self._tracks.get(key)) is not None]),
            judge_anew=self._told_anew,
        )
        self._follower = Follower(
            settings, analyzer, self._clock, lambda: self._analysis, reader.look, self._judge, self._tell
        )

    # ------------------------------------------------------------ life

    async def run(self) -> None:
        """Keep the inventory equal to the disk until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                # The watch comes first: what changes while we scan must not fall between the two.
                group.create_task(self._scanner.follow_hints())
                await self.refresh()
                await self._scanner.scan("start")
                self._unready = {track.key for track in self._tracks if track.told is None}
                self._teller.wake()
                group.create_task(self._scanner.scan_hinted())
                group.create_task(self._scanner.reconcile())
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_ready(self, timeout_s: float) -> bool:
        """Until every plugin that was there at the start has its verdict; False when the time is up first."""
        return await self._teller.until(lambda: self._unready is not None and not self._unready, timeout_s)

    # ------------------------------------------------------------ questions

    def plugins(self) -> tuple[Plugin, ...]:
        """All rows, sorted by key."""
        return self._inventory.rows()

    def find(self, id_or_key: str) -> Plugin | None:
        """By key, or by id (the row of its owner), or by folder where no id fits."""
        return self._inventory.find(id_or_key)

    async def find_fresh(self, id_or_key: str) -> Plugin | None:
        """As `find`, after one more look at the folders where nothing goes by that name: it may just have come."""
        try:
            return self.find(id_or_key) or await self._known(id_or_key)
        except UsageError:
            return None

    def running(self, plugin_id: str) -> Running | None:
        return self._inventory.running(plugin_id)

    def all_running(self) -> tuple[Running, ...]:
        """Sorted by key."""
        return self._inventory.all_running()

    def source_of(self, key: str) -> Source | None:
        """The bytes that run (perhaps older than the row's revision); else those on disk, if vouched for."""
        row, subject = self._inventory.row(key), self._inventory.subject(key)
        if row is None or subject is None:
            return None
        running = self._inventory.running(row.id)
        if running is not None and running.key == key:
            return running.source
        return subject.source if subject.verified else None

    def subject(self, key: str) -> Subject | None:
        """What the last settled look at it found; None while there is none."""
        return self._inventory.subject(key)

    def history(self, key: str) -> tuple[Revision, ...]:
        """The last revisions of a plugin, oldest first."""
        return self._history.of(key)

    # ------------------------------------------------------------ what people ask for

    async def reload(self, ids: Iterable[str] | None = None) -> tuple[Plugin, ...]:
        """Read all (or these, by id or key) from disk now, whatever stat and watcher say; nothing settles.

        Unchanged bytes cause no event. Raises UsageError for an id that nothing goes by.
        """
        wanted = None if ids is None else tuple(ids)
        await self._scanner.scan()
        await self._hurry(list(self._tracks) if wanted is None else [self._track_of(name) for name in wanted])
        rows = self.plugins() if wanted is None else map(self.find, wanted)
        return tuple(row for row in rows if row is not None)

    async def set_choice(self, plugin_id: str, choice: bool | None) -> Plugin:
        """Switch a plugin on or off; None forgets the choice. Raises UsageError for an unknown or invalid id.

        ``plugin_id``, here and below, is an id (then the owner's row), a key, or a folder's name where no id fits.
        """
        return await self._deciding.choose(plugin_id, choice)

    async def set_pin(self, plugin_id: str, integrity: str | None) -> Plugin:
        """Let only these bytes run (None: those on disk now). Several hashes, separated by white space, are allowed.

        Raises UsageError for an unknown id, a malformed integrity, or None where there are no bytes.
        """
        return await self._deciding.pin(plugin_id, integrity)

    async def unpin(self, plugin_id: str) -> Plugin:
        """Let any bytes run again. Raises UsageError for an unknown id; one without a pin stays as it is."""
        return await self._deciding.unpin(plugin_id)

    async def allow_heavy(self, plugin_id: str, allowed: bool = True) -> Plugin:
        """Let the revision that was looked at last load although it used too much in the rehearsal, or no more.

        Raises UsageError for an unknown id, or where there are no bytes.
        """
        return await self._deciding.allow_heavy(plugin_id, allowed)

    def note_backend(self, key: str, backend: Mapping[str, Json] | None) -> None:
        """What the row says of the plugin's own backend; None takes it away."""
        self._teller.say(self._inventory.note_backend(key, backend))

    # ------------------------------------------------------------ what shells say

    def shell_mounted(
        self,
        shell: str,
        version: str,
        exports: Mapping[str, Iterable[str]] | None = None,
        bundled: Iterable[str] | None = None,
    ) -> None:
        """A shell is there. Names that its app exports, and ids that it brings along, count from now on."""
        before = self._announced.exports
        self._announced.mount(shell, exports, bundled)
        self._teller.say(self._inventory.shell_mounted(shell, version))
        self._decide()
        if self._announced.exports != before:
            self._analysis = replace(
                self._settings.analysis, sdk_exports=self._announced.exports, unknown_export="error"
            )
            self._spawn(self._judge_exports_anew(before))

    def shell_gone(self, shell: str) -> None:
        self._announced.leave(shell)
        self._teller.say(self._inventory.shell_gone(shell))
        self._decide()

    def report(
        self, shell: str, plugin_id: str, revision: str, outcome: str, error: str | None = None, phase: str = "register"
    ) -> None:
        """What a shell made of a revision: "loaded" or "failed", in phase import, register or render.

        Ignored for a revision that is not current and from a shell that is not mounted.
        """
        self._teller.say(self._inventory.report(shell, plugin_id, revision, outcome, error, phase))

    async def wait_shells(self, ids: Iterable[str] | None, wait_s: float) -> tuple[Plugin, ...]:
        """Until every mounted shell has said what became of these (None: all), at most so long. Their rows."""
        wanted = None if ids is None else tuple(ids)

        def rows() -> tuple[Plugin, ...]:
            named = self.plugins() if wanted is None else [self.find(name) for name in wanted]
            return tuple(row for row in named if row is not None)

        await self._teller.until(lambda: not any(s.state == "pending" for row in rows() for s in row.shells), wait_s)
        return rows()

    # ------------------------------------------------------------ one plugin's round (called by its follower)

    def _judge(self, track: Track, look: Look, verdict: Verdict | None) -> Subject:
        candidate = look.candidate or track.candidate
        if candidate is None:
            raise ValueError(f"{track.key}: nothing to judge")
        return judge(
            look,
            candidate,
            verdict,
            pins=self._decisions.pins.by_id(),
            allowed=self._decisions.heavy.by_id(),
            id_mismatch=self._settings.id_mismatch,
            excuse=self._excuse,
            checked_in_ms=track.checked_in_ms,
        )

    def _tell(self, track: Track, subject: Subject | None) -> None:
        at = timestamp(self._clock)
        self._decide()
        if subject is None:
            self._history.forget(track.key)
            self._teller.say(self._inventory.drop(track.key, at=at))
        else:
            self._teller.say(self._inventory.put(subject, at=at, cause=track.cause))
            row = self._inventory.row(track.key)
            if row is not None:
                self._history.note(row, subject, at)
        track.cause = "changed"
        self._is_ready(track)

    async def _follow(self, track: Track) -> None:
        try:
            await self._follower.follow(track)
            track.trouble = None
        except Exception as error:  # one plugin's trouble, of whatever kind, must not end the others' service
            _log.exception("following %s", track.key)
            trouble = f"{type(error).__name__}: {error}"
            if trouble != track.trouble:
                self._teller.complain("error", f"{track.key} could not be looked at: {trouble}", track.key)
            track.trouble, track.look = trouble, None
        finally:
            track.task, track.hurry, track.cause = None, False, "changed"
            self._is_ready(track)
            if track.look is not None and track.look.absent and track.told is None:
                self._tracks.forget(track)

    def _is_ready(self, track: Track) -> None:
        if self._unready is not None:
            self._unready.discard(track.key)
        self._teller.wake()

    def _poke(self, track: Track) -> None:
        track.poked.set()
        if track.task is None:
            track.task = self._spawn(self._follow(track))

    async def _hurry(self, tracks: list[Track]) -> None:
        for track in tracks:
            track.hurry, track.cause = True, "manual"
            if track.unsure:
                track.judge_anew()
            self._poke(track)
        if tasks := [track.task for track in tracks if track.task is not None]:
            await asyncio.wait(tasks)

    # ------------------------------------------------------------ switches, pins, announced exports

    async def refresh(self) -> None:
        """Read again what others may have written: choices, pins, the app's switches, records of what was installed."""
        before = self._decisions.heavy.by_id()
        for level, text in await self._in_thread(self._decisions.refresh):
            self._teller.complain(level, text)
        if self._decisions.app.settling and not self._settling:
            self._settling = True
            self._spawn(self._settle_switches())
        self._decide()
        for plugin_id, _ in before.items() ^ self._decisions.heavy.by_id().items():
            self._told_anew(plugin_id)
        for track in self._tracks:
            if track.look is not None and not track.look.absent and track.look.pins != self._pins_of(track):
                self._poke(track)

    async def _settle_switches(self) -> None:
        await self._clock.sleep(self._settings.absence_settle_ms / 1000)
        self._settling = False
        await self.refresh()

    def _decide(self) -> None:
        deciders = self._decisions.deciders(self._announced.bundled)
        self._teller.say(self._inventory.decide(deciders, at=timestamp(self._clock)))
        self._decisions.origins.counted()

    def _pins_of(self, track: Track) -> tuple[str, ...]:
        return self._decisions.pins.foretold(track.folder, self._inventory.id_of(track.key))

    async def _known(self, plugin_id: str) -> Plugin:
        """The row to switch or pin, waiting for a verdict that is under way."""
        row = self.find(plugin_id)
        if row is None:
            await self._scanner.scan()
            waited = [t for t in self._tracks if plugin_id in (t.key, t.folder) and t.task is not None]
            await self._teller.until(lambda: all(t.task is None for t in waited), _VERDICT_WAIT_S)
            row = self.find(plugin_id)
        if row is None:
            raise UsageError(_unknown(plugin_id))
        if not is_valid_id(row.id):
            raise UsageError(f"'{shown(row.id)}' cannot be an id, so nothing is kept under it. Rename the folder.")
        return row

    def _track_of(self, id_or_key: str) -> Track:
        by_key = self._tracks.get(row.key if (row := self.find(id_or_key)) is not None else id_or_key)
        if found := by_key or next((track for track in self._tracks if track.folder == id_or_key), None):
            return found
        raise UsageError(_unknown(id_or_key))

    def _told_anew(self, plugin_id: str) -> list[asyncio.Task[None] | None]:
        """Judge what is known of an id once more, without another analysis; the tasks that do it."""
        tracks = [track for key in self._inventory.keys_of(plugin_id) if (track := self._tracks.get(key)) is not None]
        for track in tracks:
            track.anew = track.hurry = True
            self._poke(track)
        return [track.task for track in tracks]

    async def _judge_exports_anew(self, before: SdkExports | None) -> None:
        """Other announced exports: judge again those whose verdict they may change, and whatever is under way."""
        now, idle = self._announced.exports, []
        for track in self._tracks:
            subject = self._inventory.subject(track.key)
            if track.task is not None:
                track.judge_anew()
                self._poke(track)
            elif subject is not None and subject.source is not None and subject.verdict is not None:
                idle.append((track, subject.source.text, subject.verdict))

        def affected() -> list[Track]:
            shipped = self._shipped_exports()
            return [track for track, text, said in idle if judged_otherwise(text, said, before, now, shipped)]

        for track in await self._in_thread(affected):
            track.judge_anew()
            self._poke(track)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _unknown(plugin_id: str) -> str:
    return f"There is no plugin '{shown(plugin_id)}'. `hermes-desktop list` shows what there is."
