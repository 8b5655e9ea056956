"""Nothing is overwritten, nothing is left half made, and a wrong id says what a right one is."""

import os
from pathlib import Path

import pytest

from loader.authoring.creating import plan_new, write_new
from loader.discovery import discover, is_plugin_name
from loader.errors import UsageError
from loader.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = tmp_path / "home"
    profile = root / "profiles" / "work"
    profile.mkdir(parents=True)
    return Home(root, profile, "work", "a test")


def test_the_template_chooses_the_door(home: Home) -> None:
    assert plan_new("mine", "pane", home).folder == home.root / "desktop-plugins" / "mine"
    package = plan_new("mine", "package", home)
    assert package.folder == home.home / "plugins" / "mine"
    assert package.entry == package.folder / "desktop" / "plugin.js"


def test_a_folder_gets_it_directly_whatever_the_template(tmp_path: Path) -> None:
    assert plan_new("mine", "package", tmp_path / "new" / "place").folder == tmp_path / "new" / "place" / "mine"


def test_a_web_app_lies_in_no_home_and_may_be_named_by_its_id(home: Home, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="in no home until it is installed"):
        plan_new("mine", "web-app", home)
    new = plan_new("org.me.board", "web-app", tmp_path)
    assert (new.id, new.folder, new.entry) == ("org.me.board", tmp_path / "org.me.board", new.folder / "app.js")
    assert plan_new("mine", "web-app", tmp_path).id == "com.example.mine"
    with pytest.raises(UsageError, match="cannot be an id"):
        plan_new("org.me.board", "pane", tmp_path)


def test_planning_writes_nothing(home: Home) -> None:
    plan_new("mine", "page", home)
    assert list(home.root.rglob("*")) == [home.root / "profiles", home.home]


def test_what_is_written_is_what_was_planned_and_is_discovered(home: Home) -> None:
    new = plan_new("mine", "status", home)
    write_new(new)
    made = {path.relative_to(new.folder).as_posix(): path for path in new.folder.rglob("*") if path.is_file()}
    assert {path: made[path].read_text(encoding="utf-8") for path in made} == {
        file.path: file.text for file in new.files
    }
    assert list(new.folder.parent.iterdir()) == [new.folder]
    assert [candidate.path for candidate in discover(home)] == [str(new.entry)]


@pytest.mark.parametrize(
    ("plugin_id", "says"),
    [
        ("", "cannot be an id"),
        ("My Plugin", "Did you mean 'my-plugin'?"),
        ("Öl", "Did you mean 'l'?"),
        ("../up", "Did you mean 'up'?"),
        ("a/b", "Did you mean 'a-b'?"),
        ("a\\b", "Did you mean 'a-b'?"),
        ("-x", "Did you mean 'x'?"),
        ("con", "device name"),
        ("lpt1", "device name"),
        ("a" * 65, "1 to 64"),
        (".hidden", "Did you mean 'hidden'?"),
        ("a\nb", "Did you mean 'a-b'?"),
        ("__proto__", "Did you mean 'proto'?"),
        ("node_modules", "cannot be an id"),
    ],
)
def test_a_wrong_id_says_what_a_right_one_is(home: Home, plugin_id: str, says: str) -> None:
    with pytest.raises(UsageError) as wrong:
        plan_new(plugin_id, "pane", home)
    assert says in str(wrong.value)


def test_an_unknown_template_names_those_that_exist(home: Home) -> None:
    with pytest.raises(UsageError, match="use one of pane, status, page, theme, directive, command, package"):
        plan_new("mine", "widget", home)


@pytest.mark.parametrize("kind", ["folder", "empty folder", "file", "dangling link"])
def test_whatever_is_there_already_is_named_and_stays(tmp_path: Path, kind: str) -> None:
    there = tmp_path / "mine"
    if kind == "file":
        there.write_text("kept")
    elif kind == "dangling link":
        there.symlink_to(tmp_path / "nowhere")
    else:
        there.mkdir()
    if kind == "folder":
        (there / "plugin.js").write_text("kept")
    with pytest.raises(UsageError) as wrong:
        plan_new("mine", "pane", tmp_path)
    assert str(there) in str(wrong.value)
    assert os.path.lexists(there)
    if kind == "folder":
        assert (there / "plugin.js").read_text() == "kept"


@pytest.mark.parametrize(("first", "second"), [("pane", "package"), ("package", "pane")])
def test_an_id_that_the_home_has_behind_its_other_door_is_refused(home: Home, first: str, second: str) -> None:
    new = plan_new("mine", first, home)
    write_new(new)
    with pytest.raises(UsageError) as wrong:
        plan_new("mine", second, home)
    assert str(new.entry) in str(wrong.value)


def test_what_appears_between_plan_and_writing_is_kept(tmp_path: Path) -> None:
    new = plan_new("mine", "pane", tmp_path)
    new.folder.mkdir()
    (new.folder / "plugin.js").write_text("kept")
    with pytest.raises(UsageError, match="there already"):
        write_new(new)
    assert (new.folder / "plugin.js").read_text() == "kept"
    assert list(tmp_path.iterdir()) == [new.folder]


def test_what_appears_during_the_writing_is_kept(tmp_path: Path) -> None:
    new = plan_new("mine", "pane", tmp_path)

    def appear() -> str:
        # The last moment that a test can reach: the name of the staging folder is being made.
        new.folder.write_text("kept")
        return "0"

    with pytest.raises(UsageError, match="there already"):
        write_new(new, token=appear)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert new.folder.read_text() == "kept"


def test_a_watcher_that_looks_meanwhile_takes_nothing_for_a_plugin(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    real = Path.rename

    def look(self: Path, target: Path) -> Path:
        seen.append(self.name)
        assert discover(home) == ()
        return real(self, target)

    monkeypatch.setattr(Path, "rename", look)
    write_new(plan_new("mine", "pane", home))
    assert len(seen) == 1
    assert not is_plugin_name(seen[0])


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    new = plan_new("mine", "pane", tmp_path / "file" / "inside")
    with pytest.raises(UsageError, match=r"cannot write .*mine"):
        write_new(new)


def test_a_disk_that_fails_half_way_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.write_text

    def fail(self: Path, *args: object, **kwargs: object) -> int:
        if self.name == "README.md":
            raise OSError(28, "No space left on device")
        return real(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(UsageError, match="No space left on device"):
        write_new(plan_new("mine", "pane", tmp_path))
    assert list(tmp_path.iterdir()) == []
