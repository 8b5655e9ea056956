"""The last revisions, bounded."""

from dataclasses import replace

from loader.inventory.history import KEPT_REVISIONS, History
from loader.inventory.inventory import Inventory
from loader.inventory.subject import Subject
from loader.nouns import Candidate, Identity, Plugin, Source, Verdict
from loader.settings import LARGE_SOURCE_BYTES, ServiceSettings

DEMO = Candidate("standalone", "demo", "/h/desktop-plugins/demo/plugin.js", "/h")


def revision(number: int, text: str = "x") -> tuple[Plugin, Subject]:
    sha256 = f"{number:064x}"
    subject = Subject(DEMO, Source(text.encode(), text, sha256), Verdict(sha256, Identity("demo")))
    inventory = Inventory(ServiceSettings())
    inventory.put(subject, at="now")
    (row,) = inventory.rows()
    return row, subject


def test_the_oldest_go_first() -> None:
    history = History()
    for number in range(KEPT_REVISIONS + 3):
        history.note(*revision(number), f"t{number}")
    assert [kept.seen_at for kept in history.of(DEMO.key)] == ["t3", "t4", "t5", "t6", "t7"]
    history.forget(DEMO.key)
    assert history.of(DEMO.key) == ()


def test_the_same_revision_judged_anew_takes_its_own_place() -> None:
    history = History()
    row, subject = revision(1)
    history.note(row, subject, "t1")
    history.note(replace(row, state="failed"), subject, "t2")
    (kept,) = history.of(DEMO.key)
    assert (kept.seen_at, kept.outcome) == ("t1", "failed")


def test_large_texts_are_not_kept_five_times() -> None:
    history = History()
    history.note(*revision(1, "x" * (LARGE_SOURCE_BYTES + 1)), "t1")
    (kept,) = history.of(DEMO.key)
    assert kept.text is None
