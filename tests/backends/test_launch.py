from pathlib import Path

from loader.backends.catalog import Manifest
from loader.backends.interpreter import Interpreter
from loader.backends.launch import Places, environment, find_bwrap, parse_dotenv, plan
from loader.settings import BackendSettings


def places(root: Path) -> Places:
    state = root / "desktop-loader"
    return Places(root, state, state / "backends" / "board" / "data", state / "run" / "1", state / "log")


def manifest(root: Path, *env: str) -> Manifest:
    folder = root / "plugins" / "board"
    return Manifest("board", folder, None, folder / "dashboard" / "plugin_api.py", env)


def test_only_listed_and_wanted_names_pass_and_never_those_that_steer_programs(tmp_path: Path) -> None:
    environ = {"PATH": "/bin", "LC_ALL": "C", "AWS_SECRET": "s", "MY_KEY": "k", "PYTHONPATH": "/x", "LD_PRELOAD": "/y"}
    one = manifest(tmp_path, "MY_KEY", "FROM_FILE", "PYTHONPATH", "LD_PRELOAD", "LDAP_HOST", "a b", "HERMES_DESKTOP_X")
    dotenv = {"FROM_FILE": "f", "LDAP_HOST": "h", "OTHER": "o", "MY_KEY": "older"}
    made = environment(one, places(tmp_path), environ, dotenv)
    assert made.items() >= {"PATH": "/bin", "LC_ALL": "C", "MY_KEY": "k", "FROM_FILE": "f", "LDAP_HOST": "h"}.items()
    assert not {"AWS_SECRET", "PYTHONPATH", "LD_PRELOAD", "OTHER"} & set(made)
    assert made["HERMES_HOME"] == str(tmp_path)


def test_a_dotenv_file_is_read_as_people_write_it() -> None:
    text = "# c\nA=1\nexport B = 'two words'\nC=\"x=y\"\nnot a line\n=z\nD=\n1X=no\n"
    assert parse_dotenv(text) == {"A": "1", "B": "two words", "C": "x=y", "D": ""}


def test_without_a_sandbox_the_command_is_the_interpreter_on_one_file(tmp_path: Path) -> None:
    launch = plan(
        manifest(tmp_path), places(tmp_path), Interpreter("/py", "host"), BackendSettings(), env={}, bwrap=None
    )
    assert launch.command[:2] == ("/py", "-B") and launch.command[2].endswith("worker.py")
    assert launch.options["limits"]["processes"] is None and not launch.sandboxed


def test_in_the_sandbox_the_state_folder_is_hidden_before_its_own_part_is_shown(tmp_path: Path) -> None:
    settings = BackendSettings(network=False)
    launch = plan(
        manifest(tmp_path), places(tmp_path), Interpreter("/py", "host"), settings, env={}, bwrap="/usr/bin/bwrap"
    )
    line = " ".join(launch.command)
    assert line.index("--ro-bind / /") < line.index(f"--tmpfs {tmp_path}/desktop-loader") < line.index("--bind ")
    assert "--unshare-net" in line and "--die-with-parent" in line and launch.sandboxed


def test_a_sandbox_that_is_not_there_is_said() -> None:
    assert find_bwrap("none", which=lambda _: "/never/asked") == (None, None)
    program, why = find_bwrap("auto", which=lambda _: None)
    assert program is None and why
    program, why = find_bwrap("auto", which=lambda _: "/nowhere/bwrap")
    assert program is None and why
