"""Only what is new is reported; what keeps a plugin from loading is always new."""

import errno
import json
import os
from pathlib import Path

import pytest

from loader.checking.baseline import Baseline, new_baseline, read_baseline, write_baseline
from loader.checking.checked import CheckedFile, CheckRun
from loader.codes import finding
from loader.errors import LoaderError, UsageError
from loader.nouns import Diagnostic, Span


def at(line: int, code: str = "HP502") -> Diagnostic:
    return finding(code, "a message", span=Span(line, 1, line, 2))


def run(folder: Path, *findings: Diagnostic, text: str = "one\ntwo\nthree") -> CheckRun:
    path = folder / "clock" / "plugin.js"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return CheckRun((CheckedFile(str(path), "clock", diagnostics=findings, text=text),))


def left(baseline: Baseline, run: CheckRun) -> list[str]:
    return [found.code for found in baseline.without_known(run).files[0].diagnostics]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "baseline.json"


def test_known_findings_are_left_out_and_counted(path: Path, tmp_path: Path) -> None:
    baseline = new_baseline(path).updated(run(tmp_path, at(1), at(2)))
    assert left(baseline, run(tmp_path, at(1), at(2))) == []
    assert baseline.without_known(run(tmp_path, at(1), at(2))).known == 2
    assert left(baseline, run(tmp_path, at(1), at(2), at(3, "HP503"))) == ["HP503"]


def test_it_survives_the_way_to_the_disk_and_moved_lines(path: Path, tmp_path: Path) -> None:
    write_baseline(new_baseline(path).updated(run(tmp_path, at(1))), path)
    read = read_baseline(path)
    assert read is not None
    assert left(read, run(tmp_path, at(3), text="new\nnew\none")) == []
    assert left(read, run(tmp_path, at(1), at(2), text="one\none")) == ["HP502"], "one more of the same is new"


def test_the_file_is_made_to_be_committed(path: Path, tmp_path: Path) -> None:
    baseline = new_baseline(path).updated(run(tmp_path, at(2), at(1)))
    write_baseline(baseline, path)
    data = path.read_bytes()
    stored = json.loads(data)
    assert [row["path"] for row in stored["findings"]] == ["clock/plugin.js"] * 2
    assert len(data.splitlines()) == 4
    write_baseline(baseline, path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("code", ["HP101", "HP201", "HP303"])
def test_what_keeps_a_plugin_from_loading_is_never_known(path: Path, tmp_path: Path, code: str) -> None:
    refused = run(tmp_path, at(1, code))
    baseline = new_baseline(path).updated(refused)
    assert baseline.known == frozenset()
    assert left(baseline, refused) == [code]


def test_what_is_gone_is_counted_and_taken_out_by_an_update(path: Path, tmp_path: Path) -> None:
    baseline = new_baseline(path).updated(run(tmp_path, at(1), at(2)))
    assert baseline.gone(run(tmp_path, at(1))) == 1
    assert len(baseline.updated(run(tmp_path, at(1))).known) == 1


def test_what_a_run_does_not_look_for_stays_known(path: Path, tmp_path: Path) -> None:
    baseline = new_baseline(path).updated(run(tmp_path, at(1), at(2, "HP503")))
    narrow = run(tmp_path, at(1))
    assert baseline.gone(narrow, lambda code: code == "HP502") == 0
    assert baseline.updated(narrow, lambda code: code == "HP502").known == baseline.known


def test_other_files_stay_known_while_they_are_there(path: Path, tmp_path: Path) -> None:
    baseline = new_baseline(path).updated(run(tmp_path, at(1)))
    other = tmp_path / "other.js"
    other.write_text("")
    elsewhere = CheckRun((CheckedFile(str(other), "other", diagnostics=(at(1),), text="x"),))
    both = baseline.updated(elsewhere)
    assert len(both.known) == 2
    (tmp_path / "clock" / "plugin.js").unlink()
    assert len(both.updated(elsewhere).known) == 1


def test_no_file_is_no_baseline(path: Path) -> None:
    assert read_baseline(path) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 1}', '{"version": 1, "findings": [{"path": 1}]}', "[" * 100_000, "\x00"]
)
def test_what_is_no_baseline_is_said(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(UsageError, match="no baseline of ours"):
        read_baseline(path)


def test_a_newer_version_is_said(path: Path) -> None:
    path.write_text('{"version": 2, "findings": []}')
    with pytest.raises(UsageError, match="version 2"):
        read_baseline(path)


def test_a_place_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        write_baseline(Baseline(tmp_path), tmp_path / "missing" / "baseline.json")


def test_a_full_disk_is_a_failure_of_ours_and_leaves_what_is_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("before")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(LoaderError, match="No space left") as failed:
        write_baseline(new_baseline(path), path)
    assert not isinstance(failed.value, UsageError)
    assert path.read_text() == "before"
    assert list(path.parent.iterdir()) == [path]
