"""Which plugins are followed, and whom a hint concerns."""

import pytest

from loader.inventory.tracks import Tracks
from loader.nouns import Candidate

A = Candidate("standalone", "a", "/h/desktop-plugins/a/plugin.js", "/h")
B = Candidate("unified", "b", "/h/plugins/b/desktop/plugin.js", "/h", copied_to="/h/desktop-plugins/b")
pytestmark = pytest.mark.anyio


async def test_new_changed_and_vanished_are_reported_once() -> None:
    tracks = Tracks()
    assert [track.key for track in tracks.update((A, B), "start")] == ["standalone:a", "unified:b"]
    assert tracks.update((A, B), "changed") == ()
    moved = Candidate("unified", "b", B.path, "/h")
    assert [track.candidate for track in tracks.update((A, moved), "changed")] == [moved]
    (gone,) = tracks.update((A,), "changed")
    assert gone.candidate is None
    assert tracks.update((A,), "changed") == ()
    assert tracks.get("unified:b") is gone, "kept until it has been away long enough"
    (back,) = tracks.update((A, B), "changed")
    assert back is gone


async def test_a_scan_of_some_names_says_nothing_about_others() -> None:
    tracks = Tracks()
    tracks.update((A, B), "start")
    assert tracks.update((), "changed", named=frozenset(("c",))) == ()
    (gone,) = tracks.update((), "changed", named=frozenset(("a",)))
    assert gone.key == "standalone:a"


async def test_a_hint_finds_file_package_and_copy() -> None:
    tracks = Tracks()
    tracks.update((A, B), "start")
    found = {path: [track.key for track in tracks.in_folder(path)] for path in ("/h/desktop-plugins/a", "/h/plugins/b")}
    assert found == {"/h/desktop-plugins/a": ["standalone:a"], "/h/plugins/b": ["unified:b"]}
    assert [track.key for track in tracks.in_folder("/h/desktop-plugins/b")] == ["unified:b"]
    assert [track.key for track in tracks.in_folder("/h/plugins/b/desktop")] == ["unified:b"]
    assert tracks.in_folder("/h/desktop-plugins") == ()


async def test_what_is_forgotten_leaves_nothing_behind() -> None:
    tracks = Tracks()
    one, two = tracks.update((A, B), "start")
    tracks.forget(one)
    tracks.forget(one)
    tracks.forget(two)
    assert list(tracks) == []
    assert tracks._by_folder == {}
