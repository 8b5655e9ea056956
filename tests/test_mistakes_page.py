"""The check, as authors run it, on a folder of their typical mistakes: each is named on its line, with the way out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from loader.codes import CODES
from loader.discovery import is_plugin_name
from tests.analysis.mistakes import ALL, KINDS
from tools.mistakes import PAGE, Row, check_all, main, page, write_plugins

Rows = Mapping[str, tuple[Row, ...]]


@pytest.fixture(scope="module")
def rows() -> Rows:
    return check_all()


def every(rows: Rows) -> list[Row]:
    return [row for some in rows.values() for row in some]


def test_there_are_mistakes_of_every_kind_under_names_of_their_own() -> None:
    assert len(ALL) >= 50
    assert all(len(mistakes) >= 2 for mistakes in KINDS.values())
    names = [mistake.name for mistake in ALL]
    assert len(set(names)) == len(names)
    assert all(is_plugin_name(name) for name in names)


def test_each_is_named_on_its_true_line(rows: Rows) -> None:
    wrong = {row.mistake.name: (row.mistake.line, row.line) for row in every(rows) if not row.right}
    assert wrong == {}


def test_the_first_message_is_the_one_that_the_mistake_deserves(rows: Rows) -> None:
    wrong = {}
    for row in every(rows):
        first, mistake = row.first, row.mistake
        if first is None or (first.code, first.severity) != (mistake.code, mistake.severity):
            wrong[mistake.name] = (mistake.code, mistake.severity, first)
    assert wrong == {}


def test_the_first_message_names_the_thing_and_the_way_out(rows: Rows) -> None:
    wrong = {}
    for row in every(rows):
        said = f"{row.first.message} {row.first.hint}".lower() if row.first else ""
        # The plugin that is checked goes by the mistake's name.
        missing = [
            name for name in row.mistake.names if name.replace("demo:", f"{row.mistake.name}:").lower() not in said
        ]
        if missing:
            wrong[row.mistake.name] = (missing, said)
    assert wrong == {}


def test_a_message_is_one_line_and_does_not_run_on(rows: Rows) -> None:
    for row in every(rows):
        assert row.first is not None
        assert "\n" not in row.first.message
        assert len(row.first.message) <= 180, row.first.message


def test_each_static_rule_is_met_by_a_mistake_that_somebody_makes() -> None:
    met = {mistake.code for mistake in ALL}
    asked = {code for code in CODES if "HP2" <= code < "HP4" or "HP5" <= code < "HP52" or "HP6" <= code < "HP7"}
    # A duplicate takes two files.
    assert asked - met == {"HP305"}


def test_the_page_is_what_the_check_says_today(rows: Rows) -> None:
    assert PAGE.read_text("utf-8") == page(rows), "make it anew: python -m tools.mistakes"


def test_the_mistakes_can_be_tried_as_plugins(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    assert {folder.name for folder in tmp_path.iterdir()} == {mistake.name for mistake in ALL}
    assert (tmp_path / "saved-as-utf-16" / "plugin.js").read_bytes()[:2] in (b"\xff\xfe", b"\xfe\xff")


def test_a_wrong_call_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 2
    assert "python -m tools.mistakes" in capsys.readouterr().err
    write_plugins(tmp_path, ())
    assert list(tmp_path.iterdir()) == []
