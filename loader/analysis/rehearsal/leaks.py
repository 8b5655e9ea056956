"""What is still alive after a plugin was unloaded (HP409), and how such a thing is ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from loader.analysis.rehearsal.events import EventLog, place_in
from loader.codes import finding
from loader.nouns import Diagnostic, Leak

LeakKind: TypeAlias = Literal["listener", "timer", "socket", "subscription", "contribution", "observer"]
_KINDS: tuple[LeakKind, ...] = ("listener", "timer", "socket", "subscription", "contribution", "observer")
_ENDED_BY: Mapping[LeakKind, str] = {
    "listener": "target.removeEventListener(type, listener)",
    "timer": "clearInterval(timer)",
    "socket": "socket.close()",
    "subscription": "stop()",
    "contribution": "dispose()",
    "observer": "observer.disconnect()",
}
_OTHER_TIMERS = {"setTimeout": "clearTimeout(timer)", "requestAnimationFrame": "cancelAnimationFrame(frame)"}


def leaks_of(log: EventLog) -> Iterator[Leak]:
    for entry in log.last("leaks") or ():
        kind: LeakKind = next((known for known in _KINDS if known == entry["kind"]), "subscription")
        yield Leak(kind, entry["detail"], place_in(entry["stack"]))


def about_leak(leak: Leak) -> Diagnostic:
    ended = _OTHER_TIMERS.get(leak.detail.split(" ")[0], _ENDED_BY[leak.kind])
    return finding(
        "HP409",
        f"{'an' if leak.kind == 'observer' else 'a'} {leak.kind} is still alive after unload: {leak.detail}",
        span=leak.span,
        hint=f"Tell how it ends: `ctx.onDispose(() => {ended})`.",
    )
