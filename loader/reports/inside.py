"""What the workbench shows of one plugin beside its row: its rehearsal, its findings in their code, its past.

Plain JSON with values verbatim, as in ``reports.shape``; code frames are drawn, so unsafe letters in them are escaped.
"""

from __future__ import annotations

from collections.abc import Sequence

from loader.checking.checked import CheckedFile, CheckRun
from loader.inventory.history import Revision
from loader.inventory.subject import Subject
from loader.nouns import Diagnostic, Json, Leak, Plugin, Rehearsal, Verdict
from loader.reports.agent import agent_report
from loader.reports.diff import unified_diff
from loader.reports.frame import Lines, code_frame
from loader.reports.shape import JsonObject, contribution_json, diagnostic_json

FRAME_CELLS = 100
# What one answer may hold of markup: a plugin can render megabytes into each of its contributions.
MARKUP_LIMIT_LETTERS = 200_000
DIFF_LIMIT_LETTERS = 400_000
AGENT_TEXT_LETTERS = 6_000


def rehearsal_json(plugin: Plugin, subject: Subject | None) -> JsonObject:
    """``rehearsal`` is null when nothing was played (refused, unreadable, switched off)."""
    verdict = subject.verdict if subject else None
    return {
        "key": plugin.key,
        "id": plugin.id,
        "revision": subject.revision if subject else plugin.revision,
        "timings": [{"name": name, "ms": round(ms, 3)} for name, ms in verdict.timings_ms] if verdict else [],
        "imports": _imports(verdict),
        "rehearsal": _played(verdict.rehearsal) if verdict and verdict.rehearsal else None,
    }


def _imports(verdict: Verdict | None) -> list[Json]:
    if verdict is None:
        return []
    return [{"specifier": each.specifier, "kind": each.kind, "line": each.span.line} for each in verdict.imports]


def _played(rehearsal: Rehearsal) -> JsonObject:
    left = MARKUP_LIMIT_LETTERS
    drawn: list[Json] = []
    for contribution in rehearsal.contributions:
        html, wireframe = contribution.html, contribution.wireframe
        wanted = len(html or "") + len(wireframe or "")
        cut = wanted > left
        left -= 0 if cut else wanted
        drawn.append(
            {
                **contribution_json(contribution),
                "html": None if cut else html,
                "wireframe": None if cut else wireframe,
                "too_large": cut,
            }
        )
    return {
        "ran": rehearsal.ran,
        "stopped_by": rehearsal.stopped_by,
        "contributions": drawn,
        "console": [{"level": line.level, "text": line.text} for line in rehearsal.console],
        "actions": [*rehearsal.actions],
        "leaks": [_leak(leak) for leak in rehearsal.leaks],
        "timers_fired": rehearsal.timers_fired,
        "cpu_ms": round(rehearsal.cpu_ms, 3),
        "memory_bytes": rehearsal.memory_bytes,
    }


def _leak(leak: Leak) -> JsonObject:
    return {"kind": leak.kind, "detail": leak.detail, "line": leak.span.line if leak.span else None}


def findings_json(plugin: Plugin, text: str | None) -> JsonObject:
    """Each finding with its code frame, and all of them as text for an agent. ``text``: what they point into."""
    lines = None if text is None else Lines(text)
    found = [{**diagnostic_json(each), "frame": _frame(each, lines)} for each in plugin.diagnostics]
    file = CheckedFile(plugin.path, plugin.id, diagnostics=plugin.diagnostics, text=text)
    return {
        "key": plugin.key,
        "id": plugin.id,
        "revision": plugin.revision,
        "diagnostics": [*found],
        "for_agents": agent_report(CheckRun((file,)), limit=AGENT_TEXT_LETTERS),
    }


def _frame(found: Diagnostic, lines: Lines | None) -> list[Json]:
    if found.span is None or lines is None:
        return []
    frame = code_frame(lines, found.span, width=FRAME_CELLS, context=2)
    return [{"number": line.number, "text": line.text} for line in frame]


def history_json(plugin: Plugin, revisions: Sequence[Revision]) -> JsonObject:
    """Newest first. ``number`` counts within the answer and names a revision in a diff."""
    return {
        "key": plugin.key,
        "id": plugin.id,
        "revisions": [
            {
                "revision": each.revision,
                "seen_at": each.seen_at,
                "outcome": each.outcome,
                "errors": sum(found.severity == "error" for found in each.diagnostics),
                "warnings": sum(found.severity == "warning" for found in each.diagnostics),
                "codes": [*sorted({found.code for found in each.diagnostics if found.severity != "info"})],
                "has_text": each.text is not None,
            }
            for each in reversed(revisions)
        ],
    }


def diff_json(plugin: Plugin, before: Revision, after: Revision) -> JsonObject:
    """``diff`` is null when the text of either was too large to be kept or could not be read."""
    if before.text is None or after.text is None:
        diff: str | None = None
    else:
        diff = unified_diff(f"{plugin.folder}/plugin.js", before.text, after.text)
    cut = diff is not None and len(diff) > DIFF_LIMIT_LETTERS
    return {
        "before": before.revision,
        "after": after.revision,
        "diff": diff[:DIFF_LIMIT_LETTERS] if diff is not None else None,
        "cut": cut,
    }
