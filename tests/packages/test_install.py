"""Installing into a home: what lies there afterwards, after failures, after kills, and when two come at once."""

import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.integrity import integrity_of
from loader.inventory.allowances import Allowances
from loader.inventory.choices import Choices
from loader.inventory.pins import Pins
from loader.packages import changes
from loader.packages.install import Packages
from loader.packages.probe import Probe, fetch, probed, staging
from loader.packages.record import Record, source_of
from loader.packages.sources import parse_source
from loader.packages.tree import TreeChanges, hash_tree
from loader.testing import FakeAnalyzer
from tests.packages.conftest import make_package, make_plugin
from tests.requirements import missing

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = tmp_path / "home"
    root.mkdir()
    return Home(root, root, None, "a test")


@contextmanager
def probing(home: Home, source: Path) -> Iterator[Probe]:
    import asyncio

    with staging(home) as place:
        arrived = fetch(parse_source(str(source))[0], place)
        yield asyncio.run(probed(arrived, FakeAnalyzer()))


def put(home: Home, source: Path, packages: Packages | None = None) -> Record:
    packages = packages or Packages(home, now=lambda: NOW)
    with probing(home, source) as probe:
        return packages.install(probe, packages.plan(probe))


def pin_of(home: Home, plugin_id: str) -> str | None:
    pins = Pins.of(home)
    pins.refresh()
    return pins.by_id().get(plugin_id)


def choices_of(home: Home) -> dict[str, bool]:
    choices = Choices.of(home)
    choices.refresh()
    return dict(choices.by_id())


def state_of(home: Home) -> dict[str, str]:
    """Everything that counts in a home: no lock files, which come and go."""
    return {path: digest for path, digest in hash_tree(home.root).items() if not path.endswith(".lock")}


# ---------------------------------------------------------------- what an install leaves


def test_a_plugin_comes_to_its_door_with_a_record_and_a_pin(home: Home, tmp_path: Path) -> None:
    record = put(home, make_plugin(tmp_path / "somewhere" / "other-name", "notes"))
    folder = home.root / "desktop-plugins" / "notes"
    digest = hash_tree(folder)["plugin.js"]
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "plugin.js"]
    assert (record.folder, record.kind, record.installed_at) == (
        "desktop-plugins/notes",
        "standalone",
        "2026-01-02T03:04:05Z",
    )
    assert record.files == hash_tree(folder)
    assert pin_of(home, "notes") == integrity_of(digest)
    assert Packages(home).find("notes") == record
    assert Packages(home).verify(record) == TreeChanges()
    assert not list(home.root.rglob("*.staging-*"))


def test_a_package_comes_to_the_other_door_and_is_off(home: Home, tmp_path: Path) -> None:
    record = put(home, make_package(tmp_path / "pack"))
    assert (record.folder, record.kind, record.entry) == ("plugins/pack", "package", "desktop/plugin.js")
    assert (home.root / "plugins" / "pack" / "dashboard" / "plugin_api.py").is_file()
    choices = Choices.of(home)
    choices.refresh()
    assert choices.by_id() == {"pack": False}
    assert not (home.root / "config.yaml").exists()


def test_a_package_without_a_desktop_half_has_no_pin(home: Home, tmp_path: Path) -> None:
    source = tmp_path / "agent"
    source.mkdir()
    (source / "plugin.yaml").write_text("name: agent-only\n")
    assert put(home, source).id == "agent-only"
    assert pin_of(home, "agent-only") is None


def test_a_package_of_a_profile_comes_into_the_profile(tmp_path: Path) -> None:
    root = tmp_path / "home"
    (root / "profiles" / "work").mkdir(parents=True)
    home = Home(root, root / "profiles" / "work", "work", "a test")
    assert put(home, make_package(tmp_path / "pack")).folder == "profiles/work/plugins/pack"
    assert put(home, make_plugin(tmp_path / "notes", "notes")).folder == "desktop-plugins/notes"


def test_replacing_leaves_the_new_files_only(home: Home, tmp_path: Path) -> None:
    old = put(home, make_plugin(tmp_path / "one", "notes", extra={"old.txt": "x"}))
    new = put(home, make_plugin(tmp_path / "two", "notes", version=2))
    assert hash_tree(home.root / "desktop-plugins" / "notes") == new.files != old.files
    assert pin_of(home, "notes") == integrity_of(new.files["plugin.js"])
    assert [path.name for path in (home.root / "desktop-plugins").iterdir()] == ["notes"]


def test_what_changed_since_it_was_looked_at_is_not_replaced(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "one", "notes"))
    packages = Packages(home)
    with probing(home, make_plugin(tmp_path / "two", "notes", version=2)) as probe:
        plan = packages.plan(probe)
        (home.root / "desktop-plugins" / "notes" / "README.md").write_text("mine now")
        with pytest.raises(UsageError, match="changed meanwhile"):
            packages.install(probe, plan)
    assert (home.root / "desktop-plugins" / "notes" / "README.md").read_text() == "mine now"


def test_an_id_behind_the_other_door_is_not_doubled(home: Home, tmp_path: Path) -> None:
    put(home, make_package(tmp_path / "pack"))
    with (
        probing(home, make_plugin(tmp_path / "x", "pack")) as probe,
        pytest.raises(UsageError, match="has the id pack already"),
    ):
        Packages(home).plan(probe)


def test_verify_names_what_differs(home: Home, tmp_path: Path) -> None:
    record = put(home, make_package(tmp_path / "pack"))
    folder = home.root / "plugins" / "pack"
    (folder / "plugin.yaml").unlink()
    (folder / "desktop" / "plugin.js").write_text("changed")
    (folder / "new.txt").write_text("new")
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "dashboard" / "__pycache__").mkdir()
    (folder / "dashboard" / "__pycache__" / "x.pyc").write_text("a cache")
    assert Packages(home).verify(record) == TreeChanges(("link", "new.txt"), ("plugin.yaml",), ("desktop/plugin.js",))


def test_uninstall_takes_folder_pin_and_record_and_leaves_choices_unless_purged(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "one", "notes"))
    Choices.of(home).set("notes", False)
    Allowances.of(home).set("notes", "0" * 64)
    packages = Packages(home)
    packages.uninstall("notes")
    assert not (home.root / "desktop-plugins" / "notes").exists()
    assert (pin_of(home, "notes"), packages.find("notes"), packages.installed()) == (None, None, ())
    choices = Choices.of(home)
    choices.refresh()
    assert choices.by_id() == {"notes": False}
    put(home, make_plugin(tmp_path / "two", "notes"))
    packages.uninstall("notes", purge=True)
    choices.refresh()
    assert choices.by_id() == {}
    with pytest.raises(UsageError, match="was not installed by this program"):
        packages.uninstall("notes")


def test_what_is_installed_again_is_off_though_its_id_was_on_once(home: Home, tmp_path: Path) -> None:
    # Anybody may give a plugin the id of one that somebody had turned on.
    put(home, make_plugin(tmp_path / "one", "notes"))
    Choices.of(home).set("notes", True)
    Packages(home).uninstall("notes")
    put(home, make_plugin(tmp_path / "two", "notes"))
    assert choices_of(home) == {"notes": False}


def test_an_update_leaves_the_switch_as_it_is(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "one", "notes"))
    Choices.of(home).set("notes", True)
    put(home, make_plugin(tmp_path / "two", "notes", version=2))
    assert choices_of(home) == {"notes": True}


def test_uninstall_of_what_a_hand_removed_clears_the_rest(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "one", "notes"))
    shutil.rmtree(home.root / "desktop-plugins" / "notes")
    Packages(home).uninstall("notes")
    assert (pin_of(home, "notes"), Packages(home).installed()) == (None, ())


def test_a_name_that_is_no_id_leads_to_no_other_file(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "one", "notes"))
    other = home.state_dir / "other.json"
    other.write_text("not ours")
    packages = Packages(home)
    for act in (packages.get, packages.uninstall):
        with pytest.raises(UsageError, match="was not installed"):
            act("../other")
    assert other.read_text() == "not ours"


def test_a_source_can_be_read_again(home: Home, tmp_path: Path) -> None:
    record = put(home, make_plugin(tmp_path / "one", "notes"))
    assert source_of(record).said == str(tmp_path / "one")
    with pytest.raises(UsageError, match="--ref names a commit"):
        source_of(record, ref="0" * 40)


# ---------------------------------------------------------------- failures and kills


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


def test_records_say_nothing_of_passwords(home: Home, tmp_path: Path) -> None:
    from loader.packages.sources import GitSource

    assert GitSource("https://user:secret@example.org/a/b.git").said == "https://example.org/a/b.git"
    assert GitSource("ssh://git:secret@example.org/a/b.git").said == "ssh://git@example.org/a/b.git"
    put(home, make_plugin(tmp_path / "one", "notes"))
    stored = json.loads((home.state_dir / "packages" / "notes.json").read_text())
    assert stored["data"]["current"]["source"] == str(tmp_path / "one")
