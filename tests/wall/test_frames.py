"""The life of a frame's authority: given for one state of one plugin, used by one page, ended by whatever changes."""

from __future__ import annotations

from typing import Any

import pytest

from loader.wall.frames import FRAMES_LIMIT, LOOSE_LIFE_S, TICKET_LIFE_S, Frame, Frames, Opened
from tests.wall.fakes import NOTES, OTHER, Clock, FakeShelf, grants, web_app


class Setting:
    def __init__(self) -> None:
        self.clock = Clock()
        self.shelf = FakeShelf(web_app(grants=grants("tools", "read-only")), web_app(OTHER))
        self.ended: list[Frame] = []
        self.frames = Frames(self.shelf, on_end=self.ended.append, now_s=self.clock)

    def open(self, plugin_id: str = NOTES) -> Opened:
        opened = self.frames.open(plugin_id)
        assert opened is not None
        return opened


@pytest.fixture
def set_up() -> Setting:
    return Setting()


def test_a_token_speaks_for_its_frame_and_nothing_else_does(set_up: Setting) -> None:
    opened, other = set_up.open(), set_up.open(OTHER)
    assert set_up.frames.who(opened.token) is opened.frame
    assert set_up.frames.who(other.token) is other.frame
    for guess in ("", opened.ticket, opened.frame.id, NOTES, opened.token[:-1], opened.token.swapcase(), "\ud800"):
        assert set_up.frames.who(guess) is None


def test_what_is_not_there_or_off_is_not_opened(set_up: Setting) -> None:
    set_up.shelf.change(enabled=False)
    assert set_up.frames.open(NOTES) is None
    assert set_up.frames.open("com.example.none") is None


CHANGES = {
    "disabled": {"enabled": False},
    "an approval taken back": {"grants": grants()},
    "an approval given": {"grants": grants("tools storage", "read-only")},
    "an update": {"revision": "b2"},
    "another name": {"name": "Other"},
}


@pytest.mark.parametrize("told", [True, False], ids=["told", "not told"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_any_change_ends_it_for_good(set_up: Setting, change: dict[str, Any], told: bool) -> None:
    opened = set_up.open()
    before = set_up.shelf.rows[NOTES]
    set_up.shelf.change(**change)
    if told:
        set_up.frames.changed(NOTES)
        assert set_up.ended == [opened.frame]
    assert set_up.frames.who(opened.token) is None
    assert set_up.frames.redeem(opened.ticket, NOTES) is None
    set_up.shelf.put(before)
    assert set_up.frames.who(opened.token) is None, "switched back on it has to be opened anew"
    assert set_up.ended == [opened.frame]
    assert opened.frame.ended == ("disabled" if change == {"enabled": False} else "changed")


def test_a_removal_or_trust_ends_it_and_leaves_others(set_up: Setting) -> None:
    opened, other = set_up.open(), set_up.open(OTHER)
    set_up.shelf.take()
    set_up.frames.changed(NOTES)
    assert opened.frame.ended == "removed"
    assert set_up.frames.who(other.token) is other.frame


def test_a_ticket_shows_the_page_once_to_its_own_host_and_soon(set_up: Setting) -> None:
    opened, late = set_up.open(), set_up.open()
    assert set_up.frames.redeem(opened.ticket, OTHER) is None
    assert set_up.frames.redeem(opened.token, NOTES) is None
    assert set_up.frames.redeem(opened.ticket, NOTES) is opened.frame
    assert set_up.frames.redeem(opened.ticket, NOTES) is None
    set_up.clock.now += TICKET_LIFE_S
    assert set_up.frames.redeem(late.ticket, NOTES) is None


def test_one_connection_speaks_for_a_frame_and_a_closed_tab_leaves_nothing_behind(set_up: Setting) -> None:
    opened = set_up.open()
    page, thief = object(), object()
    assert set_up.frames.attach(opened.frame, page)
    assert not set_up.frames.attach(opened.frame, thief)
    set_up.clock.now += 10 * LOOSE_LIFE_S
    assert set_up.frames.who(opened.token) is opened.frame, "while somebody speaks for it, it lives"
    set_up.frames.detach(page)
    set_up.clock.now += LOOSE_LIFE_S / 2
    assert set_up.frames.attach(opened.frame, thief), "the page came back over another connection"
    set_up.frames.detach(thief)
    set_up.clock.now += LOOSE_LIFE_S
    assert set_up.frames.who(opened.token) is None
    assert opened.frame.ended == "closed"


def test_there_are_never_more_than_so_many_and_the_oldest_goes(set_up: Setting) -> None:
    first = set_up.open()
    for _ in range(FRAMES_LIMIT):
        set_up.open(OTHER)
    assert set_up.frames.who(first.token) is None
    assert len(set_up.frames.all()) == FRAMES_LIMIT


def test_no_secret_is_kept_or_shown(set_up: Setting) -> None:
    opened = set_up.open()
    shown = repr(opened) + repr(opened.frame) + repr(vars(set_up.frames))
    assert opened.token not in shown and opened.ticket not in shown
