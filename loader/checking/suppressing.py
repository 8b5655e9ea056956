"""Takes away the findings that a ``hermes-ignore`` comment excuses. Pure, made anew for each folder, never cached."""

from __future__ import annotations

from loader.nouns import Candidate, Diagnostic, Suppression, Verdict

# What keeps a file from loading stays said: reading, language, imports, identity (diagnostics.md, "Suppression").
_NEVER = ("HP0", "HP1", "HP2", "HP3")


def without_suppressed(candidate: Candidate, verdict: Verdict) -> tuple[Diagnostic, ...]:
    """The verdict's findings that no comment of the text excuses, in their order."""
    if not verdict.suppressions:
        return verdict.diagnostics
    return tuple(
        finding
        for finding in verdict.diagnostics
        if not (is_suppressible(finding) and any(excuses(each, finding) for each in verdict.suppressions))
    )


def is_suppressible(finding: Diagnostic) -> bool:
    return not (finding.severity == "error" and finding.code.startswith(_NEVER))


def excuses(suppression: Suppression, finding: Diagnostic) -> bool:
    """Whether a comment means this finding: its code, and the line it begins on (or the whole file)."""
    if finding.code not in suppression.codes:
        return False
    return suppression.line is None or (finding.span is not None and finding.span.line == suppression.line)
