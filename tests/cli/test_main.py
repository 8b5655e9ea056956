"""The frame around all commands: help that fits a screen, one line for a failure, the right exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from loader import __version__
from loader.cli import console, main
from loader.cli.commands import COMMANDS, Command
from loader.errors import LoaderError, NeedsPerson, TimedOut, UsageError
from tests.cli.conftest import Cli
from tests.requirements import need

NAMES = [command.name for command in COMMANDS]


def python(*args: str, **kwargs: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, timeout=60, **kwargs)  # type: ignore[call-overload,no-any-return]


def test_help_fits_a_screen_and_names_every_command(cli: Cli) -> None:
    outcome = cli("--help")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24, outcome.out
    assert all(f"  {command.name} " in outcome.out and command.summary in outcome.out for command in COMMANDS)
    assert "Example: hermes-desktop" in outcome.out


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_the_help_of_a_command_fits_a_screen_and_has_one_example(cli: Cli, command: Command) -> None:
    outcome = cli(command.name, "--help")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24, outcome.out
    assert outcome.out.count("Example: hermes-desktop " + command.name) == 1


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_the_overview_says_what_the_command_says_of_itself(command: Command) -> None:
    assert len(command.summary) <= 25
    assert main.load(command).help, f"{command.name} has no help"


def test_short_help_is_help(cli: Cli) -> None:
    assert cli("-h").out == cli("--help").out
    assert cli("version", "-h").out == cli("version", "--help").out


def test_no_command_is_wrong_usage_and_prints_the_help(cli: Cli) -> None:
    outcome = cli()
    assert outcome.code == 2
    assert "Commands:" in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["vesion"],
            "hermes-desktop: No such command 'vesion'. Did you mean 'version'? See 'hermes-desktop --help'.\n",
        ),
        (
            ["version", "--nope"],
            "hermes-desktop version: No such option: --nope. See 'hermes-desktop version --help'.\n",
        ),
        (["version", "extra"], None),
        (["check", "--format", "xml"], None),
        (["--nope"], None),
    ],
)
def test_wrong_usage_is_one_line_on_stderr_and_exits_2(cli: Cli, args: list[str], said: str | None) -> None:
    outcome = cli(*args)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert "--help'" in outcome.err
    if said:
        assert outcome.err == said


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """Put a failure in: the next command raises it."""
    failures: list[BaseException] = []

    def raise_it(json: bool = False) -> None:
        raise failures[0]

    monkeypatch.setattr("loader.cli.version.command", raise_it)
    return failures


@pytest.mark.parametrize(
    ("failure", "code"),
    [(LoaderError("x"), 3), (UsageError("x"), 2), (NeedsPerson("x"), 4), (TimedOut("x"), 5)],
)
def test_our_own_errors_are_one_line_and_their_exit_code(
    cli: Cli, failing: list[BaseException], failure: LoaderError, code: int
) -> None:
    failing.append(failure)
    outcome = cli("version")
    assert (outcome.code, outcome.out, outcome.err) == (code, "", "hermes-desktop: x\n")


def test_what_an_error_quotes_cannot_steer_the_terminal(cli: Cli, failing: list[BaseException]) -> None:
    failing.append(UsageError("no \x1b[31m\nsuch thing"))
    assert cli("version").err == "hermes-desktop: no \\x1b[31m\\nsuch thing\n"


def test_a_bug_of_ours_is_one_line_too_and_exits_3(cli: Cli, failing: list[BaseException]) -> None:
    failing.append(KeyError("oops"))
    outcome = cli("version")
    assert outcome.code == 3
    assert outcome.err.count("\n") == 1
    assert "internal failure: KeyError: 'oops'" in outcome.err
    assert "--debug" in outcome.err


@pytest.mark.parametrize("args", [("version", "--debug"), ("--debug", "version")])
def test_debug_prints_the_trace(cli: Cli, failing: list[BaseException], args: tuple[str, ...]) -> None:
    failing.append(KeyError("oops"))
    outcome = cli(*args)
    assert outcome.code == 3
    assert "Traceback" in outcome.err


def test_the_environment_can_ask_for_the_trace(
    cli: Cli, failing: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_DESKTOP_DEBUG", "1")
    failing.append(KeyError("oops"))
    assert "Traceback" in cli("version").err


def test_options_of_one_run_are_forgotten_in_the_next(cli: Cli) -> None:
    cli("version", "--debug", "--no-color")
    assert console.FACE.get() == console.Face()


def test_ctrl_c_prints_no_trace(cli: Cli, failing: list[BaseException]) -> None:
    failing.append(KeyboardInterrupt())
    outcome = cli("version")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "")


def test_version_in_both_shapes(cli: Cli) -> None:
    assert cli("version").out.startswith(f"hermes-desktop {__version__} (Python 3.")
    answer = cli("version", "--json").json
    assert answer["version"] == __version__
    assert set(answer) == {"name", "version", "python", "system"}


# ---------------------------------------------------------------- in a process of its own


def test_python_m_loader_is_the_same_program() -> None:
    assert (
        python("-m", "loader", "version").stdout
        == python("-c", "from loader.cli.main import main; main(['version'])").stdout
    )


@pytest.mark.parametrize("args", [["version"], ["--help"], ["check", "--help"]])
def test_starting_imports_neither_the_server_nor_pydantic(args: list[str]) -> None:
    program = (
        "import sys; from loader.cli.main import run; run(sys.argv[1:]);"
        "heavy = {'pydantic', 'fastapi', 'uvicorn', 'rich', 'httpx', 'wasmtime', 'tree_sitter', 'asyncio'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    assert python("-c", program, *args).stderr.strip() == "[]"


def test_a_check_imports_nothing_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "plugin.js").write_text("export default { id: 'clock', register() {} }")
    program = (
        "import sys; from loader.cli.main import run; code = run(sys.argv[1:]);"
        "heavy = {'fastapi', 'uvicorn', 'starlette', 'httpx', 'websockets', 'loader.server'};"
        "print(code, sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = python("-c", program, "check", str(tmp_path / "clock"), "--no-rehearse")
    assert done.stderr.strip() == "0 []", done.stderr


def test_a_reader_that_stops_early_is_no_failure() -> None:
    program = (
        "import os, sys; from loader.cli import main, version;"
        "version.command = lambda json=False: sys.stdout.write('x' * 10_000_000);"
        "sys.exit(main.run(['version']))"
    )
    read, write = os.pipe()
    process = subprocess.Popen([sys.executable, "-c", program], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    os.close(read)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize(
    ("shell", "says"),
    [
        ("bash", "complete -o default -F"),
        ("zsh", "#compdef hermes-desktop"),
        ("fish", "complete --command hermes-desktop"),
        ("powershell", "Register-ArgumentCompleter"),
    ],
)
def test_every_shell_gets_its_completion(shell: str, says: str) -> None:
    script = python("-m", "loader", "completion", shell).stdout
    assert says in script
    assert "hermes-desktop" in script


def test_the_completion_of_bash_really_completes(tmp_path: Path) -> None:
    bash = need("bash")
    program = tmp_path / "hermes-desktop"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m loader "$@"\n')
    program.chmod(0o700)
    asked = (
        'eval "$(hermes-desktop completion bash)"\n'
        "COMP_WORDS=(hermes-desktop che) COMP_CWORD=1; _hermes_desktop_completion hermes-desktop; echo ${COMPREPLY[@]}"
    )
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    done = subprocess.run(
        [bash, "-c", asked], capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "PATH": path}
    )
    assert done.stdout.split() == ["check"], done.stderr


def test_completion_offers_commands_and_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_HERMES_DESKTOP_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "hermes-desktop che")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert python("-m", "loader").stdout.split() == ["check"]
    monkeypatch.setenv("COMP_WORDS", "hermes-desktop check --str")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert python("-m", "loader").stdout.split() == ["--strict"]


def test_a_terminal_that_cannot_draw_a_letter_gets_its_escape() -> None:
    program = (
        "from loader.cli import main, version;"
        "version.command = lambda json=False: print('\\u6f22');"
        "main.main(['version'])"
    )
    done = python("-c", program, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PATH": ""})
    assert (done.returncode, done.stdout) == (0, "\\u6f22\n")


CLOSING = """
import os, sys
for number in map(int, sys.argv[1]):
    os.close(number)
os.execv(sys.executable, [sys.executable, "-m", "loader", *sys.argv[2:]])
"""


@pytest.mark.skipif(os.name == "nt", reason="closes descriptors, which a Windows process does not inherit so")
@pytest.mark.parametrize("closed", ["1", "2", "12"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("check", "{plugin}"), 0),
        (("check", "{plugin}", "--format", "json"), 0),
        (("rules",), 0),
        (("check", "gone"), 2),
    ],
)
def test_a_stream_that_the_caller_closed_changes_no_exit_code(
    tmp_path: Path, closed: str, arguments: tuple[str, ...], code: int
) -> None:
    plugin = tmp_path / "demo" / "plugin.js"
    plugin.parent.mkdir()
    plugin.write_text("export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }\n")
    given = [one.format(plugin=plugin) for one in arguments]
    home = {**os.environ, "HERMES_HOME": str(tmp_path)}
    done = python("-c", CLOSING, closed, *given, env=home, cwd=Path(__file__).parents[2])
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "--format", "xml"), "Invalid value for '--format': 'xml' is not one of 'text'"),
        (("new", "demo", "--template", "nope"), "Invalid value for '--template': 'nope' is not one of"),
        (("check", "--select", "HP9"), "`HP9` is no code and no prefix of one: did you mean HP709?\n"),
        (("check", "--select", "nope"), "`hermes-desktop rules` lists the codes.\n"),
    ],
)
def test_a_wrong_value_is_said_in_our_words(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert "Value error" not in outcome.err
