"""docs/hermes-command.md: the function that Hermes' own command line may take over, run as it stands there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import RunningService, write_plugin

PAGE = Path(__file__).parent.parent.parent / "docs" / "hermes-command.md"


@pytest.fixture
def reload_plugins() -> Callable[[str], int]:
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    function: Callable[[str], int] = names["reload_plugins"]
    return function


def test_it_says_how_the_reload_went(reload_plugins: Callable[[str], int], home: Path, service: RunningService) -> None:
    write_plugin(home, "clock")
    assert reload_plugins(str(home)) == 0
    write_plugin(home, "bad", "export default { id: 'bad', register() {\n")
    assert reload_plugins(str(home)) == 1


def test_without_a_service_it_says_so(
    reload_plugins: Callable[[str], int], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reload_plugins(str(home)) == 3
    assert "hermes-desktop serve" in capsys.readouterr().out


def test_without_a_home_it_is_wrong_usage(reload_plugins: Callable[[str], int], tmp_path: Path) -> None:
    assert reload_plugins(str(tmp_path / "nowhere")) == 2
