"""A home that is watched, and what was hinted at."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from loader.home import Home
from loader.nouns import LogLevel
from loader.watching import Opener, watch
from loader.watching.native import open_native

# Long enough for the noisiest machine; a test that passes never waits for it.
DEADLINE_S = 20.0


class Watched:
    """Runs ``watch`` on a home and collects its hints, relative to the root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = Home(root, root, None, "a test says so")
        self.opener: Opener = open_native
        self.stop = asyncio.Event()
        self.batches: list[frozenset[str]] = []
        self.logged: list[tuple[LogLevel, str]] = []
        self._news = asyncio.Event()

    def put(self, name: str, text: str = "v1") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    @asynccontextmanager
    async def running(self, **options: object) -> AsyncIterator[None]:
        """Watch until the block ends; it begins when the watch stands."""

        async def follow() -> None:
            options.setdefault("step_ms", 10)
            options.setdefault("opener", self.opener)
            async for hints in watch(self.home, stop=self.stop, log=self._log, **options):  # type: ignore[arg-type]
                self.batches.append(hints)
                self._news.set()

        task = asyncio.create_task(follow())
        try:
            await self.until(lambda: bool(self.batches) or task.done())
            if task.done():
                await task
            yield
        finally:
            self.stop.set()
            async with asyncio.timeout(DEADLINE_S):
                await task

    def forget(self) -> None:
        self.batches.clear()

    @property
    def hints(self) -> set[str]:
        return {os.path.relpath(path, self.root) for batch in self.batches for path in batch}

    async def hinted(self, *names: str) -> None:
        """Wait until all of these were hinted at, then forget."""
        await self.until(lambda: set(names) <= self.hints, lambda: f"{names} not among {self.hints}")
        self.forget()

    async def until(self, true: Callable[[], bool], said: Callable[[], str] = lambda: "") -> None:
        end = time.monotonic() + DEADLINE_S
        while not true():
            self._news.clear()
            assert time.monotonic() < end, said()
            try:
                async with asyncio.timeout(0.02):
                    await self._news.wait()
            except TimeoutError:
                pass

    def _log(self, level: LogLevel, text: str) -> None:
        self.logged.append((level, text))


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    root = tmp_path / "hermes"
    root.mkdir()
    return Watched(root)
