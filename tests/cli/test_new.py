"""`new` on the command line: what it says, what it makes, and its exit codes."""

from pathlib import Path

from tests.cli.conftest import Cli


def test_it_makes_a_pane_in_the_home_and_says_what_comes_next(cli: Cli, home: Path) -> None:
    outcome = cli("new", "my-plugin")
    folder = home / "desktop-plugins" / "my-plugin"
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"Made {folder}: a pane with a state of its own\n  plugin.js\n")
    assert f"\nNext:\n  hermes-desktop check {folder} --strict\n" in outcome.out
    assert (folder / "plugin.js").is_file()
    assert (folder / "types" / "index.d.ts").is_file()


def test_a_dry_run_makes_nothing(cli: Cli, home: Path) -> None:
    outcome = cli("new", "my-plugin", "--template", "package", "--dry-run")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Would make {home / 'plugins' / 'my-plugin'}:")
    assert "  dashboard/plugin_api.py\n" in outcome.out
    assert "Next" not in outcome.out
    assert [path.name for path in home.rglob("*")] == ["desktop-plugins"]


def test_it_can_be_made_elsewhere_without_a_home(cli: Cli, home: Path, tmp_path: Path) -> None:
    outcome = cli("new", "my-plugin", "--template", "page", "--into", "here", "--hermes-home", "/nowhere/at/all")
    assert outcome.code == 0
    assert (Path.cwd() / "here" / "my-plugin" / "plugin.js").is_file()


def test_json_says_what_was_made(cli: Cli, home: Path) -> None:
    answer = cli("new", "my-plugin", "--template", "package", "--json").json
    folder = home / "plugins" / "my-plugin"
    assert answer["folder"] == str(folder)
    assert answer["entry"] == str(folder / "desktop" / "plugin.js")
    assert answer["made"] is True
    assert "hermes-desktop enable my-plugin" in answer["next"]
    assert all((folder / path).is_file() for path in answer["files"])
    assert cli("new", "other", "--dry-run", "--json").json["made"] is False


def test_what_is_there_is_not_overwritten(cli: Cli, home: Path) -> None:
    assert cli("new", "my-plugin").code == 0
    path = home / "desktop-plugins" / "my-plugin" / "plugin.js"
    path.write_text("kept")
    for extra in ([], ["--dry-run"], ["--template", "package"]):
        outcome = cli("new", "my-plugin", *extra)
        assert (outcome.code, outcome.out) == (2, "")
        assert str(path) in outcome.err
        assert outcome.err.count("\n") == 1
    assert path.read_text() == "kept"


def test_a_wrong_id_and_a_wrong_template_are_wrong_usage(cli: Cli) -> None:
    outcome = cli("new", "My Plugin")
    assert outcome.code == 2
    assert "Did you mean 'my-plugin'?" in outcome.err
    assert cli("new", "mine", "--template", "widget").code == 2
    assert cli("new").code == 2


def test_a_web_app_is_made_in_the_current_folder_and_its_probe_is_clean(cli: Cli, home: Path, no_engine: None) -> None:
    outcome = cli("new", "my-board", "--template", "web-app")
    folder = Path.cwd() / "my-board"
    assert (outcome.code, outcome.err) == (0, "")
    assert "  types/  (1 file, for editors)\n" in outcome.out
    assert outcome.out.endswith("  hermes-desktop open com.example.my-board\n")
    assert [path.name for path in home.rglob("*")] == ["desktop-plugins"]
    told = cli("install", str(folder), "--probe", "--json").json
    assert (told["id"], told["kind"], told["problems"], told["left_out"]) == ("com.example.my-board", "web-app", [], [])
    assert (told["installable"], told["requested"]) == (True, {"apis": ["tools"], "capabilities": ["read-only"]})
    checked = cli("check", str(folder))
    assert (checked.code, f"`hermes-desktop install {folder} --probe` looks at it" in checked.err) == (2, True)
