"""Paths stay below their plugin's routes, whatever they spell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.pages.paths import PathFault, scoped_path

GOOD = ["mobile/pages/forecast", "a~b/c_d-1", "...", "/mobile/pages/forecast", " go ", "a/api/x"]
BAD = [
    ("", "empty"), ("/", "empty"), ("//host/x", "relative"), ("a/", "relative"), ("a//b", "segment"),
    ("../config", "segment"), ("safe/../../config", "segment"), ("./x", "segment"), ("..", "segment"),
    ("safe%2f..%2fconfig", "plain"), ("%2e%2e/x", "plain"), ("a%20b", "plain"), ("safe\\config", "plain"),
    ("items?x=1", "plain"), ("items#top", "plain"), ("https://evil.test/x", "segment"), ("javascript:x", "segment"),
    ("c:x", "segment"), ("café", "segment"), ("a b", "segment"), ("a\0b", "segment"), ("a\nb", "segment"),
    ("/api/status", "absolute"), ("/api/plugins/other/x", "absolute"), ("/api/plugins/own/x", "absolute"),
]  # fmt: skip


@pytest.mark.parametrize("path", GOOD)
def test_a_good_path_lies_below_the_plugin(path: str) -> None:
    assert scoped_path("own", path) == "/api/plugins/own/" + path.strip().removeprefix("/")


@pytest.mark.parametrize(("path", "reason"), BAD)
def test_a_bad_path_says_why(path: str, reason: str) -> None:
    found = scoped_path("own", path)
    assert isinstance(found, PathFault)
    assert found.reason == reason


@pytest.mark.parametrize("plugin", ["", "../x", "a/b", ".hidden", "a%", "x" * 129])
def test_only_an_identifier_has_routes(plugin: str) -> None:
    found = scoped_path(plugin, "go")
    assert isinstance(found, PathFault)
    assert found.reason == "plugin"


@given(st.text(alphabet="ab./\\%?#:~- _@\0é", max_size=12))
def test_nothing_leads_out(path: str) -> None:
    found = scoped_path("own", path)
    if isinstance(found, str):
        assert found.startswith("/api/plugins/own/")
        segments = found.split("/")[4:]
        assert all(segment and segment not in (".", "..") for segment in segments)
        assert found.isascii() and not set(found) & set("\\%?#: ")
