import os
from pathlib import Path

import pytest

from loader.backends.catalog import Catalog, CatalogReader, Manifest
from loader.backends.config import Lists
from loader.backends.gate import Refused, judge
from loader.backends.host import rows_at_rest
from loader.home import Home
from tests.backends.conftest import BackendHome


def catalog_of(*manifests: Manifest) -> Catalog:
    return Catalog({one.name: one for one in manifests}, {one.folder.name: one for one in manifests})


def manifest(name: str = "board", folder: str = "board", plugin_name: str | None = None, api: bool = True) -> Manifest:
    problem = None if api else "its dashboard/manifest.json names no api file"
    return Manifest(name, Path("/p") / folder, plugin_name, Path("/p/api.py") if api else None, (), problem)


def lists(enabled: str = "", disabled: str = "") -> Lists:
    return Lists(frozenset(enabled.split()), frozenset(disabled.split()))


def why(name: str, catalog: Catalog, found: Lists) -> str:
    judged = judge(name, catalog, found)
    return judged.why if isinstance(judged, Refused) else "passes"


@pytest.mark.parametrize(
    ("one", "switches", "verdict"),
    [
        (manifest(), lists(), "not-enabled"),
        (manifest(), lists("board"), "passes"),
        (manifest(), lists("Board"), "not-enabled"),
        (manifest(), lists("board", "board"), "disabled"),
        (manifest(plugin_name="board"), lists("board"), "passes"),
        (manifest(plugin_name="the-board"), lists("board"), "name-mismatch"),
        (manifest(plugin_name="the-board"), lists("the-board"), "name-mismatch"),
        (manifest(plugin_name="the-board"), lists("the-board board"), "passes"),
        (manifest(plugin_name="the-board"), lists("the-board board", "the-board"), "disabled"),
        (manifest(folder="elsewhere"), lists("board"), "passes"),
        (manifest(api=False), lists("board"), "no-api"),
    ],
)
def test_the_manifests_name_and_its_plugin_must_be_on_and_not_off(one: Manifest, switches: Lists, verdict: str) -> None:
    assert why("board", catalog_of(one), switches) == verdict


def test_another_name_of_a_known_backend_is_said_as_such() -> None:
    catalog = catalog_of(manifest(name="board-api", folder="board", plugin_name="the-board"))
    for asked in ("board", "the-board"):
        found = judge(asked, catalog, lists("board-api the-board board"))
        assert isinstance(found, Refused) and found.why == "name-mismatch"
        assert "'board-api'" in found.detail and "'the-board'" in found.detail and "'board'" in found.detail


def test_an_unknown_name_has_no_manifest() -> None:
    assert why("nosuch", catalog_of(manifest()), lists("nosuch")) == "no-manifest"


def test_a_config_that_cannot_be_read_enables_nothing_and_says_so() -> None:
    found = judge("board", catalog_of(manifest()), Lists(problem="config.yaml is no valid YAML (line 3)"))
    assert isinstance(found, Refused) and found.why == "not-enabled" and "line 3" in found.detail


# ---------------------------------------------------------------- what lies on disk


def test_the_home_comes_before_the_root_and_the_first_name_wins(at: BackendHome) -> None:
    home = Home(at.root, at.root / "profiles" / "work", "work", "test")
    at.package("a-copy", manifest={"name": "board", "api": "plugin_api.py"})
    at.package("board")
    BackendHome(home.home).package("board")
    (home.home / "plugins" / ".staging").mkdir()
    found = CatalogReader(home).read()
    assert found.by_name["board"].folder == home.home / "plugins" / "board"
    assert CatalogReader(at.home).read().by_name["board"].folder.name == "a-copy"


@pytest.mark.parametrize("api", ["../x.py", "/etc/passwd", "a/../../x.py", "link/x.py", "", 7, "a\\b.py", "."])
def test_an_api_file_outside_of_the_dashboard_folder_is_none(at: BackendHome, api: object) -> None:
    dashboard = at.package("board", manifest={"name": "board", "api": api})
    (dashboard / "link").symlink_to(at.root)
    (at.root / "x.py").write_text("")
    found = CatalogReader(at.home).read().by_name["board"]
    assert found.api is None and found.problem


def test_broken_manifests_are_said_and_do_not_hide_others(at: BackendHome) -> None:
    (at.package("one") / "manifest.json").write_text("{")
    (at.package("two") / "manifest.json").write_text("[]")
    (at.package("three") / "manifest.json").write_text('{"name": 7}')
    (at.package("four") / "manifest.json").write_bytes(b'\xef\xbb\xbf{"api": "plugin_api.py"}')
    found = CatalogReader(at.home).read()
    assert {name: bool(one.problem) for name, one in found.by_name.items()} == {
        "one": True,
        "two": True,
        "three": True,
        "four": False,
    }
    assert why("one", found, lists("one")) == "no-manifest"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["dashboard/manifest.json", "plugin.yaml", "plugin.json"])
def test_a_pipe_in_the_place_of_a_manifest_holds_nobody_up(at: BackendHome, name: str) -> None:
    folder = at.package("odd").parent
    at.package("fine")
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    found = CatalogReader(at.home).read().by_name
    assert found["fine"].problem is None
    assert bool(found["odd"].problem) == name.endswith("manifest.json")


@pytest.mark.parametrize("api", ["\ud800.py", "x" * 300 + ".py", "a/" * 2000 + "b.py"])
def test_an_api_that_no_file_can_be_called_hides_no_other(at: BackendHome, api: str) -> None:
    at.package("odd", manifest={"name": "odd", "api": api})
    at.package("fine")
    found = CatalogReader(at.home).read().by_name
    assert found["fine"].problem is None
    assert "cannot be looked at" in (found["odd"].problem or "")
    assert [row["state"] for row in rows_at_rest(at.home)] == ["not-enabled", "no-api"]


def test_agent_manifests_that_cannot_be_understood_name_nothing(at: BackendHome) -> None:
    texts = {
        "broken": "name: [",
        "list": "- a",
        "python": "name: !!python/object/apply:os.system [true]",
        "large": "name: large\n" + "# more\n" * 200_000,
    }
    for name, text in texts.items():
        (at.package(name).parent / "plugin.yaml").write_text(text)
    (at.package("too-large") / "manifest.json").write_text(" " * 2_000_000)
    found = CatalogReader(at.home).read().by_name
    assert {name: found[name].plugin_name for name in texts} == dict.fromkeys(texts)
    assert "larger than" in (found["too-large"].problem or "")


def test_names_and_wanted_variables_of_the_agent_manifest(at: BackendHome) -> None:
    at.package("board")
    (at.root / "plugins" / "board" / "plugin.yaml").write_text(
        "name: the-board\nrequires_env:\n  - API_KEY\n  - name: OTHER\n    description: x\n  - 7\n"
    )
    found = CatalogReader(at.home).read().by_name["board"]
    assert (found.plugin_name, found.requires_env) == ("the-board", ("API_KEY", "OTHER"))


def test_a_change_within_the_same_second_is_seen(at: BackendHome) -> None:
    at.package("board")
    reader = CatalogReader(at.home)
    assert "board" in reader.read().by_name
    at.package("board", manifest={"name": "other", "api": "plugin_api.py"})
    assert set(reader.read().by_name) == {"other"}
