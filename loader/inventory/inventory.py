"""The rows of all plugins, and the events that say how they changed.

Pure: nothing is read, nobody is waited for; facts come in, events go out in the order in which they are to be
told. Two rules hold at any time: an id is run by one plugin at most, and every event's row is the row that
``rows()`` shows once all events of the same call are told.

Whose id it is: among those that claim an id, standalone comes before unified, then the folder's name. An owner
stays the owner when it is broken or switched off, so that neither a typing error nor a switch makes another copy
run in its place. A plugin whose exported id is refused (HP303, HP304) claims none: it could never run under it.
An id that the app bundles belongs to the app.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from loader.inventory.enablement import Enablement, decide
from loader.inventory.identity import bundled_finding, duplicate_finding, effective_id, is_valid_id
from loader.inventory.names import Names
from loader.inventory.rows import Row, build_row
from loader.inventory.shells import ShellBook
from loader.inventory.subject import Subject
from loader.inventory.transitions import Goal, Standing, Step, steps
from loader.nouns import (
    Diagnostic,
    Event,
    Identity,
    Json,
    LoadReason,
    Origin,
    Plugin,
    PluginChanged,
    PluginFailed,
    PluginLoaded,
    PluginState,
    PluginUnloaded,
    Running,
    Verdict,
)
from loader.settings import ServiceSettings

_UNKNOWN = Identity()


@dataclass(frozen=True, slots=True)
class Deciders:
    """What decides beside the disk: both sets of switches, the pinned ids, the ids that the app brings along, and where
    installed files came from, by the path of their plugin.js."""

    ours: Mapping[str, bool] = field(default_factory=dict)
    app: Mapping[str, bool] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    bundled: frozenset[str] = frozenset()
    origins: Mapping[str, Origin] = field(default_factory=dict)


@dataclass(slots=True)
class _Seat:
    """One key's place. ``identity`` and ``id`` are those in force; ``good`` is the verdict of what runs."""

    key: str
    folder: str
    rank: tuple[int, str]
    subject: Subject | None = None
    row: Plugin | None = None
    running: Running | None = None
    good: Verdict | None = None
    identity: Identity = _UNKNOWN
    id: str = ""
    broken: tuple[str, ...] = ()
    loaded_at: str | None = None
    backend: Mapping[str, Json] | None = None


class Inventory:
    """All rows. Calls must come from one thread; ``at`` is the time of day in ISO 8601, ``cause`` why it is told."""

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings = settings
        self._deciders = Deciders()
        self._seats: dict[str, _Seat] = {}
        self._shells = ShellBook()
        self._names = Names()

    # ------------------------------------------------------------ questions

    def rows(self) -> tuple[Plugin, ...]:
        """Every row, sorted by key."""
        return tuple(seat.row for _, seat in sorted(self._seats.items()) if seat.row is not None)

    def row(self, key: str) -> Plugin | None:
        seat = self._seats.get(key)
        return seat.row if seat else None

    def find(self, id_or_key: str) -> Plugin | None:
        """A key's row; else the row of the id's owner; else the first that goes by the id; else by its folder.

        The folder comes last so that a plugin whose id is refused can still be named as people see it on disk.
        """
        if id_or_key in self._seats:
            return self._seats[id_or_key].row
        owner = self._names.owner(id_or_key)
        if owner is not None and self._seats[owner].row is not None:
            return self._seats[owner].row
        seats = [seat for seat in self._in_order() if seat.row is not None]
        for seat in (*(s for s in seats if s.id == id_or_key), *(s for s in seats if s.folder == id_or_key)):
            return seat.row
        return None

    def running(self, plugin_id: str) -> Running | None:
        for seat in self._seats.values():
            if seat.running is not None and seat.running.id == plugin_id:
                return seat.running
        return None

    def all_running(self) -> tuple[Running, ...]:
        """Sorted by key."""
        return tuple(seat.running for _, seat in sorted(self._seats.items()) if seat.running is not None)

    def subject(self, key: str) -> Subject | None:
        seat = self._seats.get(key)
        return seat.subject if seat else None

    def keys_of(self, plugin_id: str) -> tuple[str, ...]:
        """Every key that goes by this id or lies in a folder of this name."""
        return tuple(s.key for s in self._in_order() if plugin_id in (s.id, s.folder))

    def decided_as(self, key: str) -> tuple[str, ...]:
        """The ids under which a decision about this plugin is kept, the one that it goes by just now first.

        A file that exports another id than its folder's name runs under neither: its author mends the one or the
        other, and what was decided holds for both. What is somebody else's id is never touched.
        """
        seat = self._seats.get(key)
        if seat is None or seat.subject is None:
            return ()
        first = self._decided(seat)
        if self._claims(seat) or first == seat.folder or self._is_others(seat.folder, seat):
            return (first,)
        return (first, seat.folder) if is_valid_id(seat.folder) else (first,)

    def id_of(self, key: str) -> str | None:
        """The id in force, None before the first verdict."""
        seat = self._seats.get(key)
        return seat.id if seat and seat.subject else None

    # ------------------------------------------------------------ facts

    def expect(self, key: str, folder: str) -> None:
        """A plugin was found whose verdict is still to come: an id that may turn out to be its own waits for it."""
        if key not in self._seats:
            standalone = key.startswith("standalone:")
            self._seats[key] = _Seat(key, folder, (0 if standalone else 1, folder))
            self._names.expect(key, self._seats[key].rank, folder)

    def put(self, subject: Subject, *, at: str, cause: LoadReason = "changed") -> tuple[Event, ...]:
        """The settled facts about one plugin. ``cause`` is the reason of a load that nothing closer explains."""
        key = subject.candidate.key
        self.expect(key, subject.candidate.folder)
        seat = self._seats[key]
        if seat.subject is not None and subject.says_the_same(seat.subject):
            return ()
        touched = {seat.id, seat.folder}
        self._name(seat, subject)
        seat.subject = subject
        self._names.name(key, seat.rank, seat.id, claims=self._claims(seat))
        return self._retell(self._names.going_by(touched | {seat.id}) | {key}, at=at, cause=cause)

    def drop(self, key: str, *, at: str) -> tuple[Event, ...]:
        """The plugin's file is gone for good."""
        seat = self._seats.pop(key, None)
        if seat is None:
            return ()
        self._names.forget(key)
        others = self._names.going_by({seat.id, seat.folder})
        return self._retell(others, at=at, cause="changed", gone=seat)

    def decide(self, deciders: Deciders, *, at: str) -> tuple[Event, ...]:
        """Somebody switched, pinned, or a shell told what the app bundles."""
        if deciders == self._deciders:
            return ()
        self._deciders = deciders
        return self._retell(set(self._seats), at=at, cause="changed")

    def note_backend(self, key: str, backend: Mapping[str, Json] | None) -> tuple[Event, ...]:
        """What the row says of the plugin's own backend."""
        seat = self._seats.get(key)
        if seat is None or seat.backend == backend:
            return ()
        seat.backend = backend
        return self._show(seat)

    # ------------------------------------------------------------ shells

    @property
    def shells(self) -> ShellBook:
        return self._shells

    def shell_mounted(self, shell: str, version: str) -> tuple[Event, ...]:
        self._shells.mount(shell, version)
        return self._show_all()

    def shell_gone(self, shell: str) -> tuple[Event, ...]:
        self._shells.unmount(shell)
        return self._show_all()

    def report(
        self, shell: str, plugin_id: str, revision: str, outcome: str, error: str | None, phase: str
    ) -> tuple[Event, ...]:
        """What a shell says of a revision; of one that is not current, or from a shell that is not mounted, nothing."""
        for seat in self._seats.values():
            if seat.running is not None and (seat.running.id, seat.running.revision) == (plugin_id, revision):
                self._shells.report(shell, seat.running, outcome, error, phase)
                return self._show(seat)
        return ()

    # ------------------------------------------------------------ from facts to events

    def _retell(
        self, keys: Iterable[str], *, at: str, cause: LoadReason, gone: _Seat | None = None
    ) -> tuple[Event, ...]:
        """Let every plugin of ``keys`` take its steps: whoever gives an id up before whoever takes it."""
        giving: list[Event] = []
        taking: list[Event] = []
        telling: list[Event] = []
        if gone is not None:
            for step in steps(self._standing(gone), Goal(None)):
                self._take(gone, step, giving if step.kind == "unload" else telling, at, cause)
        plans = []
        for seat in self._in_order(keys):
            goal = self._goal(seat)
            if goal is not None:
                plans.append((seat, goal, steps(self._standing(seat), goal)))
        for seat, goal, plan in plans:
            reason = _reason(seat, plan, cause)
            for step in plan:
                if step.kind == "load":
                    self._take(seat, step, taking, at, reason)
                elif step.kind == "unload":
                    self._take(seat, step, taking if goal.state == "ready" else giving, at, cause)
                else:
                    self._take(seat, step, telling, at, cause)
            seat.broken = goal.broken
        told = (*giving, *taking, *telling)
        others = self._renamed(seat for seat, _, _ in plans)
        return (*told, *self._retell(others, at=at, cause=cause)) if others else told

    def _take(self, seat: _Seat, step: Step, told: list[Event], at: str, reason: LoadReason) -> None:
        subject, running = seat.subject, seat.running
        if step.kind == "unload" and running is not None and step.reason is not None:
            told.append(PluginUnloaded(running.id, running.revision, step.reason))
            self._shells.forget(running)
            seat.running = seat.good = seat.loaded_at = None
        elif step.kind == "load" and subject is not None and subject.source is not None:
            imports = subject.verdict.imports if subject.verdict else ()
            walled = self._is_walled(subject)
            seat.running = Running(seat.id, seat.key, subject.revision, subject.source, imports, walled)
            seat.good, seat.loaded_at = subject.verdict, at
            seat.row = self._row(seat, subject)
            told.append(PluginLoaded(seat.row, seat.running, reason))
        elif step.kind == "fail" and subject is not None:
            seat.row = self._row(seat, subject)
            told.append(PluginFailed(seat.row, seat.row.running_revision))
        elif step.kind == "show":
            told.extend(self._show(seat))
        elif step.kind == "remove" and seat.row is not None:
            told.append(PluginChanged(replace(seat.row, running_revision=None, shells=()), removed=True))

    def _show(self, seat: _Seat) -> tuple[Event, ...]:
        if seat.subject is None:
            return ()
        row = self._row(seat, seat.subject)
        if row == seat.row:
            return ()
        seat.row = row
        return (PluginChanged(row),)

    def _show_all(self) -> tuple[Event, ...]:
        # A plugin without a row is waiting for the verdict of another one: nothing is told of it yet.
        return tuple(event for seat in self._in_order() if seat.row is not None for event in self._show(seat))

    def _name(self, seat: _Seat, subject: Subject) -> None:
        """Which identity is in force: the file's own, unless it fails beside a running one or cannot be read."""
        if subject.failing and seat.running is not None:
            return
        if subject.identity is not None:
            seat.identity = subject.identity
            seat.id = effective_id(subject.candidate, seat.identity)
        elif not seat.id:
            seat.id = subject.candidate.folder

    def _renamed(self, seats: Iterable[_Seat]) -> set[str]:
        """Whose last good revision has ended beside a file that names itself otherwise: it goes by that name now.

        As it would after a restart, and what was decided for either name counts. Gives whom that concerns.
        """
        names: set[str] = set()
        for seat in seats:
            said = seat.subject.identity if seat.subject is not None else None
            if seat.running is not None or seat.subject is None or said is None or said.exported_id is None:
                continue
            before = seat.id
            self._name(seat, seat.subject)
            if seat.id != before:
                names |= {before, seat.id}
                self._names.name(seat.key, seat.rank, seat.id, claims=self._claims(seat))
        return self._names.going_by(names)

    def _goal(self, seat: _Seat) -> Goal | None:
        """Where a plugin should stand; None while the verdict of whoever may own its id is still to come."""
        subject = seat.subject
        if subject is None:
            return None
        if seat.running is None and self._claims(seat):
            first = self._names.expected(seat.id)
            if first is not None and self._seats[first].rank < seat.rank:
                return None
        state, _ = self._state(seat, subject)
        if state != "failed":
            return Goal(state, seat.id, subject.revision)
        refused = subject.refused or self._settings.on_broken_save == "unload"
        return Goal("failed", seat.id, subject.revision, (subject.revision, *subject.error_codes), refused)

    def _state(self, seat: _Seat, subject: Subject) -> tuple[PluginState, tuple[Diagnostic, ...]]:
        """The state, and what is to be said about the id beside the file's own findings."""
        about_id: tuple[Diagnostic, ...] = ()
        if self._claims(seat):
            owner = self._seats[self._names.owner(seat.id) or seat.key]
            if seat.id in self._deciders.bundled:
                about_id = (bundled_finding(seat.id),)
            elif owner is not seat and owner.subject is not None:
                about_id = (duplicate_finding(seat.id, owner.key, owner.subject.candidate.path),)
        if not self._enablement(seat).enabled:
            return "disabled", about_id
        if about_id:
            return "shadowed", about_id
        return ("failed" if subject.failing else "ready"), ()

    def _enablement(self, seat: _Seat) -> Enablement:
        door = seat.subject.candidate.door if seat.subject else "standalone"
        foreign = seat.subject is not None and seat.subject.candidate.path in self._deciders.origins
        name, deciders = self._decided(seat), self._deciders
        return decide(name, door, seat.identity.default_enabled, deciders.ours, deciders.app, foreign=foreign)

    def _row(self, seat: _Seat, subject: Subject) -> Plugin:
        state, about_id = self._state(seat, subject)
        evidence = self._shells.evidence(seat.running, subject)
        return build_row(
            Row(
                subject=subject,
                id=seat.id,
                identity=seat.identity,
                enablement=self._enablement(seat),
                state=state,
                about_id=about_id,
                running=seat.running,
                good=seat.good,
                pinned=self._decided(seat) in self._deciders.pinned,
                shells=self._shells.reports(seat.running),
                evidence=evidence,
                loaded_at=seat.loaded_at,
                backend=seat.backend,
                origin=self._deciders.origins.get(subject.candidate.path),
            )
        )

    def _is_walled(self, subject: Subject) -> bool:
        origin = self._deciders.origins.get(subject.candidate.path)
        return origin is not None and origin.walled

    def _standing(self, seat: _Seat) -> Standing:
        running = seat.running
        if running is None or seat.subject is None:
            runs = None if running is None else (running.id, running.revision)
        else:
            # Behind the wall and before it the same bytes are not the same thing: who runs them has to be told anew.
            same = running.walled == self._is_walled(seat.subject)
            runs = (running.id, running.revision if same else "")
        return Standing(seat.row.state if seat.row else None, runs, seat.broken)

    # ------------------------------------------------------------ whose id it is

    def _in_order(self, keys: Iterable[str] | None = None) -> list[_Seat]:
        seats = self._seats.values() if keys is None else [self._seats[key] for key in keys]
        return sorted(seats, key=lambda seat: seat.rank)

    def _decided(self, seat: _Seat) -> str:
        """The id that decisions about it go by. A copy that only names itself like another is not that other."""
        return seat.folder if not self._claims(seat) and self._is_others(seat.id, seat) else seat.id

    def _is_others(self, plugin_id: str, seat: _Seat) -> bool:
        return self._names.owner(plugin_id) not in (None, seat.key)

    def _claims(self, seat: _Seat) -> bool:
        """Whether it could run under the id that it goes by."""
        return is_valid_id(seat.id) and (seat.folder == seat.id or self._settings.id_mismatch == "warn")


def _reason(seat: _Seat, plan: tuple[Step, ...], cause: LoadReason) -> LoadReason:
    if seat.row is None and cause != "manual":
        return "start" if cause == "start" else "new"
    if seat.row is not None and seat.row.state == "disabled" and plan[0].kind == "load":
        return "enabled"
    return "manual" if cause == "manual" else "changed"
