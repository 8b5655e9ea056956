"""What a person names is what is checked: files, plugins, packages, homes, globs, and any other folder's children."""

import os
from pathlib import Path

import pytest

from loader.checking.targets import Target, find_targets
from loader.errors import UsageError
from loader.home import Home


def plugin(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plugin.js").write_text("export default {}")
    return folder


def package(folder: Path) -> Path:
    plugin(folder / "desktop")
    return folder


def no_home() -> Home:
    raise UsageError("there is no home")


def shown(arguments: list[str], cwd: Path, home: Path | None = None) -> list[str]:
    return [target.shown.replace(os.sep, "/") for target in targets(arguments, cwd, home)]


def targets(arguments: list[str], cwd: Path, home: Path | None = None) -> tuple[Target, ...]:
    return find_targets(
        arguments, find_home=no_home if home is None else lambda: Home(home, home, None, "a test"), cwd=cwd
    )


def test_a_file_is_itself_and_counts_under_its_folder(tmp_path: Path) -> None:
    plugin(tmp_path / "clock")
    (target,) = targets(["clock/plugin.js"], tmp_path)
    assert (target.shown, target.candidate.folder, target.in_home) == ("clock/plugin.js", "clock", False)
    assert target.candidate.key == "standalone:clock"
    assert Path(target.candidate.path) == tmp_path / "clock" / "plugin.js"


def test_a_file_of_any_name_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "bundle.js").write_text("")
    assert shown(["bundle.js"], tmp_path) == ["bundle.js"]


def test_a_plugin_folder_stands_for_its_file(tmp_path: Path) -> None:
    plugin(tmp_path / "clock")
    assert shown(["clock", "clock/"], tmp_path) == ["clock/plugin.js"]


@pytest.mark.parametrize("argument", ["suite", "suite/desktop", "suite/desktop/plugin.js"])
def test_a_packages_half_counts_under_the_package(tmp_path: Path, argument: str) -> None:
    package(tmp_path / "suite")
    (target,) = targets([argument], tmp_path)
    assert target.candidate.key == "unified:suite"
    assert target.shown == str(Path("suite", "desktop", "plugin.js"))


def test_a_standalone_plugin_may_be_called_desktop(tmp_path: Path) -> None:
    plugin(tmp_path / "desktop-plugins" / "desktop")
    (target,) = targets(["desktop-plugins/desktop"], tmp_path)
    assert target.candidate.key == "standalone:desktop"


def test_any_other_folder_stands_for_its_children_without_broken_ones(tmp_path: Path) -> None:
    for name in ("zebra", "apple", "broken", ".git", "node_modules", "deep/er"):
        plugin(tmp_path / "examples" / name)
    package(tmp_path / "examples" / "suite")
    (tmp_path / "examples" / "README.md").write_text("")
    assert shown(["examples"], tmp_path) == [
        "examples/apple/plugin.js",
        "examples/suite/desktop/plugin.js",
        "examples/zebra/plugin.js",
    ]


def test_the_gallery_of_broken_ones_is_checked_when_it_is_named(tmp_path: Path) -> None:
    plugin(tmp_path / "examples" / "broken" / "one")
    assert shown(["examples/broken"], tmp_path) == ["examples/broken/one/plugin.js"]


def test_a_home_stands_for_what_is_behind_its_doors(tmp_path: Path) -> None:
    plugin(tmp_path / "home" / "desktop-plugins" / "b")
    plugin(tmp_path / "home" / "desktop-plugins" / "a")
    package(tmp_path / "home" / "plugins" / "pack")
    found = targets(["home"], tmp_path)
    assert [target.candidate.key for target in found] == ["standalone:a", "standalone:b", "unified:pack"]
    assert all(target.in_home for target in found)
    assert found[0].shown == str(Path("home", "desktop-plugins", "a", "plugin.js"))
    assert len({target.place for target in found}) == 1


def test_a_repository_of_packages_is_no_home(tmp_path: Path) -> None:
    package(tmp_path / "repo" / "plugins" / "pack")
    with pytest.raises(UsageError, match="repo holds no plugin"):
        targets(["repo"], tmp_path)
    (target,) = targets(["repo/plugins"], tmp_path)
    assert not target.in_home


@pytest.mark.parametrize("named", ["desktop-plugins/a/plugin.js", "desktop-plugins/a", "desktop-plugins", "plugins/p"])
def test_a_file_behind_the_door_of_the_home_is_in_it_however_it_is_named(tmp_path: Path, named: str) -> None:
    home = tmp_path / "home"
    plugin(home / "desktop-plugins" / "a")
    package(home / "plugins" / "p")
    (target,) = targets([str(home / named)], tmp_path, home)
    assert target.in_home
    assert target.place == str(home)
    (target,) = targets([named], home)
    assert not target.in_home, "nothing says that this folder is a home"
    (home / "config.yaml").write_text("")
    (target,) = targets([named], home)
    assert target.in_home, "Hermes' own file says so, even where another home is the current one"


def test_nothing_named_means_the_current_folder_if_it_is_a_plugin_or_package(tmp_path: Path) -> None:
    plugin(tmp_path / "clock")
    package(tmp_path / "suite")
    assert shown([], tmp_path / "clock") == ["plugin.js"]
    assert shown([], tmp_path / "suite") == ["desktop/plugin.js"]
    assert targets([], tmp_path / "suite")[0].candidate.folder == "suite"


def test_nothing_named_means_the_home_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    plugin(home / "desktop-plugins" / "a")
    (target,) = targets([], tmp_path, home)
    assert target.shown == str(home / "desktop-plugins" / "a" / "plugin.js")


def test_nothing_named_and_no_home_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no home"):
        targets([], tmp_path)


def test_an_empty_home_has_nothing_to_check(tmp_path: Path) -> None:
    assert targets([], tmp_path, tmp_path) == ()


def test_a_pattern_stands_for_what_it_matches(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        plugin(tmp_path / name)
    assert shown(["[ab]"], tmp_path) == ["a/plugin.js", "b/plugin.js"]
    assert shown(["*/plugin.js"], tmp_path) == ["a/plugin.js", "b/plugin.js", "c/plugin.js"]
    assert shown(["**/plugin.js", "a"], tmp_path) == ["a/plugin.js", "b/plugin.js", "c/plugin.js"]


def test_a_folder_whose_name_looks_like_a_pattern_is_that_folder(tmp_path: Path) -> None:
    plugin(tmp_path / "[x]")
    assert shown(["[x]"], tmp_path) == ["[x]/plugin.js"]


def test_arguments_keep_their_order_and_each_file_comes_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        plugin(tmp_path / name)
    assert shown(["b", "a/plugin.js", "."], tmp_path) == ["b/plugin.js", "a/plugin.js"]


@pytest.mark.parametrize("argument", ["nowhere", "nowhere/plugin.js", "*.nothing"])
def test_what_does_not_exist_is_wrong_usage(tmp_path: Path, argument: str) -> None:
    with pytest.raises(UsageError, match=r"nowhere|nothing"):
        targets([argument], tmp_path)


def test_a_folder_without_plugins_is_wrong_usage_and_not_a_pass(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="empty holds no plugin"):
        targets(["empty"], tmp_path)


def test_something_else_in_place_of_the_file_is_still_the_plugin_that_was_meant(tmp_path: Path) -> None:
    (tmp_path / "odd" / "plugin.js").mkdir(parents=True)
    assert shown(["odd"], tmp_path) == ["odd/plugin.js"]
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "plugin.js").symlink_to("missing.js")
    assert shown(["link"], tmp_path) == ["link/plugin.js"]


def test_a_name_that_no_file_has_is_a_plugin_of_the_home(tmp_path: Path) -> None:
    """What `new my-plugin` made is found by `check my-plugin`, wherever one stands."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    plugin(home / "desktop-plugins" / "clock")
    elsewhere.mkdir()
    (target,) = targets(["clock"], elsewhere, home)
    assert Path(target.shown) == home / "desktop-plugins" / "clock" / "plugin.js"
    assert target.in_home and target.candidate.key == "standalone:clock"


def test_a_package_is_found_by_its_name_too(tmp_path: Path) -> None:
    package(tmp_path / "home" / "plugins" / "suite")
    (target,) = targets(["suite"], tmp_path, tmp_path / "home")
    assert target.candidate.key == "unified:suite"


def test_a_file_that_is_there_comes_before_a_plugin_of_that_name(tmp_path: Path) -> None:
    plugin(tmp_path / "home" / "desktop-plugins" / "clock")
    plugin(tmp_path / "clock")
    assert shown(["clock"], tmp_path, tmp_path / "home") == ["clock/plugin.js"]


@pytest.mark.parametrize("name", ["clokc", "desktop-plugins/clock", "..", "", "clock/plugin.js"])
def test_only_the_name_itself_is_looked_up_in_the_home(tmp_path: Path, name: str) -> None:
    plugin(tmp_path / "home" / "desktop-plugins" / "clock")
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(UsageError):
        targets([name], tmp_path / "elsewhere", tmp_path / "home")


def test_a_name_that_the_home_does_not_know_is_said_with_the_home(tmp_path: Path) -> None:
    plugin(tmp_path / "home" / "desktop-plugins" / "clock")
    with pytest.raises(UsageError, match=r"There is no clokc, and .*home has no plugin of that name: name "):
        targets(["clokc"], tmp_path, tmp_path / "home")


def test_standard_input_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Standard input is not read"):
        targets(["-"], tmp_path)
