"""Pages are told to look again when a backend that answers for them is another one, and not otherwise."""

from typing import Any

from loader.nouns import BackendEvent, Json
from loader.server.page_news import CHANGED, PageNews


def row(state: str, pid: int | None = None, name: str = "board") -> dict[str, Json]:
    return {"name": name, "state": state, "pid": pid}


def test_a_backend_that_comes_changes_and_goes_is_told_once_each() -> None:
    told: list[Any] = []
    news = PageNews(told.append)
    looks = [
        (row("idle"), 1),
        (row("idle"), 1),
        (row("starting"), 1),
        (row("running", 7), 2),
        (row("running", 7), 2),
        (row("running", 8), 3),
        (row("starting", 8), 3),
        (row("crashed"), 4),
        (None, 5),
        (None, 5),
        (row("idle"), 6),
    ]
    for said, count in looks:
        news.heard("folder", said)
        assert len(told) == count, said
    assert all(event == BackendEvent("board", CHANGED, {}) for event in told)


def test_each_folder_is_one_of_its_own() -> None:
    told: list[Any] = []
    news = PageNews(told.append)
    news.heard("one", row("idle", name="first"))
    news.heard("two", row("idle", name="second"))
    news.heard("never-seen", None)
    news.heard("one", None)
    assert [event.plugin for event in told] == ["first", "second", "first"]
