"""What is said of refusals: one warning a second for each plugin and kind, and counters that never grow with calls."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.nouns import Json
from loader.policy import limits

Kind: TypeAlias = Literal["runAction", "pet.say", "os.notify", "preview"]


@dataclass(frozen=True, slots=True)
class LogLine:
    plugin: str
    text: str


@dataclass(slots=True)
class _Stretch:
    """The second that a printed line opened; what falls into it is counted, the last of it kept for the summary."""

    ends_at_s: float
    folded: int = 0
    last: str = ""


class RefusalLog:
    """Folds refusals: the first is printed at once, those of the same second are counted into one line at its end.

    Holds one stretch for each plugin and kind that was refused within the last second.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[str, Kind], _Stretch] = {}
        self._now_s = -math.inf

    def note(self, plugin: str, kind: Kind, error: str, now_s: float) -> list[LogLine]:
        """Lines to print now: those that were due, then this one unless it is folded."""
        lines = self.due(now_s)
        key = (plugin, kind)
        stretch = self._open.get(key)
        if stretch is None:
            self._open[key] = _Stretch(self._now_s + limits.REFUSAL_LINE_INTERVAL_S)
            return [*lines, LogLine(plugin, f"[plugin:{plugin}] {kind}: {error}")]
        stretch.folded += 1
        stretch.last = error
        return lines

    def due(self, now_s: float) -> list[LogLine]:
        """The summaries of the seconds that are over, each in one line, which opens the next second."""
        self._now_s = now_s = max(now_s, self._now_s)
        lines: list[LogLine] = []
        for key in [key for key, stretch in self._open.items() if stretch.ends_at_s <= now_s]:
            plugin, kind = key
            stretch = self._open.pop(key)
            if stretch.folded:
                more = f" (and {stretch.folded - 1} more)" if stretch.folded > 1 else ""
                lines.append(LogLine(plugin, f"[plugin:{plugin}] {kind}: {stretch.last}{more}"))
                self._open[key] = _Stretch(now_s + limits.REFUSAL_LINE_INTERVAL_S)
        return lines

    def next_due_s(self) -> float | None:
        """When a summary will be due, monotonic; None while nothing is folded."""
        return min((stretch.ends_at_s for stretch in self._open.values() if stretch.folded), default=None)

    def remembered(self) -> int:
        return len(self._open)


class Audit:
    """Who asked for what, how often, and what came of it, since start.

    ``what`` must come from a closed set (an action id of the table, "say" …): the caller folds the rest. Plugins
    beyond the bound are counted together, so that ids that come and go do not add up.
    """

    OTHERS = "(others)"

    def __init__(self) -> None:
        self._counts: dict[str, Counter[tuple[str, str, str]]] = {}

    def count(self, plugin: str, kind: Kind, what: str, outcome: str) -> None:
        if plugin not in self._counts and len(self._counts) >= limits.AUDITED_PLUGINS:
            plugin = self.OTHERS
        self._counts.setdefault(plugin, Counter())[kind, what, outcome] += 1

    def as_json(self) -> list[Json]:
        """Rows ``{plugin, kind, what, asked, refused, outcomes: {outcome: count}}`` sorted by plugin, kind, what."""
        rows: dict[tuple[str, str, str], dict[str, int]] = {}
        for plugin, counts in self._counts.items():
            for (kind, what, outcome), count in counts.items():
                rows.setdefault((plugin, kind, what), {})[outcome] = count
        return [
            {
                "plugin": plugin,
                "kind": kind,
                "what": what,
                "asked": sum(outcomes.values()),
                "refused": sum(count for outcome, count in outcomes.items() if outcome != "ok"),
                "outcomes": dict(sorted(outcomes.items())),
            }
            for (plugin, kind, what), outcomes in sorted(rows.items())
        ]
