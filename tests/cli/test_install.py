"""`install`, `update`, `uninstall` and `verify` on the command line: what they show, ask, change and exit with."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loader.packages.tree import hash_tree
from tests.cli.conftest import Cli
from tests.packages.conftest import make_app, make_package, make_plugin, tar_bytes
from tests.packages.test_git import Repository

pytestmark = pytest.mark.usefixtures("no_engine")


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Somebody at a terminal who answers so."""

    def answers(text: str) -> None:
        import io

        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        monkeypatch.setattr("sys.stdin", Terminal(text))
        monkeypatch.setattr("loader.cli.consent.has_terminal", lambda: True)

    return answers


def everything(home: Path) -> dict[str, str]:
    return {path: digest for path, digest in hash_tree(home).items() if not path.endswith(".lock")}


def installed(home: Path, plugin_id: str) -> Path:
    return home / "desktop-plugins" / plugin_id


def test_a_probe_only_looks(cli: Cli, home: Path, tmp_path: Path) -> None:
    before = sorted(home.rglob("*"))
    outcome = cli("install", str(make_plugin(tmp_path / "src", "notes")), "--probe")
    assert outcome.code == 0
    assert "notes: a desktop plugin\n" in outcome.out
    assert "ships     desktop half\n" in outcome.out
    assert f"goes to   {installed(home, 'notes')}\n" in outcome.out
    assert sorted(home.rglob("*")) == before


def test_a_probe_as_json_says_what_there_is_to_know(cli: Cli, home: Path, tmp_path: Path) -> None:
    answer = cli("install", str(make_package(tmp_path / "src")), "--probe", "--json").json
    assert (answer["id"], answer["kind"], answer["installed"], answer["installable"]) == (
        "pack",
        "package",
        False,
        True,
    )
    assert answer["parts"] == {
        "desktop": "desktop/plugin.js",
        "agent": "plugin.yaml",
        "backend": True,
        "skills": ["write"],
        "manifest": None,
    }
    assert answer["folder"] == str(home / "plugins" / "pack")
    assert answer["check"]["ok"] is True
    assert answer["files"] == 5


def test_without_a_terminal_and_without_yes_nothing_is_changed(cli: Cli, home: Path, tmp_path: Path) -> None:
    before = sorted(home.rglob("*"))
    outcome = cli("install", str(make_plugin(tmp_path / "src", "notes")))
    assert outcome.code == 4
    assert outcome.err == (
        "hermes-desktop: Installing notes needs your word, and there is no terminal to ask on. "
        "Nothing was changed; --yes says it.\n"
    )
    assert sorted(home.rglob("*")) == before


def test_yes_installs(cli: Cli, home: Path, tmp_path: Path) -> None:
    outcome = cli("install", str(make_plugin(tmp_path / "src", "notes")), "--yes")
    assert outcome.code == 0
    assert outcome.out.endswith(f"Installed notes in {installed(home, 'notes')}\n")
    row = next(row for row in cli("list", "--json").json["plugins"] if row["id"] == "notes")
    assert (row["state"], row["pinned"], row["walled"], row["choice"]) == ("disabled", True, True, False)
    assert outcome.err == "It is off. Turn it on: hermes-desktop enable notes\n"


def test_a_person_is_asked(cli: Cli, home: Path, tmp_path: Path, person: Callable[[str], None]) -> None:
    source = str(make_plugin(tmp_path / "src", "notes"))
    for answer in ("n\n", "\n", "", "yeah\n"):
        person(answer)
        outcome = cli("install", source)
        assert (outcome.code, installed(home, "notes").exists()) == (4, False)
        assert outcome.err == "Install notes? [y/N] Nothing was installed or changed.\n"
    person("y\n")
    assert cli("install", source).code == 0
    assert installed(home, "notes").exists()


def test_a_package_is_off_until_it_is_turned_on(cli: Cli, home: Path, tmp_path: Path) -> None:
    outcome = cli("install", str(make_package(tmp_path / "src")), "--yes")
    assert outcome.code == 0
    assert "its Python half runs with your rights once you turn it on" in outcome.out
    assert "hermes-desktop enable pack" in outcome.err
    assert "hermes plugins enable pack" in outcome.err
    row = next(row for row in cli("list", "--json").json["plugins"] if row["id"] == "pack")
    assert (row["enabled"], row["pinned"]) == (False, True)


def test_a_package_whose_name_is_enabled_already_is_pointed_out(cli: Cli, home: Path, tmp_path: Path) -> None:
    (home / "config.yaml").write_text("plugins:\n  enabled: [pack, other]\n")
    source = str(make_package(tmp_path / "src"))
    assert cli("install", source, "--probe", "--json").json["already_enabled"] == ["pack"]
    assert "config.yaml has pack enabled already: its Python half WILL RUN" in cli("install", source, "--probe").out


def test_purge_removes_what_a_backend_stored_and_plain_uninstall_does_not(cli: Cli, home: Path, tmp_path: Path) -> None:
    data = home / "desktop-loader" / "backends" / "default" / "pack" / "data" / "notes.db"
    source = str(make_package(tmp_path / "src"))
    cli("install", source, "--yes")
    data.parent.mkdir(parents=True)
    data.write_text("x")
    assert cli("uninstall", "pack", "--yes").code == 0
    assert data.exists()
    cli("install", source, "--yes")
    assert cli("uninstall", "pack", "--yes", "--purge", "--json").json["purged"] is True
    assert not data.exists()


def test_what_stands_there_is_replaced_by_force_only_and_shown_as_a_diff(cli: Cli, home: Path, tmp_path: Path) -> None:
    path = installed(home, "notes")
    make_plugin(path, "notes", extra={"mine.txt": "made by hand"})
    before = everything(home)
    source = str(make_plugin(tmp_path / "src", "notes", version=2))
    outcome = cli("install", source, "--yes")
    assert outcome.code == 2
    assert "is there already (put there by hand). --force replaces it" in outcome.err
    assert everything(home) == before
    outcome = cli("install", source, "--yes", "--force")
    assert outcome.code == 0
    assert "It replaces what somebody put there by hand:\n  - mine.txt\n  ~ plugin.js\n" in outcome.out
    assert "  -export default { id: 'notes', name: 'v1', register() {} }\n" in outcome.out
    assert "  +export default { id: 'notes', name: 'v2', register() {} }\n" in outcome.out
    assert not (path / "mine.txt").exists()
    again = cli("install", source, "--yes")
    assert f"(installed from {source})" in again.err
    change = cli("install", source, "--probe", "--force", "--json").json["change"]
    assert change["files"] == {"added": [], "removed": [], "changed": []}


def test_what_stands_there_is_replaced_also_where_folders_cannot_change_places(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some file systems, and Windows, have no such step."""
    monkeypatch.setattr("loader.packages.changes.exchange", lambda *_: False)
    cli("install", str(make_plugin(tmp_path / "one", "notes", extra={"old.txt": "x"})), "--yes")
    outcome = cli("install", str(make_plugin(tmp_path / "two", "notes", version=2)), "--yes", "--force")
    assert outcome.code == 0
    assert "v2" in (installed(home, "notes") / "plugin.js").read_text()
    assert {path.name for path in installed(home, "notes").iterdir()} == {"plugin.js", "README.md"}
    assert cli("verify", "notes").code == 0


def test_a_probe_says_what_stands_in_the_way_in_words_and_for_programs(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    installed(home, "notes").mkdir()
    (installed(home, "notes") / "mine.txt").write_text("of a hand")
    shown = cli("install", str(source), "--probe")
    assert "It replaces what somebody put there by hand:\n" in shown.out
    bad = make_plugin(tmp_path / "bad", "notes")
    (bad / "plugin.js").write_text("import { x } from 'lodash'\nexport default { id: 'notes', register() {} }\n")
    stopped = cli("install", str(bad), "--yes", "--force", "--json")
    assert (stopped.code, stopped.json["installed"], stopped.json["check"]["ok"]) == (1, False, False)
    assert "Nothing was installed" in stopped.err
    assert (installed(home, "notes") / "mine.txt").read_text() == "of a hand"


def test_an_update_that_brings_nothing_new_says_so_for_programs_too(cli: Cli, home: Path, tmp_path: Path) -> None:
    cli("install", str(make_plugin(tmp_path / "src", "notes")), "--yes")
    told = cli("update", "notes", "--yes", "--json").json
    assert (told["id"], told["installed"], told["up_to_date"]) == ("notes", False, True)


def test_a_large_change_is_shown_in_part_and_says_how_much_is_left(cli: Cli, home: Path, tmp_path: Path) -> None:
    cli("install", str(make_plugin(tmp_path / "one", "notes")), "--yes")
    other = make_plugin(tmp_path / "two", "notes", extra={f"part{number:02}.txt": "x" for number in range(60)})
    (other / "plugin.js").write_text((other / "plugin.js").read_text() + "// more\n" * 300)
    shown = cli("install", str(other), "--probe").out
    assert shown.count("  + part") == 40
    assert "  + … 20 more\n" in shown
    assert "more lines\n" in shown
    assert shown.count("+// more") < 220


def test_what_would_not_load_is_not_installed(cli: Cli, home: Path, tmp_path: Path) -> None:
    broken = make_plugin(tmp_path / "src", "notes")
    (broken / "plugin.js").write_text("import x from 'lodash'\nexport default { id: 'notes', register() {} }\n")
    outcome = cli("install", str(broken), "--yes")
    assert outcome.code == 1
    assert "Nothing was installed: its plugin.js has" in outcome.err
    assert not installed(home, "notes").exists()
    assert cli("install", str(broken), "--probe").code == 1


def test_hostile_archives_are_refused_in_one_line(cli: Cli, home: Path, tmp_path: Path) -> None:
    before = everything(home)
    archive = tmp_path / "a.tgz"
    archive.write_bytes(tar_bytes(("notes/plugin.js", b"x"), ("notes/../../evil\x1b[31m", b"x")))
    outcome = cli("install", str(archive), "--yes")
    assert outcome.code == 2
    assert outcome.err.startswith("hermes-desktop: INVALID: 'notes/../../evil\\x1b[31m': ")
    assert outcome.err.count("\n") == 1
    assert everything(home) == before


def test_an_archive_installs_under_the_exported_id(cli: Cli, home: Path, tmp_path: Path) -> None:
    archive = tmp_path / "download.tgz"
    archive.write_bytes(
        tar_bytes(("Some-1.0/plugin.js", b"export default { id: 'notes', name: 'v1', register() {} }\n"))
    )
    assert cli("install", str(archive), "--yes", "--json").json["installed"] is True
    assert installed(home, "notes").is_dir()


def test_a_folder_that_is_no_plugin_names_those_in_it(cli: Cli, home: Path, tmp_path: Path) -> None:
    make_plugin(tmp_path / "many" / "one", "one")
    make_package(tmp_path / "many" / "two", "two")
    outcome = cli("install", str(tmp_path / "many"), "--yes")
    assert outcome.code == 2
    assert "Name one that it holds: one, two" in outcome.err


def test_a_web_app_is_looked_at_installed_and_listed(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = str(make_app(tmp_path / "app"))
    outcome = cli("install", source, "--probe")
    assert outcome.code == 0
    assert "asks for  the namespaces storage, tools; tools that are read-only" in outcome.out
    outcome = cli("install", source, "--yes")
    assert outcome.code == 0
    assert "hermes-desktop approve com.example.board --api storage --api tools" in outcome.err
    assert (home / "desktop-loader" / "apps" / "com.example.board" / "index.html").is_file()
    listed = cli("list", "--origin").out
    assert "com.example.board  disabled  web-app" in listed
    (app,) = cli("list", "--json").json["apps"]
    assert (app["enabled"], app["lacks"], app["origin"]["source"]) == (False, ["storage", "tools"], source)
    assert cli("verify").code == 0
    assert cli("uninstall", "com.example.board", "--yes").code == 0
    assert cli("list", "--json").json["apps"] == []


def test_a_web_app_without_its_page_is_refused(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = make_app(tmp_path / "app")
    (source / "index.html").unlink()
    outcome = cli("install", str(source), "--yes")
    assert outcome.code == 2
    assert "plugin.json: entry: there is no file 'index.html' in the package" in outcome.err


def test_a_wrong_manifest_names_its_fields(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    (source / "plugin.json").write_text('{"kind": "desktop", "id": "notes", "name": "Notes"}')
    outcome = cli("install", str(source), "--yes")
    assert outcome.code == 2
    assert "plugin.json: id: 'notes' is no reverse domain name" in outcome.err
    assert not installed(home, "notes").exists()


# ---------------------------------------------------------------- git, links, updates


def test_a_repository_is_installed_updated_verified_and_removed(cli: Cli, home: Path, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    make_plugin(repository.folder / "sub", "notes")
    first = repository.commit()
    answer = cli("install", f"{repository.url}#sub", "--yes", "--json").json
    assert (answer["revision"], answer["warning"]) == (first, "it is a repository on this machine.")
    assert cli("update", "notes", "--yes").out == f"notes is up to date ({repository.url})\n"

    make_plugin(repository.folder / "sub", "notes", version=2, extra={"more.txt": "x"})
    second = repository.commit()
    assert cli("update", "notes").code == 4
    outcome = cli("update", "notes", "--yes")
    assert outcome.code == 0
    assert "  + more.txt\n  ~ plugin.js\n" in outcome.out
    verified = cli("verify", "notes", "--json").json["packages"][0]
    assert (verified["ok"], verified["origin"]["revision"], verified["origin"]["subdir"]) == (True, second, "sub")

    back = cli("update", "notes", "--ref", first, "--yes", "--json").json
    assert (back["revision"], back["change"]["files"]["removed"]) == (first, ["more.txt"])
    assert "is up to date" in cli("update", "notes", "--yes").out

    assert cli("uninstall", "notes").code == 4
    assert cli("uninstall", "notes", "--yes").code == 0
    assert not installed(home, "notes").exists()
    assert cli("uninstall", "notes", "--yes").code == 2
    assert cli("verify").err == "Nothing was installed with `hermes-desktop install`.\n"


def test_an_update_that_changes_its_name_is_refused(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    cli("install", str(source), "--yes")
    make_plugin(source, "others")
    outcome = cli("update", "notes", "--yes")
    assert outcome.code == 2
    assert "calls itself others, not notes" in outcome.err


def test_verify_says_what_was_changed_by_hand(
    cli: Cli, home: Path, tmp_path: Path, person: Callable[[str], None]
) -> None:
    cli("install", str(make_plugin(tmp_path / "src", "notes")), "--yes")
    assert cli("verify").out == "notes: 2 files as installed\n"
    (installed(home, "notes") / "plugin.js").write_text("changed")
    outcome = cli("verify")
    assert outcome.code == 1
    assert outcome.out == f"notes: {installed(home, 'notes')} is not as it was installed\n  changed  plugin.js\n"
    person("n\n")
    outcome = cli("uninstall", "notes")
    assert outcome.code == 4
    assert "  changed  plugin.js\n" in outcome.err
    assert installed(home, "notes").exists()


def test_a_link_asks_and_shows_like_everything_else(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(tmp_path / "repo")
    make_package(repository.folder)
    repository.commit()
    # A user's own table of addresses, so that the test needs no network.
    (tmp_path / ".gitconfig").write_text(f'[url "{repository.url}"]\n\tinsteadOf = https://github.com/owner/pack.git\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    link = "hermes://plugin/install?repo=owner/pack&enable=1&force=1"
    assert cli("install", link).code == 4
    assert not (home / "plugins" / "pack").exists()
    outcome = cli("install", link, "--yes")
    assert outcome.code == 0
    assert cli("list", "--json").json["plugins"][0]["enabled"] is True, "enable=1, and a person said yes"
    assert "Its agent half is off. Turn it on in Hermes" in outcome.err
    assert not (home / "config.yaml").exists()
    assert cli("install", link, "--yes").code == 0, "force=1 replaces"


def test_the_origin_can_be_listed(cli: Cli, home: Path, tmp_path: Path) -> None:
    source = make_plugin(tmp_path / "src", "notes")
    cli("install", str(source), "--yes")
    make_plugin(installed(home, "mine"), "mine")
    rows = {row["id"]: row["origin"] for row in cli("list", "--origin", "--json").json["plugins"]}
    assert rows["mine"] is None
    assert rows["notes"]["source"] == str(source)
    assert "ORIGIN" in cli("list", "--origin").out
    assert "ORIGIN" not in cli("list").out


# ---------------------------------------------------------------- the real thing


@pytest.mark.real
@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_at_a_real_terminal_with_the_real_engine(home: Path, tmp_path: Path) -> None:
    import pty

    source = make_plugin(tmp_path / "src", "notes")

    def run(answer: bytes) -> tuple[int, str]:
        above, below = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "loader", "install", str(source)], stdin=below, stdout=below, stderr=below
        )
        os.close(below)
        os.write(above, answer)
        shown = b""
        while True:
            try:
                piece = os.read(above, 4096)
            except OSError:  # Linux says so at the end of a terminal
                break
            if not piece:
                break
            shown += piece
        os.close(above)
        return process.wait(60), shown.decode()

    code, shown = run(b"n\n")
    assert (code, installed(home, "notes").exists()) == (4, False)
    assert "Install notes? [y/N]" in shown
    code, shown = run(b"y\n")
    assert code == 0, shown
    assert "it contributes nothing" in shown
    assert installed(home, "notes").is_dir()
