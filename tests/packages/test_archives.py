"""Every kind of archive that must not be installed, those that must, and bombs under a limit of memory."""

import gzip
import io
import json
import os
import stat
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from loader.errors import UsageError
from loader.packages.archives import extract_archive, extract_tree, list_archive
from loader.packages.limits import LIMITS, MIB, Limits
from loader.packages.refused import Invalid
from tests.packages.conftest import (
    END,
    PLUGIN,
    octal,
    pax,
    raw_file,
    raw_header,
    special,
    tar_bytes,
    unix_zip,
    windows_zip,
    zip_bytes,
)
from tests.packages.refused_archives import GOOD, REFUSED, named, streamed_zip, zip_named

Archive = Callable[..., Path]

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "cases" / "cases.jsonl").read_bytes().decode().split("\n")
    if line
]
CASE = {case["id"]: case for case in CASES if case["kind"] == "archive"}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_must_not_be_there_is_refused_by_name_and_nothing_is_written(
    kind: str, archive: Archive, tmp_path: Path
) -> None:
    data, said, member = REFUSED[kind]
    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(Invalid, match=r"^INVALID: ") as refused:
        extract_archive(archive(data), into)
    assert said in str(refused.value)
    if member is not None:
        assert refused.value.member == member
    assert list(into.iterdir()) == []


def test_the_table_has_at_least_sixty_kinds() -> None:
    assert len(REFUSED) >= 60


# ---------------------------------------------------------------- what packers write


ACCEPTED: dict[str, bytes] = {
    "gnu": tar_bytes("notes/", GOOD),
    "ustar": tar_bytes("notes/", GOOD, format=tarfile.USTAR_FORMAT),
    "pax": tar_bytes("notes/", GOOD, ("notes/caf\u00e9.txt", b""), format=tarfile.PAX_FORMAT),
    "plain-tar": tar_bytes("notes/", GOOD, packed=False),
    "no-folder-entries": tar_bytes(GOOD),
    "dot-slash": tar_bytes("./", "./notes/", ("./notes/plugin.js", PLUGIN)),
    "folder-twice": tar_bytes("notes/", "notes/", GOOD),
    "long-name-gnu": tar_bytes(GOOD, ("notes/" + "a/" * 20 + "b" * 150, b"x")),
    "long-name-pax": tar_bytes(GOOD, ("notes/" + "b" * 150, b"x"), format=tarfile.PAX_FORMAT),
    "git-archive": gzip.compress(
        raw_file(b"pax_global_header", b"52 comment=" + b"0" * 40 + b"\n", b"g")
        + raw_file(GOOD[0].encode(), PLUGIN)
        + END
    ),
    "two-streams": gzip.compress(raw_file(GOOD[0].encode(), PLUGIN)) + gzip.compress(END) + bytes(100),
    "folder-without-a-size": gzip.compress(
        raw_header(b"notes/", b" " * 11 + b"\0", b"5") + raw_file(GOOD[0].encode(), PLUGIN) + END
    ),
    "zip-one-name-said-twice": zip_named("notes/a.js"),
    "zip-of-a-stream": streamed_zip(),
    "emoji-variant": named("notes/\u2764\ufe0f.png"),
    "old-tar": gzip.compress(raw_file(GOOD[0].encode(), PLUGIN, b"\0") + END),
    "no-end-blocks": gzip.compress(raw_file(GOOD[0].encode(), PLUGIN)),
    "zip": zip_bytes("notes/", GOOD),
    "zip-stored": zip_bytes(GOOD, method=zipfile.ZIP_STORED),
    "zip-comment": zip_bytes(GOOD, comment=b"packed by hand"),
    "zip-unix": zip_bytes((unix_zip("notes/plugin.js", stat.S_IFREG | 0o755), PLUGIN)),
    "zip-of-windows-powershell": zip_bytes(
        (windows_zip("notes\\plugin.js"), PLUGIN),
        (windows_zip("notes\\lib\\"), b""),
        (windows_zip("notes\\a\\b.js"), b"x"),
    ),
    "zip-unicode": zip_bytes(GOOD, ("notes/\u6f22\u5b57.txt", b"x")),
}


@pytest.mark.parametrize("kind", ACCEPTED)
def test_what_packers_write_is_extracted(kind: str, archive: Archive, tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    listing = extract_archive(archive(ACCEPTED[kind]), into)
    assert (listing.top, (into / "plugin.js").read_bytes()) == ("notes", PLUGIN)
    written = {str(path.relative_to(into)).replace(os.sep, "/") for path in into.rglob("*") if path.is_file()}
    assert written == {member.path for member in listing.files}


def test_files_get_plain_rights_whatever_the_archive_says(archive: Archive, tmp_path: Path) -> None:
    info = tarfile.TarInfo("notes/run.sh")
    info.mode = 0o6777
    into = tmp_path / "into"
    into.mkdir()
    extract_archive(archive(tar_bytes(GOOD, (info, b"x"))), into)
    assert stat.S_IMODE((into / "run.sh").stat().st_mode) & 0o7133 == 0


def test_tools_leavings_are_left_out_but_said(archive: Archive, tmp_path: Path) -> None:
    data = tar_bytes(
        ("._notes", b"\0\5\x16\7"),
        GOOD,
        ("notes/.git/config", b"x"),
        ("notes/node_modules/a/b.js", b"x"),
        ("notes/.DS_Store", b""),
    )
    listing = list_archive(archive(data))
    assert [member.path for member in listing.files] == ["plugin.js"]
    assert listing.left_out == ("._notes", "notes/.git/config", "notes/node_modules/a/b.js", "notes/.DS_Store")


def test_a_listing_writes_nothing(archive: Archive, tmp_path: Path) -> None:
    path = archive(tar_bytes(GOOD))
    before = sorted(tmp_path.rglob("*"))
    assert list_archive(path).size_bytes == len(PLUGIN)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("member", "left_out"),
    [
        (raw_header(b"l", kind=b"2"), ("l",)),
        (raw_file(b"x", b"/" + b"e" * 200, b"K") + raw_header(b"l", kind=b"2"), ("l",)),
        (pax(linkpath="/etc") + raw_header(b"l", kind=b"1"), ("l",)),
    ],
)
def test_links_of_a_tree_are_passed_over_and_said(member: bytes, left_out: tuple[str, ...], tmp_path: Path) -> None:
    """A repository may hold links; what an archive's own may not."""
    listing = extract_tree(io.BytesIO(member + raw_file(b"plugin.js", PLUGIN) + END), tmp_path)
    assert listing.left_out == left_out
    assert [path.name for path in tmp_path.iterdir()] == ["plugin.js"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (raw_file(b"l", b"x", b"2") + END, "a link with content"),
        (raw_file(b"x", b"/etc", b"K") + END, "ends behind"),
        (raw_file(b"a", b"x") + raw_file(b"b", b"x")[:600], "cut off"),
    ],
)
def test_a_tree_that_plays_tricks_is_refused(data: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=said):
        extract_tree(io.BytesIO(data), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a\.tgz cannot be read: No such file"):
        list_archive(tmp_path / "a.tgz")


# ---------------------------------------------------------------- limits

SMALL = Limits(
    packed_bytes=20_000, files=5, entries=8, file_bytes=1000, total_bytes=3000, ratio=10, ratio_floor_bytes=2000
)


def test_headers_that_name_no_member_are_counted_too(archive: Archive) -> None:
    comment = raw_file(b"g", b"13 comment=x\n", b"g")
    roomy = replace(SMALL, ratio=1000, total_bytes=MIB)
    assert list_archive(archive(gzip.compress(comment * 20 + tar_bytes(GOOD, packed=False))), limits=roomy).files
    with pytest.raises(Invalid, match="more than 8 entries"):
        list_archive(archive(gzip.compress(comment * 30 + tar_bytes(GOOD, packed=False))), limits=roomy)


@pytest.mark.parametrize("pack", [tar_bytes, zip_bytes], ids=["tar", "zip"])
def test_each_limit_is_met_exactly_and_not_exceeded(pack: Callable[..., bytes], archive: Archive) -> None:
    noise = os.urandom(1000)

    def refusal(*members: Any) -> str:
        try:
            list_archive(archive(pack(*members)), limits=SMALL)
        except Invalid as refused:
            return refused.reason
        return ""

    assert refusal(*((f"n/{i}", b"") for i in range(5))) == ""
    assert "more than 5 files" in refusal(*((f"n/{i}", b"") for i in range(6)))
    assert "more than 8 entries" in refusal("n/", *(f"n/{i}/" for i in range(8)), ("n/x", b""))
    assert refusal(("n/a", noise)) == ""
    assert "a file may have 1000" in refusal(("n/a", noise + b"x"))
    assert refusal(*((f"n/{i}", noise) for i in range(3))) == ""
    assert "more than 3000 bytes" in refusal(*((f"n/{i}", noise) for i in range(4)))


def test_a_packed_archive_over_the_limit_is_not_even_read(archive: Archive) -> None:
    with pytest.raises(Invalid, match="the archive has 20001 bytes"):
        list_archive(archive(bytes(20_001)), limits=SMALL)


def test_zeros_that_unpack_to_many_times_their_size_are_refused(archive: Archive) -> None:
    limits = replace(LIMITS, ratio=50, ratio_floor_bytes=MIB)
    members = [(f"n/{i}", bytes(4 * MIB)) for i in range(10)]
    for pack in (tar_bytes, zip_bytes):
        with pytest.raises(Invalid, match="more than 50 times its size"):
            list_archive(archive(pack(*members)), limits=limits)


def test_an_archive_that_changes_between_listing_and_writing_is_refused(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from loader.packages import archives

    path = archive(tar_bytes(GOOD, packed=False))
    real = archives._listing

    def listed_then_swapped(*args: Any) -> Any:
        listing = real(*args)
        data = tar_bytes(("notes/other.js", PLUGIN), packed=False)
        with path.open("r+b") as file:
            file.write(data)
        return listing

    monkeypatch.setattr(archives, "_listing", listed_then_swapped)
    with pytest.raises(Invalid, match="another one than when the archive was listed"):
        extract_archive(path, tmp_path / "into")


# ---------------------------------------------------------------- the cases


def case_members(case: dict[str, Any]) -> list[Any]:
    import base64

    members: list[Any] = []
    for member in case["input"]["members"]:
        if member["type"] == "dir":
            members.append(member["name"])
        elif member["type"] == "file":
            data = member["text"].encode() if "text" in member else base64.b64decode(member["base64"])
            members.append((member["name"], data))
        else:
            kind = {"hardlink": tarfile.LNKTYPE, "symlink": tarfile.SYMTYPE}[member["type"]]
            members.append(special(member["name"], kind, member["linkname"]))
    return members


def test_case_hard_link_out_then_rewrite(archive: Archive, tmp_path: Path) -> None:
    case = CASE["hardlink-out-then-rewrite"]
    into = tmp_path / "home" / "into"
    into.mkdir(parents=True)
    outside = tmp_path / "home" / "outside.txt"
    outside.write_text("ORIGINAL")
    with pytest.raises(Invalid, match="hard link"):
        extract_archive(archive(tar_bytes(*case_members(case))), into)
    assert (outside.read_text(), outside.stat().st_nlink, list(into.iterdir())) == ("ORIGINAL", 1, [])


def test_case_apple_double_sidecars(archive: Archive, tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    listing = extract_archive(archive(tar_bytes(*case_members(CASE["appledouble-sidecars"]))), into)
    assert listing.top == "notes"
    assert [path.name for path in into.rglob("*")] == ["plugin.js"]


def write_long_name_bomb(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(raw_header(b"././@LongLink", octal(256 * MIB), b"L"))
        for _ in range(256):
            out.write(b"a" * MIB)
        out.write(raw_file(b"plugin.js", b"x" * 20) + END)


def write_zeros(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(raw_header(b"notes/plugin.js", octal(512 * MIB)))
        for _ in range(512):
            out.write(bytes(MIB))
        out.write(END)


def write_many(path: Path) -> None:
    with gzip.open(path, "wb", compresslevel=1) as out:
        for number in range(200_000):
            out.write(raw_header(b"f%d" % number))
        out.write(END)


def write_long_gzip_header(path: Path) -> None:
    """A file name of 40 MiB in the gzip header itself."""
    packed = zlib.compressobj(1, zlib.DEFLATED, -15)
    path.write_bytes(
        b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * (40 * MIB) + b"\0" + packed.compress(END) + packed.flush() + bytes(8)
    )


def write_zip_directory(path: Path) -> None:
    """60,000 entries of a zip."""
    with zipfile.ZipFile(path, "w") as out:
        for number in range(60_000):
            out.writestr(f"notes/{number}", b"")


BOMBS: dict[str, tuple[Callable[[Path], None], str]] = {
    "long-name": (write_long_name_bomb, "extended header has 268435456 bytes"),
    "one-large-file": (write_zeros, "a file may have"),
    "many-members": (write_many, "more than 2000 files"),
    "gzip-header": (write_long_gzip_header, "INVALID"),
    "zip-directory": (write_zip_directory, "more than 6000 entries"),
}

_IN_A_PROCESS = """
import resource, sys, time
from pathlib import Path
from loader.packages.archives import list_archive
from loader.packages.refused import Invalid
kib = 1 if sys.platform != "darwin" else 1024
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.process_time()
try:
    list_archive(Path(sys.argv[1]))
    said = "listed"
except Invalid as refused:
    said = str(refused)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(said)
print((after - before) // kib, time.process_time() - began)
"""


@pytest.mark.parametrize("bomb", BOMBS)
def test_case_bombs_are_refused_while_reading_in_little_memory_and_time(bomb: str, tmp_path: Path) -> None:
    write, said = BOMBS[bomb]
    path = tmp_path / "bomb"
    write(path)
    done = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS, str(path)], capture_output=True, text=True, check=True, timeout=100
    )
    refusal, measured = done.stdout.splitlines()
    extra_kib, cpu_s = map(float, measured.split())
    assert said in refusal
    assert extra_kib < 64 * 1024
    assert cpu_s < 5
