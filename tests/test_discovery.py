"""What counts as a plugin: both doors, the app's copies, and everything that lies about beside them."""

import errno
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from loader.discovery import (
    ENTRIES_LIMIT,
    candidates_named,
    discover,
    is_plugin_name,
    read_marker,
    survey,
)
from loader.home import Home
from loader.listing import NotListed

PLUGIN = "export default { id: 'x', register(ctx) {} }\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "hermes"
    root.mkdir()
    return root


def home_at(root: Path, profile: str | None = None) -> Home:
    return Home(root, root / "profiles" / profile if profile else root, profile, "a test says so")


def put(path: Path, text: str = PLUGIN) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def standalone(root: Path, folder: str) -> Path:
    return put(root / "desktop-plugins" / folder / "plugin.js")


def package(home: Path, folder: str) -> Path:
    return put(home / "plugins" / folder / "desktop" / "plugin.js")


def copy_of(root: Path, folder: str, source: Path | str | None, name: str | None = None) -> Path:
    """A folder as the app's copier leaves it."""
    path = standalone(root, folder)
    fields = {"package": name or folder} | ({"source": str(source), "sourceMtimeMs": 1.5} if source else {})
    put(path.parent / ".hermes-package.json", json.dumps(fields, indent=2))
    return path


def keys(home: Home) -> list[str]:
    return [candidate.key for candidate in discover(home)]


# ---------------------------------------------------------------- doors and order


def test_missing_roots_are_no_error(root: Path) -> None:
    assert discover(home_at(root)) == ()
    assert survey(home_at(root)).passed_over == ()
    assert discover(home_at(root / "gone", "work")) == ()


def test_both_doors_give_their_folder_path_and_home(root: Path) -> None:
    alone, half = standalone(root, "demo"), package(root, "notes")
    first, second = discover(home_at(root))
    assert (first.key, first.path, first.home, first.copied_to) == ("standalone:demo", str(alone), str(root), None)
    assert (second.key, second.path, second.home, second.copied_to) == ("unified:notes", str(half), str(root), None)


def test_standalone_comes_before_unified_root_before_profile_then_the_name(root: Path) -> None:
    work, zoo = root / "profiles/work", root / "profiles/zoo"
    for folder in ("z", "a"):
        standalone(root, folder)
        standalone(work, f"{folder}-work")
        package(root, folder)
        package(zoo, f"{folder}-zoo")
        package(work, f"{folder}-mine")
    standalone(zoo, "not-this-profile")
    assert keys(home_at(root, "work")) == [
        *("standalone:a", "standalone:z", "standalone:a-work", "standalone:z-work"),
        *("unified:a", "unified:z", "unified:a-mine", "unified:z-mine", "unified:a-zoo", "unified:z-zoo"),
    ]


def test_a_folder_of_the_root_wins_over_the_profiles_of_that_name(root: Path) -> None:
    mine = standalone(root, "demo")
    theirs = standalone(root / "profiles/work", "demo")
    home = home_at(root, "work")
    assert [candidate.path for candidate in discover(home)] == [str(mine)]
    assert [(row.path, row.why) for row in survey(home).passed_over] == [(str(theirs.parent), "hidden-by-root")]
    mine.unlink()
    assert [candidate.path for candidate in discover(home)] == [str(theirs)]


def test_the_first_home_that_holds_a_desktop_half_wins(root: Path) -> None:
    put(root / "plugins/notes/plugin.yaml", "name: notes\n")
    for profile in ("b", "a"):
        package(root / "profiles" / profile, "notes")
    (found,) = discover(home_at(root))
    assert found.home == str(root / "profiles/a")


def test_packages_without_a_desktop_half_are_silent(root: Path) -> None:
    put(root / "plugins/telegram/plugin.yaml", "name: telegram\n")
    put(root / "plugins/notes/desktop/readme.md", "no code yet\n")
    put(root / "plugins/odd/desktop", "a file")
    assert survey(home_at(root)) == survey(home_at(root / "nothing"))
    package(root, "notes")
    assert keys(home_at(root)) == ["unified:notes"]


def test_a_folder_without_plugin_js_is_no_candidate(root: Path) -> None:
    put(root / "desktop-plugins/empty/.keep", "")
    found = survey(home_at(root))
    assert found.candidates == ()
    assert [row.why for row in found.passed_over] == ["no-plugin-file"]


def test_category_folders_are_the_agents_affair(root: Path) -> None:
    put(root / "plugins/memory/notes/desktop/plugin.js")
    assert discover(home_at(root)) == ()


def test_one_level_only(root: Path) -> None:
    put(root / "desktop-plugins/outer/inner/plugin.js")
    put(root / "desktop-plugins/plugin.js")
    put(root / "plugins/pkg/desktop/sub/plugin.js")
    assert discover(home_at(root)) == ()


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    [
        *(".git", ".demo.staging-ab12", "demo.staging-1", "node_modules", "Node_Modules", "__pycache__", "__MACOSX"),
        *("demo~", "#demo#", ".", "\udcff"),
    ],
)
def test_names_that_are_no_plugins(name: str) -> None:
    assert not is_plugin_name(name)


@pytest.mark.parametrize("name", ["demo", "Demo", "node_modules2", "a.b", "demo (copy)", "näme", "#1", "staging-area"])
def test_names_that_may_be_plugins(name: str) -> None:
    assert is_plugin_name(name)


def test_editors_and_installers_leave_nothing_that_counts(root: Path) -> None:
    standalone(root, "demo")
    beside = root / "desktop-plugins/demo"
    for name in (".plugin.js.swp", "plugin.js~", "#plugin.js#", "plugin.js.bak", "plugin (conflicted copy).js"):
        put(beside / name, "x")
    put(beside / "__pycache__/x.pyc", "x")
    (beside / ".#plugin.js").symlink_to("user@host.1:2")
    (root / "desktop-plugins/.#demo").symlink_to("user@host.1:2")
    for name in (".git", "node_modules", ".demo.staging-ab12"):
        standalone(root, name)
        package(root, name)
    assert keys(home_at(root)) == ["standalone:demo"]
    whys = {(Path(row.path).name, row.why) for row in survey(home_at(root)).passed_over}
    assert whys == {(".git", "name"), (".demo.staging-ab12", "name")}


def test_a_name_that_is_not_utf8_is_passed_over(root: Path) -> None:
    standalone(root, "demo")
    try:
        (root / "desktop-plugins" / os.fsdecode(b"\xff\xfe")).mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert keys(home_at(root)) == ["standalone:demo"]


# ---------------------------------------------------------------- links and odd entries


def test_a_linked_folder_keeps_the_links_name(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "work/dist/plugin.js")
    (root / "desktop-plugins").mkdir()
    (root / "desktop-plugins/demo").symlink_to(tmp_path / "work/dist")
    (found,) = discover(home_at(root))
    assert (found.folder, found.path) == ("demo", str(root / "desktop-plugins/demo/plugin.js"))


def test_a_linked_root_is_looked_into(root: Path, tmp_path: Path) -> None:
    put(tmp_path / "elsewhere/demo/plugin.js")
    (root / "desktop-plugins").symlink_to(tmp_path / "elsewhere")
    assert keys(home_at(root)) == ["standalone:demo"]


def test_dangling_and_circular_links_do_not_stop_the_scan(root: Path) -> None:
    standalone(root, "demo")
    plugins = root / "desktop-plugins"
    (plugins / "a-dangling").symlink_to("nowhere")
    (plugins / "a-circle").symlink_to("a-circle")
    (plugins / "file").write_text("x")
    assert keys(home_at(root)) == ["standalone:demo"]


@pytest.fixture
def odd_entries(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    plugins = root / "desktop-plugins"
    for name in ("a-folder", "b-fifo", "c-dangling", "d-socket", "e-circle", "f-fine"):
        (plugins / name).mkdir(parents=True)
    (plugins / "a-folder/plugin.js").mkdir()
    os.mkfifo(plugins / "b-fifo/plugin.js")
    (plugins / "c-dangling/plugin.js").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(plugins / "d-socket")  # a socket's whole name has a hundred letters at most
        listener.bind("plugin.js")
        (plugins / "e-circle/plugin.js").symlink_to("plugin.js")
        put(plugins / "f-fine/plugin.js")
        yield root


def test_whatever_stands_in_place_of_plugin_js_is_a_candidate_so_that_it_is_said(odd_entries: Path) -> None:
    assert [candidate.folder[0] for candidate in discover(home_at(odd_entries))] == list("abcdef")


def test_an_unreadable_entry_and_an_unreadable_listing_end_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standalone(root, "a")
    standalone(root, "b")
    package(root, "c")
    real_lstat, real_scandir = os.lstat, os.scandir

    def lstat(path: str) -> os.stat_result:
        if path.endswith(f"{os.sep}a{os.sep}plugin.js"):
            raise PermissionError(13, "Permission denied", path)
        return real_lstat(path)

    def scandir(path: Path) -> object:
        if path.name == "plugins":
            raise PermissionError(13, "Permission denied", str(path))
        return real_scandir(path)

    monkeypatch.setattr("loader.discovery.os.lstat", lstat)
    monkeypatch.setattr("loader.discovery.os.scandir", scandir)
    found = survey(home_at(root))
    assert [candidate.key for candidate in found.candidates] == ["standalone:a", "standalone:b"]
    assert [row.why for row in found.passed_over] == ["unreadable"]


@pytest.mark.parametrize("without", ["desktop-plugins", "plugins", "profiles"])
@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_a_home_that_the_machine_cannot_list_now_is_no_home_without_plugins(
    root: Path, monkeypatch: pytest.MonkeyPatch, without: str, number: int
) -> None:
    standalone(root, "a")
    package(root / "profiles/work", "b")
    package(root, "c")
    real = os.scandir

    def scandir(path: Path) -> object:
        if Path(path).name == without:
            raise OSError(number, os.strerror(number), str(path))
        return real(path)

    monkeypatch.setattr("loader.discovery.os.scandir", scandir)
    monkeypatch.setattr("loader.home.os.scandir", scandir)
    with pytest.raises(NotListed, match=f"{without} cannot be read at present: .+ try again"):
        discover(home_at(root))


def test_a_copy_is_not_taken_for_the_users_own_because_its_marker_cannot_be_opened_now(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = package(root, "notes")
    copy_of(root, "notes", half.parent)
    real = os.open

    def opened(path: str, flags: int, *rest: int) -> int:
        if path.endswith(".hermes-package.json"):
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), path)
        return real(path, flags, *rest)

    monkeypatch.setattr("loader.discovery.os.open", opened)
    with pytest.raises(NotListed):
        discover(home_at(root))
    with pytest.raises(NotListed):
        candidates_named(home_at(root), "notes")


def test_a_root_with_too_many_entries_is_cut_and_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ENTRIES_LIMIT > 1000
    monkeypatch.setattr("loader.discovery.ENTRIES_LIMIT", 3)
    for number in range(6):
        standalone(root, f"p{number}")
    found = survey(home_at(root))
    assert len(found.candidates) == 3
    assert [row.why for row in found.passed_over] == ["too-many-entries"]


def test_what_lies_in_a_plugin_folder_is_never_listed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(standalone(root, "demo").parent / "node_modules/x/index.js", "x")
    put(package(root, "pkg").parent / "node_modules/x/index.js", "x")
    listed: list[str] = []
    real = os.scandir

    def scandir(path: Path) -> object:
        listed.append(Path(path).name)
        return real(path)

    monkeypatch.setattr("loader.discovery.os.scandir", scandir)
    monkeypatch.setattr("loader.home.os.scandir", scandir)
    assert keys(home_at(root)) == ["standalone:demo", "unified:pkg"]
    assert set(listed) <= {"desktop-plugins", "plugins", "profiles"}


# ---------------------------------------------------------------- copies made by the app


def test_a_copy_is_only_named_beside_its_package(root: Path) -> None:
    half = package(root, "notes")
    copy = copy_of(root, "notes", half.parent)
    (found,) = discover(home_at(root))
    assert (found.key, found.path, found.copied_to) == ("unified:notes", str(half), str(copy.parent))


def test_a_profiles_package_is_copied_into_the_root(root: Path) -> None:
    half = package(root / "profiles/work", "notes")
    copy = copy_of(root, "notes", half.parent)
    (found,) = discover(home_at(root))
    assert (found.home, found.copied_to) == (str(root / "profiles/work"), str(copy.parent))


def test_an_unmarked_folder_is_standalone_and_comes_before_the_package(root: Path) -> None:
    mine, half = standalone(root, "notes"), package(root, "notes")
    first, second = discover(home_at(root))
    assert (first.key, first.path) == ("standalone:notes", str(mine))
    assert (second.key, second.path, second.copied_to) == ("unified:notes", str(half), None)


def test_a_copy_whose_source_is_gone_is_no_plugin_but_is_explained(root: Path) -> None:
    half = package(root, "notes")
    copy = copy_of(root, "notes", half.parent)
    half.unlink()
    found = survey(home_at(root))
    assert found.candidates == ()
    (row,) = found.passed_over
    assert (row.path, row.why) == (str(copy.parent), "stray-copy")
    assert "the app deletes it" in row.text
    half.parent.rmdir()
    assert discover(home_at(root)) == ()


def test_a_stray_copy_does_not_hide_the_profiles_own_folder(root: Path) -> None:
    copy_of(root, "notes", root / "plugins/notes/desktop")
    mine = standalone(root / "profiles/work", "notes")
    assert [candidate.path for candidate in discover(home_at(root, "work"))] == [str(mine)]


def test_a_copy_of_a_source_elsewhere_is_the_rows_file_behind_the_packages_door(root: Path, tmp_path: Path) -> None:
    source = put(tmp_path / "other-root/plugins/notes/desktop/plugin.js").parent
    copy = copy_of(root, "notes", source)
    (found,) = discover(home_at(root))
    assert (found.key, found.path, found.copied_to) == ("unified:notes", str(copy), None)


@pytest.mark.parametrize("source", ["//server/share/notes/desktop", "\\\\server\\share", "relative/desktop", "/a\x00b"])
def test_a_source_that_must_not_be_touched_does_not_make_a_copy_stray(
    root: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_of(root, "notes", source)
    touched: list[str] = []
    real = os.stat

    def stat(path: str, **rest: object) -> os.stat_result:
        touched.append(str(path))
        return real(path)

    monkeypatch.setattr("loader.discovery.os.stat", stat)
    assert keys(home_at(root)) == ["unified:notes"]
    assert [path for path in touched if "share" in path or "relative" in path] == []


def test_an_unreadable_source_is_not_a_gone_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_of(root, "notes", "/closed/desktop")
    real = os.stat

    def stat(path: str) -> os.stat_result:
        if str(path).startswith("/closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr("loader.discovery.os.stat", stat)
    assert keys(home_at(root)) == ["unified:notes"]


def test_a_marker_without_a_source_is_a_hand_install_that_stays_off_and_wins(root: Path) -> None:
    half = package(root, "notes")
    mine = copy_of(root, "notes", None)
    found = survey(home_at(root))
    assert [(candidate.key, candidate.path) for candidate in found.candidates] == [("unified:notes", str(mine))]
    assert [(row.path, row.why) for row in found.passed_over] == [(str(half), "hidden-by-copy")]


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "{}", '{"package": ""}', '{"package": 7, "source": "/x"}', "[" * 60_000),
        *('{"package": "notes", "source": "/x"' + " " * 70_000 + "}", "\ufffe"),
    ],
)
def test_a_damaged_marker_is_no_marker(root: Path, text: str) -> None:
    mine = standalone(root, "notes")
    put(mine.parent / ".hermes-package.json", text)
    assert read_marker(str(mine.parent)) is None
    assert keys(home_at(root)) == ["standalone:notes"]


def test_a_fifo_in_place_of_the_marker_does_not_block(root: Path) -> None:
    mine = standalone(root, "notes")
    os.mkfifo(mine.parent / ".hermes-package.json")
    assert keys(home_at(root)) == ["standalone:notes"]


# ---------------------------------------------------------------- one name


def test_one_name_is_decided_as_in_the_whole(root: Path, tmp_path: Path) -> None:
    standalone(root, "both")
    package(root, "both")
    copy_of(root, "copied", package(root, "copied").parent)
    copy_of(root, "stray", "/nowhere")
    copy_of(root, "elsewhere", put(tmp_path / "o/desktop/plugin.js").parent)
    standalone(root / "profiles/work", "deep")
    put(root / "desktop-plugins/empty/x", "")
    home = home_at(root, "work")
    everything = discover(home)
    names = {"both", "copied", "stray", "elsewhere", "deep", "empty", "missing"}
    one_by_one = [candidate for name in names for candidate in candidates_named(home, name)]
    assert sorted(one_by_one, key=lambda c: c.key) == sorted(everything, key=lambda c: c.key)
    assert len({candidate.key for candidate in everything}) == len(everything) == 5


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../demo", ".git", "node_modules"])
def test_a_name_that_is_a_path_stands_for_nothing(root: Path, name: str) -> None:
    standalone(root, "demo")
    assert candidates_named(home_at(root), name) == ()
