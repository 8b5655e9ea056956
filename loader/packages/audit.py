"""Who installed, approved, switched and removed what: one line of JSON for each, in the state folder.

Never what was said in secret: an id, an action, who asked, and what came of it. Neither a source nor a message, since
an address may hold a password.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from loader.errors import LoaderError, NeedsPerson, UsageError
from loader.home import Home
from loader.nouns import Json
from loader.packages.refused import Changed
from loader.state import ensure_state_dir

if TYPE_CHECKING:
    from collections.abc import Iterator

AUDIT_FILE = "audit.jsonl"
OLDER_FILE = "audit.1.jsonl"
# Two files of this size at most: some seven thousand changes.
LIMIT_BYTES = 512 * 1024

Caller: TypeAlias = Literal["person", "tool", "cli", "mcp"]
Outcome: TypeAlias = Literal["done", "asked", "refused", "failed", "changed"]
CALLERS: tuple[Caller, ...] = ("person", "tool", "cli", "mcp")

_ID_LETTERS = 128
_LOCK_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Audited:
    """``at`` is UTC, in seconds, with a Z. ``outcome``: done; asked, a person has to decide; refused, by a person or a
    rule; failed; changed, it was no longer what had been looked at."""

    at: str
    caller: str
    action: str
    id: str
    outcome: str

    def told(self) -> dict[str, Json]:
        return {"at": self.at, "caller": self.caller, "action": self.action, "id": self.id, "outcome": self.outcome}


@dataclass(slots=True)
class Line:
    """What a change will be noted as when it has ended; ``outcome`` None: nothing was changed, and nothing is noted."""

    id: str
    outcome: Outcome | None = "done"


def outcome_of(error: BaseException) -> Outcome:
    match error:
        case Changed():
            return "changed"
        case UsageError() | NeedsPerson():
            return "refused"
    return "failed"


class Audit:
    """The log of one home. Everything blocks."""

    def __init__(
        self,
        home: Home,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        limit_bytes: int = LIMIT_BYTES,
    ) -> None:
        self._folder = home.state_dir
        self._now = now
        self._limit_bytes = limit_bytes

    def note(self, caller: Caller, action: str, package_id: str, outcome: Outcome) -> None:
        """Write one line. Raises LoaderError when it cannot be written."""
        at = self._now().strftime("%Y-%m-%dT%H:%M:%SZ")
        told = Audited(at, caller, action, package_id[:_ID_LETTERS], outcome).told()
        line = json.dumps(told, ensure_ascii=True).encode("ascii") + b"\n"
        path = ensure_state_dir(self._folder) / AUDIT_FILE
        with self._locked(path):
            try:
                self._make_room(path, len(line))
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
                try:
                    os.write(handle, line)
                finally:
                    os.close(handle)
            except OSError as error:
                raise LoaderError(f"{path} could not be written: {error.strerror or error}.") from error

    @contextmanager
    def noted(self, caller: Caller, action: str, package_id: str, complain: Callable[[str], None]) -> Iterator[Line]:
        """Write down what comes of the block. ``complain`` hears of a line that cannot be written: what was done is
        done, and nobody is helped by an answer that denies it.

        What failed is noted where there is a log: it does not begin one, so that a home in which nothing was ever done
        stays as it was.
        """
        line, begins = Line(package_id), True
        try:
            yield line
        except BaseException as error:
            line.outcome, begins = None if line.outcome is None else outcome_of(error), False
            raise
        finally:
            if line.outcome is not None and (begins or self.begun):
                try:
                    self.note(caller, action, line.id, line.outcome)
                except LoaderError as lost:
                    complain(str(lost))

    @property
    def begun(self) -> bool:
        return (self._folder / AUDIT_FILE).exists()

    def last(self, count: int) -> tuple[Audited, ...]:
        """The last ones, oldest first; a line that cannot be understood is passed over."""
        found: list[Audited] = []
        for name in (OLDER_FILE, AUDIT_FILE):
            found += _read(self._folder / name, self._limit_bytes)
        return tuple(found[-count:]) if count > 0 else ()

    def _make_room(self, path: Path, more_bytes: int) -> None:
        try:
            size_bytes = path.stat().st_size
        except FileNotFoundError:
            return
        if size_bytes + more_bytes > self._limit_bytes:
            path.replace(path.with_name(OLDER_FILE))

    @contextmanager
    def _locked(self, path: Path) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            with FileLock(f"{path}.lock", timeout=_LOCK_TIMEOUT_S, mode=0o600):
                yield
        except Timeout:
            raise LoaderError(f"{path} is held by another process.") from None


def _read(path: Path, limit_bytes: int) -> list[Audited]:
    try:
        with path.open("rb") as file:
            data = file.read(limit_bytes)
    except OSError:
        return []
    found = []
    for line in data.splitlines():
        try:
            told: Json = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict):
            found.append(Audited(*(str(told.get(name, "")) for name in ("at", "caller", "action", "id", "outcome"))))
    return found
