import pytest

from loader.analysis.syntax import parse


def keyed(text: str, name: str) -> list[tuple[str, str]]:
    module = parse(text)
    return [(module.tree.raw(one.key), module.tree.raw(one.value)) for one in module.keyed(name)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("f({ style: a })", [("style", "a")]),
        ("f({ 'style': a })", [("'style'", "a")]),
        ("f({ ['style']: a })", [("['style']", "a")]),
        ("f({ style })", [("style", "style")]),
        ("f({ style() { return 1 } })", [("style", "style() { return 1 }")]),
        ("f({ st\\u0079le: a })", [("st\\u0079le", "a")]),
        ("f({ style: { style: a } })", [("style", "{ style: a }"), ("style", "a")]),
        ("f({ /* one */ style /* two */: /* three */ a })", [("style", "a")]),
    ],
)
def test_finds_properties_however_they_are_written(text: str, found: list[tuple[str, str]]) -> None:
    assert keyed(text, "style") == found


@pytest.mark.parametrize(
    "text",
    [
        "const { style: a } = b",
        "const { style } = b",
        "class A { style = 1; static style() {} }",
        "f({ get style() { return 1 } })",
        "f({ [style]: a })",
        "a.style = 1",
        "f({ styles: a, Style: b })",
    ],
)
def test_leaves_patterns_classes_and_accessors_out(text: str) -> None:
    assert keyed(text, "style") == []
