"""The log of who did what: what a line holds, that it stays small and private, and what a hand did to it."""

import json
import os
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from loader.errors import LoaderError
from loader.home import Home
from loader.packages.audit import AUDIT_FILE, OLDER_FILE, Audit

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = tmp_path / "home"
    root.mkdir()
    return Home(root, root, None, "a test")


def test_a_line_says_when_who_what_and_what_came_of_it(home: Home) -> None:
    audit = Audit(home, now=lambda: NOW)
    assert audit.last(10) == ()
    audit.note("mcp", "install", "notes", "asked")
    audit.note("person", "install", "notes", "done")
    (asked, done) = audit.last(10)
    assert asked.told() == {
        "at": "2026-01-02T03:04:05Z",
        "caller": "mcp",
        "action": "install",
        "id": "notes",
        "outcome": "asked",
    }
    assert audit.last(1) == (done,)
    assert audit.last(0) == ()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_nobody_else_may_read_it(home: Home) -> None:
    Audit(home).note("cli", "install", "notes", "done")
    assert stat.S_IMODE((home.state_dir / AUDIT_FILE).stat().st_mode) == 0o600


def test_it_stays_small_and_keeps_the_newest(home: Home) -> None:
    audit = Audit(home, now=lambda: NOW, limit_bytes=2_000)
    for number in range(200):
        audit.note("cli", "install", f"p{number}", "done")
    sizes = [(home.state_dir / name).stat().st_size for name in (AUDIT_FILE, OLDER_FILE)]
    assert max(sizes) <= 2_000
    found = audit.last(1000)
    assert 10 < len(found) < 60
    assert [entry.id for entry in found] == [f"p{number}" for number in range(200 - len(found), 200)]


def test_an_id_of_any_length_is_one_short_line(home: Home) -> None:
    Audit(home).note("tool", "uninstall", "x\n\u202e" * 10_000, "refused")
    (line,) = (home.state_dir / AUDIT_FILE).read_bytes().splitlines()
    assert len(line) < 1_500
    assert json.loads(line)["outcome"] == "refused"


def test_lines_that_a_hand_or_a_crash_left_are_passed_over(home: Home) -> None:
    audit = Audit(home)
    audit.note("cli", "install", "one", "done")
    with (home.state_dir / AUDIT_FILE).open("ab") as file:
        file.write(b'\xff\xfe{"at": \n[1, 2]\n"text"\n' + b"[" * 100_000 + b"\n")
    audit.note("cli", "install", "two", "done")
    assert [entry.id for entry in audit.last(10)] == ["one", "two"]


def test_many_at_once_lose_no_line(home: Home) -> None:
    def write(number: int) -> None:
        for count in range(10):
            Audit(home).note("cli", "enable", f"p{number}-{count}", "done")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Audit(home).last(1000)) == 40


def test_what_cannot_be_written_is_said(home: Home) -> None:
    home.state_dir.mkdir()
    (home.state_dir / AUDIT_FILE).mkdir()
    with pytest.raises(LoaderError, match=AUDIT_FILE):
        Audit(home).note("cli", "install", "notes", "done")
    assert Audit(home).last(10) == ()
