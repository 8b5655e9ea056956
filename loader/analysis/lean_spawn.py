"""Spawned processes that import neither the program that started the service nor what lies in the current folder.

`multiprocessing` runs the parent's main script again in each child, so that functions defined there can be found. Ours
live in modules of their own; the script would cost each worker the whole command line and web server (about 300 ms).

It starts a child with `python -c`, which looks for modules in the current folder first: a checkout with a file called
`multiprocessing.py` or `socket.py` in it would run that file as soon as somebody checks a plugin there.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import types
from collections.abc import Iterator
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

_starting = threading.Lock()
_SAFE_PATH = "PYTHONSAFEPATH"


class _LeanProcess(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # multiprocessing's own name for its seam
        # The child's instructions are made from sys.modules["__main__"]; an empty one names no script. Only for the
        # few milliseconds of the start, and nothing else here looks that module up.
        with _starting, _safe_path(), _deaf_to_interrupts():
            main = sys.modules["__main__"]
            sys.modules["__main__"] = types.ModuleType("__main__")
            try:
                return SpawnProcess._Popen(process_obj)
            finally:
                sys.modules["__main__"] = main


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """What is started meanwhile, multiprocessing's own tracker too, looks for no modules in the current folder.

    By the environment: the option that says the same is taken over from the parent only.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ctrl-C reaches the whole foreground group: a child inherits the mask, and prints no trace while it still starts.

    The mask is the starting thread's own; the service, which decides what ends, hears the signal all the same.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class LeanSpawnContext(SpawnContext):
    """As `multiprocessing.get_context("spawn")`, with the differences above."""

    Process = _LeanProcess
