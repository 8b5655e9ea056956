"""--version, as every program has it."""

from __future__ import annotations

import pytest

from loader import __version__
from tests.cli.conftest import Cli


@pytest.mark.parametrize("words", [("--version",), ("version",)])
def test_the_version_is_one_line(cli: Cli, words: tuple[str, ...]) -> None:
    outcome = cli(*words)
    assert (outcome.code, outcome.err, len(outcome.out.splitlines())) == (0, "", 1)
    assert outcome.out.startswith(f"hermes-desktop {__version__} (")
