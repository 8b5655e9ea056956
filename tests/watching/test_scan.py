"""Our own look at the stamps: what it sees without any event."""

import os
import shutil
from pathlib import Path

import pytest

from loader.home import Home
from loader.watching.scan import changed, take_snapshot


class Disk:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = Home(root, root, None, "")
        self.before = take_snapshot(self.home)

    def put(self, name: str, text: str = "v1") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def news(self) -> set[str]:
        """What changed since the last call, relative to the root."""
        before, self.before = self.before, take_snapshot(self.home)
        return {os.path.relpath(hint, self.root) for hint in changed(before, self.before)}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_nothing_changed_is_nothing(disk: Disk) -> None:
    disk.put("desktop-plugins/demo/plugin.js")
    disk.news()
    assert disk.news() == set()


def test_folders_and_doors_that_come_and_go(disk: Disk) -> None:
    disk.put("desktop-plugins/a/plugin.js")
    assert disk.news() == {"desktop-plugins", "desktop-plugins/a"}
    disk.put("plugins/notes/plugin.yaml")
    assert disk.news() == {"plugins", "plugins/notes"}
    disk.put("plugins/notes/desktop/plugin.js")
    assert disk.news() == {"plugins/notes"}
    (disk.root / "plugins/notes/desktop/plugin.js").unlink()
    assert disk.news() == {"plugins/notes"}
    shutil.rmtree(disk.root / "desktop-plugins")
    assert disk.news() == {"desktop-plugins", "desktop-plugins/a"}


def test_a_second_save_within_the_same_second(disk: Disk) -> None:
    path = disk.put("desktop-plugins/demo/plugin.js", "aa")
    os.utime(path, ns=(10**18, 10**18))
    disk.news()
    for nanoseconds in (1, 2, 3):
        os.utime(path, ns=(10**18 + nanoseconds, 10**18 + nanoseconds))
        assert disk.news() == {"desktop-plugins/demo"}


def test_a_copy_that_keeps_its_old_time_stamp(disk: Disk) -> None:
    path = disk.put("desktop-plugins/demo/plugin.js", "aa")
    other = disk.put("other.js", "bb")
    os.utime(path, ns=(10**18, 10**18))
    os.utime(other, ns=(10**18, 10**18))
    disk.news()
    other.replace(path)
    assert disk.news() == {"desktop-plugins/demo"}


def test_a_rewrite_in_place_that_sets_the_old_time_back(disk: Disk) -> None:
    path = disk.put("desktop-plugins/demo/plugin.js", "aa")
    os.utime(path, ns=(10**18, 10**18))
    disk.news()
    path.write_text("bb")
    os.utime(path, ns=(10**18, 10**18))
    if os.name == "nt":
        pytest.skip("Windows tells no time of change that a program cannot set")
    assert disk.news() == {"desktop-plugins/demo"}


def test_a_linked_file_changes_with_its_target(disk: Disk) -> None:
    target = disk.put("work/out.js")
    (disk.root / "desktop-plugins/demo").mkdir(parents=True)
    (disk.root / "desktop-plugins/demo/plugin.js").symlink_to(target)
    disk.news()
    target.write_text("longer than before")
    assert disk.news() == {"desktop-plugins/demo"}


@pytest.mark.parametrize("name", ["integrity.json", ".hermes-package.json"])
def test_what_stands_beside_a_plugin_counts(disk: Disk, name: str) -> None:
    disk.put("desktop-plugins/demo/plugin.js")
    disk.news()
    disk.put(f"desktop-plugins/demo/{name}")
    assert disk.news() == {"desktop-plugins/demo"}


def test_the_configuration_of_each_home(disk: Disk) -> None:
    (disk.root / "profiles/work").mkdir(parents=True)
    disk.news()
    disk.put("config.yaml")
    disk.put("profiles/work/config.yaml")
    assert disk.news() == {"config.yaml", "profiles/work/config.yaml"}


def test_side_files_and_folders_that_are_no_plugins(disk: Disk) -> None:
    disk.put("desktop-plugins/demo/plugin.js")
    disk.news()
    for name in (".plugin.js.swp", "plugin.js~", "node_modules/x/plugin.js", "src/plugin.js"):
        disk.put(f"desktop-plugins/demo/{name}")
    disk.put("desktop-plugins/.demo.staging-1/plugin.js")
    disk.put("desktop-plugins/node_modules/plugin.js")
    (disk.root / "desktop-plugins/dangling").symlink_to("nowhere")
    (disk.root / "desktop-plugins/circle").symlink_to("circle")
    assert disk.news() == set()


def test_records_of_what_was_installed_and_nothing_else_of_our_own_folder(disk: Disk) -> None:
    disk.put("desktop-loader/packages/notes.json")
    assert disk.news() == {str(Path("desktop-loader", "packages"))}
    disk.put("desktop-loader/packages/notes.json", "other")
    assert disk.news() == {str(Path("desktop-loader", "packages"))}
    disk.put("desktop-loader/packages/.staging-1/tree/plugin.js")
    disk.put("desktop-loader/packages/notes.json.lock")
    disk.put("desktop-loader/choices.json")
    assert disk.news() == set()
    (disk.root / "desktop-loader/packages/notes.json").unlink()
    assert disk.news() == {str(Path("desktop-loader", "packages"))}
