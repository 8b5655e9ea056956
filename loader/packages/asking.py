"""What agents asked for and a person has to answer: a short queue in memory, which ends with the service."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from loader.errors import LoaderError, UsageError
from loader.packages.audit import Caller
from loader.packages.grants import Grants
from loader.packages.wishes import Wish

if TYPE_CHECKING:
    from loader.packages.looked import Looked

WAITING_LIMIT = 16
LIFE_S = 3600.0
_ANSWERED_KEPT = 64

Action: TypeAlias = Literal["install", "approve"]
State: TypeAlias = Literal["waiting", "approved", "refused", "expired", "changed", "failed"]


class NoSuchRequest(UsageError):
    """It was never made, or was forgotten."""


class TooManyWaiting(LoaderError):
    """A person has to answer some first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What would be done. ``digest`` binds the answer to what was looked at; ``looked`` belongs to an install,
    ``grants`` are what is approved then, all of it (None, with an install: what stays approved). ``without`` are parts
    to leave out (None: those that were left out before)."""

    action: Action
    id: str
    digest: str
    wish: Wish | None = None
    looked: Looked | None = None
    grants: Grants | None = None
    force: bool = False
    enable: bool = False
    without: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request. ``expires_at_s`` is of the monotonic clock."""

    number: int
    wanted: Wanted
    by: Caller
    expires_at_s: float


class Requests:
    """Lives on the event loop. ``changed`` is called after each change of what waits."""

    def __init__(
        self, changed: Callable[[], None] = lambda: None, *, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._changed = changed
        self._now_s = now_s
        self._waiting: OrderedDict[int, Asked] = OrderedDict()
        self._answered: OrderedDict[int, State] = OrderedDict()
        self._count = 0

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

    def get(self, number: int) -> Asked:
        """Raises NoSuchRequest for what does not wait."""
        self._expire()
        asked = self._waiting.get(number)
        if asked is None:
            state = self._answered.get(number)
            raise NoSuchRequest(f"request {number} {f'is {state}' if state else 'is not known'}.")
        return asked

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
        for number in [number for number, asked in self._waiting.items() if asked.expires_at_s <= now_s]:
            self.settle(number, "expired")

    def _remember(self, number: int, state: State) -> None:
        self._answered[number] = state
        while len(self._answered) > _ANSWERED_KEPT:
            self._answered.popitem(last=False)


def _same(one: Wanted, other: Wanted) -> bool:
    names = ("action", "id", "digest", "grants", "force", "enable", "without")
    return all(getattr(one, name) == getattr(other, name) for name in names)
