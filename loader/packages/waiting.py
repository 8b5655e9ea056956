"""What waits for a person, in the host's own record: a service that ends, or is killed, forgets no question.

Bounded: as many as may wait, each for the time that it has left by the clock on the wall. What may not lie on a disk
(an address with a password in it) and what is too large to keep stays in memory and ends with the service.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import asdict

from loader.errors import LoaderError
from loader.home import Home
from loader.nouns import Json
from loader.packages.asking import LIFE_S, STATES, WAITING_LIMIT, Asked, Kept, State, Wanted
from loader.packages.audit import CALLERS
from loader.packages.record import grants_from, grants_json
from loader.packages.sources import GitSource, Source, without_credentials
from loader.packages.wishes import FORMS, Wish
from loader.state import JsonObject, StateFile

WAITING_FILE = "requests.json"
PROBE_LIMIT_BYTES = 200 * 1024
_LIMIT_BYTES = 8 * 1024 * 1024

_log = logging.getLogger(__name__)


def may_be_kept(source: Source, probe: JsonObject) -> bool:
    """Whether a wish for this may lie on the disk until a person answers."""
    if isinstance(source, GitSource) and without_credentials(source.url) != source.url:
        return False
    return len(json.dumps(probe)) <= PROBE_LIMIT_BYTES


class Waiting:
    """The file of one home. Blocking; raises LoaderError as ``StateFile`` does."""

    def __init__(self, home: Home, *, wall_clock_s: Callable[[], float] = time.time) -> None:
        self._file = StateFile(home.state_dir / WAITING_FILE, limit_bytes=_LIMIT_BYTES)
        self._wall_clock_s = wall_clock_s

    def load(self) -> Kept:
        """What an earlier service left, without what nobody can answer any more."""
        if not self._file.path.exists():
            return Kept()
        state, now_s = self._file.read(), self._wall_clock_s()
        count, answered, waiting = state.get("count"), state.get("answered"), state.get("waiting")
        found = [_asked(each, now_s) for each in waiting[:WAITING_LIMIT]] if isinstance(waiting, list) else []
        told = answered.items() if isinstance(answered, dict) else ()
        states = ((number, _state(word)) for number, word in told if number.isascii() and number.isdigit())
        known = {int(number): state for number, state in states if state is not None}
        asked = tuple(each for each in found if each is not None)
        numbers = [count if isinstance(count, int) else 0, *known, *(each.number for each, _ in asked)]
        return Kept(max(numbers), known, asked)

    def save(self, kept: Kept) -> None:
        """Nothing that waits and nothing that was answered leaves no file where there was none."""
        if kept == Kept() and not self._file.path.exists():
            return
        now_s = self._wall_clock_s()
        waiting: list[Json] = [_told(*each, now_s) for each in kept.waiting]
        answered: dict[str, Json] = {str(number): state for number, state in kept.answered.items()}
        self._file.update(lambda _: {"count": kept.count, "answered": answered, "waiting": waiting})


def kept_by(home: Home) -> Kept:
    """What waits in this home; nothing, said in the log, where that cannot be read."""
    try:
        return Waiting(home).load()
    except LoaderError as error:
        _log.error("%s", error)
        return Kept()


def _told(asked: Asked, left_s: float, now_s: float) -> JsonObject:
    wanted = asked.wanted
    return {
        "number": asked.number,
        "by": asked.by,
        "until_s": now_s + left_s,
        "action": wanted.action,
        "id": wanted.id,
        "digest": wanted.digest,
        "wish": None if wanted.wish is None else asdict(wanted.wish),
        "probe": wanted.probe,
        "grants": None if wanted.grants is None else grants_json(wanted.grants),
        "force": wanted.force,
        "enable": wanted.enable,
        "without": None if wanted.without is None else [*wanted.without],
    }


def _asked(told: Json, now_s: float) -> tuple[Asked, float] | None:
    """None for what was never written by us, and for what is over."""
    if not isinstance(told, dict):
        return None
    number, until_s, action = told.get("number"), told.get("until_s"), told.get("action")
    by = next((caller for caller in CALLERS if caller == told.get("by")), None)
    texts = [told.get(name) for name in ("id", "digest")]
    wish, probe = _wish(told.get("wish")), told.get("probe")
    package_id, digest = (text if isinstance(text, str) else None for text in texts)
    if not isinstance(number, int) or not isinstance(until_s, int | float) or by is None:
        return None
    if package_id is None or not digest or action not in ("install", "approve"):
        return None
    if (action == "install") != (wish is not None and isinstance(probe, dict)):
        return None
    # A clock that was set back gives nobody more time than there ever was.
    left_s = min(until_s - now_s, LIFE_S)
    if left_s <= 0:
        return None
    without = told.get("without")
    wanted = Wanted(
        "install" if action == "install" else "approve",
        package_id,
        digest,
        wish,
        probe if isinstance(probe, dict) else None,
        None if told.get("grants") is None else grants_from(told.get("grants")),
        told.get("force") is True,
        told.get("enable") is True,
        None if not isinstance(without, list) else tuple(part for part in without if isinstance(part, str)),
    )
    return Asked(number, wanted, by, 0.0), left_s


def _wish(told: Json) -> Wish | None:
    if not isinstance(told, dict):
        return None
    texts = {name: text for name in (*FORMS, "ref") if isinstance(text := told.get(name), str)}
    return Wish(**texts)


def _state(told: Json) -> State | None:
    return next((state for state in STATES if state == told), None)
