"""The real command line in a process that can be made ill: ``python -m bench.soaking.ill CHANNEL serve …``.

What the kernel does to anybody (limits, signals, rights, a full disk) is done to the process from outside. Here is
only what cannot be done to one process alone: a read that fails midway, a disk that reports itself full where none
may be mounted, a wall clock that jumps. They sit below the program, at the calls that it makes to the system
(``os.read``, ``os.fsync``, the wall clock), and do nothing until the channel, an inherited socket, says so.
"""

from __future__ import annotations

import _posixsubprocess
import asyncio
import ctypes
import datetime as datetime_module
import errno
import gc
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta, tzinfo
from pathlib import Path
from typing import Any

# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: with them, rights of files mean nothing.
_ABOVE_RIGHTS = (1, 2)
_PR_CAPBSET_DROP = 24
_DROPPED = "SOAK_RIGHTS_COUNT"


class Illness:
    """What is wrong just now; nothing at first."""

    def __init__(self) -> None:
        self.clock_ahead_s = 0.0
        self.unreadable = ""
        """Reads of this file fail, all but the first piece."""
        self.full_below = ""
        """Nothing below this folder reaches the disk."""
        self.no_process = False
        """No process can be started (EAGAIN)."""
        self.struck = 0
        self._begun: dict[int, str] = {}

    def install(self) -> None:
        read, fsync, wall_s = os.read, os.fsync, time.time
        real = datetime_module.datetime

        def ill_read(handle: int, length: int) -> bytes:
            if not self.unreadable or _path(handle) != self.unreadable:
                return read(handle, length)
            if os.lseek(handle, 0, os.SEEK_CUR) > 0:
                self.struck += 1
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return read(handle, min(length, 16))

        def ill_fsync(handle: int) -> None:
            if self.full_below and _path(handle).startswith(self.full_below + os.sep):
                self.struck += 1
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            fsync(handle)

        class Jumping(real):  # type: ignore[valid-type, misc] # the class of the standard library, kept under a name
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Any:
                return real.now(tz) + timedelta(seconds=ill.clock_ahead_s)

        for module, name in ((_posixsubprocess, "fork_exec"), (subprocess, "_fork_exec"), (os, "fork")):
            setattr(module, name, self._unless_ill(getattr(module, name)))
        ill = self
        os.read, os.fsync = ill_read, ill_fsync  # type: ignore[assignment]
        time.time = lambda: wall_s() + self.clock_ahead_s
        datetime_module.datetime = Jumping  # type: ignore[misc]

    def _unless_ill(self, start: Callable[..., int]) -> Callable[..., int]:
        def started(*args: Any) -> int:
            if self.no_process:
                self.struck += 1
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            return start(*args)

        return started

    def serve(self, channel: socket.socket) -> None:
        """One JSON object a line: set what it names, answer with how the process stands."""
        with channel.makefile("rwb", buffering=0) as lines:
            for line in lines:
                for name, value in json.loads(line).items():
                    setattr(self, name, value)
                lines.write(json.dumps({"struck": self.struck, "tasks": _tasks()}).encode() + b"\n")


def _path(handle: int) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{handle}")  # noqa: PTH115 - no path, a link of the kernel's
    except OSError:
        return ""


def _tasks() -> int:
    """How many tasks the event loop has, itself asked; 0 where none runs."""
    for loop in [each for each in gc.get_objects() if isinstance(each, asyncio.BaseEventLoop) and each.is_running()]:
        answered, found = threading.Event(), [0]

        def count(loop: asyncio.BaseEventLoop = loop, into: list[int] = found, done: Any = answered) -> None:
            into[0] = len(asyncio.all_tasks(loop))
            done.set()

        loop.call_soon_threadsafe(count)
        answered.wait(10)
        return found[0]
    return 0


def let_rights_count() -> None:
    """Begin anew as one for whom the rights of files count, if we are above them."""
    if os.name == "nt" or os.geteuid() != 0 or os.environ.get(_DROPPED):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in _ABOVE_RIGHTS:
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.environ[_DROPPED] = "yes"
    os.execv(sys.executable, [sys.executable, "-m", "bench.soaking.ill", *sys.argv[1:]])


def main() -> None:
    let_rights_count()
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    illness = Illness()
    # Before anything of the loader is imported: it takes the clock by name.
    illness.install()
    threading.Thread(target=illness.serve, args=(channel,), daemon=True, name="soak-channel").start()
    sys.argv[:] = [str(Path(sys.argv[0]).with_name("hermes-desktop")), *sys.argv[2:]]
    from loader.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
