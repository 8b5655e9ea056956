"""The way in. For a check a worker is begun first: it takes as long to start as the command line itself."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from loader.analysis import ahead
from loader.cli.check_plainly import check, paths_alone
from loader.cli.console import tolerate_every_letter
from loader.cli.ending import ends_well_from_the_start
from loader.cli.foresight import wants_worker
from loader.cli.rim import guarded


def main(leave: Callable[[int], NoReturn] = os._exit) -> NoReturn:
    """``leave`` ends the process where nothing is left to be cleaned up."""
    arguments = sys.argv[1:]
    paths = paths_alone(arguments)
    checks = arguments[:1] == ["check"]
    if checks:
        # Modules are no garbage, and to look for some among them takes a tenth of such a run; `check` lets it begin.
        gc.disable()
    if sys.platform == "linux" and wants_worker(arguments):
        _import_what_both_need()
        ahead.begin()
    serves = arguments[:1] == ["serve"]
    try:
        with ends_well_from_the_start() if serves else contextlib.nullcontext():
            code = _run(arguments, paths)
    finally:
        ahead.drop()
    if not checks:
        raise SystemExit(code)
    # To take three hundred modules apart, one by one, takes as long as half of them took to import.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    leave(code)


def _run(arguments: Sequence[str], paths: Sequence[str]) -> int:
    # What a command needs is imported here, beside the worker's start.
    tolerate_every_letter()
    if paths:
        return guarded(lambda: check(paths))
    from loader.cli.main import run

    return run(arguments)


def _import_what_both_need() -> None:
    """Once, and not in each of two processes."""
    import platformdirs  # noqa: F401 - for its place in sys.modules

    import loader.analysis.worker_process  # noqa: F401
