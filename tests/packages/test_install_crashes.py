"""Installs that fail, are killed, come together, or find the disk full: the old state or the new one, never between."""

import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.integrity import integrity_of
from loader.packages import changes
from loader.packages.install import Packages
from loader.packages.probe import staging
from loader.packages.record import Record
from loader.packages.tree import TreeChanges, hash_tree
from tests.packages.conftest import make_plugin
from tests.packages.test_install import NOW, pin_of, put, state_of
from tests.packages.test_install import home as home
from tests.requirements import missing


def all_steps(act: Callable[[Packages], Any], home: Home) -> list[str]:
    steps: list[str] = []
    act(Packages(home, now=lambda: NOW, step=steps.append))
    return steps


ACTIONS = ("install", "replace", "uninstall", "purge")


def prepared(action: str, home: Home, tmp_path: Path) -> Callable[[Packages], Any]:
    if action != "install":
        put(home, make_plugin(tmp_path / "one", "notes", extra={"old.txt": "x"}))
    if action in ("uninstall", "purge"):
        return lambda packages: packages.uninstall("notes", purge=action == "purge")
    source = make_plugin(tmp_path / "two", "notes", version=2)
    return lambda packages: put(home, source, packages)


@pytest.mark.parametrize("without_exchange", [False, True], ids=["exchange", "two renames"])
@pytest.mark.parametrize("action", ACTIONS)
def test_a_failure_at_any_step_leaves_the_old_state_or_the_new_one(
    action: str, without_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without_exchange:
        monkeypatch.setattr(changes, "exchange", lambda *_: False)

    def fresh(name: str) -> tuple[Home, Callable[[Packages], Any]]:
        root = tmp_path / name / "home"
        root.mkdir(parents=True)
        home = Home(root, root, None, "a test")
        return home, prepared(action, home, tmp_path / name)

    home, act = fresh("whole")
    old = state_of(home)
    steps = all_steps(act, home)
    new = state_of(home)
    assert len(steps) >= 6
    for number in range(len(steps)):
        home, act = fresh(str(number))
        before = state_of(home)
        count = 0

        def fails(_: str, number: int = number) -> None:
            nonlocal count
            count += 1
            if count == number + 1:
                raise OSError(28, "No space left on device")

        with pytest.raises((OSError, LoaderError)):
            act(Packages(home, now=lambda: NOW, step=fails))
        Packages(home).installed()
        after = simplified(state_of(home), home)
        assert after in (simplified(before, home), simplified(new, home)), steps[number]
        assert len(old) == len(before)


def simplified(state: dict[str, str], home: Home) -> tuple[Any, ...]:
    """The plugin, its pin and its record, without what differs from home to home."""
    files = {path: digest for path, digest in state.items() if not path.startswith("desktop-loader/")}
    leftovers = [path for path in state if ".staging-" in path]
    recorded = "desktop-loader/packages/notes.json" in state
    return files, recorded, leftovers


_KILLED = """
import asyncio, os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from loader.home import Home
from loader.packages import changes
from loader.packages.install import Packages
from loader.packages.probe import fetch, probed, staging
from loader.packages.sources import parse_source
from loader.testing import FakeAnalyzer
root, source, action, exchange = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4] == "1"
if not exchange:
    changes.exchange = lambda *_: False
home = Home(root, root, None, "a test")

def run(stop_at):
    count = 0
    def step(name):
        nonlocal count
        count += 1
        if count == stop_at:
            os.kill(os.getpid(), signal.SIGKILL)
    packages = Packages(home, step=step)
    if action == "uninstall":
        packages.uninstall("notes")
    else:
        with staging(home) as place:
            probe = asyncio.run(probed(fetch(parse_source(source)[0], place), FakeAnalyzer()))
            packages.install(probe, packages.plan(probe))
    return count

# Each line names a step; a child of this process (its imports are warm) is killed there.
for line in sys.stdin:
    kind, _, value = line.partition(" ")
    child = os.fork()
    if child == 0:
        if kind == "after":
            # The signal's own action ends the process, between any two instructions.
            signal.setitimer(signal.ITIMER_REAL, float(value))
        run(int(value) if kind == "step" else 0)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else "done" if status == 0 else f"failed {status}", flush=True)
"""


RUNS_OF_EACH = 40


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork to kill two hundred processes in a moment")
def test_two_hundred_kills_leave_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    """SIGKILL at every step of installing, replacing and uninstalling, with and without an exchange in one step."""
    one = make_plugin(tmp_path / "one", "notes", extra={"old.txt": "x"})
    two = make_plugin(tmp_path / "two", "notes", version=2)
    rng = random.Random(9)
    kills = 0
    kinds = [(action, exchange) for action in ("install", "replace", "uninstall") for exchange in ("1", "0")]
    for action, exchange in kinds:
        root = tmp_path / f"{action}{exchange}"
        root.mkdir()
        home = Home(root, root, None, "a test")
        if action != "install":
            put(home, one)
        template = tmp_path / f"template-{action}{exchange}"
        shutil.copytree(root, template)
        states = {
            "install": ({}, hash_tree(two)),
            "replace": (hash_tree(one), hash_tree(two)),
            "uninstall": (hash_tree(one), {}),
        }
        old, new = states[action]
        with subprocess.Popen(
            [sys.executable, "-c", _KILLED, str(root), str(two), action, exchange],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as killer:
            assert killer.stdin is not None
            assert killer.stdout is not None
            step = 0
            for number in range(RUNS_OF_EACH):
                # Every step, over and over; every fifth run at any moment.
                at_any_moment = number % 5 == 4
                step += not at_any_moment
                shutil.rmtree(root)
                shutil.copytree(template, root)
                order = f"after {rng.uniform(0.0005, 0.03):.6f}" if at_any_moment else f"step {step}"
                killer.stdin.write(f"{order}\n")
                killer.stdin.flush()
                said = killer.stdout.readline().strip()
                assert said in ("killed", "done"), order
                kills += said == "killed"
                if said == "done" and not at_any_moment:
                    step = 0
                record = Packages(home).find("notes")
                there = hash_tree(root / "desktop-plugins" / "notes")
                assert there in (old, new), (action, order)
                if said == "done":
                    assert there == new
                assert (record.files if record else {}) == there, (action, order)
                assert pin_of(home, "notes") == (integrity_of(there["plugin.js"]) if there else None), (action, order)
                with staging(home):
                    pass
                assert not [path for path in hash_tree(root) if ".staging-" in path and not path.endswith(".lock")]
            killer.stdin.close()
    assert kills >= 200


def test_installs_at_the_same_time_end_with_one_of_them_whole(home: Home, tmp_path: Path) -> None:
    sources = [make_plugin(tmp_path / str(number), "notes", version=number) for number in range(6)]
    results: list[object] = []

    def run(source: Path) -> None:
        try:
            results.append(put(home, source))
        except UsageError as refused:
            results.append(refused)

    threads = [threading.Thread(target=run, args=(source,)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    installed = [result for result in results if isinstance(result, Record)]
    assert len(results) == 6
    assert installed
    record = Packages(home).get("notes")
    assert record in installed
    assert Packages(home).verify(record) == TreeChanges()
    assert pin_of(home, "notes") == integrity_of(record.files["plugin.js"])


def test_different_packages_at_the_same_time_all_arrive(home: Home, tmp_path: Path) -> None:
    sources = [make_plugin(tmp_path / f"p{number}", f"p{number}") for number in range(6)]
    threads = [threading.Thread(target=put, args=(home, source)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [record.id for record in Packages(home).installed()] == [f"p{number}" for number in range(6)]
    assert all(pin_of(home, f"p{number}") for number in range(6))


def test_a_full_disk_while_copying_leaves_nothing(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = state_of(home)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LoaderError, match="the disk is full"):
        put(home, make_plugin(tmp_path / "one", "notes"))
    monkeypatch.undo()
    assert state_of(home) == before


def test_another_file_system_gets_a_copy_beside_the_place(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Path("/dev/shm")
    if not shared.is_dir() or shared.stat().st_dev == home.root.stat().st_dev:
        missing("needs /dev/shm as a second file system")
    import tempfile

    with tempfile.TemporaryDirectory(dir=shared) as other:
        (home.root / "desktop-plugins").symlink_to(other)

        def killed(_: Path) -> None:
            raise KeyboardInterrupt

        zero = make_plugin(tmp_path / "zero", "notes")
        with monkeypatch.context() as patch:
            patch.setattr(changes, "sync_tree", killed)
            with pytest.raises(KeyboardInterrupt):
                put(home, zero)
        assert len(list(Path(other).iterdir())) == 1, "a copy that nobody could remove any more"
        record = put(home, make_plugin(tmp_path / "one", "notes"))
        assert hash_tree(Path(other) / "notes") == record.files
        put(home, make_plugin(tmp_path / "two", "notes", version=2))
        assert [path.name for path in Path(other).iterdir()] == ["notes"]
