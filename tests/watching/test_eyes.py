"""Events, lost events, no events: the watch never goes silent and says so once. The system's watch is a fake here."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from loader.home import Home
from loader.watching import Batch, Change, WatchUnavailable, watch
from loader.watching.opening import Handle, PathsMoved
from loader.watching.scan import Snapshot
from tests.watching.conftest import Watched

pytestmark = pytest.mark.anyio

SLOW_S = 1000.0  # a look that the test is not about


class FakeHandle:
    def __init__(self, system: "FakeSystem", folders: Sequence[str], recursive: bool) -> None:
        self._system = system
        self.folders = set(folders)
        self.recursive = recursive
        self.deliver: Callable[[Batch], None] | None = None
        self.failed: Callable[[str], None] | None = None
        self.closed = False

    def start(self, deliver: Callable[[Batch], None], failed: Callable[[str], None]) -> None:
        self.deliver, self.failed = deliver, failed
        self._system.history.append(("start", len(self.folders)))

    def close(self) -> None:
        if not self.closed:
            self._system.history.append(("close", len(self.folders)))
        self.closed = True


class FakeSystem:
    """An operating system whose watches say what the test tells them to, or fail to come up."""

    def __init__(self, *troubles: Exception) -> None:
        self.troubles = list(troubles)
        self.handles: list[FakeHandle] = []
        self.asked: list[tuple[bool, bool]] = []
        self.history: list[tuple[str, int]] = []

    def __call__(self, folders: Sequence[str], *, recursive: bool, step_ms: int, tolerant: bool) -> Handle:
        self.asked.append((recursive, tolerant))
        if self.troubles:
            raise self.troubles.pop(0)
        handle = FakeHandle(self, folders, recursive)
        self.handles.append(handle)
        return handle

    @property
    def open(self) -> list[FakeHandle]:
        return [handle for handle in self.handles if not handle.closed]

    def say(self, change: Change, path: Path) -> None:
        for handle in self.open:
            if handle.deliver is not None and {str(path), str(path.parent)} & handle.folders:
                handle.deliver(frozenset({(change, str(path))}))


LIMIT = "no file watches are left"


# ---------------------------------------------------------------- events


async def test_the_first_batch_names_everything(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    watched.put("plugins/notes/desktop/plugin.js")
    async with watched.running(opener=FakeSystem()):
        expected = {"desktop-plugins", "plugins", "desktop-plugins/demo", "plugins/notes", "config.yaml"}
        assert expected <= watched.hints


async def test_an_event_becomes_a_hint(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system):
        watched.forget()
        system.say("modified", path)
        await watched.hinted("desktop-plugins/demo")
        assert len(system.handles) == 1


async def test_noise_wakes_nobody(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system):
        watched.forget()
        for name in ("state.db", "desktop-plugins/.demo.staging-1", "desktop-plugins/demo/.plugin.js.swp"):
            system.say("added", watched.root / name)
        system.say("modified", path)
        await watched.hinted("desktop-plugins/demo")
    assert watched.hints == set()


async def test_a_new_folder_gets_its_watch_before_anyone_is_told_and_before_the_old_one_goes(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system):
        watched.forget()
        system.history.clear()
        path = watched.put("desktop-plugins/new/plugin.js")
        system.say("added", path.parent)
        await watched.hinted("desktop-plugins/new")
        assert [step for step, _ in system.history] == ["start", "close"]
        (handle,) = system.open
        assert str(path.parent) in handle.folders
        system.say("modified", path)
        await watched.hinted("desktop-plugins/new")


async def test_what_appears_while_watches_are_set_up_is_found_by_looking_again(watched: Watched) -> None:
    watched.put("plugins/other/plugin.yaml")

    class Late(FakeSystem):
        """The package's desktop folder is made in the moment after the plan was drawn, before the watch stands."""

        def __call__(self, folders: Sequence[str], *, recursive: bool, step_ms: int, tolerant: bool) -> Handle:
            package = watched.root / "plugins/notes"
            if len(self.asked) and not (package / "desktop").exists():
                watched.put("plugins/notes/desktop/plugin.js")
            return super().__call__(folders, recursive=recursive, step_ms=step_ms, tolerant=tolerant)

    system = Late()
    async with watched.running(opener=system):
        watched.forget()
        (watched.root / "plugins/notes").mkdir()
        system.say("added", watched.root / "plugins/notes")
        await watched.hinted("plugins/notes")
        (handle,) = system.open
        assert str(watched.root / "plugins/notes/desktop") in handle.folders


async def test_a_plugin_that_becomes_a_link_is_watched_where_it_leads(watched: Watched, tmp_path: Path) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system):
        watched.forget()
        (tmp_path / "dist").mkdir()
        path.unlink()
        path.symlink_to(tmp_path / "dist/out.js")
        system.say("added", path)
        await watched.hinted("desktop-plugins/demo")
        system.say("added", tmp_path / "dist/out.js")
        await watched.hinted("desktop-plugins/demo")


async def test_a_deleted_plugin_folder_is_hinted_at(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system):
        watched.forget()
        path.unlink()
        path.parent.rmdir()
        path.parent.parent.rmdir()
        system.say("deleted", path.parent.parent)
        await watched.hinted("desktop-plugins/demo", "desktop-plugins")


async def test_on_windows_the_doors_have_a_deep_watch_of_their_own(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system, platform="win32"):
        assert [handle.recursive for handle in system.handles] == [False, True]


# ---------------------------------------------------------------- trouble


async def test_no_watches_left_at_the_start_means_polling_with_one_warning(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem(WatchUnavailable(LIMIT, limit=True))
    async with watched.running(opener=system, poll_every_s=0.01):
        watched.forget()
        for text in ("v2", "version 3", "v4"):
            path.write_text(text)
            await watched.hinted("desktop-plugins/demo")
        watched.put("desktop-plugins/new/plugin.js")
        await watched.hinted("desktop-plugins/new")
    assert [level for level, _ in watched.logged] == ["warning"]
    assert "watch limit" in watched.logged[0][1] and LIMIT in watched.logged[0][1]
    assert system.open == []


async def test_no_watches_left_later_means_polling_too_and_loses_nothing(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system, poll_every_s=0.01):
        watched.forget()
        path = watched.put("desktop-plugins/new/plugin.js")
        system.troubles.append(WatchUnavailable(LIMIT, limit=True))
        system.say("added", path.parent)
        await watched.hinted("desktop-plugins/new", "desktop-plugins")
        path.write_text("version 2")
        await watched.hinted("desktop-plugins/new")
    assert len(watched.logged) == 1
    assert system.open == []


async def test_a_watch_that_never_says_anything_ends_in_polling_with_one_warning(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system, check_every_s=0.01, poll_every_s=0.01):
        watched.forget()
        for number in range(4):
            path.write_text("x" * (10 + number))
            await watched.hinted("desktop-plugins/demo")
    assert [level for level, _ in watched.logged] == ["warning"]
    assert "without any" in watched.logged[0][1]
    assert system.open == []


async def test_one_lost_event_is_made_good_with_new_watches_and_no_warning(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    looks = [0]
    real_look = threading.Event()

    def look(home: Home) -> Snapshot:
        # The second look finds a change that no event told; all the others find nothing.
        looks[0] += 1
        if looks[0] > 4:
            real_look.set()
        return {str(path.parent): ((1 if looks[0] > 1 else 0,),)}

    async with watched.running(opener=system, snapshot=look, check_every_s=0.01):
        watched.forget()
        await watched.hinted("desktop-plugins/demo")
        await watched.until(real_look.is_set)
        assert len(system.handles) == 2 and len(system.open) == 1
    assert watched.logged == []


async def test_a_change_that_an_event_told_is_not_lost(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    looks = [0]

    def look(home: Home) -> Snapshot:
        looks[0] += 1
        return {str(path.parent): ((looks[0],),)}  # every look finds a change …

    async with watched.running(opener=system, snapshot=look, check_every_s=0.01):

        def told() -> bool:
            system.say("modified", path)  # … and every change has its event
            return looks[0] > 5

        await watched.until(told)
        assert len(system.handles) == 1
    assert watched.logged == []


async def test_folders_that_move_while_watches_are_set_up_are_planned_again(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem(*[PathsMoved("gone") for _ in range(6)])
    async with watched.running(opener=system):
        assert len(system.open) == 1
    # In the end those that are gone are passed over.
    assert [tolerant for _, tolerant in system.asked] == [False] * 5 + [True] * 2


async def test_folders_that_never_hold_still_end_in_polling(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    async with watched.running(opener=FakeSystem(*[PathsMoved("gone") for _ in range(50)]), poll_every_s=0.01):
        assert "desktop-plugins/demo" in watched.hints
    assert len(watched.logged) == 1


async def test_a_watch_that_breaks_is_set_up_anew_and_one_that_keeps_breaking_is_given_up(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system, poll_every_s=0.01):
        for number in range(1, 4):
            broken = system.open[0]
            assert broken.failed is not None
            broken.failed("the disk went away")
            await watched.until(lambda number=number: len(system.handles) == number + 1 and len(system.open) == 1)  # type: ignore[misc]
            watched.forget()
            system.say("modified", path)
            await watched.hinted("desktop-plugins/demo")
        assert watched.logged == []
        last = system.open[0]
        assert last.failed is not None
        last.failed("the disk went away")
        await watched.until(lambda: len(watched.logged) == 1)
        assert "the disk went away" in watched.logged[0][1]


# ---------------------------------------------------------------- the end


async def test_stop_ends_it_and_closes_the_watch(watched: Watched) -> None:
    system = FakeSystem()
    async with watched.running(opener=system):
        assert len(system.open) == 1
    assert system.open == []


async def test_stop_ends_polling_too(watched: Watched) -> None:
    system = FakeSystem(WatchUnavailable(LIMIT, limit=True))
    async with watched.running(opener=system, poll_every_s=SLOW_S):
        assert len(watched.logged) == 1


async def test_cancelling_and_closing_leave_no_watch_behind(watched: Watched) -> None:
    system = FakeSystem()
    hints = watch(watched.home, step_ms=10, stop=asyncio.Event(), log=lambda level, text: None, opener=system)
    await anext(hints)
    waiting = asyncio.ensure_future(anext(hints))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert len(system.handles) == 1 and system.open == []

    hints = watch(watched.home, step_ms=10, stop=asyncio.Event(), log=lambda level, text: None, opener=system)
    await anext(hints)
    await hints.aclose()
    assert len(system.handles) == 2 and system.open == []


async def test_an_event_after_the_end_is_harmless(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    system = FakeSystem()
    async with watched.running(opener=system):
        deliver = system.open[0].deliver
    assert deliver is not None
    deliver(frozenset({("modified", str(path))}))
    await asyncio.sleep(0)


def test_an_event_after_the_loop_is_closed_is_harmless(tmp_path: Path) -> None:
    system = FakeSystem()
    (tmp_path / "desktop-plugins/demo").mkdir(parents=True)

    async def run() -> None:
        home = Home(tmp_path, tmp_path, None, "")
        hints = watch(home, step_ms=10, stop=asyncio.Event(), log=lambda level, text: None, opener=system)
        await anext(hints)
        await hints.aclose()

    asyncio.run(run())
    deliver = system.handles[0].deliver
    assert deliver is not None
    deliver(frozenset({("modified", str(tmp_path / "desktop-plugins/demo/plugin.js"))}))
