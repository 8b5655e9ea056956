"""What the engine's strict compile says of one text: the contract between the engine and the static check.

Nothing of the text has run when this value exists (docs/sandbox.md, "Strict compile").
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineError:
    """A syntax error in the engine's own words; line and column count from 1, None where the engine gives none."""

    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Compiled:
    """The outcome of one compile.

    ``specifiers`` are those of static imports and re-exports as the engine asked for them: decoded, in order,
    each at least once; None when the text did not parse. ``error`` is then what the engine said.
    ``gave_up`` says which bound ended the compile instead (time, memory, stack); the text is then undecided.
    """

    specifiers: tuple[str, ...] | None
    error: EngineError | None = None
    gave_up: str | None = None
