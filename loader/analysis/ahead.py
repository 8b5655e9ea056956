"""A worker process that a command begins before it imports anything of its own, where that can be done (Linux).

A worker needs as long for its imports as the command line for its own; begun first, it needs them at the same time. It
is killed like any other. It becomes the first worker of the first pool, or nobody's and is ended by `drop`.
Only for a program at its very start, which has one thread: a service starts its workers later, and spawns them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_EXIT_STEP_S = 0.002


class ForkedProcess:
    """What `multiprocessing.Process` offers of a child, for one that we forked ourselves."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.exitcode: int | None = None

    def kill(self) -> None:
        if self.exitcode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def join(self, timeout: float | None = None) -> None:
        ends_s = None if timeout is None else time.monotonic() + timeout
        while self.exitcode is None:
            try:
                pid, status = os.waitpid(self.pid, 0 if ends_s is None else os.WNOHANG)
            except ChildProcessError:  # somebody else has seen it off
                self.exitcode = 0
                return
            if pid:
                self.exitcode = os.waitstatus_to_exitcode(status)
            elif ends_s is not None and time.monotonic() >= ends_s:
                return
            else:
                time.sleep(_EXIT_STEP_S)

    def close(self) -> None:
        return None


_begun: list[tuple[ForkedProcess, socket.socket]] = []


def begin() -> None:
    """Begin a worker if this system can. Call it once, before other threads are there."""
    if sys.platform != "linux" or _begun:
        return
    ours, theirs = socket.socketpair()
    parent_pid = os.getpid()
    try:
        pid = os.fork()
    except OSError:  # no room for another process: the pool says so, if it needs one
        ours.close()
        theirs.close()
        return
    if pid == 0:
        ours.close()
        _work(theirs.detach(), parent_pid)
    theirs.close()
    _begun.append((ForkedProcess(pid), ours))


def take() -> tuple[ForkedProcess, Connection] | None:
    """The worker that was begun and our end of its pipe, once."""
    if not _begun:
        return None
    from multiprocessing.connection import Connection  # as slow to import as a process is to begin

    process, ours = _begun.pop()
    return process, Connection(ours.detach())


def drop() -> None:
    """End it, if nobody took it."""
    while _begun:
        process, ours = _begun.pop()
        ours.close()
        process.kill()
        process.join()


def _work(jobs: int, parent_pid: int) -> None:
    # Never back into the program that was forked, whatever happens.
    try:
        # Ctrl-C goes to the whole foreground group, and would print a trace while this imports.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        from multiprocessing.connection import Connection

        from loader.analysis import worker_process

        worker_process.work(Connection(jobs), parent_pid, None)
    finally:
        os._exit(1)
