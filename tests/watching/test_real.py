"""The system's own events on a real disk: every way in which editors, installers and people change a plugin."""

import asyncio
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from loader.watching import Opener, WatchUnavailable
from loader.watching.native import open_native
from loader.watching.rust import open_rust
from tests.watching.conftest import DEADLINE_S, Watched

pytestmark = [pytest.mark.anyio, pytest.mark.real]

OPENERS = {"native": open_native}
if sys.platform.startswith("linux"):
    # What the other systems are watched with works here too, and here it can be tested.
    OPENERS["rust"] = open_rust


@pytest.fixture(params=OPENERS, autouse=True)
def opener(request: pytest.FixtureRequest, watched: Watched) -> Opener:
    watched.opener = OPENERS[request.param]
    return watched.opener


# Our own look would find the same a little later: in these tests the events have to bring it.
EVENTS_ONLY = 1000.0


# ---------------------------------------------------------------- saves


def plain(path: Path) -> None:
    path.write_text("v2")


def atomic(path: Path) -> None:
    temporary = path.with_name(".plugin.js.tmp-1")
    temporary.write_text("v2")
    temporary.replace(path)


def from_elsewhere(path: Path) -> None:
    temporary = path.parents[3] / "elsewhere.js"
    temporary.write_text("v2")
    temporary.replace(path)


def vim(path: Path) -> None:
    (path.parent / "4913").touch()
    (path.parent / "4913").unlink()
    path.rename(path.with_name("plugin.js~"))
    path.write_text("v2")
    path.with_name("plugin.js~").unlink()


def truncate(path: Path) -> None:
    path.open("w").close()


def old_stamp(path: Path) -> None:
    before = path.stat()
    path.write_text("v2")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def delete(path: Path) -> None:
    path.unlink()


def hard_link(path: Path) -> None:
    other = path.parents[3] / "other.js"
    other.write_text("v2")
    path.unlink()
    os.link(other, path)


def folder_swap(path: Path) -> None:
    prepared = path.parents[3] / "prepared"
    prepared.mkdir()
    (prepared / "plugin.js").write_text("v2")
    path.parent.rename(path.parents[3] / "old")
    prepared.rename(path.parent)


def folder_anew(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    path.write_text("v2")


SAVES = [plain, atomic, from_elsewhere, vim, truncate, old_stamp, delete, hard_link, folder_swap, folder_anew]


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.__name__)
@pytest.mark.parametrize("where", ["desktop-plugins/demo", "plugins/demo/desktop"])
async def test_every_way_to_save_is_seen_and_the_next_one_too(
    watched: Watched, save: Callable[[Path], None], where: str
) -> None:
    path = watched.put(f"{where}/plugin.js")
    hint = "desktop-plugins/demo" if where.startswith("desktop-plugins") else "plugins/demo"
    async with watched.running(check_every_s=EVENTS_ONLY):
        watched.forget()
        save(path)
        await watched.hinted(hint)
        await settled(watched)
        path.write_text("v3")
        await watched.hinted(hint)
    assert watched.logged == []


async def test_side_files_and_staging_folders_are_not_seen(watched: Watched) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    async with watched.running(check_every_s=EVENTS_ONLY):
        watched.forget()
        for name in (".plugin.js.swp", "plugin.js~", "#plugin.js#", "plugin.js.bak", ".DS_Store", "__pycache__/x.pyc"):
            watched.put(f"desktop-plugins/demo/{name}", "x")
        (path.parent / ".#plugin.js").symlink_to("user@host.1:2")
        for folder in (".git", "node_modules", ".demo.staging-ab12"):
            watched.put(f"desktop-plugins/{folder}/plugin.js", "v9")
        watched.put("state.db", "busy")
        path.write_text("v2")
        assert await settled(watched) == {"desktop-plugins/demo"}


# ---------------------------------------------------------------- folders that come and go


async def test_new_plugins_are_seen_with_whatever_is_written_at_once_or_later(watched: Watched) -> None:
    async with watched.running(check_every_s=EVENTS_ONLY):
        watched.forget()
        for number in range(10):
            path = watched.put(f"desktop-plugins/new{number}/plugin.js")
            await watched.hinted(f"desktop-plugins/new{number}")
            path.write_text("v2")
            await watched.hinted(f"desktop-plugins/new{number}")


async def test_a_door_that_is_deleted_and_made_again(watched: Watched) -> None:
    async with watched.running(check_every_s=EVENTS_ONLY):  # missing at the start, too
        for _ in range(3):
            watched.forget()
            for name in ("a", "b"):
                watched.put(f"desktop-plugins/{name}/plugin.js")
            await watched.hinted("desktop-plugins/a", "desktop-plugins/b")
            watched.put("desktop-plugins/a/plugin.js", "v2")
            await watched.hinted("desktop-plugins/a")
            shutil.rmtree(watched.root / "desktop-plugins")
            await watched.hinted("desktop-plugins", "desktop-plugins/a", "desktop-plugins/b")
            await settled(watched)


async def test_the_home_itself_deleted_and_restored(watched: Watched) -> None:
    watched.put("desktop-plugins/a/plugin.js")
    async with watched.running(check_every_s=EVENTS_ONLY):
        watched.forget()
        shutil.rmtree(watched.root)
        await watched.hinted("desktop-plugins/a")
        await settled(watched)
        watched.put("desktop-plugins/a/plugin.js")
        await watched.hinted("desktop-plugins/a")
        watched.put("desktop-plugins/a/plugin.js", "v2")
        await watched.hinted("desktop-plugins/a")


async def test_a_packages_desktop_half_comes_and_goes_in_a_folder_that_stays(watched: Watched) -> None:
    watched.put("plugins/notes/plugin.yaml")
    async with watched.running(check_every_s=EVENTS_ONLY):
        for _ in range(3):
            watched.forget()
            path = watched.put("plugins/notes/desktop/plugin.js")
            await watched.hinted("plugins/notes")
            await settled(watched)
            path.unlink()
            await watched.hinted("plugins/notes")
            path.parent.rmdir()
            await settled(watched)


async def test_a_new_profile_brings_its_packages(watched: Watched) -> None:
    async with watched.running(check_every_s=EVENTS_ONLY):
        watched.forget()
        path = watched.put("profiles/work/plugins/notes/desktop/plugin.js")
        await watched.hinted("profiles/work/plugins/notes")
        await settled(watched)
        path.write_text("v2")
        await watched.hinted("profiles/work/plugins/notes")


# ---------------------------------------------------------------- links


async def test_a_linked_folder(watched: Watched, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "plugin.js").write_text("v1")
    watched.put("desktop-plugins/other/plugin.js")
    for name in ("one", "two"):
        (watched.root / "desktop-plugins" / name).symlink_to(work)
    async with watched.running(check_every_s=EVENTS_ONLY):
        for _ in range(2):
            watched.forget()
            (work / "plugin.js").write_text("v2")
            await watched.hinted("desktop-plugins/one", "desktop-plugins/two")
            shutil.rmtree(work)
            await watched.hinted("desktop-plugins/one", "desktop-plugins/two")
            await settled(watched)
            work.mkdir()
            (work / "plugin.js").write_text("v3")
            await watched.hinted("desktop-plugins/one", "desktop-plugins/two")
            await settled(watched)


async def test_a_linked_build_that_is_wiped_and_built_again(watched: Watched, tmp_path: Path) -> None:
    dist = tmp_path / "work/dist"
    dist.mkdir(parents=True)
    (dist / "out.js").write_text("v1")
    folder = watched.root / "desktop-plugins/demo"
    folder.mkdir(parents=True)
    (folder / "plugin.js").symlink_to(dist / "out.js")
    async with watched.running(check_every_s=EVENTS_ONLY):
        for _ in range(3):
            watched.forget()
            (dist / "out.js").write_text("v2")
            await watched.hinted("desktop-plugins/demo")
            shutil.rmtree(dist)
            dist.mkdir()
            (dist / "out.js").write_text("v3")
            await watched.hinted("desktop-plugins/demo")
            await settled(watched)


async def test_a_link_that_is_made_and_set_to_another_target_while_we_watch(watched: Watched, tmp_path: Path) -> None:
    path = watched.put("desktop-plugins/demo/plugin.js")
    targets = [tmp_path / "a/out.js", tmp_path / "b/out.js"]
    for target in targets:
        target.parent.mkdir()
        target.write_text("v1")
    async with watched.running(check_every_s=EVENTS_ONLY):
        for target in targets:
            watched.forget()
            path.unlink()
            path.symlink_to(target)
            await watched.hinted("desktop-plugins/demo")
            await settled(watched)
            target.write_text("v2")
            await watched.hinted("desktop-plugins/demo")


# ---------------------------------------------------------------- cost


def watches() -> int:
    """How many watches this process holds."""
    total = 0
    for entry in Path("/proc/self/fdinfo").iterdir():
        try:
            total += entry.read_text().count("inotify wd:")
        except OSError:
            continue
    return total


def threads() -> int:
    return [thread.name for thread in threading.enumerate()].count("watching")


async def test_a_huge_node_modules_costs_no_watches_and_events_in_it_wake_nobody(watched: Watched) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("watches can be counted on Linux only")
    path = watched.put("desktop-plugins/demo/plugin.js")
    for number in range(1000):
        (watched.root / f"desktop-plugins/demo/node_modules/m{number}").mkdir(parents=True)
    await watched.until(lambda: threads() == 0)  # those of the test before may still be ending
    before = watches()
    async with watched.running(check_every_s=EVENTS_ONLY):
        assert watches() - before == 3
        watched.forget()
        for number in range(100):
            watched.put(f"desktop-plugins/demo/node_modules/m{number}/plugin.js")
        path.write_text("v2")
        assert await settled(watched) == {"desktop-plugins/demo"}
    await watched.until(lambda: watches() == before)


async def test_nothing_is_left_of_a_watch_that_ended(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    async with watched.running(check_every_s=EVENTS_ONLY):
        for number in range(5):  # each of them sets up new watches
            watched.forget()
            watched.put(f"desktop-plugins/new{number}/plugin.js")
            await watched.hinted(f"desktop-plugins/new{number}")
        await watched.until(lambda: threads() == 1)
    await watched.until(lambda: threads() == 0)


# ---------------------------------------------------------------- no watches, no events

NO_INSTANCES = """
import asyncio, os, resource, sys
from pathlib import Path
from loader.home import Home
from loader.watching import watch

async def main():
    root = Path(sys.argv[1])
    stop = asyncio.Event()
    path = root / "desktop-plugins/demo/plugin.js"
    said = []
    await asyncio.to_thread(int)  # the executor's thread needs no descriptors of its own later
    highest = max(int(name) for name in os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 3, highest + 3))
    spare = []
    try:
        while True:
            spare.append(os.dup(0))
    except OSError:
        os.close(spare.pop())  # one is left for looking into folders, none for a watch
    home = Home(root, root, None, "")
    async for hints in watch(home, step_ms=10, stop=stop, log=lambda *a: said.append(a), poll_every_s=0.05):
        if path.stat().st_size == 2 and str(path.parent) in hints:
            os.truncate(path, 7)
        elif path.stat().st_size == 7 and str(path.parent) in hints:
            stop.set()
    print(len(said), *said[0])

asyncio.run(main())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is set the Linux way")
def test_without_watches_left_it_polls_and_says_so_once(watched: Watched) -> None:
    watched.put("desktop-plugins/demo/plugin.js")
    done = subprocess.run(
        [sys.executable, "-c", NO_INSTANCES, str(watched.root)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert done.stdout.startswith("1 warning The system's file watch limit is reached")


def test_the_native_watch_is_not_a_polling_in_disguise(tmp_path: Path, opener: Opener) -> None:
    if not sys.platform.startswith(("linux", "darwin", "win")):
        pytest.skip("no file events are known on this system")
    opener([str(tmp_path)], recursive=False, step_ms=10, tolerant=False).close()


def test_a_folder_that_is_gone_is_told_from_a_limit(tmp_path: Path, opener: Opener) -> None:
    with pytest.raises(Exception) as caught:
        opener([str(tmp_path / "gone")], recursive=False, step_ms=10, tolerant=False)
    assert not isinstance(caught.value, WatchUnavailable)
    opener([str(tmp_path), str(tmp_path / "gone")], recursive=False, step_ms=10, tolerant=True).close()


# ---------------------------------------------------------------- storms


class Mirror:
    """What a reader knows who looks at the disk only where a hint points."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._read = 0
        self.known: dict[str, bytes] = {}

    def catch_up(self) -> None:
        batches, self._read = self._watched.batches[self._read :], len(self._watched.batches)
        for hint in {path for batch in batches for path in batch}:
            self._look(Path(hint))

    def _look(self, path: Path) -> None:
        root = self._watched.root / "desktop-plugins"
        if path == root:
            for folder in {*self.known, *(folder.name for folder in listing(root))}:
                self._look(root / folder)
        elif path.parent == root:
            data = content(path / "plugin.js")
            if data is None:
                self.known.pop(path.name, None)
            else:
                self.known[path.name] = data

    def truth(self) -> dict[str, bytes]:
        folders = [
            (folder, content(folder / "plugin.js")) for folder in listing(self._watched.root / "desktop-plugins")
        ]
        return {folder.name: data for folder, data in folders if data is not None}


def listing(root: Path) -> list[Path]:
    try:
        return [folder for folder in root.iterdir() if not folder.name.startswith(".")]
    except OSError:
        return []


def content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def disturb(chance: random.Random, root: Path, number: int) -> None:
    """One thing that people, editors and installers do."""
    door = root / "desktop-plugins"
    folder = door / f"p{chance.randrange(40)}"
    text = f"save {number}"
    match chance.randrange(8):
        case 0:
            shutil.rmtree(folder, ignore_errors=True)
        case 1:
            staged = door / f".{folder.name}.staging-{number}"
            staged.mkdir(parents=True)
            (staged / "plugin.js").write_text(text)
            shutil.rmtree(folder, ignore_errors=True)
            staged.rename(folder)
        case 2:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            (folder / "plugin.js").write_text(text)
        case 3 if chance.random() < 0.1:
            shutil.rmtree(door, ignore_errors=True)
        case 4 if folder.exists():
            (folder / "plugin.js").unlink(missing_ok=True)
        case 5 if folder.exists():
            (folder / ".tmp").write_text(text)
            (folder / ".tmp").replace(folder / "plugin.js")
        case _:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "plugin.js").write_text(text)


@pytest.mark.parametrize("seed", range(4))
async def test_after_a_storm_whoever_followed_the_hints_knows_the_disk(watched: Watched, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(40):
        watched.put(f"desktop-plugins/p{number}/plugin.js")
    mirror = Mirror(watched)
    async with watched.running(check_every_s=EVENTS_ONLY):
        for number in range(150):
            disturb(chance, watched.root, number)
            if number % 7 == 0:
                await asyncio.sleep(chance.uniform(0, 0.01))
                mirror.catch_up()

        def equal() -> bool:
            mirror.catch_up()
            return mirror.known == mirror.truth()

        await watched.until(equal, lambda: f"{mirror.known} is not {mirror.truth()}")
    assert watched.logged == []


async def settled(watched: Watched) -> set[str]:
    """Wait until the watch has caught up with all that was done so far; gives what was hinted at since ``forget``.

    A mark that is set now is seen after everything before it: one queue of the kernel, one order.
    """
    start = len(watched.batches)
    mark = watched.root / "config.yaml"
    async with asyncio.timeout(DEADLINE_S):
        while not any(str(mark) in batch for batch in watched.batches[start:]):
            mark.parent.mkdir(exist_ok=True)
            mark.write_text("a mark")
            await asyncio.sleep(0.02)  # until it is seen: the home itself may just have been made anew
    seen = watched.hints - {"config.yaml"}
    watched.forget()
    return seen
