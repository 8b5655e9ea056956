"""The examples are clean, and each broken one gets exactly the finding that its folder states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loader.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "example_plugins"
GALLERY = EXAMPLES / "broken"

# What one file alone cannot show: it needs a home, a second plugin, a size, a clock or a broken disk.
_NEEDS_MORE_THAN_A_FILE = {"HP001", "HP002", "HP003", "HP005", "HP106", "HP305", "HP404", "HP405"}


def _checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["check", *arguments, "--format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert isinstance(ended.value.code, int)
    return ended.value.code, report


def _found(file: dict[str, Any]) -> list[tuple[str, int | None, str]]:
    return [(entry["code"], entry["line"], entry["severity"]) for entry in file["diagnostics"]]


def _plugins(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.is_dir() and path.name != "broken")


def _is_app(folder: Path) -> bool:
    return (folder / "plugin.json").is_file()


def test_every_example_is_found_and_none_has_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _checked(capsys, str(EXAMPLES))
    assert {file["id"]: _found(file) for file in report["files"]} == {
        path.name: [] for path in _plugins(EXAMPLES) if not _is_app(path)
    }
    assert code == 0


@pytest.mark.real
@pytest.mark.timeout(300)
def test_each_broken_plugin_gets_exactly_the_findings_it_states(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _checked(capsys, str(GALLERY))
    stated = {
        path.name: [(entry["code"], entry["line"], entry["severity"]) for entry in json.loads(_expected(path))]
        for path in _plugins(GALLERY)
    }
    assert {file["id"]: _found(file) for file in report["files"]} == stated
    assert code == 1


def test_the_gallery_shows_every_code_that_one_file_can_show() -> None:
    shown = {entry["code"] for path in _plugins(GALLERY) for entry in json.loads(_expected(path))}
    from loader.codes import CODES

    wanted = {code for code in CODES if code < "HP5"} - _NEEDS_MORE_THAN_A_FILE
    assert wanted - shown == set()


def test_the_page_about_the_examples_names_each_of_them() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in _plugins(EXAMPLES) if f"[`{path.name}`]" not in page] == []


def _expected(folder: Path) -> str:
    return (folder / "expected.json").read_text(encoding="utf-8")
