"""HP304: ids are slugs."""

from __future__ import annotations

import pytest

from loader.analysis.rules.invalid_id import suggested_id
from tests.analysis.compiling import codes, only


@pytest.mark.parametrize(
    "identity",
    [
        "..",
        "../../outside",
        "a/b",
        "Demo",
        "a b",
        "-a",
        "_a",
        "a.b",
        "é",
        "",
        "con",
        "com1",
        "lpt9",
        "a" * 65,
        "a\\u0000b",
    ],
)
def test_other_ids_are_refused(identity: str) -> None:
    found = only(f"export default {{ id: '{identity}', register() {{}} }}")
    assert (found.code, found.severity) == ("HP304", "error")
    assert "invalid id" in found.message


@pytest.mark.parametrize("identity", ["a", "0", "word-count", "a_b", "a" * 64, "console", "com10", "con-a"])
def test_near_misses(identity: str) -> None:
    assert codes(f"export default {{ id: '{identity}', register() {{}} }}") == []


@pytest.mark.parametrize(
    ("identity", "better"),
    [
        ("My Plugin", "my-plugin"),
        ("../../outside", "outside"),
        ("nul", "nul-plugin"),
        ("..", None),
        ("a" * 70, "a" * 64),
    ],
)
def test_a_valid_one_is_suggested(identity: str, better: str | None) -> None:
    assert suggested_id(identity) == better
