import json
from typing import Any

import pytest

from loader.backend import publish
from loader.backends.events import EventGate


def said(event: Any = "a.b", payload: Any = None) -> bytes:
    return json.dumps({"event": event, "payload": {} if payload is None else payload}).encode()


def test_a_burst_passes_then_the_rate_holds() -> None:
    now = [0.0]
    gate = EventGate("board", 10.0, lambda: now[0])
    assert sum(gate.judge(said()) is not None for _ in range(100)) == 40
    now[0] += 1
    assert sum(gate.judge(said()) is not None for _ in range(100)) == 10
    assert gate.dropped == 150


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        said("a b"),
        said(7),
        said("a..b"),
        said("x", [1]),
        said("x", {"a": "y" * 70_000}),
        b'{"event":"a"}',
    ],
)
def test_a_workers_word_is_judged_again(raw: bytes) -> None:
    assert EventGate("board", 10.0, lambda: 0.0).judge(raw) is None


def test_outside_of_a_worker_nothing_is_sent() -> None:
    assert publish("cards.changed", {"id": 7}) is False
