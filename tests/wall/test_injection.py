"""The bridge's script comes first, and nothing else of a page changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.wall.injection import with_bridge
from loader.wall.paths import BRIDGE_PATH

TAG = f'<script src="{BRIDGE_PATH}"></script>'.encode()


@pytest.mark.parametrize(
    ("page", "before"),
    [
        (b"<!doctype html><html lang=en><head><script src=a.js></script>", b"<!doctype html>"),
        (b"\xef\xbb\xbf<!-- a > b -->\r\n <!DOCTYPE html>\r\n<p>", b"\xef\xbb\xbf<!-- a > b -->\r\n <!DOCTYPE html>"),
        (b"<p>no doctype", b""),
        (b"\xef\xbb\xbf<p>", b"\xef\xbb\xbf"),
        (b"", b""),
        (b"text <!doctype html>", b""),
        (b"<script>1</script><!doctype html>", b""),
        (b"<!-- <!doctype html> --><p>", b""),
        (b"<!doctype html", b""),
        (b"<!-- never closed <!doctype html>", b""),
    ],
)
def test_it_stands_after_the_doctype_or_first(page: bytes, before: bytes) -> None:
    assert with_bridge(page) == before + TAG + page[len(before) :]


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"<!doctype html>", b"<!-- ", b"<![CDATA[", b"<?", b"<!ELEMENT", b"</"]),
)
def test_every_byte_of_the_page_stays_in_its_order(rest: bytes, start: bytes) -> None:
    page = start + rest
    found = with_bridge(page)
    place = found.index(TAG)
    assert found[:place] + found[place + len(TAG) :] == page
