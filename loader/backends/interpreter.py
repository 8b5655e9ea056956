"""Which Python runs a backend: the plugin's own environment, else Hermes', else ours.

Real backends import Hermes' own modules (``hermes_state``, ``hermes_cli.config``), which only Hermes' environment has.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Whose: TypeAlias = Literal["plugin", "hermes", "host"]

_SHEBANG_LIMIT_BYTES = 4096
_PLACES = ("bin/python3", "bin/python", "Scripts/python.exe")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """``path`` is the program as found, links not resolved: an environment is known by its own link."""

    path: str
    whose: Whose


def choose_interpreter(
    dashboard: Path,
    *,
    hermes_python: str | None = None,
    which: Callable[[str], str | None] = shutil.which,
    ours: str = sys.executable,
) -> Interpreter:
    """``hermes_python``: the setting; it is believed, even if it cannot be run (the start then says so)."""
    own = python_in(dashboard / ".venv")
    if own is not None:
        return Interpreter(own, "plugin")
    if hermes_python is not None:
        return Interpreter(hermes_python, "hermes")
    command = which("hermes")
    found = hermes_python_of(Path(command)) if command else None
    return Interpreter(found, "hermes") if found else Interpreter(ours, "host")


def python_in(environment: Path) -> str | None:
    """The program of a virtual environment; None where there is none that can be run."""
    for place in _PLACES:
        program = environment / place
        if program.is_file() and os.access(program, os.X_OK):
            return str(program)
    return None


def hermes_python_of(command: Path) -> str | None:
    """The interpreter behind the ``hermes`` command: what its first line names, else the one beside it."""
    try:
        real = Path(os.path.realpath(command))
        with real.open("rb") as file:
            first = file.readline(_SHEBANG_LIMIT_BYTES)
    except OSError:
        return None
    if first.startswith(b"#!"):
        program = Path(first[2:].decode("utf-8", "replace").strip().split(" ")[0])
        if program.is_absolute() and program.name.startswith("python") and os.access(program, os.X_OK):
            return str(program)
    return python_in(real.parent.parent) if real.parent.name in ("bin", "Scripts") else None
