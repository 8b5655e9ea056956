import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("const V = () => { el('p', {}) }; c.onDispose(V)", "el"),
        ("function V() { createElement('p', null) } c.onDispose(V)", "createElement"),
        ("const V = () => { if (c.id) { el('p', {}) } return null }; c.onDispose(V)", "el"),
        ("const V = () => { void el('p', {}) }; c.onDispose(V)", "el"),
        ("[1].forEach((n) => { el('p', { children: n }) })", "el"),
    ],
)
def test_an_element_that_nobody_gets_is_told(body: str, name: str) -> None:
    (message,) = messages("HP517", body)
    assert f"`{name}`" in message and "thrown away" in message


@pytest.mark.parametrize(
    "body",
    [
        "const V = () => el('p', {}); c.onDispose(V)",
        "const V = () => { return el('p', {}) }; c.onDispose(V)",
        "const V = () => { const e = el('p', {}); return e }; c.onDispose(V)",
        "const V = () => c.id && el('p', {}); c.onDispose(V)",
        "const V = (n) => (n ? el('p', {}) : el('b', {})); c.onDispose(V)",
        "const list = []; list.push(el('p', {})); c.onDispose(list)",
        "const V = () => { c.last = el('p', {}) }; c.onDispose(V)",
        "const jsx = () => {}; jsx('p', {})",
        "c.onDispose({ *all() { yield el('p', {}) } })",
    ],
)
def test_one_that_goes_somewhere_is_left_alone(body: str) -> None:
    assert messages("HP517", body) == []
