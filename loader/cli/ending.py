"""How a command that runs until it is ended ends while it still starts."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from loader.cli import exits


@contextmanager
def ends_well_from_the_start() -> Iterator[None]:
    """SIGTERM and SIGINT end the process at once with exit 0 while the block runs, until it has handlers of its own.

    To import the service takes as long as the rest of its start. Whoever ends it in that time would get a signal's
    exit code or a trace of some import, though nothing has begun that would have to be cleaned up.
    """
    old = {number: signal.signal(number, _end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _end(_: int, __: FrameType | None) -> None:
    # Not SystemExit: raised in the midst of an import it may be taken for that import's own failure.
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # closed, or interrupted in a print
        sys.stdout.flush()
    os._exit(exits.FINE)
