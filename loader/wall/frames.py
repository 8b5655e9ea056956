"""Open frames of walled plugins: who may speak for one, and when that ends.

Opening gives three things. The *ticket* is in the frame's address and is good for one page load: nobody else can show
the plugin's page, and the plugin cannot load another one that still counts. The *token* stays with the page around the
frame and speaks for the plugin as it was approved at that moment. The *id* only names the frame in messages.

Authority is looked up anew at each use: a switch, an approval, an update, a removal ends it at once, also where
nobody was told of the change.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Literal, TypeAlias

from loader.packages.walled import Shelf, Walled

EndReason: TypeAlias = Literal["disabled", "changed", "removed", "closed", "left"]

FRAMES_LIMIT = 128
TICKET_LIFE_S = 60.0
# How long a frame outlives the connection that spoke for it: a page that comes back finds it, a closed tab does not
# leave it behind.
LOOSE_LIFE_S = 60.0


@dataclass(eq=False, slots=True)
class Frame:
    """``speaker`` is the connection that speaks for it, None while there is none; ``ancestors`` who may embed it."""

    id: str
    walled: Walled
    ancestors: tuple[str, ...]
    loose_since_s: float
    ticket: bytes | None
    ticket_until_s: float
    speaker: object | None = None
    ended: EndReason | None = None
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Opened:
    frame: Frame
    token: str = field(repr=False)
    ticket: str = field(repr=False)


def _secret() -> str:
    return secrets.token_urlsafe(32)


class Frames:
    """Lives on the event loop. ``on_end`` is called once for each frame, when its authority ends."""

    def __init__(
        self,
        shelf: Shelf,
        *,
        on_end: Callable[[Frame], None] = lambda _: None,
        now_s: Callable[[], float] = time.monotonic,
        make_secret: Callable[[], str] = _secret,
    ) -> None:
        self._shelf = shelf
        self._on_end = on_end
        self._now_s = now_s
        self._make_secret = make_secret
        self._numbers = count(1)
        self._by_token: dict[bytes, Frame] = {}

    def open(self, plugin_id: str, ancestors: tuple[str, ...] = ()) -> Opened | None:
        """None when no such plugin stands behind the wall, or it is switched off."""
        walled = self._shelf.get(plugin_id)
        if walled is None or not walled.enabled:
            return None
        self._sweep()
        while len(self._by_token) >= FRAMES_LIMIT:
            self.end(next(iter(self._by_token.values())), "closed")
        now_s = self._now_s()
        token, ticket = self._make_secret(), self._make_secret()
        frame = Frame(f"frame-{next(self._numbers)}", walled, ancestors, now_s, _digest(ticket), now_s + TICKET_LIFE_S)
        self._by_token[_digest(token)] = frame
        return Opened(frame, token, ticket)

    def redeem(self, ticket: str, plugin_id: str) -> Frame | None:
        """The frame whose page is asked for, once; None for a ticket of another plugin, used, too old or made up."""
        wanted = _digest(ticket)
        for frame in [*self._by_token.values()]:
            if frame.ticket == wanted and frame.walled.id == plugin_id and self._lives(frame):
                frame.ticket = None
                return frame if self._now_s() < frame.ticket_until_s else None
        return None

    def who(self, token: str) -> Frame | None:
        """The frame that this token speaks for; None when it has ended or never was."""
        frame = self._by_token.get(_digest(token))
        return frame if frame is not None and self._lives(frame) else None

    def attach(self, frame: Frame, speaker: object) -> bool:
        """This connection speaks for it from now on; False when another one does."""
        if frame.speaker is not None and frame.speaker is not speaker:
            return False
        frame.speaker = speaker
        return True

    def detach(self, speaker: object) -> None:
        """The connection is gone."""
        for frame in self._by_token.values():
            if frame.speaker is speaker:
                frame.speaker = None
                frame.loose_since_s = self._now_s()

    def changed(self, plugin_id: str) -> None:
        """Something about the plugin is another one now: frames that were opened for how it was end."""
        for frame in [*self._by_token.values()]:
            if frame.walled.id == plugin_id:
                self._lives(frame)

    def end(self, frame: Frame, reason: EndReason) -> None:
        if frame.ended is not None:
            return
        frame.ended = reason
        frame.ticket = None
        for token, each in [*self._by_token.items()]:
            if each is frame:
                del self._by_token[token]
        self._on_end(frame)

    def all(self) -> tuple[Frame, ...]:
        self._sweep()
        return tuple(self._by_token.values())

    def _sweep(self) -> None:
        for frame in [*self._by_token.values()]:
            self._lives(frame)

    def _lives(self, frame: Frame) -> bool:
        if frame.ended is None:
            now = self._shelf.get(frame.walled.id)
            if now is None:
                self.end(frame, "removed")
            elif now != frame.walled:
                self.end(frame, "changed" if now.enabled else "disabled")
            elif frame.speaker is None and self._now_s() - frame.loose_since_s >= LOOSE_LIFE_S:
                self.end(frame, "closed")
        return frame.ended is None


def _digest(secret: str) -> bytes:
    # surrogatepass: what is presented may hold anything. Only digests are kept, so that a look-up tells no letters.
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
