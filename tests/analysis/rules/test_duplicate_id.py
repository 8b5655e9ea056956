"""HP305: one owner for each id."""

from __future__ import annotations

from loader.analysis.rules.duplicate_id import bundled_id, duplicate_id


def test_the_owner_is_named() -> None:
    found = duplicate_id("clock", "desktop-plugins/clock")
    assert (found.code, found.severity) == ("HP305", "error")
    assert "duplicate id" in found.message
    assert "desktop-plugins/clock" in found.message


def test_a_bundled_id_says_that_the_copy_is_stale() -> None:
    found = bundled_id("clock")
    assert found.code == "HP305"
    assert "stale" in found.message
