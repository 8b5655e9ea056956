"""One bounded read: whatever lies in place of a plugin, it neither blocks nor surprises."""

import base64
import hashlib
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loader.nouns import Candidate, Door, Source, Span
from loader.settings import LARGE_SOURCE_BYTES, SOURCE_LIMIT_BYTES
from loader.source import Unreadable, decode, is_blank, is_same_user, plugin_folder, read_path, read_source

TEXT = "import { host } from '@hermes/plugin-sdk'\nexport default { id: 'demo', register(ctx) {} }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "desktop-plugins" / "demo"
    folder.mkdir(parents=True)
    return folder


def read(path: Path, door: Door = "standalone", **rest: object) -> Source | Unreadable:
    return read_path(str(path), folder=str(path.parent), door=door, **rest)  # type: ignore[arg-type]


def codes(outcome: Source | Unreadable) -> list[tuple[str, str]]:
    return [(found.code, found.severity) for found in outcome.findings]


def said(outcome: Source | Unreadable) -> str:
    return "\n".join(f"{found.message} | {found.hint}" for found in outcome.findings)


# ---------------------------------------------------------------- a good file


def test_bytes_text_and_hash_are_of_the_same_read(folder: Path) -> None:
    (folder / "plugin.js").write_bytes(TEXT.encode())
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source)
    assert (outcome.data, outcome.text, outcome.had_bom, outcome.findings) == (TEXT.encode(), TEXT, False, ())
    assert outcome.sha256 == hashlib.sha256(TEXT.encode()).hexdigest()
    assert outcome.size_bytes == len(TEXT)


def test_the_mark_counts_for_the_hash_but_is_no_text(folder: Path) -> None:
    (folder / "plugin.js").write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source)
    assert (outcome.text, outcome.had_bom) == (TEXT, True)
    assert outcome.sha256 == hashlib.sha256(b"\xef\xbb\xbf" + TEXT.encode()).hexdigest()


def test_line_ends_stay_as_they_are(folder: Path) -> None:
    (folder / "plugin.js").write_bytes(b"a\r\nb\rc\n")
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source) and outcome.text == "a\r\nb\rc\n"


def test_an_empty_file_is_a_source_so_that_the_save_can_settle(folder: Path) -> None:
    (folder / "plugin.js").touch()
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source)
    assert (outcome.text, outcome.findings, is_blank(outcome.data)) == ("", (), True)


def test_a_letter_of_two_bytes_is_not_cut_at_a_read_boundary(folder: Path) -> None:
    text = "// " + "éx\n" * 700_000
    (folder / "plugin.js").write_text(text, encoding="utf-8")
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source) and outcome.text == text
    assert codes(outcome) == [("HP003", "info")]


# ---------------------------------------------------------------- size


@pytest.mark.parametrize(("size", "large"), [(LARGE_SOURCE_BYTES - 1, False), (LARGE_SOURCE_BYTES, True)])
def test_large_files_are_mentioned(folder: Path, size: int, large: bool) -> None:
    (folder / "plugin.js").write_bytes(b" " * size)
    assert codes(read(folder / "plugin.js")) == ([("HP003", "info")] if large else [])


def test_the_limit_is_exact_and_named(folder: Path) -> None:
    (folder / "plugin.js").write_bytes(b" " * 100)
    assert isinstance(read(folder / "plugin.js", limit_bytes=100), Source)
    outcome = read(folder / "plugin.js", limit_bytes=99)
    assert isinstance(outcome, Unreadable)
    assert codes(outcome) == [("HP002", "error")]
    assert "100 bytes" in said(outcome) and "99 bytes" in said(outcome)


def test_a_huge_file_is_refused_unread(folder: Path) -> None:
    with (folder / "plugin.js").open("wb") as file:
        file.truncate(1 << 40)
    outcome = read(folder / "plugin.js")
    assert codes(outcome) == [("HP002", "error")]
    assert "16 MiB" in said(outcome)
    assert SOURCE_LIMIT_BYTES == 16 * 1024 * 1024


# ---------------------------------------------------------------- not a file


def make_folder(path: Path) -> None:
    path.mkdir()


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("make", "word", "absent"),
    [
        (lambda path: None, "is missing", True),
        (make_folder, "a folder", False),
        (make_fifo, "a FIFO", False),
        (make_socket, "a socket", False),
        (link_to("/dev/null"), "a device", False),
        (link_to("/dev/zero"), "a device", False),
        (link_to("gone.js"), "a link to gone.js, which does not exist", True),
        (link_to("plugin.js"), "in a circle", False),
        (link_to("."), "a folder", False),
    ],
)
def test_what_is_no_regular_file_is_named_and_never_blocks(
    folder: Path, make: Callable[[Path], None], word: str, absent: bool
) -> None:
    make(folder / "plugin.js")
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Unreadable)
    assert codes(outcome) == [("HP001", "error")]
    assert word in said(outcome)
    assert (outcome.absent, outcome.empty) == (absent, False)


def test_a_missing_folder_is_an_absence(tmp_path: Path) -> None:
    outcome = read(tmp_path / "gone" / "plugin.js")
    assert isinstance(outcome, Unreadable) and outcome.absent
    (tmp_path / "file").touch()
    outcome = read(tmp_path / "file" / "plugin.js")
    assert isinstance(outcome, Unreadable) and outcome.absent


@pytest.mark.parametrize(
    ("error", "word"),
    [(PermissionError(13, "Permission denied"), "no permission"), (OSError(5, "Input/output error"), "Input/output")],
)
def test_what_the_system_refuses_is_said(folder: Path, error: OSError, word: str) -> None:
    (folder / "plugin.js").write_text(TEXT)

    def refuse(path: str, flags: int) -> int:
        raise error

    outcome = read(folder / "plugin.js", open_file=refuse)
    assert codes(outcome) == [("HP001", "error")]
    assert word in said(outcome)


def test_an_impossible_name_is_a_finding(tmp_path: Path) -> None:
    assert codes(read_path(f"{tmp_path}/a\x00b")) == [("HP001", "error")]
    assert codes(read_path(f"{tmp_path}/{'x' * 5000}")) == [("HP001", "error")]


def test_a_fifo_that_slips_in_after_the_look_does_not_block(folder: Path) -> None:
    path = folder / "plugin.js"
    path.write_text(TEXT)

    def swap_then_open(name: str, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return os.open(name, flags)

    outcome = read(path, open_file=swap_then_open)
    assert codes(outcome) == [("HP001", "error")]
    assert "a FIFO" in said(outcome)


def test_nothing_stays_open(folder: Path) -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("this system does not list open files under /proc")
    before = len(list(Path("/proc/self/fd").iterdir()))
    (folder / "plugin.js").write_text(TEXT)
    for limit in (10_000, 1):
        read(folder / "plugin.js", limit_bytes=limit)
    (folder / "link.js").symlink_to("/etc/hostname")
    read(folder / "link.js", door="unified")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# ---------------------------------------------------------------- a file in motion


def test_a_save_in_pieces_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "plugin.js"
    path.write_text(TEXT)
    real, grown = os.read, [False]

    def read_and_grow(handle: int, size: int) -> bytes:
        data = real(handle, size)
        if not grown[0] and not data:
            grown[0] = True
            with path.open("a") as file:
                file.write("// more\n")
        return data

    monkeypatch.setattr("loader.source.os.read", read_and_grow)
    pauses: list[float] = []
    outcome = read(path, pause=pauses.append)
    assert isinstance(outcome, Source) and outcome.text == TEXT + "// more\n"
    assert len(pauses) == 1


@pytest.mark.parametrize("empty", [False, True])
def test_a_file_that_never_rests_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch, empty: bool) -> None:
    path = folder / "plugin.js"
    path.write_text("" if empty else TEXT)
    real = os.read
    tick = [0]

    def read_and_touch(handle: int, size: int) -> bytes:
        tick[0] += 1
        os.utime(path, ns=(tick[0], tick[0]))
        return real(handle, size)

    monkeypatch.setattr("loader.source.os.read", read_and_touch)
    pauses: list[float] = []
    outcome = read(path, pause=pauses.append)
    assert isinstance(outcome, Unreadable)
    assert codes(outcome) == [("HP001", "error")]
    assert (outcome.absent, outcome.empty) == (False, empty)
    assert 0 < len(pauses) < 20


def test_growth_past_the_limit_during_the_read_is_too_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "plugin.js"
    path.write_bytes(b"x" * 10)
    real = os.read

    def read_endlessly(handle: int, size: int) -> bytes:
        return real(handle, size) or b"y" * size

    monkeypatch.setattr("loader.source.os.read", read_endlessly)
    assert codes(read(path, limit_bytes=1000)) == [("HP002", "error")]


def test_a_file_held_by_another_program_on_windows_is_tried_again(folder: Path) -> None:
    path = folder / "plugin.js"
    path.write_text(TEXT)
    tries = [0]

    def held_once(name: str, flags: int) -> int:
        tries[0] += 1
        if tries[0] == 1:
            error = PermissionError(13, "The process cannot access the file")
            error.winerror = 32  # type: ignore[attr-defined]
            raise error
        return os.open(name, flags)

    assert isinstance(read(path, open_file=held_once, pause=lambda _s: None), Source)


# ---------------------------------------------------------------- where it lies


def test_a_link_within_the_folder_is_nothing_special(folder: Path) -> None:
    (folder / "dist").mkdir()
    (folder / "dist/out.js").write_text(TEXT)
    (folder / "plugin.js").symlink_to("dist/out.js")
    for door in ("standalone", "unified"):
        outcome = read(folder / "plugin.js", door=door)
        assert isinstance(outcome, Source) and outcome.findings == ()


def test_an_author_may_link_a_build_outside_and_it_is_shown(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out.js").write_text(TEXT)
    (folder / "plugin.js").symlink_to(tmp_path / "out.js")
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source) and outcome.text == TEXT
    assert codes(outcome) == [("HP005", "info")]
    assert str(tmp_path / "out.js") in said(outcome)


def test_a_package_may_not_lead_outside(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out.js").write_text(TEXT)
    (folder / "plugin.js").symlink_to(tmp_path / "out.js")
    outcome = read(folder / "plugin.js", door="unified")
    assert isinstance(outcome, Unreadable)
    assert codes(outcome) == [("HP005", "error")]


def test_a_sibling_folder_that_begins_alike_is_outside(folder: Path) -> None:
    other = folder.parent / "demo-evil"
    other.mkdir()
    (other / "plugin.js").write_text(TEXT)
    (folder / "plugin.js").symlink_to("../demo-evil/plugin.js")
    assert codes(read(folder / "plugin.js", door="unified")) == [("HP005", "error")]


def test_a_file_of_another_user_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out.js").write_text(TEXT)
    (folder / "plugin.js").symlink_to(tmp_path / "out.js")
    asked: list[tuple[int, str]] = []

    def same_user(owner: int, real_folder: str) -> bool:
        asked.append((owner, real_folder))
        return False

    outcome = read(folder / "plugin.js", same_user=same_user)
    assert isinstance(outcome, Unreadable)
    assert codes(outcome) == [("HP005", "error")]
    assert "another user" in said(outcome)
    assert asked == [((tmp_path / "out.js").stat().st_uid, os.path.realpath(folder))]


@pytest.mark.skipif(os.name == "nt", reason="owners are no numbers on Windows")
def test_the_same_user_is_the_services_or_the_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = folder.stat().st_uid
    monkeypatch.setattr("loader.source.os.geteuid", lambda: owner + 1)
    assert is_same_user(owner, str(folder))
    assert is_same_user(owner + 1, str(folder))
    assert not is_same_user(owner + 2, str(folder))


def test_a_linked_plugin_folder_counts_as_the_folder(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/plugin.js").write_text(TEXT)
    (tmp_path / "demo").symlink_to("work")
    outcome = read(tmp_path / "demo/plugin.js", door="unified")
    assert isinstance(outcome, Source) and outcome.findings == ()


def test_a_link_swapped_between_open_and_look_gains_nothing(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.js"
    secret.write_text("outside")
    path = folder / "plugin.js"
    path.symlink_to(secret)

    def open_then_swap(name: str, flags: int) -> int:
        handle = os.open(name, flags)  # the file outside is open now …
        if path.is_symlink():
            path.unlink()
            path.write_text(TEXT)  # … and the name is innocent again
        return handle

    outcome = read(path, door="unified", open_file=open_then_swap, pause=lambda _s: None)
    assert isinstance(outcome, Source) and outcome.text == TEXT


def test_a_bare_path_may_lead_anywhere(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out.js").write_text(TEXT)
    (folder / "plugin.js").symlink_to(tmp_path / "out.js")
    outcome = read_path(str(folder / "plugin.js"))
    assert isinstance(outcome, Source) and outcome.findings == ()


@pytest.mark.parametrize(
    ("door", "path", "expected"),
    [
        ("standalone", "/h/desktop-plugins/demo/plugin.js", "/h/desktop-plugins/demo"),
        ("standalone", "/h/desktop-plugins/desktop/plugin.js", "/h/desktop-plugins/desktop"),
        ("unified", "/h/plugins/demo/desktop/plugin.js", "/h/plugins/demo"),
        ("unified", "/h/desktop-plugins/demo/plugin.js", "/h/desktop-plugins/demo"),
    ],
)
def test_the_folder_that_a_plugin_may_not_leave(door: Door, path: str, expected: str) -> None:
    assert plugin_folder(Candidate(door, "demo", path, "/h")) == expected


def test_a_desktop_half_may_link_within_its_package(tmp_path: Path) -> None:
    desktop = tmp_path / "plugins/demo/desktop"
    desktop.mkdir(parents=True)
    (desktop.parent / "dist").mkdir()
    (desktop.parent / "dist/plugin.js").write_text(TEXT)
    (desktop / "plugin.js").symlink_to("../dist/plugin.js")
    candidate = Candidate("unified", "demo", str(desktop / "plugin.js"), str(tmp_path))
    assert isinstance(read_source(candidate), Source)
    (desktop / "plugin.js").unlink()
    (desktop / "plugin.js").symlink_to("/etc/hostname")
    assert codes(read_source(candidate)) == [("HP005", "error")]


# ---------------------------------------------------------------- encodings


@pytest.mark.parametrize(
    ("encoding", "mark", "word"),
    [
        ("utf-16-le", b"\xff\xfe", "UTF-16 (little endian)"),
        ("utf-16-be", b"\xfe\xff", "UTF-16 (big endian)"),
        ("utf-32-le", b"\xff\xfe\x00\x00", "UTF-32 (little endian)"),
        ("utf-32-be", b"\x00\x00\xfe\xff", "UTF-32 (big endian)"),
    ],
)
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("text", [TEXT, "// Grüße, 你好\n" + TEXT, "x=1"])
def test_wide_encodings_are_named_with_and_without_a_mark(
    encoding: str, mark: bytes, word: str, marked: bool, text: str
) -> None:
    _, found = decode((mark if marked else b"") + text.encode(encoding))
    assert [(row.code, row.severity) for row in found] == [("HP004", "error")]
    assert word in found[0].message and "UTF-8" in found[0].message


def test_the_file_that_powershell_writes(folder: Path) -> None:
    data = (
        "//5pAG0AcABvAHIAdAAgAHsAIABoAG8AcwB0ACAAfQAgAGYAcgBvAG0AIAAnAEAAaABlAHIAbQBlAHMALwBwAGwAdQBnAGkAbgAtAHMA"
        "ZABrACcACgBlAHgAcABvAHIAdAAgAGQAZQBmAGEAdQBsAHQAIAB7ACAAaQBkADoAIAAnAGQAZQBtAG8AJwAsACAAbgBhAG0AZQA6ACAA"
        "JwBEAGUAbQBvACcALAAgAHIAZQBnAGkAcwB0AGUAcgAoAGMAdAB4ACkAIAB7AH0AIAB9AAoA"
    )
    (folder / "plugin.js").write_bytes(base64.b64decode(data))
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source)
    assert codes(outcome) == [("HP004", "error")]
    assert "UTF-16" in said(outcome) and "saved as UTF-8" in said(outcome)


def test_zero_bytes_are_an_error_with_their_place(folder: Path) -> None:
    (folder / "plugin.js").write_bytes(b"\xef\xbb\xbf" + "a\r\n😀b\x00c\n".encode())
    outcome = read(folder / "plugin.js")
    assert codes(outcome) == [("HP004", "error")]
    assert outcome.findings[0].span == Span(2, 4, 2, 5)
    assert "1 zero bytes" in said(outcome)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 4096])
def test_a_file_of_zero_bytes_is_a_save_that_broke_off(folder: Path, size: int) -> None:
    (folder / "plugin.js").write_bytes(bytes(size))
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source) and is_blank(outcome.data)
    assert codes(outcome) == [("HP004", "error")]
    assert "nothing but zero bytes" in said(outcome)


def test_other_wrong_bytes_are_read_as_the_app_reads_them(folder: Path) -> None:
    (folder / "plugin.js").write_bytes(TEXT.encode() + "// Grüße\n".encode("latin-1"))
    outcome = read(folder / "plugin.js")
    assert isinstance(outcome, Source)
    assert outcome.text == TEXT + "// Gr\ufffd\ufffde\n"
    assert codes(outcome) == [("HP004", "warning")]
    assert outcome.findings[0].span == Span(3, 6, 3, 7)
    assert "Latin-1" in said(outcome) and "FC" in said(outcome)


def test_a_cut_letter_in_a_utf8_file_is_not_taken_for_latin1() -> None:
    text, found = decode("// é and ".encode() + b"\xe2\x82\n")
    assert text == "// é and \ufffd\n"
    assert [row.severity for row in found] == ["warning"]
    assert "Latin-1" not in found[0].message


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\u2028", "\u2029"])
def test_every_line_end_of_the_language_counts(end: str) -> None:
    _, found = decode(f"a{end}😀".encode() + b"\xff")
    assert found[0].span == Span(2, 3, 2, 4)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a file whose first read fails is Linux's")
def test_a_read_that_fails_is_said_with_the_systems_words() -> None:
    """/proc/self/mem opens as a regular file; its first page is nobody's."""
    read = read_path("/proc/self/mem")
    assert isinstance(read, Unreadable) and not read.absent
    (found,) = read.findings
    assert found.code == "HP001" and "cannot be read: Input/output error" in found.message
    assert found.hint == "Look after the disk it lies on."
