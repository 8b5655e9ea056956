"""For a plugin's backend: tell the app's windows that something happened.

>>> from loader.backend import publish
>>> publish("cards.changed", {"id": 7})
False

The windows get it as the event ``plugin.<plugin>.cards.changed``. It is a hint, sent once and to nobody in particular:
whoever was away asks the backend again. Standard library only, and importable in every interpreter that runs a backend.
Outside of the host's worker (a test, Hermes' own gateway) nothing is sent and the answer is False.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["publish"]

EVENT_LIMIT = 128
PAYLOAD_LIMIT_BYTES = 64 * 1024

_EVENT = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")

# Set by the worker: takes the JSON of one event, gives False when its queue is full.
_send: Callable[[bytes], bool] | None = None


def publish(event: str, payload: Mapping[str, Any] | None = None) -> bool:
    """Send one event to every window; from any thread, never waiting. Gives whether it was handed on.

    ``event``: dotted words of ``A-Za-z0-9_-``, at most 128 letters. ``payload``: what JSON can say, at most 64 KiB.
    The host passes on about 50 events a second for each backend and drops what is above.

    Raises ValueError for another name or a payload that is too large, TypeError for one that is no mapping or holds
    what JSON cannot say.
    """
    if not event_fits(event):
        raise ValueError("an event is named by dotted words of A-Z, a-z, 0-9, _ and -, 128 letters at most")
    if payload is not None and not isinstance(payload, Mapping):
        raise TypeError("the payload of an event is a mapping")
    said = json.dumps({"event": event, "payload": dict(payload or {})}, allow_nan=False).encode("ascii")
    if len(said) > PAYLOAD_LIMIT_BYTES:
        raise ValueError(f"the payload of an event is at most {PAYLOAD_LIMIT_BYTES} bytes of JSON")
    return _send is not None and _send(said)


def event_fits(event: object) -> bool:
    """Whether this may name an event."""
    return isinstance(event, str) and len(event) <= EVENT_LIMIT and _EVENT.fullmatch(event) is not None
