"""What holds for the whole process: it ends with the host, and takes no more than it may."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import Any

PR_SET_PDEATHSIG = 1


def end_with_the_host() -> None:
    """Whatever becomes of the host, this process and its children in its session end too.

    Standard input is a pipe that only the host holds: its end is the host's. A small process forked before anything
    else watches it, because this one may hang in native code, and kills the whole group.
    """
    guarded = os.dup(0)
    os.set_inheritable(guarded, False)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    if hasattr(os, "fork") and os.getpid() == os.getpgid(0) and os.fork() == 0:
        for number in (1, 2):
            os.dup2(nothing, number)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _wait_for_end(guarded)
        os.killpg(0, signal.SIGKILL)
        os._exit(0)
    os.close(nothing)

    def wait() -> None:
        _wait_for_end(guarded)
        os._exit(0)

    threading.Thread(target=wait, name="host-watch", daemon=True).start()
    if sys.platform == "linux":
        with contextlib.suppress(Exception):  # without it the pipe still does it
            import ctypes

            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait_for_end(number: int) -> None:
    # The host writes one line, which was read: whatever comes next is the end.
    with contextlib.suppress(OSError):
        os.read(number, 1)


def limit_resources(limits: dict[str, Any]) -> None:
    """Where the system has such limits. A hard limit that is lower already stays."""
    try:
        import resource
    except ImportError:
        return
    wanted = [(resource.RLIMIT_CORE, 0)]
    # What is written to, where the system counts that: mere reservations (CUDA, Go) cost nothing.
    memory = "RLIMIT_DATA" if sys.platform == "linux" else "RLIMIT_AS"
    names = {"memory_bytes": memory, "files": "RLIMIT_NOFILE", "cpu_s": "RLIMIT_CPU", "processes": "RLIMIT_NPROC"}
    for key, name in names.items():
        if limits.get(key) and hasattr(resource, name):
            wanted.append((getattr(resource, name), int(limits[key])))
    for kind, value in wanted:
        with contextlib.suppress(ValueError, OSError):
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))
