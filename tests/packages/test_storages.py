"""What a removed package leaves behind, and who may have it: its part of the browser's storage, its backend's data."""

from dataclasses import replace
from pathlib import Path

import pytest

from loader.backends.host import folder_of
from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.inventory.choices import Choices
from loader.packages.install import Packages
from loader.packages.standings import standing_of
from loader.packages.storages import STORAGES_FILE
from loader.packages.walled import host_of
from tests.packages.conftest import make_app, make_package, make_plugin
from tests.packages.test_install import choices_of, put

APP = "com.example.board"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = tmp_path / "home"
    root.mkdir()
    return Home(root, root, None, "a test")


def host(home: Home) -> str:
    """The origin that its frames get now."""
    from loader.packages.shelf import walled_of

    standing = standing_of(home, Packages(home).entry(APP))
    assert standing is not None
    walled = walled_of(standing, None)
    assert walled is not None
    return walled.host


def test_the_first_of_an_id_has_the_plain_origin_and_keeps_it_over_updates(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "app"))
    assert host(home) == host_of(APP)
    make_app(tmp_path / "app", text="two")
    put(home, tmp_path / "app")
    assert host(home) == host_of(APP)
    put(home, make_app(tmp_path / "moved"))  # in its place, as a person said
    assert host(home) == host_of(APP)


def test_what_comes_back_from_where_it_was_finds_its_own_again(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "app"))
    for _ in range(2):
        Packages(home).uninstall(APP)
        make_app(tmp_path / "app", text="two")
        put(home, tmp_path / "app")
        assert host(home) == host_of(APP)


def test_another_source_of_the_same_id_gets_an_origin_that_nobody_had(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "app"))
    seen = {host(home)}
    for name in ("squatter", "another", "app"):
        Packages(home).uninstall(APP)
        put(home, make_app(tmp_path / name))
        assert host(home) not in seen
        seen.add(host(home))


def test_a_purge_gives_the_origin_up(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "app"))
    seen = {host(home)}
    for _ in range(3):
        Packages(home).uninstall(APP, purge=True)
        put(home, tmp_path / "app")
        assert host(home) not in seen
        seen.add(host(home))
    put(home, make_app(tmp_path / "app", text="an update of the purged"))
    assert host(home) in seen


def test_where_the_memory_is_damaged_nobody_gets_what_may_be_anothers(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "app"))
    Packages(home).uninstall(APP, purge=True)
    (home.state_dir / STORAGES_FILE).write_text("{")
    put(home, tmp_path / "app")
    assert host(home) != host_of(APP)


def test_a_purge_that_was_killed_is_carried_out_all_the_same(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "one", "notes"))
    Choices.of(home).set("notes", True)

    def dies(step: str) -> None:
        if step == "remove what is left":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Packages(home, step=dies).uninstall("notes", purge=True)
    assert choices_of(home) == {"notes": True}
    assert Packages(home).find("notes") is None
    assert choices_of(home) == {}


def test_a_purge_removes_the_data_of_the_profile_that_the_package_is_in(tmp_path: Path) -> None:
    root = tmp_path / "home"
    profile = root / "profiles" / "work"
    profile.mkdir(parents=True)
    plain, work = Home(root, root, None, "a test"), Home(root, profile, "work", "a test")
    put(work, make_package(tmp_path / "one"))
    theirs, another = folder_of(work, "pack") / "data", folder_of(plain, "pack") / "data"
    for folder in (theirs, another):
        folder.mkdir(parents=True)
    # Asked for from another profile than the package's.
    Packages(plain).uninstall("pack", purge=True)
    assert (theirs.exists(), another.exists()) == (False, True)


def test_a_purge_spares_the_data_of_a_backend_whose_name_was_only_claimed(home: Home, tmp_path: Path) -> None:
    put(home, make_package(tmp_path / "one", "board"))
    put(home, make_package(tmp_path / "two", "claimer"))
    theirs = folder_of(home, "board") / "data"
    theirs.mkdir(parents=True)
    # After the install it can call itself what it likes.
    (home.root / "plugins" / "claimer" / "dashboard" / "manifest.json").write_text('{"name": "board"}')
    Packages(home).uninstall("claimer", purge=True)
    assert theirs.exists()
    Packages(home).uninstall("board", purge=True)
    assert not theirs.exists()


def test_a_backend_under_the_name_of_another_packages_is_not_installed(home: Home, tmp_path: Path) -> None:
    put(home, make_package(tmp_path / "one", "board"))
    other = make_package(tmp_path / "two", "another")
    (other / "dashboard" / "manifest.json").write_text('{"name": "board", "api": "plugin_api.py"}')
    with pytest.raises(UsageError, match=r"its backend is called 'board', as the one in .*/plugins/board is"):
        put(home, other)
    put(home, make_package(tmp_path / "one", "board"))  # an update of its own


def test_an_update_goes_to_the_profile_that_the_package_is_in(tmp_path: Path) -> None:
    from tests.packages.test_install import probing

    root = tmp_path / "home"
    profile = root / "profiles" / "work"
    profile.mkdir(parents=True)
    plain, work = Home(root, root, None, "a test"), Home(root, profile, "work", "a test")
    put(work, make_package(tmp_path / "one"))
    with probing(plain, tmp_path / "one") as probe:
        assert Packages(plain).plan(probe, updates=True).folder == profile / "plugins" / "pack"
        with pytest.raises(LoaderError, match="has the id pack already"):
            Packages(plain).plan(probe)


def test_a_page_that_its_author_serves_names_the_plain_origin(home: Home, tmp_path: Path) -> None:
    from loader.packages.shelf import walled_of

    put(home, make_app(tmp_path / "app"))
    entry = Packages(home).entry(APP)
    assert entry.current is not None
    served = replace(
        entry.current, storage="f" * 32, source_kind="development", source="http://localhost:5173/", page="index.html"
    )
    standing = standing_of(home, replace(entry, current=served))
    assert standing is not None
    walled = walled_of(standing, None)
    assert walled is not None
    assert walled.host == host_of(APP)
