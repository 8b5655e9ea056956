"""A path of a request leads to a regular file of the folder, or to nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loader.wall import files
from loader.wall.files import media_type_of, parts_of_path, read_asset

SECRET = b"not of this package"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("walled")
    (base / "secret.txt").write_bytes(SECRET)
    inside = base / "package"
    (inside / "assets").mkdir(parents=True)
    (inside / "index.html").write_bytes(b"<!doctype html>")
    (inside / "assets" / "a b é.js").write_bytes(b"1")
    (inside / ".hermes").mkdir()
    (inside / ".hermes" / "bridge.js").write_bytes(b"theirs")
    if sys.platform != "win32":
        (inside / "link.txt").symlink_to(base / "secret.txt")
        (inside / "up").symlink_to(base)
        (inside / "inner").symlink_to(inside / "assets")
        os.mkfifo(inside / "pipe")
    return inside


@pytest.fixture(params=["opened beneath", "looked at twice"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to a file: that of systems which open relative to a folder, and that of Windows."""
    if request.param == "looked at twice":
        monkeypatch.setattr(files, "_HOLDS", False)


def read(folder: Path, path: bytes) -> bytes | None:
    parts = parts_of_path(path)
    asset = read_asset(folder, parts) if parts else None
    return asset.data if asset else None


@pytest.mark.usefixtures("system")
def test_files_of_the_package_are_read_by_their_names(folder: Path) -> None:
    assert read(folder, b"/index.html") == b"<!doctype html>"
    assert read(folder, b"/assets/a%20b%20%C3%A9.js") == b"1"
    assert parts_of_path(b"/") == ()


HOSTILE = [
    *(
        b"/../secret.txt",
        b"/assets/../../secret.txt",
        b"/..%2fsecret.txt",
        b"/%2e%2e/secret.txt",
        b"/%2e%2e%2fsecret.txt",
    ),
    *(
        b"/.%2e/secret.txt",
        b"/%252e%252e/secret.txt",
        b"/%252e%252e%252fsecret.txt",
        b"/..%5csecret.txt",
        b"/..\\secret.txt",
    ),
    *(
        b"/%c0%ae%c0%ae/secret.txt",
        b"/%e0%80%ae%e0%80%ae/secret.txt",
        b"/\xc0\xae\xc0\xae/secret.txt",
        b"/..;/secret.txt",
    ),
    *(b"//secret.txt", b"///etc/passwd", b"/assets//a", b"/./index.html", b"/index.html/", b"/index.html/."),
    *(b"/index.html%00", b"/index.html%00.js", b"/%00", b"/index.html%0a", b"/index.html%", b"/index.html%2", b"/%zz"),
    *(
        b"",
        b"index.html",
        b"*",
        b"http://127.0.0.1/index.html",
        b"/C:/secret.txt",
        b"/c:secret.txt",
        b"/index.html::$DATA",
    ),
    *(
        b"/index.html.",
        b"/index.html%20",
        b"/nul",
        b"/con.js",
        b"/%EF%BC%8E%EF%BC%8E/secret.txt",
        b"/%E2%80%A4%E2%80%A4/secret.txt",
    ),
    *(
        b"/%E2%88%95..%E2%88%95secret.txt",
        b"/link.txt",
        b"/up/secret.txt",
        b"/inner/a%20b%20%C3%A9.js",
        b"/pipe",
        b"/assets",
        b"/up",
    ),
    *(b"/" + b"a" * 5000, b"/" + b"a/" * 60 + b"a", b"/.git/config", b"/node_modules/x.js", b"/.hermes-package.json"),
]


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("path", HOSTILE, ids=ascii)
def test_no_spelling_leads_out_or_to_what_is_no_file(folder: Path, path: bytes) -> None:
    assert read(folder, path) is None


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    b"..",
                    b".",
                    b"%2e",
                    b"%2E%2e",
                    b"/",
                    b"%2f",
                    b"\\",
                    b"%5c",
                    b"up",
                    b"link.txt",
                    b"secret.txt",
                    b"assets",
                ),
                *(b"inner", b"%00", b"%25", b"2e", b"index.html", b"%c0%af", b"%ef%bc%8f", b"package", b";", b"pipe"),
            ]
        ),
        max_size=9,
    )
)
def test_whatever_a_path_spells_it_reads_nothing_from_outside(folder: Path, pieces: list[bytes]) -> None:
    assert read(folder, b"/" + b"".join(pieces)) in (None, b"<!doctype html>")


@pytest.mark.usefixtures("system")
def test_a_file_that_became_a_link_after_the_install_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"mine")
    assert read(tmp_path, b"/page.html") == b"mine"
    (tmp_path / "page.html").unlink()
    (tmp_path / "page.html").symlink_to(folder.parent / "secret.txt")
    assert read(tmp_path, b"/page.html") is None
    linked = tmp_path / "linked"
    linked.symlink_to(folder)
    assert read(linked, b"/index.html") is None, "the package's own folder may not be a link either"


@pytest.mark.usefixtures("system")
def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_bytes(b"12345")
    assert read_asset(tmp_path, ("a.js",), limit_bytes=4) is None
    assert read_asset(tmp_path, ("a.js",), limit_bytes=5) is not None
    assert read_asset(tmp_path, ()) is None
    assert read_asset(tmp_path, ("gone.js",)) is None


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("index.html", "text/html; charset=utf-8"),
        ("a.JS", "text/javascript; charset=utf-8"),
        ("a.mjs", "text/javascript; charset=utf-8"),
        ("html", "application/octet-stream"),
        ("a.html.exe", "application/octet-stream"),
        ("a.wasm", "application/wasm"),
    ],
)
def test_what_a_file_is_follows_from_its_name_alone(name: str, wanted: str) -> None:
    assert media_type_of(name) == wanted
