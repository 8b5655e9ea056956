"""The count of mutants says what lived, and is not satisfied by what was not tried."""

import json
from pathlib import Path

import pytest

from tools import mutants

SOURCE = """\
def x_add__mutmut_orig(a, b):
    return a + b

def x_add__mutmut_1(a, b):
    return a - b

def x_add__mutmut_2(a, b):
    return a + None
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "mutants" / "loader"
    place.mkdir(parents=True)
    (place / "sums.py").write_text(SOURCE)
    return place.parent


def write(folder: Path, codes: list[int | None]) -> None:
    names = {f"loader.sums.x_add__mutmut_{number}": code for number, code in enumerate(codes, 1)}
    (folder / "loader" / "sums.py.meta").write_text(json.dumps({"exit_code_by_key": names}))


def test_what_lived_is_shown_with_its_change(folder: Path) -> None:
    write(folder, [1, 0])
    found = mutants.read(folder)
    assert (found.killed, found.share, found.by_file) == (1, 0.5, {"loader/sums.py": (1, 2)})
    changed = list(mutants.changes(folder, found.lived))
    assert changed == [("loader.sums.x_add__mutmut_2", ["-    return a + b", "+    return a + None"])]


@pytest.mark.parametrize(
    ("codes", "code"), [([1] * 10, 0), ([1] * 9 + [0], 0), ([1] * 8 + [0, 33], 1), ([1] * 9 + [None], 1), ([], 1)]
)
def test_the_command_fails_below_nine_in_ten_or_when_some_were_not_tried(
    folder: Path, monkeypatch: pytest.MonkeyPatch, codes: list[int | None], code: int
) -> None:
    write(folder, codes)
    monkeypatch.chdir(folder.parent)
    assert mutants.main() == code
