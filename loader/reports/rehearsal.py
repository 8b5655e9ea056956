"""What a plugin did when it was played through: for a person as wireframes, for programs as JSON."""

from __future__ import annotations

from rich.text import Text

from loader.checking.checked import CheckedFile
from loader.nouns import Contribution, Json, Leak, Rehearsal
from loader.reports.safe import visible, visible_lines
from loader.reports.shape import contribution_json, diagnostic_json

# The sandbox bounds what is recorded; these bound what a screen has to take.
_WIREFRAME_LINES = 60
_CONSOLE_LINES = 50
_HEARD = ": handled"


def rehearsal_json(file: CheckedFile) -> dict[str, Json]:
    """One file, its findings, and everything that was recorded; ``rehearsal`` is None where nothing was played."""
    return {
        "path": file.path,
        "id": file.id,
        "exported_id": file.exported_id,
        "ok": file.ok,
        "revision": file.revision,
        "diagnostics": [diagnostic_json(finding) for finding in file.diagnostics],
        "rehearsal": _recorded(file.rehearsal) if file.rehearsal else None,
    }


def _recorded(rehearsal: Rehearsal) -> dict[str, Json]:
    return {
        "ran": rehearsal.ran,
        "stopped_by": rehearsal.stopped_by,
        "contributions": [
            contribution_json(found) | {"html": found.html, "wireframe": found.wireframe}
            for found in rehearsal.contributions
        ],
        "console": [{"level": line.level, "text": line.text} for line in rehearsal.console],
        "events": list(rehearsal.events),
        "actions": list(rehearsal.actions),
        "leaks": [_leak_json(leak) for leak in rehearsal.leaks],
        "timers_fired": rehearsal.timers_fired,
        "cpu_ms": round(rehearsal.cpu_ms, 3),
        "memory_bytes": rehearsal.memory_bytes,
    }


def _leak_json(leak: Leak) -> dict[str, Json]:
    span = leak.span
    return {
        "kind": leak.kind,
        "detail": leak.detail,
        "line": span.line if span else None,
        "column": span.column if span else None,
    }


def rehearsal_text(file: CheckedFile) -> Text:
    """The play of one file, without its findings. Ends with a line feed."""
    text = Text()
    text.append(visible(file.exported_id or file.id), "bold")
    text.append(f" ({visible(file.path)})\n")
    rehearsal = file.rehearsal
    if rehearsal is None:
        return text.append("  not played: it has errors\n" if not file.ok else "  not played\n")
    if not rehearsal.ran:
        return text.append(f"  not played: {visible(rehearsal.stopped_by or 'no reason given')}\n")
    if rehearsal.stopped_by:
        text.append(f"  stopped early: {visible(rehearsal.stopped_by)}\n", "yellow")
    for found in rehearsal.contributions:
        text.append_text(_contribution(found))
    if not rehearsal.contributions:
        text.append("  it contributes nothing\n")
    for event in rehearsal.events:
        # What was asked for and met nothing would else look like what is drawn after it.
        text.append(f"  event  {visible(event)}\n", "dim" if event.endswith(_HEARD) else "yellow")
    for action in rehearsal.actions:
        text.append(f"  asked of the app  {visible(action)}\n", "dim")
    _console(text, rehearsal)
    for leak in rehearsal.leaks:
        place = f" (line {leak.span.line})" if leak.span else ""
        text.append(f"  left alive: {leak.kind} {visible(leak.detail)}{place}\n", "yellow")
    timers = f", {rehearsal.timers_fired} timer calls" if rehearsal.timers_fired else ""
    memory = f"{rehearsal.memory_bytes / 1_048_576:.1f} MiB"
    return text.append(f"  played in {rehearsal.cpu_ms:.0f} ms of CPU time, {memory}{timers}\n", "dim")


def _contribution(found: Contribution) -> Text:
    text = Text("  ")
    text.append(visible(found.area), "cyan")
    text.append(f"  {visible(found.scoped_id)}")
    if found.title:
        text.append(f"  {visible(found.title)}", "bold")
    if found.order is not None:
        text.append(f"  order {found.order:g}", "dim")
    text.append("\n")
    if found.wireframe:
        lines = found.wireframe.rstrip("\n").split("\n")
        for line in lines[:_WIREFRAME_LINES]:
            text.append(f"    {visible(line)}\n")
        if len(lines) > _WIREFRAME_LINES:
            text.append(f"    … {len(lines) - _WIREFRAME_LINES} more lines\n", "dim")
    return text


def _console(text: Text, rehearsal: Rehearsal) -> None:
    for line in rehearsal.console[:_CONSOLE_LINES]:
        shown = visible_lines(line.text, limit=500).replace("\n", "\n           ")
        text.append(f"  {line.level:<5}  ", "red" if line.level == "error" else "dim")
        text.append(f"{shown}\n")
    if len(rehearsal.console) > _CONSOLE_LINES:
        text.append(f"  … {len(rehearsal.console) - _CONSOLE_LINES} more console lines\n", "dim")
