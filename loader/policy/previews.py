"""Prompts of preview frames (``window.hermes.send``): trimmed, bounded, one a second for each frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.nouns import Json
from loader.policy import limits
from loader.policy.answers import Dropped
from loader.policy.text import clean_text

PromptDropped: TypeAlias = Literal["empty", "frame", "rate"]

WHY: dict[PromptDropped, str] = {
    "empty": "nothing is left of the prompt after trimming",
    "frame": f"a frame's id has 1 to {limits.FRAME_ID_CODE_POINTS} characters",
    "rate": f"one prompt in {limits.PROMPT_INTERVAL_S:g} s for each frame",
}


@dataclass(frozen=True, slots=True)
class Prompted:
    """The prompt as it may be handed on."""

    prompt: str

    def as_json(self) -> dict[str, Json]:
        return {"ok": True, "prompt": self.prompt}


def _dropped(reason: PromptDropped) -> Dropped:
    return Dropped(reason, WHY[reason])


class PreviewGate:
    """Remembers only frames that sent within the last second, in the order of their sending."""

    def __init__(self) -> None:
        self._sent_at_s: dict[str, float] = {}
        self._now_s = -math.inf

    def send(self, frame: str, text: Json, now_s: float) -> Prompted | Dropped:
        """Checks in order: frame, empty, rate. A prompt that is dropped does not put off the next one."""
        self._now_s = now_s = max(now_s, self._now_s)
        self._forget(now_s)
        if not 0 < len(frame) <= limits.FRAME_ID_CODE_POINTS:
            return _dropped("frame")
        prompt = clean_text(text, graphemes=limits.PROMPT_GRAPHEMES, code_points=limits.PROMPT_CODE_POINTS)
        if not prompt:
            return _dropped("empty")
        if frame in self._sent_at_s or len(self._sent_at_s) >= limits.FRAMES_REMEMBERED:
            return _dropped("rate")
        self._sent_at_s[frame] = now_s
        return Prompted(prompt)

    def remembered(self) -> int:
        return len(self._sent_at_s)

    def _forget(self, now_s: float) -> None:
        # Insertion order is order of time, so that the sweep ends at the first frame still waiting.
        while self._sent_at_s:
            oldest = next(iter(self._sent_at_s))
            if now_s - self._sent_at_s[oldest] < limits.PROMPT_INTERVAL_S:
                return
            del self._sent_at_s[oldest]
