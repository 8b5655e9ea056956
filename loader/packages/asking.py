"""What agents asked for and a person has to answer: a short queue."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from loader.errors import LoaderError, UsageError
from loader.packages.audit import Caller
from loader.packages.grants import Grants
from loader.packages.wishes import Wish
from loader.state import JsonObject

WAITING_LIMIT = 16
LIFE_S = 3600.0
_ANSWERED_KEPT = 64

Action: TypeAlias = Literal["install", "approve"]
State: TypeAlias = Literal["waiting", "approved", "refused", "expired", "changed", "failed"]
STATES: tuple[State, ...] = get_args(State)


class NoSuchRequest(UsageError):
    """It was never made, or was forgotten."""


class TooManyWaiting(LoaderError):
    """A person has to answer some first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What would be done. ``digest`` binds the answer to what was looked at; ``probe`` is that, as it is shown,
    ``grants`` are what is approved then, all of it (None, with an install: what stays approved). ``without`` are parts
    to leave out (None: those that were left out before). ``lasts``: it may wait longer than the service runs."""

    action: Action
    id: str
    digest: str
    wish: Wish | None = None
    probe: JsonObject | None = None
    grants: Grants | None = None
    force: bool = False
    enable: bool = False
    without: tuple[str, ...] | None = None
    lasts: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """One request. ``expires_at_s`` is of the monotonic clock."""

    number: int
    wanted: Wanted
    by: Caller
    expires_at_s: float


@dataclass(frozen=True, slots=True)
class Kept:
    """What outlives a service: how many there ever were, what became of the last ones, and what waits, each with the
    seconds that it has left."""

    count: int = 0
    answered: Mapping[int, State] = field(default_factory=dict)
    waiting: tuple[tuple[Asked, float], ...] = ()


class Requests:
    """Lives on the event loop. ``changed`` is called after each change of what waits; ``kept`` is what an earlier
    service left."""

    def __init__(
        self,
        changed: Callable[[], None] = lambda: None,
        *,
        kept: Kept | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._changed = changed
        self._now_s = now_s
        self._waiting: OrderedDict[int, Asked] = OrderedDict()
        self._under_way: set[int] = set()
        self._answered: OrderedDict[int, State] = OrderedDict()
        self._count = 0
        if kept is not None:
            self._count = kept.count
            self._answered.update(sorted(kept.answered.items()))
            for asked, left_s in kept.waiting:
                self._waiting[asked.number] = replace(asked, expires_at_s=now_s() + left_s)

    def kept(self) -> Kept:
        """For the disk: what may lie there."""
        waiting = tuple((asked, self.expires_in_s(asked)) for asked in self._waiting.values() if asked.wanted.lasts)
        return Kept(self._count, dict(self._answered), waiting)

    def ask(self, wanted: Wanted, by: Caller) -> Asked:
        """Queue it. Whoever asks for the same again gets the same number. Raises TooManyWaiting."""
        self._expire()
        for asked in self._waiting.values():
            if _same(asked.wanted, wanted):
                return asked
        if len(self._waiting) >= WAITING_LIMIT:
            raise TooManyWaiting(f"{WAITING_LIMIT} requests wait for a person already: hermes-desktop open")
        self._count += 1
        asked = self._waiting[self._count] = Asked(self._count, wanted, by, self._now_s() + LIFE_S)
        self._changed()
        return asked

    def waiting(self) -> tuple[Asked, ...]:
        """Oldest first."""
        self._expire()
        return tuple(self._waiting.values())

    @contextmanager
    def answering(self, number: int) -> Iterator[Asked]:
        """While one answer is carried out there is no other one to it, and its time does not run out.

        Raises NoSuchRequest for what does not wait, or is being answered.
        """
        self._expire()
        asked = self._waiting.get(number)
        if asked is None:
            state = self._answered.get(number)
            raise NoSuchRequest(f"request {number} {f'is {state}' if state else 'is not known'}.")
        if number in self._under_way:
            raise NoSuchRequest(f"request {number} is being carried out.")
        self._under_way.add(number)
        try:
            yield asked
        finally:
            self._under_way.discard(number)

    def settle(self, number: int, state: State) -> None:
        if self._waiting.pop(number, None) is not None:
            self._remember(number, state)
            self._changed()

    def state(self, number: int) -> State:
        """What became of it. Raises NoSuchRequest."""
        self._expire()
        if number in self._waiting:
            return "waiting"
        state = self._answered.get(number)
        if state is None:
            raise NoSuchRequest(f"request {number} is not known.")
        return state

    def expires_in_s(self, asked: Asked) -> float:
        return max(asked.expires_at_s - self._now_s(), 0.0)

    def _expire(self) -> None:
        now_s = self._now_s()
        over = [number for number, asked in self._waiting.items() if asked.expires_at_s <= now_s]
        for number in over:
            if number not in self._under_way:
                self.settle(number, "expired")

    def _remember(self, number: int, state: State) -> None:
        self._answered[number] = state
        while len(self._answered) > _ANSWERED_KEPT:
            self._answered.popitem(last=False)


def _same(one: Wanted, other: Wanted) -> bool:
    names = ("action", "id", "digest", "grants", "force", "enable", "without")
    return all(getattr(one, name) == getattr(other, name) for name in names)
