"""What a run of the check found out: one value for each file, in the order the files were named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from loader.nouns import Contribution, Diagnostic, ImportRef, Rehearsal, Severity


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """One file and everything the check says of it.

    ``path`` is as the caller named it. ``id`` is the folder's name (the package's for a package's half),
    ``exported_id`` what the file exports, None when unknown. ``revision`` is the sha256 of the bytes in hex, None when
    they could not be read; ``text`` is for code frames, None then too. ``diagnostics`` are sorted by place. ``strict``:
    its warnings fail the run. ``known`` of its findings stood in a baseline and are not among ``diagnostics``.
    """

    path: str
    id: str
    exported_id: str | None = None
    revision: str | None = None
    imports: tuple[ImportRef, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    rehearsal: Rehearsal | None = None
    text: str | None = field(default=None, repr=False)
    strict: bool = False
    known: int = 0

    def fails(self, found: Diagnostic) -> bool:
        """Whether this finding of it makes a run fail."""
        return found.severity == "error" or (self.strict and found.severity == "warning")

    @property
    def ok(self) -> bool:
        """Whether the file loads: it has no error. Warnings do not count here, whatever makes a run fail."""
        return not any(finding.severity == "error" for finding in self.diagnostics)


@dataclass(frozen=True, slots=True)
class CheckRun:
    """All files of one run; ``strict``: warnings of every file fail it, whatever the files' own settings say."""

    files: tuple[CheckedFile, ...]
    strict: bool = False

    def count(self, severity: Severity) -> int:
        return sum(finding.severity == severity for file in self.files for finding in file.diagnostics)

    @property
    def failed(self) -> bool:
        by_file = any(file.fails(finding) for file in self.files for finding in file.diagnostics)
        return by_file or (self.strict and self.count("warning") > 0)

    @property
    def known(self) -> int:
        """How many findings a baseline took away."""
        return sum(file.known for file in self.files)


def made_strict(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What a catalogue would not admit as an error: HP6xx (diagnostics.md, `check --strict`)."""
    return tuple(
        replace(finding, severity="error")
        if finding.code.startswith("HP6") and finding.severity == "warning"
        else finding
        for finding in findings
    )
