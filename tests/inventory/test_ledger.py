"""Choices and pins on disk: they survive what happens to processes, and to files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from loader.errors import UsageError
from loader.home import Home
from loader.inventory.choices import Choices
from loader.inventory.pins import Pins

HASH = "sha256-rTg+AdKcXC4EHwzku/E+k9fD2/2wxXN5v9zaGcZ/wwA="


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, None, "a test")


def test_choices_come_back(home: Home) -> None:
    choices = Choices.of(home)
    assert choices.refresh() == ()
    assert choices.by_id() == {}
    choices.set("demo", False)
    choices.set("notes", True)
    choices.set("demo", None)
    choices.set("nobody", None)
    again = Choices.of(home)
    assert again.refresh() == ()
    assert again.by_id() == choices.by_id() == {"notes": True}


@pytest.mark.parametrize("name", ["../../outside", "..", "a/b", "", "A", "con", "x" * 65, "\ud800"])
def test_an_invalid_id_is_refused_and_nothing_is_written(home: Home, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a plugin's id"):
        Choices.of(home).set(name, True)
    with pytest.raises(UsageError):
        Pins.of(home).set(name, HASH)
    assert list(home.root.iterdir()) == []


def test_what_cannot_be_understood_is_said_once_and_kept(home: Home) -> None:
    home.state_dir.mkdir()
    path = home.state_dir / "choices.json"
    path.write_text(json.dumps({"version": 1, "data": {"demo": "off", "../x": True, "ok": False}}))
    choices = Choices.of(home)
    said = choices.refresh()
    assert len(said) == 2
    assert choices.refresh() == ()
    assert choices.by_id() == {"ok": False}
    choices.set("more", True)
    assert json.loads(path.read_text())["data"] == {"demo": "off", "../x": True, "ok": False, "more": True}


@pytest.mark.parametrize("text", ["", '{"demo": fal', "[]", "\0" * 50, '{"version": 1, "data": [1]}'])
def test_a_damaged_file_is_set_aside_before_anything_is_written(home: Home, text: str) -> None:
    home.state_dir.mkdir()
    (home.state_dir / "choices.json").write_text(text)
    choices = Choices.of(home)
    (said,) = choices.refresh()
    assert "choices.json" in said
    choices.set("demo", True)
    (aside,) = home.state_dir.glob("choices.json.damaged*")
    assert aside.read_text() == text
    assert choices.refresh() == ()


def test_a_newer_file_is_left_alone_and_said_once(home: Home) -> None:
    home.state_dir.mkdir()
    path = home.state_dir / "choices.json"
    path.write_text('{"version": 99, "data": {}}')
    choices = Choices.of(home)
    (said,) = choices.refresh()
    assert "newer" in said
    assert choices.refresh() == ()
    assert path.read_text() == '{"version": 99, "data": {}}'


def test_pins_remember_the_folder(home: Home) -> None:
    pins = Pins.of(home)
    pins.set("demo", HASH, "folder")
    again = Pins.of(home)
    again.refresh()
    assert again.by_id() == {"demo": HASH}
    assert again.foretold("folder", None) == (HASH,)
    assert again.foretold("demo", None) == (HASH,)
    assert again.foretold("other", "demo") == (HASH,)
    assert again.foretold("other", "another") == ()
    again.unset("demo")
    assert again.foretold("folder", "demo") == ()


WRITER = """
import sys
from pathlib import Path
from loader.home import Home
from loader.inventory.choices import Choices
root = Path(sys.argv[1])
choices = Choices.of(Home(root, root, None, "a test"))
choices.refresh()
print("up", flush=True)
for number in range(int(sys.argv[3])):
    choices.set(f"{sys.argv[2]}{number}", number % 2 == 0)
"""


def writer(home: Home, prefix: str, times: int) -> "subprocess.Popen[bytes]":
    # Python finds this checkout and not an installed copy, as the tests do.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", WRITER, str(home.root), prefix, str(times)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)


@pytest.mark.real
def test_two_processes_lose_nothing_of_each_other(home: Home) -> None:
    writers = [writer(home, prefix, 60) for prefix in "ab"]
    assert [process.wait(60) for process in writers] == [0, 0]
    for process in writers:
        assert process.stdout is not None
        process.stdout.close()
    choices = Choices.of(home)
    assert choices.refresh() == ()
    assert choices.by_id() == {f"{prefix}{n}": n % 2 == 0 for prefix in "ab" for n in range(60)}


@pytest.mark.real
def test_killed_at_any_moment_the_file_is_the_old_or_the_new_one(home: Home) -> None:
    choices = Choices.of(home)
    for number in range(100):
        choices.set(f"kept{number}", number % 2 == 0)
    kept = dict(choices.by_id())
    for round_ in range(8):
        process = writer(home, f"r{round_}-", 100_000)
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        before = len(choices.by_id())
        while len(choices.by_id()) < before + 3 + round_:
            assert choices.refresh() == (), "never damaged, whenever it is read"
        process.kill()
        process.wait()
        process.stdout.close()
        again = Choices.of(home)
        assert again.refresh() == ()
        found = dict(again.by_id())
        assert kept.items() <= found.items()
        mine = sorted(int(name.partition("-")[2]) for name in found if name.startswith(f"r{round_}-"))
        assert mine == list(range(len(mine))), "every write that was done before the kill is there, in order"
        again.set("after", True)
