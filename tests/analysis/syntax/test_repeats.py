"""Loops, intervals, and whether a place is always reached."""

from __future__ import annotations

import pytest

from loader.analysis.syntax import Module, Node, parse
from loader.analysis.syntax.repeats import (
    WAYS_OUT,
    always_reached,
    enclosing_function,
    enclosing_loop,
    holds,
    intervals,
)


def marked(body: str) -> tuple[Module, Node]:
    """The model, and the call of `mark` in it."""
    module = parse(f"export default {{ id: 'demo', register(c) {{\n{body}\n}} }}\n")
    return module, next(call.node for call in module.calls if call.path == "global.mark")


def test_intervals_tell_what_they_call_and_how_often() -> None:
    module, _ = marked(
        "const tick = () => mark(); const S = 1000\n"
        "setInterval(tick, 2 * S); c.setInterval(() => {}, 5); setInterval(other, ms); setInterval(tick)\n"
        "setTimeout(tick, 1)"
    )
    assert [(one.function is not None, one.period_ms) for one in intervals(module)] == [
        (True, 2000),
        (True, 5),
        (False, None),
        (True, 0),
    ]


def test_a_loop_ends_at_the_next_function() -> None:
    module, node = marked("for (const a of b) { mark() }")
    assert enclosing_loop(module, node) is not None
    module, node = marked("for (const a of b) { later(() => mark()) }")
    assert enclosing_loop(module, node) is None
    assert enclosing_function(module, node) is not None


@pytest.mark.parametrize(
    "body", ["{ mark() }", "{ a(); const b = mark() }", "{ if (mark()) a() }", "{ mark() && a() }"]
)
def test_straight_code_is_always_reached(body: str) -> None:
    module, node = marked(f"while (x) {body}")
    loop = enclosing_loop(module, node)
    assert loop is not None
    assert always_reached(module, node, loop)


@pytest.mark.parametrize(
    "body",
    [
        "{ if (a) mark() }",
        "{ a && mark() }",
        "{ a ? mark() : b() }",
        "{ try { a() } catch { mark() } }",
        "{ switch (a) { case 1: mark() } }",
        "{ if (a) continue; mark() }",
        "{ x ??= mark() }",
    ],
)
def test_branches_may_pass_it_by(body: str) -> None:
    module, node = marked(f"while (x) {body}")
    loop = enclosing_loop(module, node)
    assert loop is not None
    assert not always_reached(module, node, loop)


def test_ways_out_of_a_loop_are_seen_inside_it_only() -> None:
    module, node = marked("while (x) { mark(); break } if (y) return")
    loop = enclosing_loop(module, node)
    assert loop is not None
    assert holds(module, loop, WAYS_OUT)
    module, node = marked("while (x) { mark() } if (y) return")
    loop = enclosing_loop(module, node)
    assert loop is not None
    assert not holds(module, loop, WAYS_OUT)
