"""The static half of an analysis, as it travels between the service and a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from loader.nouns import Verdict
from loader.settings import AnalysisSettings

ImportedNames: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The names that the text imports or re-exports by name, for each specifier."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The static half of a verdict and what the rehearsal needs of it.

    ``known_names``: the stage has all of ``names`` anyway, so that a rehearsal without them comes to the same.
    """

    verdict: Verdict
    names: ImportedNames = ()
    known_names: bool = False

    def wants_rehearsal(self, settings: AnalysisSettings) -> bool:
        return self.verdict.ok and settings.rehearsal != "off" and self.verdict.rehearsal is None
