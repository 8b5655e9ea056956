"""Which findings are wanted: the nearest table decides, a wrong one is said, and loading is no matter of taste."""

import os
from pathlib import Path, PurePath

import pytest

from loader.codes import finding
from loader.errors import UsageError
from loader.nouns import Candidate
from loader.preferences import (
    OWN_FILE,
    SHARED_FILE,
    Preferences,
    Selection,
    is_final,
    matches,
    parse_codes,
    preferences_around,
    preferences_beside,
)


def candidate(folder: Path, *, package: bool = False) -> Candidate:
    place = folder / "desktop" if package else folder
    place.mkdir(parents=True, exist_ok=True)
    path = place / "plugin.js"
    path.write_text("")
    return Candidate("unified" if package else "standalone", folder.name, str(path), "")


def table(folder: Path, text: str, name: str = OWN_FILE) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def ignored(preferences: Preferences) -> tuple[str, ...]:
    return preferences.selection.ignore


# ---------------------------------------------------------------- selecting


@pytest.mark.parametrize(
    ("select", "ignore", "code", "wanted"),
    [
        (None, (), "HP502", True),
        (None, ("HP502",), "HP502", False),
        (None, ("HP5",), "HP502", False),
        (None, ("HP5",), "HP611", True),
        (("HP5",), (), "HP611", False),
        (("HP5",), ("HP502",), "HP502", False),
        (("HP502",), ("HP5",), "HP502", True),
        (("HP502",), ("HP502",), "HP502", False),
        ((), (), "HP502", False),
        (("HP",), (), "HP502", True),
    ],
)
def test_the_longer_prefix_decides(
    select: tuple[str, ...] | None, ignore: tuple[str, ...], code: str, wanted: bool
) -> None:
    assert Selection(select, ignore).wants(code) is wanted


@pytest.mark.parametrize(("written", "read"), [("HP502", "HP502"), ("hp5", "HP5"), (" HP ", "HP"), ("HP60", "HP60")])
def test_codes_are_read_as_people_write_them(written: str, read: str) -> None:
    assert parse_codes([written]) == (read,)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("HP999", "is no code"),
        ("HP99", "is no code"),
        ("HP5O2", "did you mean HP502"),
        ("hard-coded-color", "write the code HP502"),
        ("", "is no code"),
        ("E501", "is no code"),
    ],
)
def test_what_is_no_code_is_said_with_what_to_write(written: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_codes([written])


def test_no_list_is_endless() -> None:
    with pytest.raises(ValueError, match="more than 200"):
        parse_codes(["HP5"] * 201)


@pytest.mark.parametrize("code", ["HP001", "HP101", "HP201", "HP303", "HP402", "HP404"])
def test_what_keeps_a_plugin_from_loading_is_kept_whatever_a_table_says(code: str) -> None:
    everything = Preferences(Selection((), ("HP",)))
    error = finding(code, "no", severity="error")
    assert everything.kept([error], "/x/plugin.js") == (error,)
    assert everything.kept([finding(code, "hm", severity="warning")], "/x/plugin.js") == ()


def test_a_person_may_answer_for_what_is_heavy() -> None:
    assert not is_final(finding("HP404", "heavy"), user_asks=True)
    assert is_final(finding("HP201", "import"), user_asks=True)


# ---------------------------------------------------------------- patterns


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("clock", "clock/plugin.js", True),
        ("clock", "a/b/clock/plugin.js", True),
        ("plugin.js", "a/plugin.js", True),
        ("clock", "clocks/plugin.js", False),
        ("clock*", "clocks/plugin.js", True),
        ("a/*", "a/b/plugin.js", True),
        ("a/*", "b/a/plugin.js", False),
        ("a/*/plugin.js", "a/b/c/plugin.js", False),
        ("a/**/plugin.js", "a/b/c/plugin.js", True),
        ("a/**/plugin.js", "a/plugin.js", True),
        ("**/vendor/**", "x/vendor/y/plugin.js", True),
        ("vendor/", "vendor/x/plugin.js", True),
        ("./vendor", "vendor/x/plugin.js", True),
        ("[ab]", "b/plugin.js", True),
        ("**", "anything/plugin.js", True),
        ("", "plugin.js", True),
    ],
)
def test_patterns_mean_what_they_mean_in_gitignore(pattern: str, path: str, is_match: bool) -> None:
    assert matches(PurePath(path), pattern) is is_match


def test_a_pattern_made_to_backtrack_is_decided_at_once() -> None:
    assert not matches(PurePath("/".join("a" * 300)), "/".join(["**", "a"] * 70) + "/b")


def test_patterns_begin_at_the_table(tmp_path: Path) -> None:
    table(tmp_path, '[per-file-ignores]\n"vendor/**" = ["HP5"]\n')
    (tmp_path / ".git").mkdir()
    color = finding("HP502", "colour")
    for folder, kept in (("vendor/chart", ()), ("mine", (color,)), ("mine/vendor", (color,))):
        plugin = candidate(tmp_path / folder)
        assert preferences_around(plugin).kept([color], plugin.path) == kept, folder


# ---------------------------------------------------------------- where a table stands


def test_the_nearest_table_decides_alone(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    table(tmp_path, 'ignore = ["HP5"]')
    plugin = candidate(tmp_path / "plugins" / "clock")
    assert ignored(preferences_around(plugin)) == ("HP5",)
    table(tmp_path / "plugins" / "clock", 'ignore = ["HP6"]')
    assert ignored(preferences_around(plugin)) == ("HP6",)


def test_a_pyproject_counts_only_with_the_table(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    plugin = candidate(tmp_path / "clock")
    table(tmp_path, '[tool.hermes-desktop]\nignore = ["HP5"]\nstrict = true\n', SHARED_FILE)
    table(tmp_path / "clock", '[project]\nname = "hermes-desktop-clock"\n', SHARED_FILE)
    found = preferences_around(plugin)
    assert (ignored(found), found.strict, found.folder) == (("HP5",), True, str(tmp_path))
    table(tmp_path / "clock", "", OWN_FILE)
    assert preferences_around(plugin) == Preferences(folder=str(tmp_path / "clock")), "an empty file of ours is a table"


def test_our_own_file_may_use_the_same_heading(tmp_path: Path) -> None:
    plugin = candidate(tmp_path)
    table(tmp_path, '[tool.hermes-desktop]\nselect = ["HP2"]\n')
    assert preferences_beside(plugin)[0].selection.select == ("HP2",)


def test_nothing_above_the_repository_counts(tmp_path: Path) -> None:
    table(tmp_path, 'ignore = ["HP5"]')
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert preferences_around(candidate(tmp_path / "repo" / "clock")) == Preferences()


def test_in_no_repository_the_current_folder_is_the_end(tmp_path: Path) -> None:
    table(tmp_path, 'ignore = ["HP5"]')
    plugin = candidate(tmp_path / "work" / "clock")
    assert ignored(preferences_around(plugin, cwd=tmp_path)) == ("HP5",)
    assert preferences_around(plugin, cwd=tmp_path / "work") == Preferences()
    assert preferences_around(plugin, cwd=tmp_path / "elsewhere") == Preferences()
    half = candidate(tmp_path / "suite", package=True)
    table(tmp_path / "suite", 'ignore = ["HP6"]')
    assert ignored(preferences_around(half, cwd=tmp_path / "elsewhere")) == ("HP6",)


def test_in_a_home_the_plugins_own_folder_counts_and_of_a_package_the_whole(tmp_path: Path) -> None:
    table(tmp_path, 'ignore = ["HP5"]')
    assert preferences_beside(candidate(tmp_path / "clock")) == (Preferences(), ())
    half = candidate(tmp_path / "suite", package=True)
    table(tmp_path / "suite", 'ignore = ["HP6"]')
    assert ignored(preferences_beside(half)[0]) == ("HP6",)
    table(tmp_path / "suite" / "desktop", 'ignore = ["HP4"]')
    assert ignored(preferences_beside(half)[0]) == ("HP4",)


# ---------------------------------------------------------------- what may be wrong with one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ignroe = []", "unknown key `ignroe`: did you mean `ignore`?"),
        ("per_file_ignores = {}", "did you mean `per-file-ignores`?"),
        ("colour = 1", "known are select, ignore, strict, per-file-ignores"),
        ('ignore = "HP5"', "`ignore` must be a list"),
        ("ignore = [5]", "`ignore` must be a list"),
        ('select = ["HP999"]', "`select`: `HP999` is no code"),
        ('strict = "yes"', "`strict` must be true or false"),
        ("per-file-ignores = []", "must be a table"),
        ('per-file-ignores = {"a" = ["nope"]}', "per-file-ignores.a"),
        (f'per-file-ignores = {{"{"a" * 301}" = []}}', "at most 200 patterns"),
        ("ignore = [", "is no TOML"),
        ("x = " + "[" * 5000, "is no TOML"),
        ("[tool]\nhermes-desktop = 1\n", "must be a table"),
        # The parser would need minutes for each of these.
        ("a." * 100_000 + "b = 1", "more than 64 parts"),
        ("[" + "a . " * 60_000 + "b]\n", "more than 64 parts"),
        ("x = 1\n" + "'a'.\"b\"." * 30_000 + "c = {}", "more than 64 parts"),
    ],
)
def test_a_wrong_table_names_the_file_the_key_and_the_way_out(tmp_path: Path, text: str, said: str) -> None:
    plugin = candidate(tmp_path)
    table(tmp_path, text)
    with pytest.raises(UsageError) as wrong:
        preferences_around(plugin, cwd=tmp_path)
    assert said in str(wrong.value)
    assert str(tmp_path / OWN_FILE) in str(wrong.value)
    assert "\n" not in str(wrong.value)
    preferences, findings = preferences_beside(plugin)
    assert preferences == Preferences()
    assert [(one.code, said in one.message) for one in findings] == [("HP521", True)]


@pytest.mark.parametrize("text", ["." * 5000, "a. b, c. " * 5000, ("a." * 63 + "b\n") * 100, "1.2.3 " * 5000])
def test_a_text_full_of_dots_is_no_endless_key(tmp_path: Path, text: str) -> None:
    plugin = candidate(tmp_path)
    table(tmp_path, f'[project]\ndescription = """\n{text}"""\n[tool.hermes-desktop]\nstrict = true\n', SHARED_FILE)
    assert preferences_around(plugin, cwd=tmp_path).strict


@pytest.mark.parametrize("data", [b"\xff\xfei", b"# " + b"x" * 300_000], ids=["no UTF-8", "too large"])
def test_bytes_that_are_no_settings(tmp_path: Path, data: bytes) -> None:
    plugin = candidate(tmp_path)
    (tmp_path / OWN_FILE).write_bytes(data)
    assert [one.code for one in preferences_beside(plugin)[1]] == ["HP521"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_fifo_in_place_of_the_settings_holds_nobody(tmp_path: Path) -> None:
    plugin = candidate(tmp_path)
    os.mkfifo(tmp_path / OWN_FILE)
    assert [one.code for one in preferences_beside(plugin)[1]] == ["HP521"]
