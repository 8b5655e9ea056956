"""Fakes for tests of everything that stands on the inventory: a watcher, a clock and an analyzer moved by hand.

Shipped with the package, so that shells and tools can test against the same ones. A test that uses them never
sleeps and never depends on how fast the machine is::

    clock = FakeClock()
    pipeline = Pipeline(home, settings, analyzer=FakeAnalyzer(), watch=FakeWatcher(), clock=clock, in_thread=at_once, …)
    task = asyncio.create_task(pipeline.run())
    await clock.advance(0)      # lets everything run that does not wait for time
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import ParamSpec, TypeVar

from loader.codes import finding
from loader.home import Home
from loader.nouns import ALLOWED_SPECIFIERS, Diagnostic, Identity, ImportRef, LogLevel, Source, Span, Verdict
from loader.settings import AnalysisSettings

P = ParamSpec("P")
T = TypeVar("T")

__all__ = ["FakeAnalyzer", "FakeClock", "FakeWatcher", "at_once", "until"]

# More than any chain of tasks that one event sets off; a turn of an idle loop costs microseconds.
_TURNS = 200


async def at_once(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """In place of asyncio.to_thread: runs now, so that a turn of the loop is all that a test has to wait for."""
    return function(*args, **kwargs)


async def until(condition: Callable[[], bool], *, deadline_s: float = 20.0) -> None:
    """Poll a condition of the real world; AssertionError when it does not come true in time."""
    loop = asyncio.get_running_loop()
    end = loop.time() + deadline_s
    while not condition():
        if loop.time() > end:
            raise AssertionError(f"not within {deadline_s} s: {condition}")
        await asyncio.sleep(0.01)


class FakeClock:
    """A clock that stands still until it is moved. Sleepers wake in the order of their time, each at its own time."""

    def __init__(self, start_s: float = 1000.0) -> None:
        self._now_s = start_s
        self._began_s = start_s
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def now_s(self) -> float:
        return self._now_s

    def today(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self._now_s - self._began_s)

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        self._count += 1
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        sleeper = (self._now_s + seconds, self._count, woken)
        self._sleepers.append(sleeper)
        try:
            await woken
        finally:
            self._sleepers.remove(sleeper)

    async def advance(self, seconds: float) -> None:
        """Let time pass, and everything happen that happens in it. ``advance(0)`` only lets things run."""
        end_s = self._now_s + seconds
        await self._run()
        while due := [sleeper for sleeper in self._sleepers if sleeper[0] <= end_s + 1e-9]:
            due_s, _, woken = min(due, key=lambda sleeper: sleeper[:2])
            self._now_s = max(self._now_s, due_s)
            if not woken.done():
                woken.set_result(None)
            await self._run()
        self._now_s = end_s
        await self._run()

    async def _run(self) -> None:
        for _ in range(_TURNS):
            await asyncio.sleep(0)


class FakeWatcher:
    """Stands in for loader.watching.watch: says what ``hint`` is told, and nothing otherwise."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[frozenset[str] | Exception] = asyncio.Queue()
        self.stopped = False

    def hint(self, *paths: object) -> None:
        """These folders may have changed."""
        self._queue.put_nowait(frozenset(str(path) for path in paths))

    def break_down(self, error: Exception) -> None:
        """The watch ends with this."""
        self._queue.put_nowait(error)

    async def __call__(
        self, home: Home, *, step_ms: int, stop: asyncio.Event, log: Callable[[LogLevel, str], None]
    ) -> AsyncGenerator[frozenset[str], None]:
        try:
            while True:
                said = await self._queue.get()
                if isinstance(said, Exception):
                    raise said
                yield said
        finally:
            self.stopped = True


@dataclass(slots=True)
class FakeAnalyzer:
    """A check of a few lines: identity, imports, unclosed braces and empty files; the rest passes.

    ``calls`` are (key, sha256) in the order in which they were asked for, ``cancelled`` those that were called off.
    ``hold(key)`` makes analyses of that plugin wait for ``release(key)``; ``judge`` may replace the whole check.
    """

    judge: Callable[[Source, AnalysisSettings], Verdict] | None = None
    calls: list[tuple[str, str]] = field(default_factory=list)
    cancelled: list[tuple[str, str]] = field(default_factory=list)
    settings: list[AnalysisSettings] = field(default_factory=list)
    _held: dict[str, asyncio.Event] = field(default_factory=dict)

    def hold(self, key: str) -> None:
        self._held[key] = asyncio.Event()

    def release(self, key: str) -> None:
        self._held.pop(key).set()

    async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict:
        self.calls.append((key, source.sha256))
        self.settings.append(settings)
        try:
            if key in self._held:
                await self._held[key].wait()
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.cancelled.append((key, source.sha256))
            raise
        return (self.judge or simple_verdict)(source, settings)


def simple_verdict(source: Source, settings: AnalysisSettings) -> Verdict:
    """What FakeAnalyzer says of a text. Regular expressions will do here: nothing of a test's file is hostile."""
    text = source.text
    found: list[Diagnostic] = []
    if not text.strip("\0 \n"):
        found.append(finding("HP104", "The file is empty.", span=_span(text, 0, 0)))
    elif text.count("{") != text.count("}") or text.count("(") != text.count(")"):
        end = text.rstrip("\n")
        found.append(finding("HP101", "Something is left open at the end.", span=_span(text, len(end), len(end))))
    imports = tuple(
        ImportRef(match[2], "static", match.start(1), match.end(1), _span(text, match.start(1), match.end(1)))
        for match in re.finditer(r"""^import [^'"]*(['"](.*?)['"])""", text, re.MULTILINE)
    )
    found += (
        finding("HP201", f"'{ref.specifier}' is not available to plugins.", span=ref.span)
        for ref in imports
        if ref.specifier not in ALLOWED_SPECIFIERS
    )
    if settings.sdk_exports is not None:
        known = {name for _, names in settings.sdk_exports for name in names}
        used = re.findall(r"^import \{ (\w+) \} from '@hermes", text, re.MULTILINE)
        found += (finding("HP204", f"The SDK exports no '{name}'.") for name in used if name not in known)
    if found and found[0].code in ("HP101", "HP104"):
        return Verdict(source.sha256, diagnostics=tuple(found))
    identity = Identity(
        exported_id=_field(text, "id"),
        name=_field(text, "name"),
        default_enabled="defaultEnabled: false" not in text,
    )
    if identity.exported_id is None:
        found.append(finding("HP302", "The default export has no string id."))
    return Verdict(source.sha256, identity, imports, tuple(found))


def _field(text: str, name: str) -> str | None:
    match = re.search(rf"\b{name}: '(.*?)'", text)
    return match[1] if match else None


def _span(text: str, start: int, end: int) -> Span:
    line, begin = text.count("\n", 0, start) + 1, text.rfind("\n", 0, start) + 1
    return Span(line, start - begin + 1, line, end - begin + 1)


def names_of(events: Iterable[object]) -> list[str]:
    """The kinds of events, for a first look at a failing test."""
    return [type(event).__name__ for event in events]
