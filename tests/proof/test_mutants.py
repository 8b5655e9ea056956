"""The count of mutants says what lived, and is not satisfied by what was not tried."""

import ast
import json
import os
import subprocess
import sys
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


def test_a_name_that_changes_when_it_is_collected_again_is_found(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    case = "import pytest\n\n@pytest.mark.parametrize('x', ['\\t', 'y'], ids={})\ndef test_it(x): ...\n"
    (tmp_path / "test_odd.py").write_text(case.format("ascii"))
    (tmp_path / "test_plain.py").write_text(case.format("lambda x: ascii(x).replace(chr(92), '/')"))
    # In a process of its own: this one is collecting already.
    script = "from tools import mutants; print([mutants.unsteady([name]) for name in ('test_plain.py', 'test_odd.py')])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(mutants.__file__).parent.parent)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    plain, odd = ast.literal_eval(done.stdout)
    assert plain == []
    assert [name[:21] for name in odd] == ["test_odd.py::test_it["] * 2


@pytest.mark.parametrize(
    ("codes", "code"), [([1] * 10, 0), ([1] * 9 + [0], 0), ([1] * 8 + [0, 33], 1), ([1] * 9 + [None], 1), ([], 1)]
)
def test_the_command_fails_below_nine_in_ten_or_when_some_were_not_tried(
    folder: Path, monkeypatch: pytest.MonkeyPatch, codes: list[int | None], code: int
) -> None:
    write(folder, codes)
    monkeypatch.chdir(folder.parent)
    assert mutants.main() == code
