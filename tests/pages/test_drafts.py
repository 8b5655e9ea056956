"""The store of drafted pages: revisions, digests, who sees what, and files that are no drafts."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from loader.errors import LoaderError
from loader.pages.check import check_value
from loader.pages.draft_entry import SESSION_LIFE_S
from loader.pages.draft_errors import DraftConflict, DraftRefused, NoSuchDraft, ReservedPage
from loader.pages.draft_manifest import draft_manifest
from loader.pages.drafts import DRAFTS_LIMIT, FILE_LIMIT_BYTES, DraftStore
from tests.pages.building import LABEL, document, line


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> DraftStore:
    return DraftStore(tmp_path, now_s=clock)


def arguments(name: str = "trip", **more: Any) -> dict[str, Any]:
    return {"plugin_id": name, "title": "Trip", "document": document(line(), page=name.strip().lower()), **more}


def test_a_draft_is_stored_as_the_known_store_writes_it(store: DraftStore) -> None:
    entry, _ = store.draft(arguments(" Trip ", description=" d "), "s1")
    text = (store.root / "trip.json").read_text("utf-8")
    stored = json.loads(text)
    assert text == json.dumps(stored, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert (stored["id"], stored["description"], stored["status"], stored["revision"]) == ("trip", "d", "draft", 1)
    assert stored["digest"] == entry.digest
    assert store.get("trip") == entry
    if os.name == "posix":
        assert (store.root / "trip.json").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in store.root.iterdir()) == [".lock", "trip.json"]


def test_each_draft_is_a_new_revision_with_a_digest_of_its_own(store: DraftStore, clock: Clock) -> None:
    first, _ = store.draft(arguments(), "s1")
    clock.now += 5
    second, _ = store.draft(arguments(), "s1")
    assert (second.revision, second.created_at, second.updated_at) == (2, first.created_at, first.updated_at + 5)
    assert first.digest != second.digest


def test_the_digest_covers_what_is_decided_about_and_no_times(store: DraftStore, clock: Clock, tmp_path: Path) -> None:
    entry, _ = store.draft(arguments(), "s1")
    other = DraftStore(tmp_path / "other", now_s=lambda: 5.0)
    (tmp_path / "other").mkdir()
    assert other.draft(arguments(), "s2")[0].digest == entry.digest
    assert other.draft(arguments(title="Another"), "s2")[0].digest != entry.digest


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (arguments("git"), "HP715"),
        (arguments(document={"schemaVersion": 1, "pages": []}), "HP711"),
        (arguments(document=document({"type": "text", "id": "t", "text": "bare"}, page="trip")), "HP705"),
        (
            arguments(
                document=document(
                    {"type": "button", "id": "b", "label": LABEL, "action": {"id": "a", "request": {"path": "x"}}},
                    page="trip",
                )
            ),
            "HP714",
        ),
        ({"plugin_id": "x"}, "HP704"),
        ([], "HP705"),
    ],
)
def test_what_no_host_would_show_is_refused_whole(store: DraftStore, given: Any, code: str) -> None:
    with pytest.raises(DraftRefused) as caught:
        store.draft(given, "s1")
    assert caught.value.check is not None
    assert code in {found.code for found in caught.value.check.diagnostics}
    assert store.listed().entries == ()


# ---------------------------------------------------------------- sessions


def test_a_sessions_draft_is_invisible_to_another_and_its_id_is_taken(store: DraftStore) -> None:
    store.draft(arguments(), "s1")
    assert [entry.id for entry in store.listed("s1").entries] == ["trip"]
    assert store.listed("s2").entries == ()
    with pytest.raises(NoSuchDraft):
        store.get("trip", "s2")
    with pytest.raises(NoSuchDraft):
        store.withdraw("trip", "s2")
    with pytest.raises(DraftConflict, match="taken"):
        store.draft(arguments(), "s2")
    assert [entry.id for entry in store.listed().entries] == ["trip"]  # a person sees all


def test_only_the_session_that_made_it_takes_a_draft_back(store: DraftStore) -> None:
    store.draft(arguments(), "s1")
    assert store.withdraw("trip", "s1") is None
    assert store.listed().entries == ()


def test_a_persistent_draft_is_a_persons_to_remove_even_when_drafted_again_as_a_sessions(store: DraftStore) -> None:
    store.draft(arguments(lifecycle="persistent"), "s1")
    entry, _ = store.draft(arguments(lifecycle="session"), "s1")
    assert entry.lifecycle == "persistent"
    approval = store.withdraw("trip", "s1")
    assert approval is not None
    assert approval.told()["approval_endpoint"] == "mobile/plugins/trip/remove"
    assert store.get("trip") == entry


def test_a_sessions_draft_goes_a_day_after_its_last_change(store: DraftStore, clock: Clock) -> None:
    store.draft(arguments(), "s1")
    store.draft(arguments("kept", lifecycle="persistent"), "s1")
    clock.now += SESSION_LIFE_S - 1
    assert len(store.listed().entries) == 2
    clock.now += 1
    assert [entry.id for entry in store.listed().entries] == ["kept"]
    assert not (store.root / "trip.json").exists()
    assert store.draft(arguments(), "s2")[0].revision == 1


# ---------------------------------------------------------------- decisions


def test_keeping_needs_the_digest_of_the_very_revision(store: DraftStore, clock: Clock) -> None:
    old, _ = store.draft(arguments(), "s1")
    new, _ = store.draft(arguments(title="Other"), "s1")
    with pytest.raises(DraftConflict, match="changed since"):
        store.promote("trip", old.digest)
    with pytest.raises(DraftRefused):
        store.promote("trip", "  ")
    clock.now += 3
    kept = store.promote("trip", new.digest)
    assert (kept.status, kept.lifecycle, kept.revision) == ("published", "persistent", 3)
    assert kept.published_at == int(clock.now)
    with pytest.raises(DraftConflict):
        store.promote("trip", new.digest)
    assert store.promote("trip", kept.digest).revision == 4


def test_what_is_published_cannot_be_drafted_over(store: DraftStore) -> None:
    entry, _ = store.draft(arguments(), "s1")
    store.promote("trip", entry.digest)
    with pytest.raises(DraftConflict, match="published"):
        store.draft(arguments(), "s1")
    assert store.withdraw("trip", "s1") is not None


def test_removing_needs_the_digest_too(store: DraftStore) -> None:
    entry, _ = store.draft(arguments(), "s1")
    with pytest.raises(DraftConflict):
        store.remove("trip", "sha256:" + "0" * 64)
    assert store.remove("trip", entry.digest) == "trip"
    with pytest.raises(NoSuchDraft):
        store.remove("trip", entry.digest)


def test_an_edit_by_hand_makes_an_old_decision_stale(store: DraftStore) -> None:
    entry, _ = store.draft(arguments(), "s1")
    path = store.root / "trip.json"
    path.write_text(path.read_text("utf-8").replace('"Trip"', '"Trap"'), "utf-8")
    with pytest.raises(DraftConflict):
        store.promote("trip", entry.digest)


# ---------------------------------------------------------------- what is served


def test_a_page_carries_the_stores_revision(store: DraftStore) -> None:
    store.draft(arguments(), "s1")
    store.draft(arguments(), "s1")
    assert store.page("trip")["host_revision"] == 2
    assert check_value(store.page("trip"), "document", contributions=["trip"]).findings == ()


def test_the_manifest_labels_drafts_and_passes_the_check(store: DraftStore) -> None:
    store.draft(arguments("b"), "s1")
    entry, _ = store.draft(arguments("a"), "s1")
    store.promote("a", entry.digest)
    manifest = draft_manifest("hermes-relay", store.listed().entries)
    assert [row["title"] for row in manifest["contributions"]] == ["Trip", "Draft: Trip"]
    assert check_value(manifest, "manifest", catalog_name="hermes-relay").findings == ()


def test_the_hosts_own_page_is_not_here(store: DraftStore) -> None:
    with pytest.raises(ReservedPage):
        store.page("Git")


def test_what_another_store_kept_and_no_phone_shows_is_said(store: DraftStore) -> None:
    store.draft(arguments(), "s1")
    path = store.root / "trip.json"
    stored = json.loads(path.read_text("utf-8"))
    stored["document"]["pages"][0]["title"] = "bare"
    path.write_text(json.dumps(stored), "utf-8")
    with pytest.raises(DraftRefused, match="HP705"):
        store.page("trip")
    with pytest.raises(DraftRefused):
        store.promote("trip", store.get("trip").digest)


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("text", ["", "{", "[]", '{"id": "other"}', '{"id": "trip"}', "[" * 100_000])
def test_a_broken_file_hides_no_other_and_is_set_aside_by_the_next_draft(store: DraftStore, text: str) -> None:
    store.draft(arguments("fine"), "s1")
    (store.root / "trip.json").write_text(text, "utf-8")
    listed = store.listed()
    assert [entry.id for entry in listed.entries] == ["fine"]
    assert len(listed.faults) == 1
    assert store.draft(arguments(), "s1")[0].revision == 1
    (aside,) = store.root.glob("trip.json.damaged-*")
    assert aside.read_text("utf-8") == text


def test_links_are_not_followed(store: DraftStore, tmp_path: Path) -> None:
    store.draft(arguments("fine"), "s1")
    outside = tmp_path / "outside.json"
    outside.write_text("secret", "utf-8")
    try:
        (store.root / "trip.json").symlink_to(outside)
    except OSError as error:
        pytest.skip(f"this system makes no symbolic links: {error}")
    listed = store.listed()
    assert [entry.id for entry in listed.entries] == ["fine"]
    assert "symbolic link" in listed.faults[0]
    with pytest.raises(LoaderError, match="symbolic link"):
        store.draft(arguments(), "s1")
    assert outside.read_text("utf-8") == "secret"


@pytest.mark.parametrize("what", ["folder", "pipe", "large"])
def test_what_is_no_drafts_file_is_said_and_keeps_nobody_waiting(store: DraftStore, what: str) -> None:
    store.draft(arguments("fine"), "s1")
    path = store.root / "trip.json"
    if what == "folder":
        path.mkdir()
    elif what == "large":
        path.write_bytes(b" " * (FILE_LIMIT_BYTES + 1))
    elif hasattr(os, "mkfifo"):
        os.mkfifo(path)
    else:
        pytest.skip("there are no pipes with names")
    listed = store.listed()
    assert [entry.id for entry in listed.entries] == ["fine"]
    assert listed.faults[0].startswith("trip.json: it ")
    with pytest.raises(NoSuchDraft):
        store.get("trip")
    assert store.draft(arguments(), "s1")[0].revision == 1


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors in /proc")
def test_looking_at_what_is_no_file_keeps_no_descriptor(store: DraftStore) -> None:
    store.draft(arguments("fine"), "s1")
    (store.root / "trip.json").mkdir()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        store.listed()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_store_that_cannot_be_written_or_is_locked_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = DraftStore(tmp_path, lock_timeout_s=0.01)
    store.draft(arguments(), "s1")
    with FileLock(store.root / ".lock"), pytest.raises(LoaderError, match="is locked by another process"):
        store.draft(arguments(), "s1")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(LoaderError, match=r"cannot be written to .*: No space left on device\."):
            store.draft(arguments(), "s1")
    assert store.get("trip", "s1").revision == 1
    assert [path.name for path in store.root.iterdir() if path.suffix == ".tmp"] == []
    occupied = tmp_path / "occupied"
    occupied.mkdir()
    (occupied / store.root.name).write_text("a file")
    with pytest.raises(LoaderError, match="cannot be used"):
        DraftStore(occupied).draft(arguments(), "s1")


def test_an_expired_draft_that_was_never_looked_at_is_begun_anew(store: DraftStore, clock: Clock) -> None:
    first, _ = store.draft(arguments(), "s1")
    clock.now += SESSION_LIFE_S + 1
    assert first.revision == store.draft(arguments(), "s2")[0].revision == 1
    assert store.get("trip", "s2").session == "s2"


@pytest.mark.parametrize("name", ["", "a/b", "..", "x" * 65, "\ud800"])
def test_a_name_that_no_draft_can_have_is_said(store: DraftStore, name: str) -> None:
    with pytest.raises(DraftRefused):
        store.get(name)


def test_a_linked_folder_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    store = DraftStore(tmp_path)
    try:
        store.root.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    except OSError as error:
        pytest.skip(f"this system makes no symbolic links: {error}")
    with pytest.raises(LoaderError, match="symbolic link"):
        store.draft(arguments(), "s1")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_reserved_file_is_never_served(store: DraftStore) -> None:
    store.draft(arguments(), "s1")
    (store.root / "git.json").write_text((store.root / "trip.json").read_text("utf-8").replace("trip", "git"), "utf-8")
    assert [entry.id for entry in store.listed().entries] == ["trip"]


def test_two_writers_lose_no_revision(tmp_path: Path) -> None:
    stores = [DraftStore(tmp_path) for _ in range(4)]
    threads = [
        threading.Thread(target=lambda s=store: [s.draft(arguments(), "s1") for _ in range(5)]) for store in stores
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stores[0].get("trip").revision == 20


def test_the_store_is_bounded(store: DraftStore) -> None:
    store.draft(arguments("a0"), "s1")
    text = (store.root / "a0.json").read_text("utf-8")
    for n in range(1, DRAFTS_LIMIT):
        (store.root / f"a{n}.json").write_text(text.replace('"a0"', f'"a{n}"'), "utf-8")
    with pytest.raises(LoaderError, match="Remove some"):
        store.draft(arguments(), "s1")
    assert store.draft(arguments("a0"), "s1")[0].revision == 2


def test_changes_are_told(tmp_path: Path) -> None:
    told: list[str] = []
    store = DraftStore(tmp_path, changed=told.append)
    entry, _ = store.draft(arguments(), "s1")
    kept = store.promote("trip", entry.digest)
    store.remove("trip", kept.digest)
    assert told == ["trip"] * 3
