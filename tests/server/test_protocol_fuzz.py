"""Any JSON in any member of any call: a call comes of it, or the one error that is answered with its id."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loader.server.jsonrpc import INVALID_PARAMS, Malformed
from loader.server.requests import CALL_METHODS, METHODS, Received, Request, decode

FIELDS = sorted({name for call in CALL_METHODS for name in call.__dataclass_fields__} | {"plugin_token", "frame_token"})
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
PARAMS = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), VALUES, max_size=10)


def decoded(frame: str) -> Received | Malformed:
    try:
        return decode(frame)
    except Malformed as malformed:
        return malformed


@pytest.mark.parametrize("method", sorted(METHODS))
@settings(max_examples=25, deadline=None)
@given(params=PARAMS | VALUES)
def test_every_method_takes_what_it_knows_and_calls_the_rest_malformed(method: str, params: object) -> None:
    received = decoded(json.dumps({"jsonrpc": "2.0", "method": method, "id": 7, "params": params}))
    if isinstance(received, Malformed):
        assert received.id == 7
        assert received.code == INVALID_PARAMS or not isinstance(params, dict)
    else:
        assert isinstance(received, Request)
        assert CALL_METHODS[type(received.call)] == method


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
def test_what_is_no_frame_is_malformed_and_nothing_else(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        with pytest.raises(Malformed):
            decode(text)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_good_frame_with_some_letters_changed_never_raises_anything_else(data: st.DataObject) -> None:
    frame = list(
        json.dumps({"jsonrpc": "2.0", "method": "plugin/report", "id": 1, "params": {"id": "a", "revision": "b"}})
    )
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.sampled_from('{}[]",:0-\\nulltrue \x00é'))
    received = decoded("".join(frame))
    assert not isinstance(received, Malformed) or received.code < 0
