"""The last revisions of each plugin, for the workbench: in memory, bounded, gone with the plugin."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from loader.inventory.subject import Subject
from loader.nouns import Diagnostic, Plugin, PluginState
from loader.settings import LARGE_SOURCE_BYTES

KEPT_REVISIONS = 5


@dataclass(frozen=True, slots=True)
class Revision:
    """One settled revision. ``text`` is None for what could not be read or is too large to be kept five times."""

    revision: str
    seen_at: str
    outcome: PluginState
    diagnostics: tuple[Diagnostic, ...]
    text: str | None = field(repr=False)


class History:
    def __init__(self) -> None:
        self._kept: dict[str, deque[Revision]] = {}

    def of(self, key: str) -> tuple[Revision, ...]:
        """Oldest first; empty for an unknown plugin."""
        return tuple(self._kept.get(key, ()))

    def note(self, row: Plugin, subject: Subject, at: str) -> None:
        """A revision that was judged anew takes the place of its earlier entry if that is the latest one."""
        kept = self._kept.setdefault(row.key, deque(maxlen=KEPT_REVISIONS))
        source = subject.source
        text = source.text if source is not None and source.size_bytes <= LARGE_SOURCE_BYTES else None
        if kept and kept[-1].revision == row.revision and row.revision:
            at = kept.pop().seen_at
        kept.append(Revision(row.revision, at, row.state, row.diagnostics, text))

    def forget(self, key: str) -> None:
        self._kept.pop(key, None)
