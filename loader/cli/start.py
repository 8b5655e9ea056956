"""The way in. For a check a worker is begun first: it takes as long to start as the command line itself."""

from __future__ import annotations

import sys
from typing import NoReturn

from loader.analysis import ahead
from loader.cli.foresight import wants_worker


def main() -> NoReturn:
    if sys.platform == "linux" and wants_worker(sys.argv[1:]):
        ahead.begin()
    try:
        from loader.cli.main import main as run  # typer, and what the command needs: here, beside the worker's start

        run()
    finally:
        ahead.drop()
