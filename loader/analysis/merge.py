"""Findings from several makers as one list: sorted by place, each once, and whether the whole may be kept."""

from __future__ import annotations

from collections.abc import Iterable

from loader.nouns import Diagnostic

# What these say depends on the machine's mood or on what an engine cannot do yet; kept, they would outlive their cause.
NEVER_CACHED = frozenset({"HP106", "HP402", "HP404", "HP405"})


def merged(*groups: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """All findings sorted by place, without repetitions.

    Two makers may see one mistake at one place under one code; the first group's wording stays.
    """
    seen: dict[tuple[object, ...], Diagnostic] = {}
    for group in groups:
        for finding in group:
            where = (finding.code, finding.span) if finding.span else (finding.code, finding.message)
            seen.setdefault((*where, finding.message), finding)
    return tuple(sorted(seen.values(), key=lambda finding: finding.sort_key))


def is_cacheable(findings: Iterable[Diagnostic]) -> bool:
    return not any(finding.code in NEVER_CACHED for finding in findings)
