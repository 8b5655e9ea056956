"""Ids: which are valid, which is in force, and what the folder's name has to do with it."""

import pytest

from loader.inventory.identity import (
    bundled_finding,
    duplicate_finding,
    effective_id,
    folder_findings,
    is_valid_id,
    shown,
    unnamed_finding,
)
from loader.nouns import Candidate, Identity


def candidate(folder: str) -> Candidate:
    return Candidate("standalone", folder, f"/home/desktop-plugins/{folder}/plugin.js", "/home")


@pytest.mark.parametrize("name", ["a", "7", "word-count", "a_b", "x" * 64, "constructor", "com10", "console", "nul-1"])
def test_valid_ids(name: str) -> None:
    assert is_valid_id(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "-a",
        "_a",
        "A",
        "a/b",
        "..",
        "../../outside",
        "a b",
        "a\n",
        "é",
        "x" * 65,
        "con",
        "nul",
        "com1",
        "lpt9",
        7,
        None,
        "a.b",
        "a\u200b",
    ],
)
def test_invalid_ids(name: object) -> None:
    assert not is_valid_id(name)


def test_the_exported_id_is_in_force_when_it_is_valid() -> None:
    assert effective_id(candidate("folder"), Identity("exported")) == "exported"
    assert effective_id(candidate("folder"), Identity("../x")) == "folder"
    assert effective_id(candidate("folder"), Identity()) == "folder"


def test_a_matching_or_unknown_id_is_no_finding() -> None:
    assert folder_findings(candidate("demo"), Identity("demo")) == ()
    assert folder_findings(candidate("demo"), Identity()) == ()


def test_a_mismatch_names_both_and_both_ways_out() -> None:
    (found,) = folder_findings(candidate("stewardship"), Identity("dockyard"))
    assert (found.code, found.severity) == ("HP303", "error")
    assert "stewardship" in found.message
    assert "dockyard" in found.message
    assert found.hint is not None
    assert "Rename the folder to 'dockyard'" in found.hint
    assert "export the id 'stewardship'" in found.hint


def test_the_way_out_never_proposes_an_invalid_id() -> None:
    (found,) = folder_findings(candidate("My Plugin"), Identity("my-plugin"))
    assert found.hint == "Rename the folder to 'my-plugin'."


def test_a_mismatch_warns_by_setting_and_informs_outside_a_home() -> None:
    (warned,) = folder_findings(candidate("a"), Identity("b"), id_mismatch="warn")
    assert warned.severity == "warning"
    (told,) = folder_findings(candidate("a"), Identity("b"), in_home=False)
    assert told.severity == "info"


@pytest.mark.parametrize("exported", ["../../outside", "..", "a/b", "con", ""])
def test_an_invalid_id_is_said_once_and_not_as_a_mismatch_too(exported: str) -> None:
    (found,) = folder_findings(candidate("demo"), Identity(exported))
    assert (found.code, found.severity) == ("HP304", "error")
    assert folder_findings(candidate("demo"), Identity(exported), already=["HP304"]) == ()


def test_names_from_outside_stay_short_and_tame() -> None:
    (found,) = folder_findings(candidate("demo"), Identity("\x1b[2J\u202e" + "x" * 10_000_000))
    assert len(found.message) < 200
    assert found.message.isprintable()
    assert shown("plain ünicode") == "plain ünicode"


def test_duplicates_name_the_owner() -> None:
    found = duplicate_finding("demo", "standalone:demo", "/home/desktop-plugins/demo/plugin.js")
    assert (found.code, found.severity) == ("HP305", "error")
    assert "standalone:demo" in found.message
    assert "/home/desktop-plugins/demo/plugin.js" in found.message
    assert "app" in bundled_finding("demo").message
    assert bundled_finding("demo").code == "HP305"


def test_a_folder_that_cannot_stand_in_for_the_id_is_said() -> None:
    assert unnamed_finding(candidate("My Plugin")).code == "HP304"
