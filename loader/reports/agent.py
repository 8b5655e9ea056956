"""Findings as a language model needs them: for each the place, the cause, the fix, and nothing twice.

Errors come first, the same advice for several places is given once, and the whole is bounded: what was left out is
counted, and how to see it is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loader.checking.checked import CheckedFile, CheckRun
from loader.nouns import Diagnostic, Severity
from loader.reports.frame import Lines
from loader.reports.safe import visible

# About three thousand tokens: room for dozens of findings, little enough to be read again after every edit.
LIMIT_LETTERS = 12_000
_MESSAGE_LETTERS = 400
_HINT_LETTERS = 600
_CODE_LETTERS = 160
_MOST_PLACES = 8
_ORDER: tuple[Severity, ...] = ("error", "warning", "info")
# The last line, that says what is missing, always fits.
_RESERVE = 400


@dataclass(frozen=True, slots=True)
class _Entry:
    """One finding, or several of one file that say the same of different places."""

    path: str
    findings: tuple[Diagnostic, ...]

    @property
    def severity(self) -> Severity:
        return self.findings[0].severity


def agent_report(run: CheckRun, *, limit: int = LIMIT_LETTERS) -> str:
    """The whole text, at most ``limit`` letters (at least some hundred), with a line feed at the end."""
    entries = sorted(
        (entry for file in run.files for entry in _entries(file)), key=lambda entry: _ORDER.index(entry.severity)
    )
    head = _head(run)
    lines = [head]
    room = limit - len(head) - 1 - _RESERVE
    texts = {file.path: Lines(file.text or "") for file in run.files}
    left: list[_Entry] = []
    for entry in entries:
        told = _told(entry, texts[entry.path])
        if left or len(told) + 1 > room:
            left.append(entry)
            continue
        lines.append(told)
        room -= len(told) + 1
    if left:
        lines.append(_left_out(left))
    if any(found.fix for entry in entries for found in entry.findings):
        lines.append("Fixes marked [auto] are applied by `check --fix`.")
    return "\n".join(lines) + "\n"


def _head(run: CheckRun) -> str:
    counts = [_counted(run.count(severity), severity) for severity in _ORDER if run.count(severity)]
    known = f" Left out as known (baseline): {run.known}." if run.known else ""
    verdict = "FAILED" if run.failed else "ok"
    return f"{verdict}: {_counted(len(run.files), 'file')}, {', '.join(counts) or 'no findings'}.{known}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _entries(file: CheckedFile) -> Iterator[_Entry]:
    together: dict[tuple[str, Severity, str, str | None], list[Diagnostic]] = {}
    for found in file.diagnostics:
        together.setdefault((found.code, found.severity, found.message, found.hint), []).append(found)
    for findings in together.values():
        yield _Entry(file.path, tuple(findings))


def _told(entry: _Entry, lines: Lines) -> str:
    first = entry.findings[0]
    place = visible(entry.path) + _places(entry.findings)
    message = visible(first.message, limit=_MESSAGE_LETTERS)
    told = [f"{place} {first.severity} {first.code} {first.rule}: {message}"]
    span = first.span
    line = lines.line(span.line) if span is not None else None
    if span is not None and line is not None:
        code = line if len(line) <= _CODE_LETTERS else line[max(span.column - _CODE_LETTERS // 2, 0) :]
        if code.strip():
            told.append(f"  code: {visible(code.strip(), limit=_CODE_LETTERS)}")
    automatic = "[auto] " if all(found.fix for found in entry.findings) else ""
    way_out = first.hint or (first.fix.title if first.fix else None)
    told.append(f"  fix: {automatic}{visible(way_out, limit=_HINT_LETTERS)}" if way_out else f"  see: {first.url}")
    return "\n".join(told)


def _places(findings: tuple[Diagnostic, ...]) -> str:
    shown = [f"{found.span.line}:{found.span.column}" for found in findings if found.span][:_MOST_PLACES]
    if not shown:
        return ""
    more = f"+{len(findings) - len(shown)} more" if len(findings) > len(shown) else ""
    return ":" + ",".join([*shown, more] if more else shown)


def _left_out(left: Iterable[_Entry]) -> str:
    counts: dict[str, int] = {}
    for entry in left:
        code = entry.findings[0].code
        counts[code] = counts.get(code, 0) + len(entry.findings)
    codes = sorted(counts, key=lambda code: -counts[code])
    named = ", ".join(f"{counts[code]} {code}" for code in codes[:12]) + (", …" if len(codes) > 12 else "")
    return f"{sum(counts.values())} more left out ({named}). See them with `check --select CODE` or one file at a time."
