"""Installing into a home: what lies there afterwards."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from loader.errors import UsageError
from loader.home import Home
from loader.integrity import integrity_of
from loader.inventory.allowances import Allowances
from loader.inventory.choices import Choices
from loader.inventory.pins import Pins
from loader.packages.install import Packages
from loader.packages.probe import Probe, fetch, probed, staging
from loader.packages.record import Record, source_of
from loader.packages.sources import parse_source
from loader.packages.tree import TreeChanges, hash_tree
from loader.testing import FakeAnalyzer
from tests.packages.conftest import make_package, make_plugin

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


def test_records_say_nothing_of_passwords(home: Home, tmp_path: Path) -> None:
    from loader.packages.sources import GitSource

    assert GitSource("https://user:secret@example.org/a/b.git").said == "https://example.org/a/b.git"
    assert GitSource("ssh://git:secret@example.org/a/b.git").said == "ssh://git@example.org/a/b.git"
    put(home, make_plugin(tmp_path / "one", "notes"))
    stored = json.loads((home.state_dir / "packages" / "notes.json").read_text())
    assert stored["data"]["current"]["source"] == str(tmp_path / "one")
