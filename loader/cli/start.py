"""The way in. For a check a worker is begun first: it takes as long to start as the command line itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from loader.analysis import ahead
from loader.cli.check_plainly import check, paths_alone
from loader.cli.console import tolerate_every_letter
from loader.cli.foresight import wants_worker
from loader.cli.rim import guarded


def main() -> NoReturn:
    if sys.platform == "linux" and wants_worker(sys.argv[1:]):
        _import_what_both_need()
        ahead.begin()
    try:
        raise SystemExit(_run(sys.argv[1:]))
    finally:
        ahead.drop()


def _run(arguments: Sequence[str]) -> int:
    # What a command needs is imported here, beside the worker's start.
    tolerate_every_letter()
    paths = paths_alone(arguments)
    if paths:
        return guarded(lambda: check(paths))
    from loader.cli.main import run

    return run(arguments)


def _import_what_both_need() -> None:
    """Once, and not in each of two processes."""
    import platformdirs  # noqa: F401 - for its place in sys.modules

    import loader.analysis.worker_process  # noqa: F401
