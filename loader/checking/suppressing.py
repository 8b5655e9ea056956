"""Takes away the findings that a ``hermes-ignore`` comment excuses, and says which comments excuse nothing. Pure.

Made anew for each folder, never cached: the same text may lie in two homes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from loader.codes import CODES, finding
from loader.nouns import Candidate, Diagnostic, Suppression, Verdict
from loader.preferences import is_final

_UNUSED = "HP520"
# What only a rehearsal finds: where none ran to its end, nobody can say that such a comment is of no use.
_REHEARSED = ("HP4", "HP306")


def without_suppressed(candidate: Candidate, verdict: Verdict) -> tuple[Diagnostic, ...]:
    """The verdict's findings that no comment of the text excuses, and an info for each comment that excuses none."""
    if not verdict.suppressions:
        return verdict.diagnostics
    used: set[tuple[int, str]] = set()
    kept = []
    for found in verdict.diagnostics:
        by = [number for number, each in enumerate(verdict.suppressions) if excuses(each, found)]
        used.update((number, found.code) for number in by)
        if not by or not is_suppressible(found):
            kept.append(found)
    unused = [
        found
        for found in _unused(verdict, used)
        if not any(excuses(each, found) or each.codes == (_UNUSED,) for each in verdict.suppressions)
    ]
    return (*kept, *unused)


def is_suppressible(found: Diagnostic) -> bool:
    return not is_final(found)


def excuses(suppression: Suppression, found: Diagnostic) -> bool:
    """Whether a comment means this finding: its code, and the line it begins on (or the whole file)."""
    if found.code not in suppression.codes:
        return False
    return suppression.line is None or (found.span is not None and found.span.line == suppression.line)


def _unused(verdict: Verdict, used: Collection[tuple[int, str]]) -> Iterator[Diagnostic]:
    # With an error fewer rules have looked, so silence proves nothing then.
    all_looked = verdict.ok
    played = verdict.rehearsal is not None and verdict.rehearsal.ran and verdict.rehearsal.stopped_by is None
    for number, each in enumerate(verdict.suppressions):
        for code in dict.fromkeys(each.codes):
            why = None
            if code not in CODES:
                why = f"no finding has the code {code}"
            elif (number, code) in used:
                if any(
                    is_final(found) and excuses(replace(each, codes=(code,)), found) for found in verdict.diagnostics
                ):
                    why = f"{code} is an error here, and this one cannot be ignored"
            elif code != _UNUSED and all_looked and (played or not code.startswith(_REHEARSED)):
                where = "in this file" if each.line is None else f"on line {each.line}"
                why = f"there is no {code} {where}"
            if why is not None:
                hint = "Mend what it says." if (number, code) in used else f"Take {code} out of the comment."
                yield finding(_UNUSED, f"this `hermes-ignore` does nothing: {why}", span=each.span, hint=hint)
