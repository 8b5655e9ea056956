"""The watch of macOS, Windows and every system without inotify: watchfiles' RustNotify, and nothing above it.

It is used directly: ``awatch`` adds a task group for each batch and hides two things that matter here. It
can fall back to a polling of its own that loses a second save within the same second (watchfiles issue 319), and
told to pass over closed folders it passes over "no watches left" just as silently. So neither is allowed.
"""

from __future__ import annotations

import contextlib
import errno
import threading
from collections.abc import Callable, Sequence

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from loader.watching.opening import Handle, PathsMoved, WatchUnavailable, no_instances_left, no_watches_left
from loader.watching.plan import Batch, Change

_CHANGES: dict[int, Change] = {1: "added", 2: "modified", 3: "deleted"}
# A batch ends when nothing new came for a step; while new names keep coming it is cut after this time.
_LONGEST_BATCH_STEPS = 5


def open_rust(folders: Sequence[str], *, recursive: bool, step_ms: int, tolerant: bool) -> Handle:
    """An ``opening.Opener``: one RustNotify for all folders, since instances are scarcer than watches."""
    try:
        notify = RustNotify(list(folders), False, False, 1000, recursive, tolerant)
    except (FileNotFoundError, PermissionError) as error:
        raise PathsMoved(str(error)) from error
    except (OSError, WatchfilesRustInternalError) as error:
        raise _unavailable(error) from error
    # On some errors (no inotify at all) it has quietly chosen its own polling.
    if "Poll" in repr(notify)[:24]:
        notify.close()
        raise WatchUnavailable("this system has no file events")
    return _Native(notify, step_ms)


class _Stop:
    """Says stop some steps after it was asked to: RustNotify throws away what it holds when it is told to stop."""

    def __init__(self) -> None:
        self.asked = False
        self._left = _LONGEST_BATCH_STEPS + 3

    def is_set(self) -> bool:
        if self.asked:
            self._left -= 1
        return self._left <= 0


class _Native:
    def __init__(self, notify: RustNotify, step_ms: int) -> None:
        self._notify = notify
        self._step_ms = step_ms
        self._stop = _Stop()
        self._thread: threading.Thread | None = None

    def start(self, deliver: Callable[[Batch], None], failed: Callable[[str], None]) -> None:
        # A daemon: nothing may keep the process from ending, not even the last steps of a watch.
        self._thread = threading.Thread(target=self._run, args=(deliver, failed), name="watching", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.asked = True
        if self._thread is None:
            self._notify.close()

    def _run(self, deliver: Callable[[Batch], None], failed: Callable[[str], None]) -> None:
        try:
            while True:
                heard = self._notify.watch(self._step_ms * _LONGEST_BATCH_STEPS, self._step_ms, 0, self._stop)
                if isinstance(heard, str):  # "stop"; "signal" and "timeout" do not come to a thread without a timeout
                    return
                deliver(frozenset((_CHANGES[change], path) for change, path in heard))
        except (RuntimeError, OSError) as error:  # WatchfilesRustInternalError is a RuntimeError
            if not self._stop.asked:
                failed(str(error))
        finally:
            with contextlib.suppress(RuntimeError):
                self._notify.close()


def _unavailable(error: Exception) -> WatchUnavailable:
    text = str(error)
    number = getattr(error, "errno", None)
    # The Rust side gives its own texts and no error numbers.
    if "watch limit" in text or number == errno.ENOSPC:
        return no_watches_left()
    if "Too many open files" in text or number in (errno.EMFILE, errno.ENFILE):
        return no_instances_left()
    return WatchUnavailable(text)
