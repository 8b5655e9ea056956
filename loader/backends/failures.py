"""Why a backend does not answer. Values for the row and the log, one exception for whoever asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from loader.backends.gate import Refusal
from loader.nouns import Json

Trouble: TypeAlias = Literal["no-router", "import-failed", "crashed", "starting", "timed-out", "busy", "bad-path"]
Why: TypeAlias = Refusal | Trouble


@dataclass(frozen=True, slots=True)
class Failure:
    """What became of a start, or of a worker that ran. ``trace``: the last lines, of the import or of the log."""

    why: Literal["no-router", "import-failed", "crashed"]
    error: str
    file: str | None = None
    line: int | None = None
    trace: str = ""

    @property
    def text(self) -> str:
        """One line: the error and its place."""
        if self.file is None:
            return self.error
        place = Path(self.file).name if self.line is None else f"{Path(self.file).name}:{self.line}"
        return f"{self.error} ({place})"

    def as_json(self) -> dict[str, Json]:
        return {"code": self.why, "message": self.error, "file": self.file, "line": self.line, "trace": self.trace}


class StartFailed(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.text)
        self.failure = failure


@dataclass(eq=False)
class Unavailable(Exception):
    """``extra``: members for the problem document."""

    why: Why
    detail: str
    extra: dict[str, Json] = field(default_factory=dict)
    retry_after_s: int | None = None
