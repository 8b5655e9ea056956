"""Asks the person at the terminal. Where there is none, nobody said yes."""

from __future__ import annotations

import sys

from loader.errors import NeedsPerson


def must_be_able_to_ask(what: str) -> None:
    """Raises NeedsPerson (exit 4) where no person can answer."""
    if not has_terminal():
        raise NeedsPerson(
            f"{what} needs your word, and there is no terminal to ask on. Nothing was changed; --yes says it."
        )


def has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def says_yes(question: str) -> bool:
    """One question on standard error. Anything but y or yes is no; so is the end of the input."""
    sys.stdout.flush()
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
