"""The watch that macOS and Windows have: what it tells, how it ends, and what it says when a system cannot."""

import errno
import queue
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from watchfiles._rust_notify import WatchfilesRustInternalError

from loader.watching import rust
from loader.watching.native import open_native
from loader.watching.opening import Handle, PathsMoved, WatchUnavailable
from loader.watching.plan import Batch
from loader.watching.rust import open_rust

PATIENCE_S = 60.0


class Heard:
    """What a watch delivers, as it comes."""

    def __init__(self, handle: Handle) -> None:
        self.batches: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        self.failures: queue.SimpleQueue[str] = queue.SimpleQueue()
        handle.start(self.batches.put, self.failures.put)

    def until(self, name: str) -> str:
        """The kind of the first change of a file of that name."""
        while True:
            for kind, path in self.batches.get(timeout=PATIENCE_S):
                if Path(path).name == name:
                    return kind


class FakeNotify:
    """A library that answers what the test wishes."""

    def __init__(self, answers: list[Any], shown: str = "RustNotify(Recommended(") -> None:
        self.answers = answers
        self.shown = shown
        self.closed = 0

    def __call__(self, *_: object) -> "FakeNotify":
        return self

    def __repr__(self) -> str:
        return self.shown

    def watch(self, *_: object) -> Any:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Handle]:
    with closing(open_rust([str(tmp_path)], recursive=False, step_ms=1, tolerant=False)) as handle:
        yield handle


@pytest.mark.real
def test_saves_are_told_and_what_lies_deeper_is_not(tmp_path: Path, opened: Handle) -> None:
    deeper = tmp_path / "deeper"
    deeper.mkdir()
    heard = Heard(opened)
    (deeper / "unseen.js").write_text("x")
    (tmp_path / "plugin.js").write_text("x")
    assert heard.until("plugin.js") == "added"
    (tmp_path / "plugin.js").unlink()
    assert heard.until("plugin.js") in ("modified", "deleted")
    assert heard.failures.empty()


@pytest.mark.real
def test_a_watch_of_everything_below_is_its_own_also_where_there_is_inotify(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    with closing(open_native([str(tmp_path)], recursive=True, step_ms=1, tolerant=False)) as handle:
        heard = Heard(handle)
        (tmp_path / "deeper" / "plugin.js").write_text("x")
        assert heard.until("plugin.js") == "added"


@pytest.mark.real
def test_what_was_heard_before_the_end_is_still_told(tmp_path: Path, opened: Handle) -> None:
    heard = Heard(opened)
    (tmp_path / "last.js").write_text("x")
    opened.close()
    assert heard.until("last.js") == "added"
    thread = opened._thread  # type: ignore[attr-defined]
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert heard.failures.empty()


@pytest.mark.real
def test_a_watch_that_never_began_is_closed_all_the_same(opened: Handle) -> None:
    opened.close()


@pytest.mark.real
def test_a_folder_that_is_not_there_is_looked_for_anew(tmp_path: Path) -> None:
    with pytest.raises(PathsMoved):
        open_rust([str(tmp_path / "gone")], recursive=False, step_ms=1, tolerant=False)


@pytest.mark.parametrize(
    ("error", "says", "limit"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "no file watches are left", True),
        (WatchfilesRustInternalError("error in underlying watcher: OS file watch limit reached."), "no file", True),
        (OSError(errno.EMFILE, "Too many"), "no watch instances or open files are left", True),
        (WatchfilesRustInternalError("Too many open files (os error 24)"), "no watch instances", True),
        (WatchfilesRustInternalError("something else"), "something else", False),
    ],
)
def test_a_system_that_gives_no_watch_says_why(
    monkeypatch: pytest.MonkeyPatch, error: Exception, says: str, limit: bool
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(rust, "RustNotify", refuse)
    with pytest.raises(WatchUnavailable, match=says) as refused:
        open_rust(["/x"], recursive=False, step_ms=1, tolerant=False)
    assert refused.value.limit is limit


def test_a_polling_that_the_library_chose_by_itself_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    polling = FakeNotify([], shown="RustNotify(Poll(PollWatcher {")
    monkeypatch.setattr(rust, "RustNotify", polling)
    with pytest.raises(WatchUnavailable, match="no file events"):
        open_rust(["/x"], recursive=False, step_ms=1, tolerant=False)
    assert polling.closed == 1


def test_a_watch_that_breaks_says_so_once_and_lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = FakeNotify([{(1, "/x/a"), (3, "/x/b")}, RuntimeError("the watch broke")])
    monkeypatch.setattr(rust, "RustNotify", broken)
    handle = open_rust(["/x"], recursive=False, step_ms=1, tolerant=False)
    heard = Heard(handle)
    assert heard.batches.get(timeout=PATIENCE_S) == {("added", "/x/a"), ("deleted", "/x/b")}
    assert heard.failures.get(timeout=PATIENCE_S) == "the watch broke"
    handle._thread.join(PATIENCE_S)  # type: ignore[attr-defined]
    assert heard.failures.empty()
    assert broken.closed == 1
