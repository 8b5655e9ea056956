"""JSON with places: the same values as the standard library's, and each mistake by its name."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.pages.jsontext import NESTING_LIMIT, VALUES_LIMIT, JsonFault, read_json
from loader.pages.reading import raw_value

ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=10,
)


@given(ANY, st.sampled_from([None, 1]), st.booleans())
def test_values_are_the_standard_librarys(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert raw_value(read_json(text)) == json.loads(text)


@given(ANY)
def test_every_value_stands_where_it_says(value: Any) -> None:
    text = json.dumps(value, indent=1)
    waiting = [read_json(text)]
    while waiting:
        node = waiting.pop()
        assert json.loads(text[node.start : node.end]) == raw_value(node)
        for member in node.members:
            assert json.loads(text[member.start : member.end]) == member.key
            waiting.append(member.value)
        waiting.extend(node.items)


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \\u/*\n', max_size=30))
def test_what_the_standard_library_refuses_is_refused_and_nothing_more(text: str) -> None:
    def no_constant(name: str) -> None:
        raise ValueError(name)

    try:
        value = json.loads(text, parse_constant=no_constant)
    except ValueError:
        with pytest.raises(JsonFault):
            read_json(text)
    else:
        assert raw_value(read_json(text)) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,}', "comma"),
        ("{a: 1}", "key without quotes"),
        ("{'a': 1}", "single quotes"),
        ('{"a": 1} // x', "more text"),
        ('{"a": /* x */ 1}', "comment"),
        ('{"a": NaN}', "NaN"),
        ('{"a": True}', "Python"),
        ('{"a": 01}', "number"),
        ('{"a" 1}', "':'"),
        ("[1 2]", "',' or ']'"),
        ("[1}", "Brackets close"),
        ('["x', "closing quote"),
        ('["a\nb"]', "line break"),
        ('["\\x"]', "escape"),
        ('{"a": [1, 2', "ends within the array"),
        ("", "ends where a value"),
    ],
)
def test_a_mistake_is_called_by_its_name(text: str, said: str) -> None:
    with pytest.raises(JsonFault) as caught:
        read_json(text)
    assert said in f"{caught.value.message} {caught.value.hint}"
    assert 0 <= caught.value.start <= caught.value.end <= len(text)


def test_depth_is_bounded_without_recursion() -> None:
    assert read_json("[" * NESTING_LIMIT + "]" * NESTING_LIMIT).kind == "array"
    with pytest.raises(JsonFault) as caught:
        read_json("[" * 100_000)
    assert caught.value.code == "HP703"


def test_the_number_of_values_is_bounded() -> None:
    assert len(read_json("[" + "1," * (VALUES_LIMIT - 2) + "1]").items) == VALUES_LIMIT - 1
    with pytest.raises(JsonFault) as caught:
        read_json("[" + "1," * VALUES_LIMIT + "1]")
    assert caught.value.code == "HP702"
