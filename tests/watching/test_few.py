"""A few folders: an event makes it look, its own look decides, and without events it looks all the same."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from loader.watching import Batch, Handle, WatchUnavailable
from loader.watching.few import changes

pytestmark = pytest.mark.anyio

NEVER_S = 1000.0


class FakeHandle:
    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = tuple(folders)
        self.deliver: Callable[[Batch], None] = lambda batch: None
        self.closed = False

    def start(self, deliver: Callable[[Batch], None], failed: Callable[[str], None]) -> None:
        self.deliver = deliver

    def close(self) -> None:
        self.closed = True


class FakeSystem:
    def __init__(self, *troubles: Exception) -> None:
        self.troubles = list(troubles)
        self.handles: list[FakeHandle] = []

    def __call__(self, folders: Sequence[str], *, recursive: bool, step_ms: int, tolerant: bool) -> Handle:
        assert not recursive
        if self.troubles:
            raise self.troubles.pop(0)
        self.handles.append(FakeHandle(folders))
        return self.handles[-1]

    def event(self) -> None:
        self.handles[-1].deliver(frozenset({("modified", "x")}))


class Disk:
    """What the look sees, and which folders matter."""

    def __init__(self) -> None:
        self.seen = 0
        self.folders = ["/a"]
        self.looks = 0

    def look(self) -> int:
        self.looks += 1
        return self.seen


def watching(disk: Disk, system: FakeSystem, *, poll_every_s: float = NEVER_S) -> AsyncGenerator[int, None]:
    return changes(lambda: disk.folders, disk.look, opener=system, poll_every_s=poll_every_s, settle_s=0)


async def after(generator: AsyncGenerator[int, None], act: Callable[[], None]) -> int:
    """What comes next, once it waits and then something happens."""
    task = asyncio.create_task(anext(generator))
    await asyncio.sleep(0.02)
    assert not task.done()
    act()
    return await asyncio.wait_for(task, 20)


async def test_it_begins_with_what_is_there_and_goes_on_with_what_differs() -> None:
    disk, system = Disk(), FakeSystem()

    def save() -> None:
        disk.seen = 1
        system.event()

    async with aclosing(watching(disk, system)) as looks:
        assert await anext(looks) == 0
        assert await after(looks, save) == 1


async def test_an_event_that_changed_nothing_is_none() -> None:
    disk, system = Disk(), FakeSystem()
    async with aclosing(watching(disk, system)) as looks:
        await anext(looks)
        task = asyncio.create_task(anext(looks))
        await asyncio.sleep(0.02)
        before = disk.looks
        system.event()
        await asyncio.sleep(0.05)
        assert disk.looks > before
        assert not task.done()
        disk.seen = 1
        system.event()
        assert await asyncio.wait_for(task, 20) == 1


@pytest.mark.parametrize("trouble", [None, WatchUnavailable("no watches left", limit=True)])
async def test_lost_and_missing_events_are_made_good_by_looking(trouble: Exception | None) -> None:
    disk, system = Disk(), FakeSystem(*([trouble, trouble] if trouble else []))

    def save() -> None:
        disk.seen = 1

    async with aclosing(watching(disk, system, poll_every_s=0.05)) as looks:
        await anext(looks)
        assert await after(looks, save) == 1


async def test_new_folders_are_followed_and_no_watch_stays() -> None:
    disk, system = Disk(), FakeSystem()

    def grow() -> None:
        disk.seen, disk.folders = 1, ["/a", "/b", "/a"]
        system.event()

    async with aclosing(watching(disk, system)) as looks:
        await anext(looks)
        await after(looks, grow)
        task = asyncio.create_task(anext(looks))
        await asyncio.sleep(0.02)
        assert system.handles[-1].folders == ("/a", "/b")
        assert [handle.closed for handle in system.handles] == [True, False]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert all(handle.closed for handle in system.handles)


@pytest.mark.real
async def test_a_real_save_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "plugin.js"
    path.write_text("one")

    async with aclosing(changes(lambda: [str(tmp_path)], path.read_text)) as looks:
        assert await anext(looks) == "one"
        for text in ("two", "three"):
            task = asyncio.create_task(anext(looks))
            await asyncio.sleep(0)
            other = tmp_path / "new"
            other.write_text(text)
            other.replace(path)
            assert await asyncio.wait_for(task, 20) == text
