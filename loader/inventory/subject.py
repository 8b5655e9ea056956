"""What the last settled look at one plugin found, judged: the one thing the inventory is fed with. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from loader.nouns import Candidate, Diagnostic, Identity, Source, Verdict

# New bytes refused for one of these may be an attack: the old revision does not keep running beside them.
REFUSING_CODES = frozenset(("HP010", "HP011", "HP201", "HP202", "HP203", "HP208", "HP209"))
INTEGRITY_CODES = frozenset(("HP010", "HP011"))


@dataclass(frozen=True, slots=True)
class Subject:
    """One plugin as it lies on disk.

    ``source`` is None when it could not be read, ``verdict`` None when nothing looked inside (unreadable, or
    refused by its integrity first). ``findings`` are all but those about duplicate ids, sorted by place, each once.
    ``integrity`` is that of the bytes, empty without any.
    """

    candidate: Candidate
    source: Source | None
    verdict: Verdict | None
    findings: tuple[Diagnostic, ...] = ()
    integrity: str = ""
    checked_in_ms: float = 0.0

    @property
    def revision(self) -> str:
        return self.source.sha256 if self.source else ""

    @property
    def error_codes(self) -> tuple[str, ...]:
        return tuple(sorted({finding.code for finding in self.findings if finding.severity == "error"}))

    @property
    def failing(self) -> bool:
        return bool(self.error_codes)

    @property
    def refused(self) -> bool:
        return not REFUSING_CODES.isdisjoint(self.error_codes)

    @property
    def verified(self) -> bool:
        """Whether the bytes are those that somebody vouched for (or nobody asked)."""
        return self.source is not None and INTEGRITY_CODES.isdisjoint(self.error_codes)

    @property
    def identity(self) -> Identity | None:
        """What the bytes say of themselves; None when nobody could tell (they do not parse, or were not opened)."""
        if self.verdict is None or (self.verdict.identity == Identity() and not self.verdict.ok):
            return None
        return self.verdict.identity

    def says_the_same(self, other: Subject) -> bool:
        """Whether no row could tell the two apart (how long the check took is not news)."""
        return self._said() == other._said()

    def _said(self) -> tuple[object, ...]:
        contributions = self.verdict.contributions if self.verdict else ()
        return (self.candidate, self.revision, self.findings, self.integrity, self.identity, contributions)


def in_order(findings: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Sorted by place, the same one never twice."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.sort_key))
