"""The cases of more.jsonl, and what long texts in them stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

Case: TypeAlias = dict[str, Any]

# By line feeds alone: a text may hold other line ends.
CASES: tuple[Case, ...] = tuple(
    json.loads(line) for line in (Path(__file__).parent / "more.jsonl").read_text("utf-8").split("\n") if line
)


def of(*kinds: str) -> list[Case]:
    return [case for case in CASES if case["kind"] in kinds]


def named(case: Case) -> str:
    return str(case["id"])


def spelled(value: Any) -> Any:
    """A text as it is; a list of ``[text, times]`` is the text that it makes, so that a case stays readable."""
    return "".join(piece * times for piece, times in value) if isinstance(value, list) else value
