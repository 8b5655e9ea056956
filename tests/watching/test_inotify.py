"""The watch of Linux: what ends a save is told at once, an overflow makes everything suspect."""

import errno
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loader.watching import inotify
from loader.watching.opening import PathsMoved, WatchUnavailable
from loader.watching.plan import Batch
from tests.watching.conftest import DEADLINE_S

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify is Linux's"),
]

# So long that whatever waits for a step is not told while a test runs.
NEVER_MS = 1_000_000_000


class Heard:
    """Starts a watch and collects what it delivers, in whatever thread."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._batches: list[Batch] = []
        self.failures: list[str] = []

    def start(self, watch: inotify.Inotify) -> None:
        watch.start(self._deliver, self.failures.append)

    def _deliver(self, batch: Batch) -> None:
        with self._news:
            self._batches.append(batch)
            self._news.notify_all()

    def all(self) -> Batch:
        with self._news:
            return frozenset().union(*self._batches)

    def until(self, true: Callable[[Batch], bool]) -> Batch:
        with self._news:
            assert self._news.wait_for(lambda: true(frozenset().union(*self._batches)), DEADLINE_S), self._batches
        return self.all()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Callable[[int], inotify.Inotify]]:
    """Opens a watch on tmp_path with a step of so many milliseconds."""
    opened: list[inotify.Inotify] = []

    def open_it(step_ms: int) -> inotify.Inotify:
        opened.append(inotify.open_inotify([str(tmp_path)], step_ms=step_ms, tolerant=False))
        return opened[-1]

    yield open_it
    for each in opened:
        each.close()
        if each._thread is not None:  # it lets go of the descriptors
            each._thread.join(DEADLINE_S)


Open = Callable[[int], inotify.Inotify]


def test_a_closed_file_and_a_moved_name_are_told_without_a_step(tmp_path: Path, watched: Open, heard: Heard) -> None:
    heard.start(watched(NEVER_MS))
    path = tmp_path / "plugin.js"
    path.write_text("v1")
    heard.until(lambda batch: ("modified", str(path)) in batch)
    path.rename(tmp_path / "other.js")
    heard.until(lambda batch: ("added", str(tmp_path / "other.js")) in batch)
    assert heard.failures == []


def test_what_is_still_being_written_waits_and_is_told_with_its_end(
    tmp_path: Path, watched: Open, heard: Heard
) -> None:
    heard.start(watched(NEVER_MS))
    with (tmp_path / "plugin.js").open("w") as file:
        file.write("half")
        file.flush()
        (tmp_path / "mark").mkdir()
        assert heard.all() == frozenset()
    heard.until(lambda batch: ("added", str(tmp_path / "mark")) in batch and ("modified", file.name) in batch)


def test_a_file_that_is_never_closed_is_told_all_the_same(tmp_path: Path, watched: Open, heard: Heard) -> None:
    with (tmp_path / "plugin.js").open("w") as file:
        heard.start(watched(1))
        file.write("more")
        file.flush()
        heard.until(lambda batch: ("modified", file.name) in batch)


def test_what_came_before_the_start_is_not_lost(tmp_path: Path, watched: Open, heard: Heard) -> None:
    watch = watched(NEVER_MS)
    (tmp_path / "plugin.js").write_text("v1")
    heard.start(watch)
    heard.until(lambda batch: ("modified", str(tmp_path / "plugin.js")) in batch)


def test_what_came_before_the_close_is_delivered(tmp_path: Path, watched: Open, heard: Heard) -> None:
    watch = watched(NEVER_MS)
    (tmp_path / "folder").mkdir()
    heard.start(watch)
    watch.close()
    watch.close()
    heard.until(lambda batch: ("added", str(tmp_path / "folder")) in batch)


def test_a_queue_that_overflowed_makes_every_folder_suspect(tmp_path: Path, watched: Open, heard: Heard) -> None:
    watch = watched(1)
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 100_000:
        pytest.skip("the queue of this machine is too long to be filled in a test")
    names = [str(tmp_path / name) for name in ("one", "two")]
    for name in names:
        Path(name).touch()
    for number in range(limit):
        os.utime(names[number % 2])  # two names in turn: the same twice in a row counts once
    heard.start(watch)
    heard.until(lambda batch: ("deleted", str(tmp_path)) in batch)


def test_a_folder_under_two_names_speaks_under_both(tmp_path: Path, heard: Heard) -> None:
    real, other = tmp_path / "real", tmp_path / "other"
    real.mkdir()
    other.symlink_to(real)
    watch = inotify.open_inotify([str(real), str(other)], step_ms=1, tolerant=False)
    try:
        heard.start(watch)
        (real / "plugin.js").touch()
        heard.until(
            lambda batch: {("modified", f"{folder}/plugin.js") for folder in (str(real), str(other))} <= set(batch)
        )
    finally:
        watch.close()
        assert watch._thread is not None
        watch._thread.join(DEADLINE_S)


def test_no_descriptor_stays_behind(tmp_path: Path) -> None:
    def held() -> set[str]:
        links = Path("/proc/self/fd").iterdir()
        return {str(link) for link in links if link.is_symlink() and "inotify" in str(link.readlink())}

    before = held()
    inotify.open_inotify([str(tmp_path)], step_ms=1, tolerant=False).close()
    with pytest.raises(PathsMoved):
        inotify.open_inotify([str(tmp_path), str(tmp_path / "gone")], step_ms=1, tolerant=False)
    assert held() == before


def test_who_saves_in_a_loop_is_told_of_in_batches() -> None:
    now_s = 100.0
    pace = inotify._Pace(0.01, lambda: now_s)
    for _ in range(inotify._AT_ONCE):
        assert pace.due_s(inotify._CLOSE_WRITE) == now_s
        pace.told()
    assert pace.due_s(inotify._CLOSE_WRITE) == pytest.approx(now_s + 0.01)
    now_s += 1.0
    assert pace.due_s(inotify._CLOSE_WRITE) == now_s


def refusing(number: int) -> Callable[..., int]:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.mark.parametrize(
    ("number", "says", "limit"),
    [
        (errno.ENOSPC, "no file watches are left", True),
        (errno.EMFILE, "no watch instances or open files are left", True),
        (errno.ENOSYS, "Function not implemented", False),
    ],
)
@pytest.mark.parametrize("step", ["_init", "_add_watch", "eventfd"])
def test_a_system_that_gives_no_watch_says_why_and_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int, says: str, limit: bool
) -> None:
    before = set(Path("/proc/self/fd").iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(os if step == "eventfd" else inotify, step, refusing(number))
        with pytest.raises(WatchUnavailable, match=says) as refused:
            inotify.open_inotify([str(tmp_path)], step_ms=1, tolerant=True)
    assert refused.value.limit is limit
    assert set(Path("/proc/self/fd").iterdir()) == before


def test_a_watch_whose_reading_fails_says_so_and_lets_go(
    watched: Open, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = watched(1)
    monkeypatch.setattr(watch, "_read", refusing(errno.EIO))
    heard.start(watch)
    watch.close()
    assert watch._thread is not None
    watch._thread.join(DEADLINE_S)
    assert heard.failures == ["reading file events failed: Input/output error"]
    watch.close()  # again, and there is nothing left to close
