"""The GitHub Action and the pre-commit hooks: of the right form, and what they run is run here."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from loader.cli.main import load
from tests.requirements import need

ROOT = Path(__file__).parent.parent
GOOD = "export default { id: 'clock', register() {} }\n"
BAD = "import 'lodash'\n" + GOOD
WARNED = GOOD + "const LOGO = { style: { color: '#ff6b00' } }; console.log(LOGO)\n"


def read(name: str) -> Any:
    return YAML(typ="safe").load((ROOT / name).read_text("utf-8"))


def check_command() -> Any:
    from loader.cli.commands import COMMANDS

    return load(next(command for command in COMMANDS if command.name == "check"))


# ---------------------------------------------------------------- the action


ACTION = read("action.yml")
SCRIPT = next(step for step in ACTION["runs"]["steps"] if step.get("name") == "Check")


def test_the_action_has_the_form_that_github_asks_for() -> None:
    assert ACTION["name"] and ACTION["description"]
    assert len(ACTION["description"]) <= 125, "the marketplace cuts it there"
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert "run" not in step or step["shell"] == "bash"
    for declared in ACTION["inputs"].values():
        assert declared["description"] and isinstance(declared["default"], str)


def test_inputs_reach_scripts_as_variables_only() -> None:
    """An expression inside a script is pasted into it: a pull request could then run what it likes."""
    used = set()
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        used |= {name for value in step.get("env", {}).values() for name in re.findall(r"inputs\.([\w-]+)", value)}
    assert used == set(ACTION["inputs"])


def run_script(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    values = {name: declared["default"] for name, declared in ACTION["inputs"].items()} | inputs
    env = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: values[m[1]], text)
        for name, text in SCRIPT["env"].items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # As GitHub runs `shell: bash`.
    command = [need("bash"), "--noprofile", "--norc", "-eo", "pipefail", "-c", SCRIPT["run"]]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **env, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name, text in (("good", GOOD.replace("clock", "good")), ("bad", BAD.replace("clock", "bad"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "plugin.js").write_text(text)
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.real
def test_the_script_annotates_and_fails(checkout: Path) -> None:
    done = run_script(checkout)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=bad/plugin.js,line=1,")


@pytest.mark.real
def test_the_scripts_inputs_do_what_they_say(checkout: Path) -> None:
    (checkout / "good" / "plugin.js").write_text(WARNED.replace("clock", "good"))
    assert run_script(checkout, paths="good", strict="false", args="--no-rehearse").returncode == 0
    assert run_script(checkout, paths="good", args="--ignore HP502 --no-rehearse").returncode == 0
    written = run_script(checkout, paths="good", args="--no-rehearse", **{"sarif-file": "findings.sarif"})
    assert written.returncode == 1, "warnings fail unless somebody says otherwise"
    assert '"version": "2.1.0"' in (checkout / "findings.sarif").read_text()
    assert run_script(checkout, paths="nowhere", **{"sarif-file": "none.sarif"}).returncode == 2


@pytest.mark.real
def test_no_input_becomes_a_part_of_the_script(checkout: Path) -> None:
    done = run_script(checkout, paths="good\n$(touch pwned)\n; touch pwned", args="`touch pwned` ;touch pwned *")
    assert done.returncode == 2
    assert not (checkout / "pwned").exists()


def test_the_page_shows_workflows_with_inputs_and_hooks_that_there_are() -> None:
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    shown = [
        YAML(typ="safe").load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    ]
    assert len(shown) == 3
    inputs = re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)
    assert inputs == list(ACTION["inputs"])
    steps = [step for part in shown[:2] for job in part.get("jobs", {"check": part}).values() for step in job["steps"]]
    given = {name for step in steps if "hermes-desktop-loader" in step["uses"] for name in step["with"]}
    assert given == {"paths", "sarif-file"}
    assert [hook["id"] for hook in shown[2]["repos"][0]["hooks"]] == [HOOKS[0]["id"]]
    assert HOOKS[1]["id"] in page


# ---------------------------------------------------------------- the hooks


HOOKS = read(".pre-commit-hooks.yaml")


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_a_hook_has_the_form_that_pre_commit_asks_for(hook: dict[str, Any]) -> None:
    assert {"id", "name", "description", "entry", "language", "files"} <= set(hook)
    assert hook["language"] == "python"
    files = re.compile(hook["files"])
    for path, wanted in {
        "plugin.js": True,
        "a/b/plugin.js": True,
        "plugin.json": False,
        "myplugin.js": False,
        "a/plugin.js.map": False,
    }.items():
        assert (files.search(path) is not None) is wanted, path


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_what_a_hook_runs_is_a_command_line_of_ours(hook: dict[str, Any]) -> None:
    program, command, *args = shlex.split(hook["entry"])
    assert (program, command) == ("hermes-desktop", "check")
    context = check_command().make_context("check", [*args, "-odd/plugin.js", "b/plugin.js"])
    assert list(context.params["paths"]) == ["-odd/plugin.js", "b/plugin.js"]
    assert context.params["form"] == "concise"


@pytest.mark.real
@pytest.mark.parametrize(("name", "code"), [("good", 0), ("bad", 1)])
def test_a_hook_fails_a_commit_with_errors(checkout: Path, name: str, code: int) -> None:
    entry = shlex.split(HOOKS[0]["entry"])
    done = subprocess.run(
        [sys.executable, "-m", "loader", *entry[1:], f"{name}/plugin.js"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stderr
