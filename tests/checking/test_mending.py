"""Mending: the very letters, round after round in memory, one whole write, and never over somebody else's save."""

import hashlib
import os
import re
import stat
from pathlib import Path

import pytest

from loader.checking.checked import CheckedFile
from loader.checking.mending import Mended, mend, write_mended
from loader.checking.run import CheckSettings
from loader.checking.targets import Target, find_targets
from loader.codes import finding
from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.integrity import integrity_of
from loader.nouns import Diagnostic, Edit, Fix, Source, Span, Verdict
from loader.settings import AnalysisSettings
from loader.testing import FakeAnalyzer

pytestmark = pytest.mark.anyio

TEXT = "keep one\nfix two\nfix three\n"


def no_home() -> Home:
    raise UsageError("there is no home")


def fixing(source: Source, settings: AnalysisSettings) -> Verdict:
    """A rule that wants every "fix " gone, one at a time where two would touch, and calls "wrong" a syntax error."""
    found = []
    for match in re.finditer(r"fix |wrong", source.text):
        start = len(source.text[: match.start()].encode("utf-16-le")) // 2
        line = source.text.count("\n", 0, match.start()) + 1
        span = Span(line, 1, line, 2)
        if match[0] == "wrong":
            found.append(finding("HP101", "wrong", span=span))
        else:
            replaced = "wrong" if "break" in source.text else ""
            found.append(finding("HP509", "fix", span=span, fix=Fix("Drop it", (Edit(start, start + 4, replaced),))))
    return Verdict(source.sha256, diagnostics=tuple(found))


def target(folder: Path, data: bytes = TEXT.encode()) -> Target:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plugin.js").write_bytes(data)
    return find_targets([str(folder)], find_home=no_home)[0]


async def mended(which: Target, **more: object) -> Mended:
    analyzer = FakeAnalyzer(judge=fixing)
    return await mend(which, analyzer, CheckSettings(), **more)  # type: ignore[arg-type]


async def test_all_fixes_are_made_and_nothing_else(tmp_path: Path) -> None:
    result = await mended(target(tmp_path))
    assert result.after == b"keep one\ntwo\nthree\n"
    assert result.titles == ("Drop it",)
    assert Path(result.target.candidate.path).read_bytes() == TEXT.encode(), "nothing is written by looking"


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (b"\xef\xbb\xbffix \xc3\xa9\n", b"\xef\xbb\xbf\xc3\xa9\n"),
        (b"a\r\nfix b\r\n", b"a\r\nb\r\n"),
        ("🙂 fix 🙂\u2028x\r".encode(), "🙂 🙂\u2028x\r".encode()),
        (b"fix", b"fix"),
        (b"fix x", b"x"),
    ],
)
async def test_mark_line_ends_and_other_letters_stay(tmp_path: Path, data: bytes, after: bytes) -> None:
    assert (await mended(target(tmp_path, data))).after == after


async def test_what_touches_is_mended_in_the_next_round(tmp_path: Path) -> None:
    analyzer = FakeAnalyzer(judge=fixing)
    result = await mend(target(tmp_path, b"fix fix fix x"), analyzer, CheckSettings())
    assert result.after == b"x"


async def test_mending_twice_is_mending_once(tmp_path: Path) -> None:
    once = await mended(target(tmp_path))
    write_mended(once)
    again = await mended(once.target)
    assert not again.changed
    assert again.titles == ()


async def test_only_wanted_findings_are_mended(tmp_path: Path) -> None:
    def first_only(file: CheckedFile) -> CheckedFile:
        return CheckedFile(file.path, file.id, diagnostics=file.diagnostics[-1:], text=file.text)

    def none(file: CheckedFile) -> CheckedFile:
        return CheckedFile(file.path, file.id, text=file.text)

    assert not (await mended(target(tmp_path), wanted=none)).changed
    assert (await mended(target(tmp_path), wanted=first_only)).after.startswith(b"keep one\n")


async def test_errors_come_first(tmp_path: Path) -> None:
    def rule(source: Source, settings: AnalysisSettings) -> Verdict:
        found: tuple[Diagnostic, ...] = ()
        if "E" in source.text:
            found += (finding("HP201", "e", fix=Fix("error", (Edit(0, 1, ""),))),)
        if "w" in source.text:
            text = "it is gone" if "E" not in source.text else "too early"
            found += (finding("HP509", "w", fix=Fix("info", (Edit(source.text.index("w"), len(source.text), text),))),)
        return Verdict(source.sha256, diagnostics=found)

    result = await mend(target(tmp_path, b"Ew"), FakeAnalyzer(judge=rule), CheckSettings())
    assert (result.after, result.titles) == (b"it is gone", ("error", "info"))


async def test_a_fix_that_would_break_the_file_is_not_made(tmp_path: Path) -> None:
    result = await mended(target(tmp_path, b"break fix it"))
    assert not result.changed
    assert "break" in (result.left or "")


async def test_bytes_that_are_no_utf8_are_left_alone(tmp_path: Path) -> None:
    result = await mended(target(tmp_path, b"fix \xff"))
    assert (result.changed, result.left) == (False, "it is no clean UTF-8")


async def test_what_a_hash_vouches_for_is_left_alone(tmp_path: Path) -> None:
    which = target(tmp_path)
    sha256 = hashlib.sha256(TEXT.encode()).hexdigest()
    (tmp_path / "integrity.json").write_text(f'{{"plugin.js": "{integrity_of(sha256)}"}}')
    result = await mended(which)
    assert not result.changed
    assert "vouched for" in (result.left or "")


async def test_fixes_that_undo_each_other_come_to_an_end(tmp_path: Path) -> None:
    def flip(source: Source, settings: AnalysisSettings) -> Verdict:
        other = "b" if source.text[0] == "a" else "a"
        return Verdict(source.sha256, diagnostics=(finding("HP509", "x", fix=Fix("flip", (Edit(0, 1, other),))),))

    analyzer = FakeAnalyzer(judge=flip)
    await mend(target(tmp_path, b"a"), analyzer, CheckSettings())
    assert len(analyzer.calls) <= 21


async def test_a_file_that_cannot_be_read_has_nothing_to_mend(tmp_path: Path) -> None:
    (tmp_path / "plugin.js").mkdir()
    assert not (await mended(find_targets([str(tmp_path)], find_home=no_home)[0])).changed


# ---------------------------------------------------------------- writing


async def test_a_save_in_between_has_the_last_word(tmp_path: Path) -> None:
    result = await mended(target(tmp_path))
    path = Path(result.target.candidate.path)
    path.write_bytes(b"somebody else's")
    with pytest.raises(LoaderError, match="was changed while it was checked"):
        write_mended(result)
    assert path.read_bytes() == b"somebody else's"
    assert [child.name for child in tmp_path.iterdir()] == ["plugin.js"], "no temporary file stays"


@pytest.mark.skipif(os.name == "nt", reason="rights of this kind and links are POSIX matters")
async def test_rights_stay_and_a_link_stays_a_link(tmp_path: Path) -> None:
    built = tmp_path / "dist" / "bundle.js"
    built.parent.mkdir()
    built.write_bytes(TEXT.encode())
    built.chmod(0o640)
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "plugin.js").symlink_to(built)
    which = find_targets([str(tmp_path / "clock")], find_home=no_home)[0]
    result = await mended(which)
    write_mended(result)
    assert (tmp_path / "clock" / "plugin.js").is_symlink()
    assert built.read_bytes() == result.after
    assert stat.S_IMODE(built.stat().st_mode) == 0o640


async def test_a_folder_that_cannot_be_written_is_a_failure_of_one_line(tmp_path: Path) -> None:
    result = await mended(target(tmp_path / "clock"))
    (tmp_path / "clock" / "plugin.js").unlink()
    with pytest.raises(LoaderError, match="cannot be written"):
        write_mended(result)
