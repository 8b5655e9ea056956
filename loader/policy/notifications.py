"""Native notifications (``ctx.os.notify``): whether one may be shown, and the one route that a click would open.

The gate decides and hands back what may be shown; a shell shows it and navigates on a person's click only.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import regex

from loader.nouns import Json
from loader.policy import limits
from loader.policy.answers import Dropped
from loader.policy.text import clean_line, clean_text, shown

NotificationDropped: TypeAlias = Literal["empty", "off", "focused", "repeat", "rate", "gone"]

WHY: dict[NotificationDropped, str] = {
    "empty": "a notification needs a title",
    "off": "the user has switched plugin notifications off",
    "focused": "the app window has the focus",
    "repeat": f"the same title and body came within {limits.REPEAT_WINDOW_S:g} s",
    "rate": f"more than {limits.NOTIFICATIONS_IN_WINDOW} in {limits.NOTIFICATION_WINDOW_S:g} s",
    "gone": "this revision of the plugin is no longer running",
}

_SCHEME = regex.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_UNROUTABLE = regex.compile(r"[\p{Cc}\p{Cs}\p{Bidi_Control}\p{White_Space}\\]")


@dataclass(frozen=True, slots=True)
class Notification:
    """What may be shown. ``route`` is a path of the app that a click opens, None for none."""

    plugin: str
    title: str
    body: str
    silent: bool
    route: str | None

    def as_json(self) -> dict[str, Json]:
        return {
            "plugin": self.plugin,
            "title": self.title,
            "body": self.body,
            "silent": self.silent,
            "activate": self.route,
        }


@dataclass(frozen=True, slots=True)
class Notified:
    """A yes; ``warning`` says what of the request was left out."""

    notification: Notification
    warning: str | None = None

    def as_json(self) -> dict[str, Json]:
        return {"ok": True, "notification": self.notification.as_json()}


def dropped(reason: NotificationDropped) -> Dropped:
    return Dropped(reason, WHY[reason])


def route_of(activate: Json) -> str | None:
    """``hermes://a/b``, ``/a/b``, ``a/b`` and ``{"path": …}`` are one and the same route ``/a/b``.

    None for what is no route of the app: another scheme, a foreign host, a step upward, hidden letters.
    """
    if isinstance(activate, Mapping):
        activate = activate.get("path")
    if not isinstance(activate, str):
        return None
    text = activate.strip()
    if not text or len(text) > limits.ROUTE_CODE_POINTS or _UNROUTABLE.search(text):
        return None
    if text[:9].lower() == "hermes://":
        text = text[9:]
    elif _SCHEME.match(text):
        return None
    path = text.removeprefix("/")
    segments = regex.split(r"[?#]", path, maxsplit=1)[0].split("/")
    upward = any(regex.sub("(?i)%2e", ".", segment) in {".", ".."} for segment in segments)
    # A browser reads //host as another site, whatever page it stands on.
    return None if upward or path.startswith("/") else f"/{path}"


class NotificationGate:
    """Remembers at most 3 notifications of each plugin that was shown one within the last 60 s."""

    def __init__(self) -> None:
        self._shown: dict[str, deque[tuple[float, str, str]]] = {}
        self._now_s = -math.inf
        self.enabled = True

    def notify(self, plugin: str, request: Mapping[str, Json], now_s: float, *, focused: bool) -> Notified | Dropped:
        """Checks in order: empty, off, focused, repeat, rate. What is dropped does not count.

        ``request`` is ``{title, body?, silent?, activate?}``; other fields belong to the shell.
        """
        now_s = self._advance(now_s)
        title = clean_line(request.get("title"), graphemes=limits.TITLE_GRAPHEMES, code_points=limits.TITLE_CODE_POINTS)
        body = clean_text(request.get("body"), graphemes=limits.BODY_GRAPHEMES, code_points=limits.BODY_CODE_POINTS)
        if not title:
            return dropped("empty")
        if not self.enabled:
            return dropped("off")
        if focused:
            return dropped("focused")
        earlier = self._shown.get(plugin, ())
        if any((title, body) == (a, b) and now_s - at < limits.REPEAT_WINDOW_S for at, a, b in earlier):
            return dropped("repeat")
        if len(earlier) >= limits.NOTIFICATIONS_IN_WINDOW:
            return dropped("rate")
        self._shown.setdefault(plugin, deque()).append((now_s, title, body))
        activate = request.get("activate")
        route = route_of(activate)
        lost = activate is not None and route is None
        return Notified(
            Notification(plugin, title, body, request.get("silent") is True, route),
            warning=f"'{shown(activate)}' is no route of the app, so that a click opens nothing" if lost else None,
        )

    def remembered(self) -> int:
        return sum(len(times) for times in self._shown.values())

    def _advance(self, now_s: float) -> float:
        self._now_s = now_s = max(now_s, self._now_s)
        for plugin in list(self._shown):
            earlier = self._shown[plugin]
            while earlier and now_s - earlier[0][0] >= limits.NOTIFICATION_WINDOW_S:
                earlier.popleft()
            if not earlier:
                del self._shown[plugin]
        return now_s
