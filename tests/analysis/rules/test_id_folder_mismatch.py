"""HP303: one name for the plugin and its folder."""

from __future__ import annotations

from loader.analysis.rules.id_folder_mismatch import id_folder_mismatch


def test_different_names_are_both_said_with_both_ways_out() -> None:
    found = id_folder_mismatch("dockyard", "stewardship")
    assert found is not None
    assert (found.code, found.severity) == ("HP303", "error")
    for name in ("dockyard", "stewardship"):
        assert name in found.message
        assert name in (found.hint or "")


def test_outside_a_home_it_is_a_note() -> None:
    found = id_folder_mismatch("a", "b", severity="info")
    assert found is not None
    assert found.severity == "info"


def test_the_same_name_is_no_finding() -> None:
    assert id_folder_mismatch("demo", "demo") is None
