"""State files survive what machines do: kills, two writers, damage, full disks, newer versions."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from filelock import FileLock

from loader.errors import LoaderError
from loader.state import Damaged, JsonObject, StateFile, ensure_state_dir, parse_state

NOW = datetime(2026, 11, 30, 6, 27, 1, tzinfo=UTC)


class Kept:
    """A state file in a root, and what was reported of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / "desktop-loader" / "choices.json"
        self.reports: list[str] = []

    def open(self, **rest: object) -> StateFile:
        options = {"report": self.reports.append, "now": lambda: NOW} | rest
        return StateFile(self.path, **options)  # type: ignore[arg-type]

    def put(self, data: bytes) -> None:
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_bytes(data)

    @property
    def names(self) -> set[str]:
        return {entry.name for entry in self.path.parent.iterdir()} - {"choices.json.lock"}


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    root = tmp_path / "hermes"
    root.mkdir()
    return Kept(root)


def setting(**fields: bool | int | str) -> Callable[[JsonObject], JsonObject]:
    return lambda state: {**state, **fields}


# ---------------------------------------------------------------- reading and writing


def test_nothing_written_yet_is_an_empty_state_and_leaves_no_trace(kept: Kept) -> None:
    assert kept.open().read() == {}
    assert list(kept.root.iterdir()) == []


def test_what_was_written_is_read_by_everybody(kept: Kept) -> None:
    assert kept.open().update(setting(demo=False)) == {"demo": False}
    assert kept.open().update(setting(other=True)) == {"demo": False, "other": True}
    assert kept.open().read() == {"demo": False, "other": True}
    assert json.loads(kept.path.read_text()) == {"version": 1, "data": {"demo": False, "other": True}}
    assert kept.names == {"choices.json"}


def test_a_state_changed_in_place_is_written_too(kept: Kept) -> None:
    def change(state: JsonObject) -> JsonObject:
        state["demo"] = True
        return state

    kept.open().update(change)
    assert kept.open().read() == {"demo": True}


def test_an_unchanged_state_is_not_written(kept: Kept) -> None:
    kept.open().update(setting(demo=True))
    before = kept.path.stat().st_ino
    kept.open().update(setting(demo=True))
    assert kept.path.stat().st_ino == before
    kept.open().update(setting(demo=1))  # equal in Python, not in JSON
    assert kept.open().read()["demo"] is not True


def test_any_text_survives(kept: Kept) -> None:
    odd = {"näme": "😀\u2028", "lone \ud800": "\udfff", "": None}
    kept.open().update(lambda state: dict(odd))
    assert kept.open().read() == odd


def test_a_mark_that_an_editor_wrote_is_no_damage(kept: Kept) -> None:
    kept.open().update(setting(demo=False))
    kept.path.write_bytes(b"\xef\xbb\xbf" + kept.path.read_bytes())
    assert kept.open().read() == {"demo": False}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_folder_and_file_are_closed_to_others(kept: Kept) -> None:
    kept.open().update(setting(demo=True))
    assert kept.path.parent.stat().st_mode & 0o777 == 0o700
    assert kept.path.stat().st_mode & 0o777 == 0o600
    kept.path.parent.chmod(0o755)
    ensure_state_dir(kept.path.parent)
    assert kept.path.parent.stat().st_mode & 0o777 == 0o700


def test_a_missing_root_is_never_made(kept: Kept) -> None:
    kept.root.rmdir()
    assert kept.open().read() == {}
    with pytest.raises(LoaderError, match="never created"):
        kept.open().update(setting(demo=True))
    assert not kept.root.exists()


def test_a_file_in_place_of_our_folder_is_said(kept: Kept) -> None:
    (kept.root / "desktop-loader").touch()
    with pytest.raises(LoaderError, match="in the way"):
        kept.open().update(setting(demo=True))


def test_what_a_change_raises_passes_through_and_writes_nothing(kept: Kept) -> None:
    kept.open().update(setting(demo=True))
    with pytest.raises(ZeroDivisionError):
        kept.open().update(lambda state: {"demo": 1 // 0})
    assert kept.open().read() == {"demo": True}
    kept.open(lock_timeout_s=0.1).update(setting(demo=False))  # and the lock is free again


# ---------------------------------------------------------------- damage

DAMAGE = [
    (b'{"demo": fal', "no JSON at line 1"),
    (b"", "empty"),
    (bytes(100), "zero bytes"),
    (b"\xff\xfe{\x00", "no UTF-8"),
    (b"[]", "no object"),
    (b"null", "no object"),
    (b"{}", "no version"),
    (b'{"version": true, "data": {}}', "no version"),
    (b'{"version": "1", "data": {}}', "no version"),
    (b'{"version": 0, "data": {}}', "no version"),
    (b'{"version": 1}', "no data"),
    (b'{"version": 1, "data": []}', "no data"),
    (b'{"version": 1, "data": {"x": NaN}}', "NaN"),
    (b"[" * 200_000, "no JSON"),
    (b'{"version": 1, "data": {"x": ' + b"9" * 5000 + b"}}", "no JSON"),
]


@pytest.mark.parametrize(("data", "why"), DAMAGE, ids=[why for _, why in DAMAGE])
def test_a_damaged_file_is_set_aside_and_said_before_anything_is_written(kept: Kept, data: bytes, why: str) -> None:
    kept.put(data)
    file = kept.open()
    assert file.read() == {}
    assert len(kept.reports) == 1
    assert why in kept.reports[0] and str(kept.path) in kept.reports[0]
    aside = kept.path.with_name("choices.json.damaged-20261130T062701Z")
    assert aside.name in kept.reports[0]
    assert aside.read_bytes() == data
    assert file.read() == {} and file.update(setting(demo=True)) == {"demo": True}
    assert len(kept.reports) == 1
    assert kept.names == {"choices.json", aside.name}


def test_an_update_that_finds_damage_sets_it_aside_first(kept: Kept) -> None:
    kept.put(b'{"demo": fal')
    assert kept.open().update(setting(other=True)) == {"other": True}
    assert len(kept.reports) == 1
    assert kept.names == {"choices.json", "choices.json.damaged-20261130T062701Z"}


def test_damage_in_the_same_second_never_replaces_the_earlier_copy(kept: Kept) -> None:
    for number in range(3):
        kept.put(b"damage %d" % number)
        kept.open().read()
    copies = sorted(name for name in kept.names if "damaged" in name)
    assert len(copies) == 3
    assert {(kept.path.parent / name).read_bytes() for name in copies} == {b"damage 0", b"damage 1", b"damage 2"}


def test_a_huge_file_is_damage_and_is_not_read_whole(kept: Kept) -> None:
    kept.put(b"")
    with kept.path.open("wb") as file:
        file.truncate(1 << 36)
    assert kept.open().read() == {}
    assert "larger" in kept.reports[0]


def test_a_folder_in_place_of_the_file_is_set_aside(kept: Kept) -> None:
    (kept.path / "inside").mkdir(parents=True)
    assert kept.open().update(setting(demo=True)) == {"demo": True}
    assert "a folder" in kept.reports[0]


def test_damage_that_cannot_be_set_aside_is_never_written_over(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.put(b"damage")

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("loader.state.Path.replace", refuse)
    with pytest.raises(LoaderError, match="cannot be set aside"):
        kept.open().update(setting(demo=True))
    assert kept.path.read_bytes() == b"damage"


def test_a_newer_file_is_refused_and_kept(kept: Kept) -> None:
    kept.put(b'{"version": 2, "data": {"demo": {"on": true}}}')
    for act in (kept.open().read, lambda: kept.open().update(setting(demo=True))):
        with pytest.raises(LoaderError, match="newer version"):
            act()
    assert kept.names == {"choices.json"} and b'"version": 2' in kept.path.read_bytes()
    assert kept.open(version=2).read() == {"demo": {"on": True}}


def test_the_default_report_is_an_error_in_the_log(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    kept.put(b"damage")
    StateFile(kept.path).read()
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_parsing_names_the_file_of_a_newer_version() -> None:
    with pytest.raises(LoaderError, match=r"pins\.json"):
        parse_state(b'{"version": 9, "data": {}}', version=1, name="pins.json")
    with pytest.raises(Damaged):
        parse_state(b"x", version=1, name="pins.json")


# ---------------------------------------------------------------- trouble while writing


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(kept: Kept, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    kept.open().update(setting(demo=True))

    def full(*args: object) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("loader.state.os.fsync" if step == "fsync" else "loader.state.Path.replace", full)
    with pytest.raises(LoaderError, match=r"the disk is full.*old file is as it was"):
        kept.open().update(setting(demo=False))
    monkeypatch.undo()
    assert kept.open().read() == {"demo": True}
    assert kept.names == {"choices.json"}


def test_a_state_over_the_limit_is_not_written(kept: Kept) -> None:
    file = kept.open(limit_bytes=1000)
    file.update(setting(demo=True))
    with pytest.raises(LoaderError, match="the limit is 1000"):
        file.update(setting(text="x" * 2000))
    assert file.read() == {"demo": True}


def test_leftovers_of_killed_writers_are_swept(kept: Kept) -> None:
    kept.put(b'{"version": 1, "data": {}}')
    (kept.path.parent / ".choices.json.tmp-77.abcd").write_text("half")
    (kept.path.parent / ".pins.json.tmp-77.abcd").write_text("another file's")
    kept.open().update(setting(demo=True))
    assert kept.names == {"choices.json", ".pins.json.tmp-77.abcd"}


def test_a_lock_that_is_held_is_said(kept: Kept) -> None:
    kept.put(b'{"version": 1, "data": {}}')
    with FileLock(f"{kept.path}.lock"), pytest.raises(LoaderError, match="held by another process"):
        kept.open(lock_timeout_s=0.05).update(setting(demo=True))
    with FileLock(f"{kept.path}.lock"):
        assert kept.open(lock_timeout_s=0.05).read() == {}


def test_threads_of_one_process_lose_no_writes(kept: Kept) -> None:
    file = kept.open(lock_timeout_s=60)

    def count() -> None:
        for _ in range(20):
            file.update(lambda state: {"n": int(str(state.get("n", 0))) + 1})

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert file.read() == {"n": 80}


# ---------------------------------------------------------------- other processes

COUNT = """
import sys
from pathlib import Path
from loader.state import StateFile
file = StateFile(Path(sys.argv[1]), lock_timeout_s=60)
for _ in range(50):
    file.update(lambda state: {**state, "sum": state.get("sum", 0) + 1, sys.argv[2]: state.get(sys.argv[2], 0) + 1})
"""


@pytest.mark.real
def test_two_processes_never_lose_each_others_writes(kept: Kept) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", COUNT, str(kept.path), name]) for name in ("a", "b")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert kept.open().read() == {"sum": 100, "a": 50, "b": 50}


# One warm process forks a writer for each line it is given, says its pid, and buries it when it was killed.
WRITE_UNTIL_KILLED = """
import os, sys
import filelock  # warm: a change imports it
from pathlib import Path
from loader.state import StateFile
file = StateFile(Path(sys.argv[1]))
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        while True:
            file.update(lambda state: {f"plugin-{i}": state.get("plugin-0", 0) + 1 for i in range(500)})
    print(pid, flush=True)
    os.waitpid(pid, 0)
    print("dead", flush=True)
"""


@pytest.mark.real
@pytest.mark.skipif(os.name == "nt", reason="Windows cannot fork")
def test_a_kill_at_any_moment_leaves_the_old_or_the_new_state(kept: Kept) -> None:
    chance = random.Random(2026)
    kept.open().update(lambda state: {f"plugin-{i}": 0 for i in range(500)})
    command = [sys.executable, "-c", WRITE_UNTIL_KILLED, str(kept.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as forker:
        assert forker.stdin is not None and forker.stdout is not None
        seen = 0
        for _ in range(200):
            forker.stdin.write("go\n")
            forker.stdin.flush()
            writer = int(forker.stdout.readline())
            threading.Event().wait(chance.uniform(0, 0.02))  # the kill has to fall anywhere within a write
            os.kill(writer, signal.SIGKILL)
            assert forker.stdout.readline() == "dead\n"
            state = kept.open().read()
            assert set(state) == {f"plugin-{i}" for i in range(500)}
            (generation,) = set(state.values())
            assert isinstance(generation, int) and generation >= seen
            seen = generation
        forker.stdin.close()
    assert seen > 0
    assert kept.reports == []
    kept.open(lock_timeout_s=1).update(setting(after=True))
    assert kept.names == {"choices.json"}


# ---------------------------------------------------------------- what is in the way


def test_a_root_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "hermes").write_text("no folder")
    with pytest.raises(LoaderError, match=r"cannot be made: .*Mend the permissions of its root"):
        Kept(tmp_path / "hermes").open().update(setting(a=1))


def test_a_state_folder_that_is_a_file_is_no_empty_state(kept: Kept) -> None:
    kept.path.parent.write_text("no folder")
    with pytest.raises(LoaderError, match="cannot be read"):
        kept.open().read()


@pytest.mark.skipif(sys.platform == "win32", reason="the lock's error has other words there")
def test_a_lock_that_cannot_be_made_is_said_and_nothing_is_written(kept: Kept) -> None:
    kept.put(b'{"version": 1, "data": {"a": 1}}')
    kept.path.with_name("choices.json.lock").mkdir()
    with pytest.raises(LoaderError, match="cannot be locked"):
        kept.open(lock_timeout_s=0.1).update(setting(a=2))
    assert kept.open().read() == {"a": 1}


def test_a_thousand_damaged_copies_are_never_written_over(kept: Kept) -> None:
    kept.put(b"{")
    stamp = NOW.strftime("%Y%m%dT%H%M%SZ")
    for attempt in range(1000):
        (kept.path.parent / f"choices.json.damaged-{stamp}{f'-{attempt}' if attempt else ''}").write_text("mine")
    with pytest.raises(LoaderError, match="a thousand such files lie beside it"):
        kept.open().read()
    assert kept.path.read_bytes() == b"{"
