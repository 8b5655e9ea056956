from urllib.parse import quote_from_bytes, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.backends.paths import BackendPath, BadPath, judge_path


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (b"/api/plugins/board", "board"),
        (b"/api/plugins/board/", "board"),
        (b"/api/plugins/board/items/7", "board"),
        (b"/api/plugins/board/items/", "board"),
        (b"/api/plugins/unified%3Aboard/x", "unified:board"),
        (b"/api/plugins/b%C3%BCro/x", "b\u00fcro"),
        (b"/api/plugins/board/100%25", "board"),
        (b"/api/plugins/board/...", "board"),
        (b"/api/plugins/board/a..b/.hidden", "board"),
        (b"/api/plugins/board/what%3Fnow", "board"),
    ],
)
def test_plain_paths_pass(path: bytes, name: str) -> None:
    assert judge_path(path) == BackendPath(name)


@pytest.mark.parametrize(
    ("path", "word"),
    [
        (b"/api/plugins/", "empty"),
        (b"/api/plugins//board", "empty"),
        (b"/api/plugins/board//x", "empty"),
        (b"/api/plugins/board/x//", "empty"),
        (b"/api/plugins/board/.", "'.'"),
        (b"/api/plugins/board/..", "'..'"),
        (b"/api/plugins/../x", "'..'"),
        (b"/api/plugins/board/%2e%2E/x", "'..'"),
        (b"/api/plugins/board/.%2e/x", "'..'"),
        (b"/api/plugins/board/%252e%252e/x", "decoded twice"),
        (b"/api/plugins/board/%25%32%65./x", "decoded twice"),
        (b"/api/plugins/board/a%2Fb", "slash"),
        (b"/api/plugins/board/a%252Fb", "slash"),
        (b"/api/plugins/board/a\\b", "backslash"),
        (b"/api/plugins/board/a%5c..", "backslash"),
        (b"/api/plugins/board/a%00", "zero byte"),
        (b"/api/plugins/board/a%2500", "zero byte"),
        (b"/api/plugins/http://evil/x", "empty"),
        (b"http://127.0.0.1/api/plugins/board/x", "not spelled"),
        (b"/api/plugins/%ff/x", "UTF-8"),
        (b"/api/plugins/board/" + b"a" * 9000, "longer"),
    ],
)
def test_paths_that_another_decoder_could_read_otherwise_are_refused(path: bytes, word: str) -> None:
    found = judge_path(path)
    assert isinstance(found, BadPath) and word in found.why


@given(st.binary(max_size=20), st.integers(0, 2))
def test_what_passes_stays_one_segment_however_often_it_is_decoded(segment: bytes, times: int) -> None:
    spelled = segment
    for _ in range(times):
        spelled = quote_from_bytes(spelled, safe="").encode()
    if isinstance(judge_path(b"/api/plugins/board/" + spelled + b"/x"), BackendPath):
        for decoded in (spelled, unquote_to_bytes(spelled), unquote_to_bytes(unquote_to_bytes(spelled))):
            assert not set(decoded) & set(b"\\\0") and decoded not in (b"", b".", b"..")
