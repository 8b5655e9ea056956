from pathlib import Path

import pytest

from loader.backends.interpreter import choose_interpreter, hermes_python_of, python_in


def program(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_the_plugins_own_environment_comes_first_then_hermes_then_ours(tmp_path: Path) -> None:
    dashboard = tmp_path / "dashboard"
    dashboard.mkdir()
    nothing = {"which": lambda _: None, "ours": "/ours"}
    assert choose_interpreter(dashboard, **nothing).path == "/ours"  # type: ignore[arg-type]
    hermes = program(tmp_path / "venv" / "bin" / "hermes", "#!/usr/bin/env python3\n")
    python = program(tmp_path / "venv" / "bin" / "python3")
    found = choose_interpreter(dashboard, which=lambda _: str(hermes), ours="/ours")
    assert (found.path, found.whose) == (str(python), "hermes")
    named = choose_interpreter(dashboard, hermes_python="/set/python", which=lambda _: str(hermes))
    assert (named.path, named.whose) == ("/set/python", "hermes")
    own = program(dashboard / ".venv" / "bin" / "python")
    found = choose_interpreter(dashboard, hermes_python="/set/python", which=lambda _: str(hermes))
    assert (found.path, found.whose) == (str(own), "plugin")


def test_the_first_line_of_hermes_names_its_python_also_through_a_link(tmp_path: Path) -> None:
    python = program(tmp_path / "elsewhere" / "python3.12")
    hermes = program(tmp_path / "app" / "hermes", f"#!{python} -E\nimport sys\n")
    link = tmp_path / "bin" / "hermes"
    link.parent.mkdir()
    link.symlink_to(hermes)
    assert hermes_python_of(link) == str(python)


@pytest.mark.parametrize("text", ["", "#!", "#!/bin/sh\nexec python\n", "#!/nowhere/python3\n", "\x00\xff"])
def test_what_names_no_python_that_runs_is_none(tmp_path: Path, text: str) -> None:
    assert hermes_python_of(program(tmp_path / "app" / "hermes", text)) is None
    assert hermes_python_of(tmp_path / "missing") is None


def test_an_environment_that_cannot_be_run_is_none(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "python").chmod(0o644)
    assert python_in(tmp_path) is None
