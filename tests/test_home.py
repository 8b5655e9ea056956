"""Each rule of choosing the home, on every platform, from its own folder tree."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from loader.errors import UsageError
from loader.home import Home, Registry, is_profile_name, resolve_home, windows_registry_home


class Person:
    """A user with a home folder; ``choose`` resolves with nothing taken from the real machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def make(self, *parts: str) -> Path:
        path = self.folder.joinpath(*parts)
        path.mkdir(parents=True, exist_ok=True)
        return path

    def choose(
        self,
        flag: str | None = None,
        profile: str | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        platform: str = "linux",
        registry: Registry = lambda: None,
    ) -> Home:
        return resolve_home(
            flag, profile, environ=environ or {}, platform=platform, user_home=self.folder, registry=registry
        )


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path / "ada")


# ---------------------------------------------------------------- the platform's folder


@pytest.mark.parametrize("platform", ["linux", "darwin", "freebsd14"])
def test_without_any_setting_it_is_the_dotted_folder(person: Person, platform: str) -> None:
    hermes = person.make(".hermes")
    home = person.choose(platform=platform)
    assert (home.root, home.home, home.profile) == (hermes, hermes, None)
    assert "default" in home.rule and "HERMES_HOME is not set" in home.rule


def test_windows_takes_the_local_application_data(person: Person) -> None:
    hermes = person.make("Local", "hermes")
    home = person.choose(platform="win32", environ={"LOCALAPPDATA": str(person.folder / "Local")})
    assert home.root == hermes
    assert "Windows" in home.rule


def test_windows_without_localappdata_goes_by_the_user_folder(person: Person) -> None:
    hermes = person.make("AppData", "Local", "hermes")
    assert person.choose(platform="win32", environ={"LOCALAPPDATA": "  "}).root == hermes


def test_windows_falls_back_to_the_legacy_folder_only_while_the_new_one_is_missing(person: Person) -> None:
    legacy = person.make(".hermes")
    home = person.choose(platform="win32")
    assert home.root == legacy
    assert "legacy" in home.rule and "AppData" in home.rule
    new = person.make("AppData", "Local", "hermes")
    assert person.choose(platform="win32").root == new


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_the_suffix_is_appended_literally(person: Person, platform: str) -> None:
    person.make(".hermes")
    person.make("AppData", "Local", "hermes")
    wanted = person.make("AppData", "Local", "hermes-dev") if platform == "win32" else person.make(".hermes-dev")
    home = person.choose(platform=platform, environ={"HERMES_DATA_DIR_SUFFIX": "-dev"})
    assert home.root == wanted
    assert "HERMES_DATA_DIR_SUFFIX '-dev'" in home.rule


# ---------------------------------------------------------------- what comes before it


def test_each_rule_yields_to_the_one_before_it(person: Person) -> None:
    person.make("AppData", "Local", "hermes")
    stored, data, env, flag = (person.make(name) for name in ("stored", "data/hermes-home", "env", "flag"))
    environ = {"HERMES_DESKTOP_USER_DATA_DIR": str(data.parent), "HERMES_HOME": str(env)}

    def choose(given: str | None, names: list[str]) -> Home:
        chosen = {name: environ[name] for name in names}
        return person.choose(given, platform="win32", environ=chosen, registry=lambda: str(stored))

    assert choose(str(flag), list(environ)).root == flag
    assert choose(None, list(environ)).root == env
    assert choose(None, ["HERMES_DESKTOP_USER_DATA_DIR"]).root == data
    assert choose(None, []).root == stored
    assert "registry" in choose(None, []).rule
    assert person.choose(platform="win32", registry=lambda: " ").root == person.folder / "AppData/Local/hermes"


def test_the_registry_is_asked_on_windows_only(person: Person) -> None:
    hermes = person.make(".hermes")

    def registry() -> str:
        pytest.fail("asked")

    assert person.choose(registry=registry).root == hermes


@pytest.mark.skipif(os.name == "nt", reason="the real registry of a Windows machine may hold a value")
def test_there_is_no_registry_elsewhere() -> None:
    assert windows_registry_home() is None


@pytest.mark.parametrize("blank", ["", "   ", "\t\n"])
def test_blank_counts_as_unset(person: Person, blank: str) -> None:
    hermes = person.make(".hermes")
    environ = {"HERMES_HOME": blank, "HERMES_DESKTOP_USER_DATA_DIR": blank, "HERMES_DATA_DIR_SUFFIX": blank}
    assert person.choose(environ=environ).root == hermes


def test_hermes_home_is_stripped_and_otherwise_taken_as_given(person: Person) -> None:
    person.make(".hermes")
    real = person.make("real")
    link = person.folder / "link"
    link.symlink_to(real)
    assert person.choose(environ={"HERMES_HOME": f"  {link}\n"}).home == link


def test_tilde_is_expanded_in_the_flag_only(person: Person) -> None:
    mine = person.make("mine")
    assert person.choose("~/mine").root == mine
    assert person.choose("~", environ={}).root == person.folder
    with pytest.raises(UsageError, match=r"'~' is not expanded"):
        person.choose(environ={"HERMES_HOME": "~/mine"})


def test_a_relative_home_is_made_absolute(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = person.make("mine")
    monkeypatch.chdir(person.folder)
    assert person.choose(environ={"HERMES_HOME": "mine"}).home == mine
    assert person.choose("./mine").home == mine


def test_an_empty_flag_is_wrong_usage(person: Person) -> None:
    person.make(".hermes")
    with pytest.raises(UsageError, match="--hermes-home is empty"):
        person.choose(" ")


# ---------------------------------------------------------------- the root of a home


def test_a_profile_of_the_default_folder_has_it_as_root(person: Person) -> None:
    work = person.make(".hermes", "profiles", "work")
    home = person.choose(environ={"HERMES_HOME": str(work)})
    assert (home.root, home.home, home.profile) == (person.folder / ".hermes", work, "work")
    assert home.desktop_roots == (home.root / "desktop-plugins", work / "desktop-plugins")


def test_anything_below_the_default_folder_has_it_as_root(person: Person) -> None:
    deep = person.make(".hermes", "a", "b")
    home = person.choose(environ={"HERMES_HOME": str(deep)})
    assert (home.root, home.home, home.profile) == (person.folder / ".hermes", deep, None)
    assert "lies in" in home.rule
    assert home.homes == (home.root, deep)


def test_a_sibling_that_begins_alike_is_not_below(person: Person) -> None:
    person.make(".hermes")
    other = person.make(".hermes-lab")
    assert person.choose(environ={"HERMES_HOME": str(other)}).root == other


def test_a_profile_elsewhere_has_the_grandparent_as_root(person: Person) -> None:
    work = person.make("box", "profiles", "work")
    home = person.choose(str(work))
    assert (home.root, home.home, home.profile) == (person.folder / "box", work, "work")
    assert "profile's folder" in home.rule


def test_profiles_is_found_without_case_only_where_file_systems_fold_it(person: Person) -> None:
    work = person.make("box", "Profiles", "work")
    environ = {"HERMES_HOME": str(work)}
    assert person.choose(environ=environ, platform="darwin").root == person.folder / "box"
    assert person.choose(environ=environ, platform="win32").profile == "work"
    assert person.choose(environ=environ, platform="linux").root == work


def test_a_custom_home_is_its_own_root(person: Person) -> None:
    box = person.make("box")
    home = person.choose(environ={"HERMES_HOME": str(box)})
    assert (home.root, home.home, home.profile) == (box, box, None)
    assert home.desktop_roots == (box / "desktop-plugins",)
    assert home.state_dir == box / "desktop-loader"


def test_a_linked_profile_is_known_by_where_it_leads_and_not_listed_twice(person: Person) -> None:
    work = person.make(".hermes", "profiles", "work")
    link = person.folder / "shortcut"
    link.symlink_to(work)
    home = person.choose(environ={"HERMES_HOME": str(link)})
    assert (home.root, home.home, home.profile) == (person.folder / ".hermes", link, "work")
    assert home.homes == (home.root, work)


def test_the_apps_own_data_folder_is_a_root_wherever_it_lies(person: Person) -> None:
    fresh = person.make(".hermes", "runs", "hermes-home")
    home = person.choose(environ={"HERMES_DESKTOP_USER_DATA_DIR": str(fresh.parent)})
    assert (home.root, home.home) == (fresh, fresh)


# ---------------------------------------------------------------- profiles


def test_a_profile_flag_wins_over_the_profile_of_hermes_home(person: Person) -> None:
    person.make(".hermes", "profiles", "work")
    play = person.make(".hermes", "profiles", "play")
    home = person.choose(None, " Play ", environ={"HERMES_HOME": str(person.folder / ".hermes/profiles/work")})
    assert (home.home, home.profile) == (play, "play")
    assert "--profile play" in home.rule


@pytest.mark.parametrize("name", ["default", "DEFAULT", " Default "])
def test_the_default_profile_is_the_root(person: Person, name: str) -> None:
    work = person.make(".hermes", "profiles", "work")
    home = person.choose(None, name, environ={"HERMES_HOME": str(work)})
    assert (home.home, home.profile) == (home.root, None)


@pytest.mark.parametrize("name", ["", "-x", "../up", "a/b", ".deleted", "a" * 65, "naïve", "x y"])
def test_a_name_that_breaks_the_rule_is_refused_with_the_rule(person: Person, name: str) -> None:
    person.make(".hermes", "profiles", "work")
    with pytest.raises(UsageError, match=r"at most 63 of a-z, 0-9") as caught:
        person.choose(None, name)
    assert caught.value.exit_code == 2


def test_a_missing_profile_says_what_there_is(person: Person) -> None:
    person.make(".hermes", "profiles", "work")
    with pytest.raises(UsageError, match=r"no profile 'wrok'.*Did you mean 'work'"):
        person.choose(None, "wrok")
    with pytest.raises(UsageError, match=r"Known profiles: work, default"):
        person.choose(None, "zzz")
    assert not (person.folder / ".hermes/profiles/zzz").exists()


def test_a_missing_profile_in_a_root_without_profiles(person: Person) -> None:
    person.make(".hermes")
    with pytest.raises(UsageError, match="has no profiles"):
        person.choose(None, "work")


def test_a_deleted_profile_is_called_deleted(person: Person) -> None:
    (person.make(".hermes", "profiles", ".deleted") / "old").touch()
    with pytest.raises(UsageError, match="It was deleted"):
        person.choose(None, "old")


def test_homes_are_the_root_then_the_profiles_by_name(person: Person) -> None:
    for name in ("zoo", "alpha", ".deleted"):
        person.make(".hermes", "profiles", name)
    (person.folder / ".hermes/profiles/note.txt").touch()
    (person.folder / ".hermes/profiles/gone").symlink_to("nowhere")
    home = person.choose()
    root = person.folder / ".hermes"
    assert home.homes == (root, root / "profiles/alpha", root / "profiles/zoo")
    assert home.package_roots[0] == root / "plugins"
    assert home.package_roots[-1] == root / "profiles/zoo/plugins"


def test_the_sticky_profile_is_not_followed_but_mentioned(person: Person) -> None:
    root = person.make(".hermes")
    person.make(".hermes", "profiles", "work")
    (root / "active_profile").write_text("work\n")
    home = person.choose()
    assert (home.home, home.profile) == (root, None)
    assert home.note is not None and "--profile work" in home.note
    assert person.choose(None, "work").note is None


@pytest.mark.parametrize("text", ["", "default\n", "\x00\xff", "x" * 9000])
def test_a_sticky_file_without_another_name_says_nothing(person: Person, text: str) -> None:
    root = person.make(".hermes")
    (root / "active_profile").write_text(text)
    assert person.choose().note is None


@pytest.mark.parametrize(("name", "good"), [("a", True), ("0_-", True), ("A", False), ("_a", False), ("a\n", False)])
def test_profile_names(name: str, good: bool) -> None:
    assert is_profile_name(name) is good


# ---------------------------------------------------------------- what is missing


def test_a_missing_home_names_path_rule_and_next_step_and_makes_nothing(person: Person) -> None:
    with pytest.raises(UsageError) as caught:
        person.choose()
    said = str(caught.value)
    assert str(person.folder / ".hermes") in said
    assert "HERMES_HOME is not set" in said and "--hermes-home" in said
    assert list(person.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("variable", "folder", "said"),
    [
        (None, "gone", "--hermes-home was given"),
        ("HERMES_HOME", "gone", "HERMES_HOME is set"),
        ("HERMES_HOME", ".hermes/profiles/gone", "HERMES_HOME is set"),
        ("HERMES_DESKTOP_USER_DATA_DIR", "gone", "HERMES_DESKTOP_USER_DATA_DIR is set"),
    ],
)
def test_each_rule_is_named_when_its_folder_is_missing(
    person: Person, variable: str | None, folder: str, said: str
) -> None:
    person.make(".hermes")
    path = str(person.folder / folder)
    with pytest.raises(UsageError, match=f"does not exist .*{said}"):
        person.choose(None if variable else path, environ={variable: path} if variable else {})


def test_a_file_in_place_of_the_home(person: Person) -> None:
    (person.folder / ".hermes").touch()
    with pytest.raises(UsageError, match="is not a folder"):
        person.choose()


def test_an_impossible_path_is_wrong_usage_too(person: Person) -> None:
    with pytest.raises(UsageError, match="home"):
        person.choose("x" * 5000)
    with pytest.raises(UsageError, match="home"):
        person.choose("a\x00b")


def test_nothing_is_created(person: Person) -> None:
    root = person.make(".hermes")
    home = person.choose()
    assert (home.homes, list(root.iterdir())) == ((root,), [])
