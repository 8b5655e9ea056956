"""`check PATH` alone takes a shorter way in; what it prints and returns is the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from loader.cli.check_plainly import paths_alone

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        (["check", "a", "b/c"], ("a", "b/c")),
        (["check"], ()),
        (["check", "a", "--strict"], ()),
        (["check", "--", "a"], ()),
        (["check", "-h"], ()),
        (["check", ""], ()),
        (["rehearse", "a"], ()),
        ([], ()),
    ],
)
def test_only_paths_go_this_way(arguments: list[str], paths: tuple[str, ...]) -> None:
    assert paths_alone(arguments) == paths


def test_a_shell_that_completes_goes_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_HERMES_DESKTOP_COMPLETE", "complete_bash")
    assert paths_alone(["check", "a"]) == ()


def ways(arguments: list[str], cwd: Path) -> list[tuple[int, str, str]]:
    """The short way, and the way through typer."""
    through_typer = "import sys; from loader.cli.main import main; main(sys.argv[1:])"
    return [
        (done.returncode, done.stdout, done.stderr)
        for command in (["-m", "loader"], ["-c", through_typer])
        for done in [
            subprocess.run(
                [sys.executable, *command, *arguments],
                cwd=cwd,
                env=environment(),
                capture_output=True,
                text=True,
                check=False,
                timeout=300,
            )
        ]
    ]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def test_both_ways_say_the_same(tmp_path: Path) -> None:
    good, bad = tmp_path / "good" / "plugin.js", tmp_path / "bad" / "plugin.js"
    for path, text in ((good, "export default { id: 'good', register() {} }\n"), (bad, "import x from 'left-pad'\n")):
        path.parent.mkdir()
        path.write_text(text, "utf-8")
    for arguments, code in ((["check", "good"], 0), (["check", "good", "bad"], 1), (["check", "nothing-here"], 2)):
        short, long = ways(arguments, tmp_path)
        assert short == long
        assert short[0] == code


def test_with_options_a_check_looks_for_garbage_only_while_it_works(tmp_path: Path) -> None:
    (tmp_path / "plugin.js").write_text("export default { id: 'demo', register() {} }\n", "utf-8")
    code = (
        "import gc, sys; sys.argv = ['hermes-desktop', 'check', '--format', 'json', 'plugin.js']\n"
        "from loader.cli import start\n"
        "seen = []\n"
        "import asyncio; run = asyncio.run; asyncio.run = lambda work: (seen.append(gc.isenabled()), run(work))[1]\n"
        "whole = start._run; start._run = lambda *args: (seen.append(gc.isenabled()), whole(*args))[1]\n"
        "try: start.main(leave=sys.exit)\n"
        "except SystemExit as end: print(end.code, seen, gc.get_freeze_count() > 10_000, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1] == "0 [False, True] True", done.stderr


def test_the_short_way_does_without_what_reads_command_lines_and_draws(tmp_path: Path) -> None:
    (tmp_path / "plugin.js").write_text("export default { id: 'demo', register() {} }\n", "utf-8")
    code = (
        "import sys; sys.argv = ['hermes-desktop', 'check', 'plugin.js']\n"
        "from loader.cli.start import main\n"
        "try: main(leave=sys.exit)\n"
        "except SystemExit as end: print(end.code, {'typer', 'pydantic', 'rich.console'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "0 set()", done.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes there say otherwise that nobody reads")
@pytest.mark.parametrize("options", [[], ["--format", "json"]])
def test_who_reads_no_further_still_gets_the_exit_code_of_what_was_found(options: list[str], tmp_path: Path) -> None:
    for name, text in (
        ("good", "export default { id: 'good', register() {} }\n"),
        ("bad", "import x from 'left-pad'\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "plugin.js").write_text(text, "utf-8")
    for name, code in (("good", 0), ("bad", 1)):
        reads, writes = os.pipe()
        os.close(reads)
        done = subprocess.run(
            [sys.executable, "-m", "loader", "check", *options, name],
            cwd=tmp_path,
            env=environment(),
            stdout=writes,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=300,
        )
        os.close(writes)
        assert (done.returncode, done.stderr) == (code, "")
