"""Where the command line prints: standard output for answers, standard error for everything about them."""

from __future__ import annotations

import io
import os
import shutil
import sys
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# Where nobody said how wide the reader's window is: a pipe, a log, a file.
_UNKNOWN_WIDTH = 100
_WIDEST = 10_000


@dataclass(frozen=True, slots=True)
class Face:
    """How this run of the command line looks: set once by the options that every command takes."""

    debug: bool = False
    no_color: bool = False


FACE: ContextVar[Face] = ContextVar("hermes_desktop_face", default=Face())  # noqa: B039 (frozen)


def width() -> int:
    """Cells across: the terminal's, or COLUMNS, or a width that suits a log."""
    return max(shutil.get_terminal_size((_UNKNOWN_WIDTH, 24)).columns, 20)


def console(stream: TextIO | None = None) -> Console:
    """A rich console that draws styled text and nothing else: no markup, no emoji names, no wrapping, no highlights.

    Colour on a terminal only; NO_COLOR, TERM=dumb and --no-color turn it off.
    """
    from rich.console import Console

    return Console(
        file=stream or sys.stdout,
        width=width(),
        no_color=FACE.get().no_color or bool(os.environ.get("NO_COLOR")) or None,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=True,
    )


def may_be_drawn() -> bool:
    """Whether rich might do more with standard output than to write text as it is."""
    return sys.stdout.isatty() or "FORCE_COLOR" in os.environ or "TTY_COMPATIBLE" in os.environ


def print_table(table: Table) -> None:
    """A rich table without the blanks that it pads its lines with. A narrow terminal breaks its lines: an id or a code
    of which half is missing could not be copied.
    """
    from rich.measure import Measurement

    out = console()
    out.width = max(out.width, Measurement.get(out, out.options.update(width=_WIDEST), table).minimum)
    with out.capture() as captured:
        out.print(table)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def say(line: str = "") -> None:
    """One line of the answer. Whatever comes from outside must have gone through ``visible``."""
    sys.stdout.write(f"{line}\n")


def remark(line: str) -> None:
    """One line about the answer, for the person: standard error, so that pipes stay clean."""
    sys.stdout.flush()
    sys.stderr.write(f"{line}\n")


def print_json(value: object) -> None:
    from loader.reports.check_json import json_text

    sys.stdout.write(json_text(value))


def tolerate_every_letter() -> None:
    """A terminal that cannot draw a letter gets its escape: printing a name must not end the command.

    Nor must a stream that the caller closed (`>&-`): what would go there goes nowhere, and the exit code tells.
    """
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")
