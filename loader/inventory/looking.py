"""One look at the disk: the bytes of a plugin, once, and whether they are those that were vouched for.

Everything here blocks and belongs into a thread. Integrity comes first: what fails it is never looked into.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from loader.integrity import check_integrity, declared_integrity
from loader.nouns import Candidate, Diagnostic, Source
from loader.preferences import NO_PREFERENCES, Preferences, preferences_beside, settings_files
from loader.source import Unreadable, is_blank, read_source

DECLARED_FILE = "integrity.json"
Signature: TypeAlias = tuple[tuple[int, ...] | None, ...]
FindPreferences: TypeAlias = Callable[[Candidate], tuple[Preferences, tuple[Diagnostic, ...]]]


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen. ``absent``: there is no plugin (any more). ``findings`` are those of reading and integrity.

    ``signature`` is what a later look compares before it reads again. ``pins`` are the pins that were checked.
    ``declared_refused``: the plugin's own integrity.json refuses the bytes (two files are saved, one is late).
    ``fleeting``: a file without bytes, a link that leads nowhere: what a save looks like half-way.
    ``preferences``: which of its findings are wanted.
    """

    candidate: Candidate | None
    signature: Signature = ()
    source: Source | None = field(default=None, repr=False)
    findings: tuple[Diagnostic, ...] = ()
    pins: tuple[str, ...] = ()
    absent: bool = False
    declared_refused: bool = False
    fleeting: bool = False
    preferences: Preferences = NO_PREFERENCES

    @property
    def token(self) -> tuple[object, ...]:
        """What tells one content from another: time stamps do not."""
        return (
            self.candidate,
            self.absent,
            self.source.sha256 if self.source else "",
            self.findings,
            self.pins,
            self.preferences,
        )

    @property
    def may_be_opened(self) -> bool:
        """Whether the analysis may look inside."""
        return self.source is not None and not any(finding.severity == "error" for finding in self.findings)


def look_at(
    candidate: Candidate | None, pins: tuple[str, ...], *, find_preferences: FindPreferences = preferences_beside
) -> Look:
    """Read one plugin now. ``pins`` are all integrity strings that the bytes have to match.

    Raises what ``find_preferences`` raises; that of the inventory raises nothing.
    """
    if candidate is None:
        return Look(None, absent=True)
    # Before the bytes: whatever changes after this shows as another signature, never as the same one.
    signature = signature_of(candidate)
    read = read_source(candidate)
    if isinstance(read, Unreadable):
        # A link that leads nowhere is still something that the user put there, and has to be told of.
        gone = read.absent and not os.path.lexists(candidate.path)
        fleeting = read.absent or read.empty
        return Look(candidate, signature, findings=read.findings, pins=pins, absent=gone, fleeting=fleeting)
    preferences, about_them = find_preferences(candidate)
    findings = [*read.findings, *about_them]
    for pin in pins:
        findings += check_integrity(pin, read)
    declared = _declared_findings(candidate, read)
    return Look(
        candidate,
        signature,
        read,
        (*findings, *declared),
        pins,
        declared_refused=bool(declared),
        fleeting=is_blank(read.data),
        preferences=preferences,
    )


def look_again(before: Look, candidate: Candidate | None, pins: tuple[str, ...]) -> Look:
    """The earlier look if nothing moved since; else a new one."""
    if before.candidate != candidate or before.pins != pins or candidate is None:
        return look_at(candidate, pins)
    return before if not moved(before) else look_at(candidate, pins)


def moved(before: Look) -> bool:
    """Whether the files differ from what was seen, as far as a stat can tell."""
    if before.candidate is None:
        return False
    # What the disk would not give is asked for again: that it gives it now shows in no stat.
    if before.source is None and not before.absent:
        return True
    # Windows keeps no time of change that a program cannot set, so a stat proves nothing there.
    return os.name == "nt" or signature_of(before.candidate) != before.signature


def signature_of(candidate: Candidate) -> Signature:
    """Links are followed: a linked plugin.js changes when its target does."""
    return tuple(map(_stat, _signed_files(candidate)))


@lru_cache(maxsize=4096)
def _signed_files(candidate: Candidate) -> tuple[str, ...]:
    # Made once: building paths took four fifths of what a quiet service with 500 plugins did.
    path = Path(candidate.path)
    return tuple(map(str, (path, path.with_name(DECLARED_FILE), *settings_files(candidate))))


def _stat(path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - hundreds of them at each reconcile
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev, found.st_mode)


def _declared_findings(candidate: Candidate, source: Source) -> tuple[Diagnostic, ...]:
    declared = declared_integrity(candidate)
    if declared is None:
        return ()
    if isinstance(declared, Diagnostic):
        return (declared,)
    return check_integrity(declared, source)
