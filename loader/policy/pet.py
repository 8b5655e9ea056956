"""pet.say: which lines the pet's bubble shows. One book for all plugins, in the order in which lines were first said.

Every method takes ``now_s``, monotonic seconds; a step back is taken for standing still. Deciding and
applying is one step without an await between, so that callers at the same time cannot overrun a limit.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from loader.nouns import Json
from loader.policy import limits
from loader.policy.text import clean_line, clean_name, shown

Tone: TypeAlias = Literal["info", "wait", "warn", "error"]
CoreStatus: TypeAlias = Literal["idle", "error", "waiting"]
Dropped: TypeAlias = Literal["empty", "id", "rate", "lines", "gone"]

TONES: dict[str, Tone] = {"info": "info", "wait": "wait", "warn": "warn", "error": "error"}

WHY: dict[Dropped, str] = {
    "empty": "nothing is left of the text after cleaning",
    "id": f"the line's id is empty or longer than {limits.LINE_ID_CODE_POINTS} characters",
    "rate": f"more than {limits.CALLS_IN_WINDOW} calls in {limits.CALL_WINDOW_S:g} s",
    "lines": f"{limits.LIVE_LINES} lines are already showing; give a line an id to replace it",
    "gone": "this revision of the plugin is no longer running",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A live line. ``expires_at_s`` is monotonic.

    ``revision`` made it and takes it along; ``call`` is the caller's own mark for its disposer. Neither shows.
    """

    plugin: str
    id: str
    label: str
    text: str
    tone: Tone
    expires_at_s: float
    revision: str = field(default="", compare=False)
    call: str | None = field(default=None, compare=False)

    def as_json(self, now_s: float) -> dict[str, Json]:
        return {
            "plugin": self.plugin,
            "id": self.id,
            "label": self.label,
            "text": self.text,
            "tone": self.tone,
            # Rounded first: a difference of two clock readings is a millionth too much as often as not.
            "expires_in_ms": max(0, math.ceil(round((self.expires_at_s - now_s) * 1000, 3))),
        }


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to one call: the accepted line's id, or why it was dropped. ``warning`` is for the console."""

    line: str | None = None
    reason: Dropped | None = None
    warning: str | None = None

    def as_json(self) -> dict[str, Json]:
        if self.reason is None:
            return {"ok": True, "line": self.line}
        return {"ok": False, "reason": self.reason}


GONE = Said(reason="gone")


def ttl_ms(value: Json) -> float:
    """Milliseconds that a line lives: clamped, the default for what is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return limits.DEFAULT_TTL_MS
    if isinstance(value, float) and not math.isfinite(value):
        return limits.DEFAULT_TTL_MS
    return min(max(value, limits.MIN_TTL_MS), limits.MAX_TTL_MS)


class PetBook:
    """All live lines, each plugin's window of calls, and what the shell told of the pet.

    Holds at most 3 lines and 10 times of call for each plugin that called within the last 30 s.
    """

    def __init__(self, *, label_of: Callable[[str], str | None] = lambda plugin: None) -> None:
        """``label_of`` gives the plugin's name from the inventory, never one that a call supplies."""
        self._label_of = label_of
        self._lines: dict[tuple[str, str], Line] = {}
        self._calls: dict[str, deque[float]] = {}
        self._made = 0
        self._now_s = -math.inf
        self.visible = False
        self.core_status: CoreStatus = "idle"

    def say(
        self,
        plugin: str,
        text: Json,
        now_s: float,
        *,
        line_id: Json = None,
        tone: Json = None,
        ttl: Json = None,
        revision: str = "",
        call: str | None = None,
    ) -> Said:
        """Accept or drop one line of ``plugin``; the checks in order: empty, id, rate, lines."""
        now_s = self._advance(now_s)
        cleaned = clean_line(text, graphemes=limits.LINE_GRAPHEMES, code_points=limits.LINE_CODE_POINTS)
        if not cleaned:
            return Said(reason="empty")
        name = None if line_id is None else clean_name(line_id, code_points=limits.LINE_ID_CODE_POINTS)
        if line_id is not None and name is None:
            return Said(reason="id")
        calls = self._calls.setdefault(plugin, deque(maxlen=limits.CALLS_IN_WINDOW))
        if len(calls) == limits.CALLS_IN_WINDOW:
            return Said(reason="rate")
        calls.append(now_s)
        if name is None:
            name = self._make_id(plugin)
        if (plugin, name) not in self._lines and len(self.lines_of(plugin)) >= limits.LIVE_LINES:
            return Said(reason="lines")
        known_tone = TONES.get(tone) if isinstance(tone, str) else None
        # A dict keeps the place of a key that is assigned again: a replaced line stays where it stood.
        self._lines[plugin, name] = Line(
            plugin=plugin,
            id=name,
            label=self._label(plugin),
            text=cleaned,
            tone=known_tone or "info",
            expires_at_s=now_s + ttl_ms(ttl) / 1000,
            revision=revision,
            call=call,
        )
        warned = tone is not None and known_tone is None
        return Said(line=name, warning=f"'{shown(tone)}' is no tone, taken as info" if warned else None)

    def clear(self, plugin: str, now_s: float, *, line_id: Json = None, call: str | None = None) -> bool:
        """Remove one line, or all, of ``plugin`` alone; with ``call`` only what that very call made.

        Returns whether a line went. A disposer passes ``call``, so that it spares a later replacement.
        """
        self._advance(now_s)
        if line_id is None:
            doomed = [key for key in self._lines if key[0] == plugin]
        else:
            name = clean_name(line_id, code_points=limits.LINE_ID_CODE_POINTS)
            doomed = [(plugin, name)] if name is not None and (plugin, name) in self._lines else []
        doomed = [key for key in doomed if call is None or self._lines[key].call == call]
        for key in doomed:
            del self._lines[key]
        return bool(doomed)

    def drop_revision(self, plugin: str, revision: str) -> None:
        """Unload, disable and reload: every line that this revision made goes at once; its calls still count."""
        for key in [key for key, line in self._lines.items() if key[0] == plugin and line.revision == revision]:
            del self._lines[key]

    def lines_of(self, plugin: str) -> list[Line]:
        return [line for line in self._lines.values() if line.plugin == plugin]

    def live(self, now_s: float) -> tuple[Line, ...]:
        """All live lines, shown or not."""
        self._advance(now_s)
        return tuple(self._lines.values())

    def shown(self, now_s: float) -> tuple[Line, ...]:
        """What the bubble shows of plugins: nothing without a visible pet or while the core has something to say."""
        lines = self.live(now_s)
        return lines if self.visible and self.core_status == "idle" else ()

    def windows(self, now_s: float) -> list[tuple[str, int, int]]:
        """(plugin, calls in its window, live lines) of those that called within the window, sorted by plugin."""
        self._advance(now_s)
        return [(plugin, len(self._calls[plugin]), len(self.lines_of(plugin))) for plugin in sorted(self._calls)]

    def next_expiry_s(self) -> float | None:
        """When the next line ends by itself, monotonic; None without lines."""
        return min((line.expires_at_s for line in self._lines.values()), default=None)

    def remembered(self) -> tuple[int, int]:
        """How many lines and windows of calls are held: what a test of bounded memory looks at."""
        return len(self._lines), len(self._calls)

    def _advance(self, now_s: float) -> float:
        self._now_s = now_s = max(now_s, self._now_s)
        for key in [key for key, line in self._lines.items() if line.expires_at_s <= now_s]:
            del self._lines[key]
        for plugin in list(self._calls):
            calls = self._calls[plugin]
            while calls and now_s - calls[0] >= limits.CALL_WINDOW_S:
                calls.popleft()
            if not calls:
                del self._calls[plugin]
        return now_s

    def _label(self, plugin: str) -> str:
        for name in (self._label_of(plugin), plugin):
            label = clean_line(name, graphemes=limits.LABEL_GRAPHEMES, code_points=limits.LABEL_CODE_POINTS)
            if label:
                return label
        return plugin

    def _make_id(self, plugin: str) -> str:
        while True:
            self._made += 1
            if (plugin, made := f"line:{self._made}") not in self._lines:
                return made
