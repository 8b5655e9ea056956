"""A command line that runs in the test's own process, in a home of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from loader.cli.main import run


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Outcome]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home that the environment names; the current folder is another, empty one."""
    home = tmp_path / "home"
    (home / "desktop-plugins").mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("HERMES_HOME", str(home))
    for name in ("NO_COLOR", "FORCE_COLOR", "HERMES_DESKTOP_DEBUG", "HERMES_DESKTOP_USER_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return home


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    def call(*args: str) -> Outcome:
        capsys.readouterr()
        code = run(args)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
