"""Linux's inotify, asked directly: it sleeps until something happens and says at once when a file was closed.

watchfiles, which the other systems are watched with, looks into its own queue every step: 10 ms of delay for each
save and 90 wake-ups a second while nothing happens (0.3-0.5 % of a core, measured). It also drops the kernel's word
that the queue overflowed; here that makes everything suspect.

What ends a save (a file closed after writing, a name moved here) is told at once. What only begins or continues one
(a name made, bytes written to a file that stays open) waits for its end, but not for long: some writers never close.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from loader.watching.opening import PathsMoved, WatchUnavailable, no_instances_left, no_watches_left
from loader.watching.plan import Batch, Change

# <sys/inotify.h>: part of the kernel's interface, the same on every machine.
_MODIFY = 0x2
_ATTRIB = 0x4
_CLOSE_WRITE = 0x8
_MOVED_FROM = 0x40
_MOVED_TO = 0x80
_CREATE = 0x100
_DELETE = 0x200
_DELETE_SELF = 0x400
_MOVE_SELF = 0x800
_UNMOUNT = 0x2000
_Q_OVERFLOW = 0x4000
_IGNORED = 0x8000
_ONLYDIR = 0x1000000
_MASK = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
    | _DELETE_SELF | _MOVE_SELF | _ONLYDIR
)  # fmt: skip

_ENDS_A_SAVE = _CLOSE_WRITE | _MOVED_TO
_OWN = _DELETE_SELF | _MOVE_SELF | _UNMOUNT
_GONE = _MOVED_FROM | _DELETE
_HEADER = struct.Struct("iIII")
_READ_BYTES = 64 * 1024

# A file that is written without being closed: so many steps are left for the rest to come.
_UNFINISHED_STEPS = 4
# At once, but no more than so many times in as many steps: a program that saves in a loop is told of in batches.
_AT_ONCE = 10


class Inotify:
    """A watch that stands (``opening.Handle``). One inotify instance for all folders: instances are scarce."""

    def __init__(self, step_ms: int) -> None:
        """Raises WatchUnavailable."""
        self._step_s = step_ms / 1000
        self._folders: dict[int, tuple[str, ...]] = {}
        self._thread: threading.Thread | None = None
        self._closing = threading.Lock()
        self._open = True
        try:
            self._queue = _init()
        except OSError as error:
            raise _unavailable(error) from error
        try:
            self._ended = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        except OSError as error:
            os.close(self._queue)
            raise _unavailable(error) from error

    def add(self, folder: str) -> None:
        """Watch one more folder, without what lies in its folders. Raises OSError."""
        number = _add_watch(self._queue, folder)
        # One folder under two names has one watch.
        self._folders[number] = (*self._folders.get(number, ()), folder)

    def start(self, deliver: Callable[[Batch], None], failed: Callable[[str], None]) -> None:
        # A daemon: nothing may keep the process from ending.
        self._thread = threading.Thread(target=self._run, args=(deliver, failed), name="watching", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._thread is None:
            self._let_go()
            return
        with self._closing:  # the thread closes what is written to here
            if self._open:
                os.eventfd_write(self._ended, 1)

    def _let_go(self) -> None:
        with self._closing:
            if self._open:
                self._open = False
                os.close(self._queue)
                os.close(self._ended)

    # ------------------------------------------------------------ in the thread

    def _run(self, deliver: Callable[[Batch], None], failed: Callable[[str], None]) -> None:
        try:
            self._follow(deliver)
        except OSError as error:
            failed(f"reading file events failed: {error.strerror or error}")
        finally:
            self._let_go()

    def _follow(self, deliver: Callable[[Batch], None]) -> None:
        poller = select.poll()
        poller.register(self._queue, select.POLLIN)
        poller.register(self._ended, select.POLLIN)
        pace = _Pace(self._step_s)
        waiting: set[tuple[Change, str]] = set()
        due_s: float | None = None
        ended = False
        while not ended:
            left_s = None if due_s is None else max(0.0, due_s - time.monotonic())
            # Whole milliseconds, rounded up: rounded down it would spin through the last one.
            ready = poller.poll(None if left_s is None else int(left_s * 1000 + 0.999))
            ended = any(number == self._ended for number, _ in ready)
            for mask, changes in self._read() if ready else ():
                waiting |= changes
                wanted_s = pace.due_s(mask)
                due_s = wanted_s if due_s is None else min(due_s, wanted_s)
            if due_s is not None and (ended or time.monotonic() >= due_s):
                due_s = None
                if waiting:
                    deliver(frozenset(waiting))
                    pace.told()
                    waiting = set()

    def _read(self) -> Iterator[tuple[int, set[tuple[Change, str]]]]:
        while True:
            try:
                data = os.read(self._queue, _READ_BYTES)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                number, mask, _, length = _HEADER.unpack_from(data, at)
                at += _HEADER.size
                name = data[at : at + length].rstrip(b"\0")
                at += length
                yield mask, self._changes(number, mask, name)

    def _changes(self, number: int, mask: int, name: bytes) -> set[tuple[Change, str]]:
        if mask & _Q_OVERFLOW:
            # Nobody knows what was lost, perhaps the end of a watch: as if each folder were another one now.
            return {("deleted", folder) for folders in self._folders.values() for folder in folders}
        if mask & _IGNORED:
            self._folders.pop(number, None)
            return set()
        folders = self._folders.get(number, ())
        if mask & _OWN:
            return {("deleted", folder) for folder in folders}
        if not name:
            return set()  # rights or stamps of the folder itself
        change: Change = "modified"
        if mask & _GONE:
            change = "deleted"
        elif mask & (_CREATE | _MOVED_TO):
            change = "added"
        text = os.fsdecode(name)
        return {(change, f"{folder}{os.sep}{text}") for folder in folders}


class _Pace:
    """When what was heard is told."""

    def __init__(self, step_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._step_s = step_s
        self._now_s = now_s
        self._told_s: deque[float] = deque(maxlen=_AT_ONCE)

    def due_s(self, mask: int) -> float:
        now_s = self._now_s()
        if mask & _ENDS_A_SAVE and not self._often(now_s):
            return now_s
        return now_s + (_UNFINISHED_STEPS if mask & _MODIFY else 1) * self._step_s

    def told(self) -> None:
        self._told_s.append(self._now_s())

    def _often(self, now_s: float) -> bool:
        return len(self._told_s) == _AT_ONCE and now_s - self._told_s[0] < _AT_ONCE * self._step_s


def open_inotify(folders: Sequence[str], *, step_ms: int, tolerant: bool) -> Inotify:
    """An ``opening.Opener`` for folders without what lies in them."""
    watch = Inotify(step_ms)
    try:
        for folder in folders:
            try:
                watch.add(folder)
            except OSError as error:
                if error.errno not in _NOT_THERE:
                    raise _unavailable(error) from error
                if not tolerant:
                    raise PathsMoved(str(error)) from error
    except BaseException:  # whatever it is: no instance may stay behind
        watch.close()
        raise
    return watch


# ---------------------------------------------------------------- the system

_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG})
_NONBLOCK_CLOEXEC = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def _init() -> int:
    return _checked(_libc().inotify_init1(_NONBLOCK_CLOEXEC), "inotify")


def _add_watch(queue: int, folder: str) -> int:
    return _checked(_libc().inotify_add_watch(queue, os.fsencode(folder), _MASK), folder)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
    return result


def _unavailable(error: OSError) -> WatchUnavailable:
    if error.errno == errno.ENOSPC:
        return no_watches_left()
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return no_instances_left()
    return WatchUnavailable(error.strerror or str(error))


def is_there() -> bool:
    """Whether this system has inotify, as far as its C library says."""
    return sys.platform.startswith("linux") and hasattr(os, "eventfd") and hasattr(_libc(), "inotify_init1")
