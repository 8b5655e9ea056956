"""`check PATH…` with nothing else said: what most hooks and editors call, without the parser of command lines.

typer takes a fifth of the time of a check whose verdict is kept. Whatever else is said goes its way.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loader.home import Home


def paths_alone(arguments: Sequence[str]) -> tuple[str, ...]:
    """The paths of such a command line; none where it is another one."""
    if len(arguments) < 2 or arguments[0] != "check" or not all(arguments):
        return ()
    paths = tuple(arguments[1:])
    return () if any(path.startswith("-") for path in paths) or _is_completion() else paths


def _is_completion() -> bool:
    # A shell that completes a line calls the program with its answer wanted in the environment.
    return any(name.startswith("_") and name.endswith("_COMPLETE") for name in os.environ)


def check(paths: Sequence[str]) -> int:
    """As the command without options; the exit code. Raises what the rim of commands turns into a line."""
    import asyncio

    from loader.checking.run import CheckSettings
    from loader.cli.check_session import Session, Wish

    let_collect()
    return asyncio.run(Session(Wish(tuple(paths), CheckSettings()), _home).once())


def let_collect() -> None:
    """Look for garbage again, which `loader.cli.start` put off, but never among what has been imported by now."""
    gc.freeze()
    gc.enable()


def _home() -> Home:
    from loader.home import resolve_home

    return resolve_home(None, None)
