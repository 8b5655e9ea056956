"""What stands behind the wall at each moment: after installs, approvals, switches, trust, and half-way through them."""

import asyncio
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loader.errors import UsageError
from loader.home import Home
from loader.inventory.choices import Choices
from loader.nouns import Origin, Plugin, PluginChanged
from loader.packages.grants import NOTHING, Grants
from loader.packages.install import Packages
from loader.packages.record import Consent, Entry, Pending, Records
from loader.packages.shelf import HomeShelf
from loader.packages.standings import Standings, revision_of
from loader.packages.tree import hash_tree
from loader.testing import until
from tests.packages.conftest import make_app, make_plugin, write_files
from tests.packages.test_install import put
from tests.server.fakes import FakePipeline

APP = "com.example.board"
BOTH = Grants(frozenset({"tools", "storage"}), frozenset({"read-only"}))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = tmp_path / "home"
    root.mkdir()
    return Home(root, root, None, "a test")


def asking(folder: Path, plugin_id: str = "notes") -> Path:
    """A desktop plugin that asks for something."""
    manifest = '{"kind": "desktop", "id": "com.example.notes", "name": "Notes", "requestedApis": ["storage"]}'
    return make_plugin(folder, plugin_id, extra={"plugin.json": manifest})


class Desk:
    """A shelf with an inventory that is moved by hand."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.rows: dict[str, Plugin] = {}
        self.told: list[str] = []
        self.refreshed = 0
        self.shelf = HomeShelf(home, Standings(home), self.rows.get, self._refresh, in_thread=self._now)
        self.end = self.shelf.subscribe(self.told.append)

    async def _refresh(self) -> None:
        self.refreshed += 1

    async def _now(self, act: Callable[[], None]) -> None:
        act()

    def look(self) -> None:
        asyncio.run(self.shelf.refresh())

    def switched(self, plugin_id: str, enabled: bool) -> None:
        pipeline = FakePipeline(lambda _: None)
        running = pipeline.save(plugin_id)
        path = self.home.root / "desktop-plugins" / plugin_id / "plugin.js"
        row = dataclasses.replace(pipeline.rows[running.key], path=str(path), enabled=enabled)
        self.rows[plugin_id] = row
        self.shelf.observe(PluginChanged(row))


def test_a_web_app_comes_to_a_folder_of_ours_off_and_with_nothing_granted(home: Home, tmp_path: Path) -> None:
    record = put(home, make_app(tmp_path / "app"))
    folder = home.state_dir / "apps" / APP
    assert (record.folder, record.kind, record.page) == (f"desktop-loader/apps/{APP}", "web-app", "index.html")
    assert hash_tree(folder) == record.files
    assert not (home.root / "plugins").exists()
    assert not (home.root / "desktop-plugins").exists()
    desk = Desk(home)
    desk.look()
    (walled,) = desk.shelf.all()
    assert (walled.id, walled.kind, walled.name, walled.folder, walled.entry) == (
        APP,
        "web-app",
        "Board",
        folder,
        "index.html",
    )
    assert (walled.grants, walled.enabled, walled.revision) == (NOTHING, False, revision_of(record))
    assert desk.told == [APP]
    assert (desk.home.state_dir / "choices.json").exists() is False


def test_only_what_was_asked_for_and_approved_is_granted(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "app"))
    packages, desk = Packages(home), Desk(home)
    with pytest.raises(UsageError, match=f"approve {APP} --api storage --api tools"):
        packages.switch_app(APP, True)
    packages.approve(APP, Grants(frozenset({"tools", "cdp"}), frozenset({"read-only", "controls-browser"})))
    with pytest.raises(UsageError, match="asks for storage, which nobody approved"):
        packages.switch_app(APP, True)
    desk.look()
    walled = desk.shelf.get(APP)
    assert walled is not None
    assert walled.grants == Grants(frozenset({"tools"}), frozenset({"read-only"}))
    packages.approve(APP, BOTH)
    packages.switch_app(APP, True)
    desk.look()
    walled = desk.shelf.get(APP)
    assert walled is not None
    assert (walled.grants, walled.enabled) == (BOTH, True)
    packages.approve(APP, NOTHING)
    desk.look()
    walled = desk.shelf.get(APP)
    assert walled is not None
    assert (walled.grants, walled.enabled) == (NOTHING, False)
    packages.approve(APP, BOTH)
    assert packages.entry(APP).consent.on is False, "an approval alone turns nothing on"
    packages.uninstall(APP)
    desk.look()
    assert desk.shelf.all() == ()
    assert desk.told == [APP] * 4


def test_a_reinstall_keeps_approvals_only_while_they_are_a_subset(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "1"))
    packages = Packages(home)
    packages.approve(APP, BOTH)
    packages.switch_app(APP, True)
    put(home, make_app(tmp_path / "2", apis=("tools", "storage"), text="two"))
    assert packages.entry(APP).consent == Consent(BOTH, on=True)
    put(home, make_app(tmp_path / "3", apis=("tools", "storage", "cdp")))
    assert packages.entry(APP).consent == Consent(BOTH, on=False), "it asks for more, so it waits for a person"
    put(home, make_app(tmp_path / "4", apis=("tools",)))
    assert packages.entry(APP).consent == Consent(NOTHING, on=False)


def test_a_desktop_plugin_follows_its_switch_and_leaves_with_trust(home: Home, tmp_path: Path) -> None:
    put(home, asking(tmp_path / "p"))
    packages, desk = Packages(home), Desk(home)
    assert choices(home) == {"notes": False}
    desk.look()
    walled = desk.shelf.get("notes")
    assert walled is not None
    assert (walled.kind, walled.entry, walled.enabled) == ("desktop", "plugin.js", False)
    desk.switched("notes", True)
    assert not on(desk), "on, but what it asks for was not approved"
    packages.approve("notes", Grants(frozenset({"storage"})))
    desk.look()
    assert on(desk)
    desk.switched("notes", False)
    assert not on(desk)
    packages.trust("notes", True)
    desk.look()
    assert desk.shelf.get("notes") is None
    packages.trust("notes", False)
    desk.look()
    assert desk.shelf.get("notes") is not None


def on(desk: Desk) -> bool:
    walled = desk.shelf.get("notes")
    assert walled is not None
    return walled.enabled


def choices(home: Home) -> dict[str, bool]:
    found = Choices.of(home)
    found.refresh()
    return dict(found.by_id())


def test_an_approval_taken_back_switches_a_desktop_plugin_off(home: Home, tmp_path: Path) -> None:
    put(home, asking(tmp_path / "p"))
    packages = Packages(home)
    packages.approve("notes", Grants(frozenset({"storage"})))
    Choices.of(home).set("notes", True)
    packages.approve("notes", NOTHING)
    assert choices(home) == {"notes": False}


def test_trust_ends_where_the_files_come_from_another_place(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "one", "notes"))
    packages = Packages(home)
    packages.trust("notes", True)
    make_plugin(tmp_path / "one", "notes", version=2)
    put(home, tmp_path / "one")
    assert packages.entry("notes").consent.trusted
    put(home, make_plugin(tmp_path / "two", "notes", version=3))
    assert not packages.entry("notes").consent.trusted


def test_a_web_app_cannot_be_trusted_and_what_asks_for_nothing_needs_no_approval(home: Home, tmp_path: Path) -> None:
    put(home, make_app(tmp_path / "app", apis=()))
    packages = Packages(home)
    with pytest.raises(UsageError, match="has no desktop half"):
        packages.trust(APP, True)
    with pytest.raises(UsageError, match="asks for nothing"):
        packages.approve(APP, BOTH)
    assert packages.switch_app(APP, True).consent.on


def test_what_lies_there_without_a_record_is_not_on_the_shelf(home: Home, tmp_path: Path) -> None:
    make_plugin(home.root / "desktop-plugins" / "mine", "mine")
    desk = Desk(home)
    desk.look()
    desk.switched("mine", True)
    assert desk.shelf.all() == ()


def test_a_record_of_before_grants_nothing_and_is_walled(home: Home, tmp_path: Path) -> None:
    record = put(home, asking(tmp_path / "p"))
    Records(home).write("notes", Entry(record))
    stored = (home.state_dir / "packages" / "notes.json").read_text()
    assert "consent" not in stored
    desk = Desk(home)
    desk.look()
    walled = desk.shelf.get("notes")
    assert walled is not None
    assert walled.grants == NOTHING


def test_half_way_through_a_change_the_less_of_both_states_counts(home: Home, tmp_path: Path) -> None:
    old = put(home, make_app(tmp_path / "1"))
    new = dataclasses.replace(old, requested=Grants(frozenset({"tools"})))
    pending = Pending("install", new, "/nowhere", 0, 0, "/nowhere", None, None, Consent(BOTH, on=True))
    Records(home).write(APP, Entry(old, pending, Consent(BOTH, on=True)))
    desk = Desk(home)
    desk.look()
    walled = desk.shelf.get(APP)
    assert walled is not None
    assert (walled.grants, walled.enabled) == (Grants(frozenset({"tools"}), frozenset()), False)


def test_what_is_only_about_to_come_is_foreign_already(home: Home, tmp_path: Path) -> None:
    record = put(home, make_plugin(tmp_path / "p", "notes"))
    pending = Pending("install", record, "/nowhere", 0, 0, "/nowhere", None, None, Consent(trusted=True))
    Records(home).write("notes", Entry(None, pending))
    standings = Standings(home)
    standings.catch_up()
    path = str(home.root / "desktop-plugins" / "notes" / "plugin.js")
    assert standings.by_path()[path].walled


def test_nothing_is_read_again_while_nothing_changes(home: Home, tmp_path: Path, monkeypatch: Any) -> None:
    put(home, make_plugin(tmp_path / "p", "notes"))
    later = (home.state_dir / "packages").stat().st_mtime + 100
    standings = Standings(home, wall_clock_s=lambda: later)
    standings.catch_up()
    before = standings.by_id()
    monkeypatch.setattr(Records, "ids", lambda _: pytest.fail("the folder was listed again"))
    standings.catch_up()
    assert standings.by_id() is before
    assert standings.refresh() == ()


def test_a_record_that_cannot_be_read_is_said_once_and_what_was_known_stays(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "p", "notes"))
    standings = Standings(home)
    standings.catch_up()
    write_files(home.state_dir / "packages", {"notes.json": '{"version": 99, "data": {}}'})
    assert ["newer version" in text for text in standings.refresh()] == [True]
    assert standings.refresh() == ()
    assert list(standings.by_id()) == ["notes"]
    assert isinstance(next(iter(standings.by_path().values())), Origin)


def test_a_plugin_whose_record_is_lost_stays_behind_the_wall(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "p", "notes"))
    Packages(home).trust("notes", True)
    path = str(home.root / "desktop-plugins" / "notes" / "plugin.js")
    write_files(home.state_dir / "packages", {"notes.json": "garbage"})
    standings = Standings(home)
    assert ["was set aside" in text for text in standings.refresh()] == [True]
    for again in (standings, Standings(home)):
        again.catch_up()
        assert again.by_path()[path].walled
        assert dict(again.by_id()) == {}
    (aside,) = (home.state_dir / "packages").glob("*.damaged-*")
    aside.unlink()
    standings.catch_up()
    assert path not in standings.by_path()


def test_a_record_that_was_never_read_is_foreign_all_the_same(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "p", "notes"))
    write_files(home.state_dir / "packages", {"notes.json": '{"version": 99, "data": {}}'})
    standings = Standings(home)
    standings.catch_up()
    assert standings.by_path()[str(home.root / "desktop-plugins" / "notes" / "plugin.js")].walled


@pytest.mark.parametrize(
    "consent",
    [
        "everything",
        {"approved": "all", "trusted": 1, "on": "yes"},
        {"approved": {"apis": "tools", "capabilities": {"read-only": True}}, "trusted": "true"},
        {"approved": {"apis": [["tools"], None, 7]}, "on": 1},
        [],
        None,
    ],
)
def test_what_is_not_plainly_allowed_is_not(home: Home, tmp_path: Path, consent: Any) -> None:
    put(home, make_app(tmp_path / "app"))
    path = home.state_dir / "packages" / f"{APP}.json"
    stored = json.loads(path.read_text())
    stored["data"]["consent"] = consent
    path.write_text(json.dumps(stored))
    assert Packages(home).entry(APP).consent == Consent()
    desk = Desk(home)
    desk.look()
    walled = desk.shelf.get(APP)
    assert walled is not None
    assert (walled.grants, walled.enabled) == (NOTHING, False)


def test_what_was_uninstalled_stays_foreign_until_somebody_elses_bytes_lie_there(home: Home, tmp_path: Path) -> None:
    put(home, make_plugin(tmp_path / "p", "notes"))
    path = str(home.root / "desktop-plugins" / "notes" / "plugin.js")
    standings = Standings(home)
    standings.catch_up(path)
    Packages(home).uninstall("notes")
    # Bytes that were read before the record was known to be gone may still be its own.
    standings.catch_up(path)
    standings.catch_up()
    assert standings.by_path()[path].walled
    assert dict(standings.by_id()) == {}
    standings.catch_up(path)
    assert path not in standings.by_path()
    put(home, make_plugin(tmp_path / "p", "notes"))
    standings.catch_up()
    assert standings.by_path()[path].walled


def test_a_start_brings_what_a_kill_left_to_an_end(home: Home, tmp_path: Path) -> None:
    record = put(home, make_app(tmp_path / "app"))
    Packages(home).approve(APP, BOTH)
    found = (home.state_dir / "apps" / APP).stat()
    pending = Pending("install", record, "/nowhere", found.st_dev, found.st_ino, "/nowhere", None, None, Consent(BOTH))
    Records(home).write(APP, Entry(None, pending))
    desk = Desk(home)

    async def start() -> None:
        running = asyncio.create_task(desk.shelf.run())
        await until(lambda: desk.shelf.get(APP) is not None)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(start())
    assert Records(home).read(APP) == Entry(record, None, Consent(BOTH))
    walled = desk.shelf.get(APP)
    assert walled is not None
    assert walled.grants == BOTH
