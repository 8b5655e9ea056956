"""Threads whose stack is large enough for the guest: wasm runs on the stack of the thread that calls it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# 1-4 MiB threads die with SIGSEGV under the 4 MiB wasm stack, 6 MiB is fine; the main thread's size is the user's
# ulimit and on some systems 2 MiB, so it is never trusted.
STACK_BYTES = 16 * 1024 * 1024

_size_lock = threading.Lock()
_here = threading.local()


def on_big_stack(work: Callable[[], T]) -> T:
    """Run `work` on a fresh thread with a big stack and hand back its result; nested calls run in place."""
    return begin_on_big_stack(work)()


def begin_on_big_stack(work: Callable[[], T]) -> Callable[[], T]:
    """Begin as `on_big_stack` does; what is given back waits for the result. A nested call is done by then."""
    box: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            box.append(work())
        except BaseException as error:  # carried over to the caller's thread, whatever it is
            failure.append(error)

    def run_here() -> None:
        _here.big = True
        run()

    thread: threading.Thread | None = None
    if getattr(_here, "big", False):
        run()
    else:
        with _size_lock:  # the size is a setting of the whole process: set, use, restore
            before = threading.stack_size(STACK_BYTES)
            try:
                thread = threading.Thread(target=run_here, name="sandbox", daemon=True)
                thread.start()
            finally:
                threading.stack_size(before)

    def result() -> T:
        if thread is not None:
            thread.join()
        if failure:
            raise failure[0]
        return box[0]

    return result
