"""What config.yaml says, read as Hermes reads it."""

from __future__ import annotations

import pytest

from loader.config_yaml import load, text_of


@pytest.mark.parametrize("pure", [True, False])
def test_of_two_equal_keys_the_last_counts(pure: bool) -> None:
    assert load("a: 1\nb: {c: 1, c: 2}\na: 3\n", pure=pure) == {"a": 3, "b": {"c": 2}}


@pytest.mark.parametrize("pure", [True, False])
def test_what_is_merged_in_yields_to_what_stands_there(pure: bool) -> None:
    text = "x: &x {a: 1, b: 1}\ny:\n  <<: *x\n  b: 2\nz:\n  b: 3\n  <<: [*x, {c: 4}]\n"
    found = load(text, pure=pure)
    assert found["y"] == {"a": 1, "b": 2}
    assert found["z"] == {"a": 1, "b": 3, "c": 4}


@pytest.mark.parametrize("pure", [True, False])
def test_references_that_double_at_each_line_are_refused(pure: bool) -> None:
    text = "\n".join(["x0: &x0 {a: 1}", *(f"x{n}: &x{n}\n  <<: [*x{n - 1}, *x{n - 1}]" for n in range(1, 60))])
    with pytest.raises(ValueError, match="merge more than"):
        load(text, pure=pure)


def test_a_mark_is_taken_off_and_another_encoding_is_named() -> None:
    assert text_of(b"\xef\xbb\xbfa: 1") == "a: 1"
    for encoding in ("utf-16", "utf-32"):
        with pytest.raises(ValueError, match="save it as UTF-8"):
            text_of("a: 1".encode(encoding))
