"""Archives that nobody thought of: whatever the bytes are, they are refused or extracted inside the folder, whole."""

import gzip
import tarfile
import tempfile
import zipfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loader.packages.archives import extract_archive
from loader.packages.members import Listing
from loader.packages.refused import Invalid
from tests.packages.conftest import END, PLUGIN, octal, padded, pax, raw_header, tar_bytes, zip_bytes

FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

ORDINARY = ("notes", "Notes", "plugin.js", "PLUGIN.JS", "a", "A", "\u00e9", "e\u0301", "~", "-rf", "a" * 120)
HOSTILE = ("..", ".", "...", "", "C:", "nul", "._a", "a.", "a ", "\\", "%2e%2e", "\x00", "\n", "\u202e", "\udcff")
WORDS = st.sampled_from((*ORDINARY, *HOSTILE, "__MACOSX", ".git"))
NAMES = st.one_of(
    st.lists(WORDS, min_size=1, max_size=5).map("/".join),
    st.lists(WORDS, min_size=1, max_size=3).map(lambda words: "/".join(["notes", *words])),
)
TYPES = st.one_of(st.just(b"0"), st.sampled_from([bytes([code]) for code in b"\x001234567LKxgSMVDX5Zz"]))
SIZES = st.one_of(
    st.none(), st.sampled_from([b"\xff" * 12, b"\x80" + bytes(11), b"-1", b"", b"7" * 11, b"0000000000 ", octal(1)])
)
DATA = st.one_of(
    st.binary(max_size=40), st.just(PLUGIN), NAMES.map(lambda name: name.encode("utf-8", "surrogateescape"))
)


@st.composite
def raw_members(draw: st.DrawFn) -> bytes:
    data = draw(DATA)
    name = draw(NAMES).encode("utf-8", "surrogateescape")[:100]
    prefix = draw(st.one_of(st.just(b""), NAMES.map(lambda text: text.encode("utf-8", "surrogateescape")[:155])))
    block = raw_header(name, draw(SIZES) or octal(len(data)), draw(TYPES), prefix)
    before = b""
    if draw(st.integers(0, 4)) == 0:
        before = pax(**{draw(st.sampled_from(["path", "size", "linkpath", "uid", "GNU__sparse__size"])): draw(NAMES)})
    return before + block + padded(data)


def extracted(path: Path, into: Path) -> Listing | None:
    """None when it was refused; whatever else is raised is a fault."""
    try:
        return extract_archive(path, into)
    except Invalid:
        return None


def installed_or_refused(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        (top / "outside.txt").write_text("ORIGINAL")
        into = top / "home" / "into"
        into.mkdir(parents=True)
        path = top / "archive"
        path.write_bytes(data)
        listing = extracted(path, into)
        if listing is not None:
            found = {item.relative_to(into).as_posix(): item for item in into.rglob("*") if not item.is_dir()}
            assert set(found) == {member.path for member in listing.files}
            for member in listing.files:
                file = found[member.path]
                assert file.is_file()
                assert not file.is_symlink()
                assert (file.stat().st_size, file.stat().st_nlink) == (member.size_bytes, 1)
        assert (top / "outside.txt").read_text() == "ORIGINAL"
        assert {item.name for item in top.iterdir()} == {"archive", "outside.txt", "home"}
        assert [item.name for item in (top / "home").iterdir()] == ["into"]


@FEW
@given(st.lists(raw_members(), min_size=1, max_size=6), st.booleans(), st.sampled_from([END, b"", bytes(100)]))
def test_tars_of_any_headers(members: list[bytes], packed: bool, end: bytes) -> None:
    data = b"".join(members) + end
    installed_or_refused(gzip.compress(data, 1) if packed else data)


@FEW
@given(
    st.lists(st.tuples(NAMES, st.binary(max_size=30)), min_size=1, max_size=6),
    st.sampled_from([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]),
)
def test_tars_of_any_names(members: list[tuple[str, bytes]], form: int) -> None:
    try:
        data = tar_bytes(*members, format=form)
    except ValueError:  # ustar has no room for the name
        return
    installed_or_refused(data)


CHANGES = st.lists(st.tuples(st.integers(0, 2000), st.binary(min_size=1, max_size=4)), min_size=1, max_size=4)
WHOLE = [
    tar_bytes("notes/", ("notes/plugin.js", PLUGIN), ("notes/" + "a" * 150, b"x"), packed=False),
    tar_bytes(("notes/plugin.js", PLUGIN), ("notes/" + "é" * 80, b"x"), format=tarfile.PAX_FORMAT),
    zip_bytes("notes/", ("notes/plugin.js", PLUGIN), ("notes/é.txt", b"x" * 100)),
    zip_bytes(("notes/plugin.js", PLUGIN), method=zipfile.ZIP_STORED, comment=b"comment"),
]


@FEW
@given(st.sampled_from(WHOLE), CHANGES, st.integers(0, 3000))
def test_archives_with_bytes_changed_or_cut_off(data: bytes, changes: list[tuple[int, bytes]], length: int) -> None:
    changed = bytearray(data)
    for at, new in changes:
        place = at % len(changed)
        changed[place : place + len(new)] = new
    installed_or_refused(bytes(changed[: max(length, 1)]) if length < 600 else bytes(changed))


@FEW
@given(
    st.lists(st.tuples(NAMES, st.binary(max_size=30)), min_size=1, max_size=6),
    st.integers(0, 0xFFFF),
    st.integers(0, 12),
)
def test_zips_of_any_names_and_modes(members: list[tuple[str, bytes]], mode: int, system: int) -> None:
    entries = []
    for name, data in members:
        info = zipfile.ZipInfo("x")
        info.filename = name.encode("utf-8", "replace").decode()
        info.create_system = system
        info.external_attr = mode << 16
        entries.append((info, data))
    installed_or_refused(zip_bytes(*entries))


@FEW
@given(st.binary(max_size=2000), st.sampled_from([b"", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08\0", b"\x1f\x8b"]))
def test_any_bytes(data: bytes, magic: bytes) -> None:
    installed_or_refused(magic + data)
