"""Meanings that lead in circles end in nothing, and soon."""

import pytest

from loader.analysis.syntax import parse


def test_functions_that_hand_on_each_others_props_mean_nothing() -> None:
    module = parse(
        "function A(props) { return B({ x: props.y }) }\n"
        "function B(props) { return A({ y: props.x }) }\n"
        "export default { id: 'demo', register(ctx) { ctx.onDispose(A) } }\n"
    )
    assert [call.path for call in module.calls] == [None, None, "ctx.onDispose"]


def test_a_long_ring_of_functions_ends() -> None:
    ring = "\n".join(f"function f{n}(p) {{ return f{(n + 1) % 400}({{ a: p.a }}) }}" for n in range(400))
    module = parse(f"{ring}\nexport default {{ id: 'demo', register(ctx) {{ f0({{ a: f1 }}) }} }}\n")
    assert len(module.calls) == 401


@pytest.mark.parametrize("text", ["() = 1", "() => {}\n() = 1", "[()] = 1", "for (() of b) ;", "(a, ) = 1"])
def test_parentheses_around_an_error_end(text: str) -> None:
    assert parse(text).scopes.scopes
