import pytest

from loader.analysis.syntax import parse
from loader.analysis.syntax.styles import declarations


def found(text: str) -> set[tuple[str, str]]:
    module = parse(f"import {{ useMemo }} from 'react'\n{text}")
    return {(one.name, module.tree.raw(one.value)) for one in declarations(module)}


@pytest.mark.parametrize(
    "text",
    [
        "f({ style: { color: 'red' } })",
        "f({ style: { ...(x ? { color: 'red' } : {}) } })",
        "f({ style: x && { color: 'red' } })",
        "const s = { color: 'red' }; f({ style: s })",
        "const s = { color: 'red' }; const t = { ...s }; f({ style: t })",
        "const styles = { a: { color: 'red' } }; f({ style: styles.a })",
        "const style = { color: 'red' }; f({ style })",
        "f({ style: Object.assign({}, { color: 'red' }) })",
        "f({ style: useMemo(() => ({ color: 'red' }), []) })",
        "const make = (x) => { if (x) return { color: 'red' }; return {} }; f({ style: make(1) })",
        "const color = 'red'; f({ style: { color } })",
        "const RED = 'red'; f({ style: { color: x ? RED : y } })",
        "f({ style: { color: x ?? 'red' } })",
        "el.style.color = 'red'",
        "el.style.setProperty('color', 'red')",
    ],
)
def test_finds_what_a_style_is_given(text: str) -> None:
    assert ("color", "'red'") in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "f({ color: 'red' })",
        "const s = { color: 'red' }; f({ data: s })",
        "f({ style: x })",
        "f({ style: { color: x + 'red' } })",
        "f({ style: { color: pick('red') } })",
        "el.color = 'red'",
        "el.setProperty('color', 'red')",
        "new Intl.NumberFormat('en', { style: 'currency' })",
    ],
)
def test_leaves_other_objects_alone(text: str) -> None:
    assert found(text) == set()


def test_a_style_made_of_itself_ends() -> None:
    assert found("const a = { ...b }, b = { ...a, color: 'red' }; f({ style: a })") == {("color", "'red'")}
