"""Which folders are watched, and what a name that changed in one of them means."""

import os
from pathlib import Path

import pytest

from loader.home import Home
from loader.watching.plan import Batch, Change, Plan, link_chain, make_plan

PLUGIN = "export default { id: 'x', register(ctx) {} }\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "hermes"
    root.mkdir()
    return root


def put(path: Path, text: str = PLUGIN) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def plan_of(root: Path, profile: str | None = None, platform: str = "linux") -> Plan:
    return make_plan(Home(root, root / "profiles" / profile if profile else root, profile, ""), platform=platform)


def watched(plan: Plan, root: Path) -> set[str]:
    return {os.path.relpath(path, root) for path in plan.shallow}


def hear(plan: Plan, path: Path, change: Change = "modified") -> tuple[set[str], bool]:
    batch: Batch = frozenset({(change, str(path))})
    hints, structural = plan.read(batch)
    return set(hints), structural


# ---------------------------------------------------------------- what is watched


def test_home_doors_and_plugin_folders_are_watched_and_nothing_below(root: Path) -> None:
    put(root / "desktop-plugins/demo/plugin.js")
    put(root / "desktop-plugins/demo/src/deep/a.js")
    put(root / "plugins/notes/desktop/plugin.js")
    put(root / "plugins/telegram/plugin.yaml")
    put(root / "sessions/1/log")
    for number in range(50):
        put(root / f"desktop-plugins/demo/node_modules/m{number}/index.js")
    plan = plan_of(root)
    assert watched(plan, root) == {
        ".",
        "desktop-plugins",
        "desktop-plugins/demo",
        "plugins",
        "plugins/notes",
        "plugins/notes/desktop",
        "plugins/telegram",
    }
    assert plan.deep == ()
    assert plan.folders == {str(root / name) for name in ("desktop-plugins/demo", "plugins/notes", "plugins/telegram")}


def test_folders_that_are_no_plugins_are_not_watched(root: Path) -> None:
    for name in (".git", "node_modules", ".demo.staging-1", "__pycache__"):
        put(root / "desktop-plugins" / name / "plugin.js")
        put(root / "plugins" / name / "desktop/plugin.js")
    put(root / "desktop-plugins/note.txt")
    assert watched(plan_of(root), root) == {".", "desktop-plugins", "plugins"}


def test_profiles_give_their_packages_and_only_the_chosen_one_its_plugins(root: Path) -> None:
    for profile in ("work", "play"):
        put(root / "profiles" / profile / "desktop-plugins/demo/plugin.js")
        put(root / "profiles" / profile / "plugins/notes/desktop/plugin.js")
    names = watched(plan_of(root, "work"), root)
    assert {"profiles", "profiles/work/desktop-plugins/demo", "profiles/play/plugins/notes/desktop"} <= names
    assert "profiles/play/desktop-plugins/demo" not in names


def test_a_closed_folder_does_not_cost_the_others_their_watch(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root / "desktop-plugins/closed/plugin.js")
    put(root / "desktop-plugins/open/plugin.js")
    monkeypatch.setattr("loader.watching.plan.os.access", lambda path, mode: not path.endswith("closed"))
    assert watched(plan_of(root), root) == {".", "desktop-plugins", "desktop-plugins/open"}


def test_windows_watches_the_doors_deep_and_holds_no_plugin_folder_open(root: Path, tmp_path: Path) -> None:
    put(root / "desktop-plugins/demo/plugin.js")
    put(root / "plugins/notes/desktop/plugin.js")
    put(tmp_path / "work/plugin.js")
    (root / "desktop-plugins/linked").symlink_to(tmp_path / "work")
    plan = plan_of(root, platform="win32")
    assert plan.deep == (str(root / "desktop-plugins"), str(root / "plugins"))
    assert set(plan.shallow) == {str(root), str(tmp_path), str(tmp_path / "work")}
    assert hear(plan, root / "plugins/notes/desktop/plugin.js") == ({str(root / "plugins/notes")}, False)
    assert hear(plan, root / "plugins/notes/node_modules/a/plugin.js") == (set(), False)


# ---------------------------------------------------------------- what an event means


@pytest.mark.parametrize("change", ["added", "modified", "deleted"])
@pytest.mark.parametrize("name", ["plugin.js", "integrity.json", ".hermes-package.json", "PLUGIN.JS"])
def test_a_file_that_counts_hints_at_its_folder(root: Path, name: str, change: Change) -> None:
    put(root / "desktop-plugins/demo/plugin.js")
    put(root / "plugins/notes/desktop/plugin.js")
    plan = plan_of(root)
    assert hear(plan, root / "desktop-plugins/demo" / name, change) == ({str(root / "desktop-plugins/demo")}, False)
    assert hear(plan, root / "plugins/notes/desktop" / name, change) == ({str(root / "plugins/notes")}, False)


@pytest.mark.parametrize(
    "name",
    [
        *(".plugin.js.swp", "plugin.js~", "#plugin.js#", ".#plugin.js", "plugin.js.bak", "plugin.js.tmp.77", "4913"),
        *("plugin (conflicted copy).js", ".DS_Store", "__pycache__", "node_modules", "src"),
    ],
)
def test_editors_side_files_mean_nothing(root: Path, name: str) -> None:
    put(root / "desktop-plugins/demo/plugin.js")
    assert hear(plan_of(root), root / "desktop-plugins/demo" / name, "added") == (set(), False)


@pytest.mark.parametrize("name", ["state.db", "state.db-wal", "logs", "sessions", ".env"])
def test_what_else_happens_in_the_home_means_nothing(root: Path, name: str) -> None:
    assert hear(plan_of(root), root / name, "added") == (set(), False)


def test_the_configuration_of_each_home_is_hinted_at(root: Path) -> None:
    (root / "profiles/work").mkdir(parents=True)
    plan = plan_of(root)
    for home in (root, root / "profiles/work"):
        assert hear(plan, home / "config.yaml", "added") == ({str(home / "config.yaml")}, False)


@pytest.mark.parametrize(("change", "structural"), [("added", True), ("deleted", True), ("modified", False)])
def test_folders_that_come_and_go_need_a_new_plan(root: Path, change: Change, structural: bool) -> None:
    (root / "desktop-plugins").mkdir()
    (root / "plugins/notes").mkdir(parents=True)
    plan = plan_of(root)
    assert hear(plan, root / "desktop-plugins/new", change) == ({str(root / "desktop-plugins/new")}, structural)
    assert hear(plan, root / "plugins/notes/desktop", change) == ({str(root / "plugins/notes")}, structural)
    assert hear(plan, root / "desktop-plugins", change)[1] is structural
    assert hear(plan, root / "profiles", change)[1] is structural
    assert hear(plan, root / "desktop-plugins/.new.staging-1", change) == (set(), False)


def test_a_watched_folder_that_goes_takes_its_watch_with_it(root: Path) -> None:
    put(root / "desktop-plugins/demo/plugin.js")
    plan = plan_of(root)
    assert hear(plan, root / "desktop-plugins/demo", "deleted") == ({str(root / "desktop-plugins/demo")}, True)
    assert hear(plan, root, "deleted")[1]


def test_a_batch_is_read_as_a_whole(root: Path) -> None:
    put(root / "desktop-plugins/a/plugin.js")
    put(root / "desktop-plugins/b/plugin.js")
    batch: Batch = frozenset(
        {
            ("modified", str(root / "desktop-plugins/a/plugin.js")),
            ("deleted", str(root / "desktop-plugins/b")),
            ("modified", str(root / "state.db")),
            ("added", "/somewhere/else"),
        }
    )
    expected = frozenset({str(root / "desktop-plugins/a"), str(root / "desktop-plugins/b")})
    assert plan_of(root).read(batch) == (expected, True)
    assert plan_of(root).read(frozenset()) == (frozenset(), False)


# ---------------------------------------------------------------- what is missing


def test_a_missing_root_is_awaited_in_the_nearest_folder_above(root: Path) -> None:
    root.rmdir()
    plan = plan_of(root)
    assert plan.shallow == (str(root.parent),)
    hints, structural = hear(plan, root, "added")
    assert structural and str(root / "desktop-plugins") not in plan.folders and hints
    assert hear(plan, root.parent / "other", "added") == (set(), False)


# ---------------------------------------------------------------- links


def test_two_links_to_one_folder_are_both_hinted_at(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "work/plugin.js")
    (root / "desktop-plugins").mkdir()
    for name in ("a", "b"):
        (root / "desktop-plugins" / name).symlink_to(tmp_path / "work")
    plan = plan_of(root)
    both = {str(root / "desktop-plugins/a"), str(root / "desktop-plugins/b")}
    assert plan.shallow.count(str(tmp_path / "work")) == 1
    assert hear(plan, tmp_path / "work/plugin.js") == (both, False)
    # The target may be deleted and made anew, which no watch on itself survives.
    assert hear(plan, tmp_path / "work", "added") == (both, True)


def test_a_linked_file_is_watched_where_it_leads(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "work/dist/out.js")
    (tmp_path / "work/latest.js").symlink_to("dist/out.js")
    folder = root / "desktop-plugins/demo"
    folder.mkdir(parents=True)
    (folder / "plugin.js").symlink_to(tmp_path / "work/latest.js")
    plan = plan_of(root)
    assert plan.links == {str(folder): (str(tmp_path / "work/latest.js"), str(tmp_path / "work/dist/out.js"))}
    assert hear(plan, tmp_path / "work/dist/out.js") == ({str(folder)}, False)
    assert hear(plan, tmp_path / "work/latest.js", "added") == ({str(folder)}, False)
    assert hear(plan, tmp_path / "work/other.js") == (set(), False)
    assert hear(plan, tmp_path / "work/dist", "deleted") == ({str(folder)}, True)


def test_a_link_into_a_folder_that_is_not_there_yet_is_awaited(root: Path, tmp_path: Path) -> None:
    folder = root / "desktop-plugins/demo"
    folder.mkdir(parents=True)
    (folder / "plugin.js").symlink_to(tmp_path / "work/dist/out.js")
    (root / "desktop-plugins/whole").symlink_to(tmp_path / "later")
    plan = plan_of(root)
    assert hear(plan, tmp_path / "work", "added") == ({str(folder)}, True)
    assert hear(plan, tmp_path / "later", "added") == ({str(root / "desktop-plugins/whole")}, True)


def test_a_linked_door_that_leads_nowhere_yet_is_awaited(root: Path, tmp_path: Path) -> None:
    (root / "desktop-plugins").symlink_to(tmp_path / "synced")
    assert hear(plan_of(root), tmp_path / "synced", "added") == ({str(root / "desktop-plugins")}, True)
    put(tmp_path / "synced/demo/plugin.js")
    plan = plan_of(root)
    assert hear(plan, tmp_path / "synced/demo/plugin.js") == ({str(root / "desktop-plugins/demo")}, False)
    assert hear(plan, tmp_path / "synced", "deleted")[1]


def test_a_file_that_becomes_a_link_or_another_one_is_noticed(root: Path, tmp_path: Path) -> None:
    plugin = put(root / "desktop-plugins/demo/plugin.js")
    half = put(root / "plugins/notes/desktop/plugin.js")
    hints = [str(plugin.parent), str(root / "plugins/notes"), str(root / "config.yaml")]
    plan = plan_of(root)
    assert not plan.links_moved(hints)
    for file in (plugin, half):
        file.unlink()
        assert not plan.links_moved(hints)
        file.symlink_to(tmp_path / "a.js")
        assert plan.links_moved(hints)
        plan = plan_of(root)
        assert not plan.links_moved(hints)
        file.unlink()
        file.symlink_to(tmp_path / "b.js")
        assert plan.links_moved(hints)
        plan = plan_of(root)


def test_link_chains(tmp_path: Path) -> None:
    put(tmp_path / "file.js")
    (tmp_path / "one.js").symlink_to("file.js")
    (tmp_path / "two.js").symlink_to(tmp_path / "one.js")
    (tmp_path / "circle.js").symlink_to("circle.js")
    assert link_chain(str(tmp_path / "file.js")) == ()
    assert link_chain(str(tmp_path / "none.js")) == ()
    assert link_chain(str(tmp_path / "two.js")) == (str(tmp_path / "one.js"), str(tmp_path / "file.js"))
    assert 0 < len(link_chain(str(tmp_path / "circle.js"))) < 100


# ---------------------------------------------------------------- two plans


def test_two_plans_differ_in_what_only_one_of_them_watches(root: Path) -> None:
    put(root / "desktop-plugins/a/plugin.js")
    put(root / "plugins/notes/plugin.yaml")
    before = plan_of(root)
    assert before.concerns(plan_of(root)) == frozenset()
    put(root / "desktop-plugins/b/plugin.js")
    put(root / "plugins/notes/desktop/plugin.js")
    after = plan_of(root)
    expected = {str(root / "desktop-plugins/b"), str(root / "plugins/notes")}
    assert after.concerns(before) == before.concerns(after) == expected


# ---------------------------------------------------------------- records of what was installed


def test_a_record_that_is_written_is_a_hint_and_a_staging_folder_is_none(root: Path) -> None:
    records = root / "desktop-loader" / "packages"
    put(records / "notes.json", "{}")
    plan = plan_of(root)
    assert hear(plan, records / "notes.json") == ({str(records)}, False)
    assert hear(plan, records / "com.example.board.json", "added") == ({str(records)}, False)
    assert hear(plan, records / ".staging-1a2b", "added") == (set(), False)
    assert hear(plan, records / ".notes.json.tmp-1", "added") == (set(), False)


def test_the_folder_of_records_is_found_when_it_comes(root: Path) -> None:
    records = root / "desktop-loader" / "packages"
    assert hear(plan_of(root), root / "desktop-loader", "added") == ({str(records)}, True)
    records.parent.mkdir()
    assert hear(plan_of(root), records, "added") == ({str(records)}, True)
    assert hear(plan_of(root), records.parent / "endpoint.json", "added") == (set(), False)
