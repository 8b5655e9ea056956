"""The compiled guest on disk: used only when it is exactly what was written, in a folder that only the user enters."""

import os
from pathlib import Path

import pytest

from loader.analysis.engine import prepare_engine
from loader.analysis.engine.artifact import load_module, private_folder, read_verified, write_verified

MAGIC = b"TESTING1"


def test_reads_back_what_was_written(tmp_path: Path) -> None:
    write_verified(tmp_path / "file", MAGIC, b"payload")
    assert read_verified(tmp_path / "file", MAGIC) == b"payload"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("at", [0, 10, 45, -1])
def test_a_single_flipped_bit_is_refused(tmp_path: Path, at: int) -> None:
    path = tmp_path / "file"
    write_verified(path, MAGIC, b"payload" * 10)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert read_verified(path, MAGIC) is None


def test_cut_off_empty_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert read_verified(path, MAGIC) is None
    path.write_bytes(b"")
    assert read_verified(path, MAGIC) is None
    write_verified(path, MAGIC, b"payload" * 10)
    path.write_bytes(path.read_bytes()[:-3])
    assert read_verified(path, MAGIC) is None


@pytest.mark.skipif(os.name == "nt", reason="modes are a POSIX matter; on Windows the profile's ACL does the same")
def test_the_folder_is_the_users_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "engine"
    assert private_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert private_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="making a link needs a privilege on Windows")
def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert not private_folder(tmp_path / "link")


@pytest.mark.real
def test_the_guest_is_compiled_once_and_then_taken_from_the_cache(tmp_path: Path) -> None:
    import quickjs_rs._engine as guest

    engine = prepare_engine().engine
    wasm = guest._read_guest_wasm()
    assert load_module(engine, wasm, tmp_path / "cache", key="k")[1] == "compiled"
    assert load_module(engine, wasm, tmp_path / "cache", key="k")[1] == "cache"
    stored = next((tmp_path / "cache").iterdir())
    data = bytearray(stored.read_bytes())
    data[len(data) // 2] ^= 1
    stored.write_bytes(data)
    assert load_module(engine, wasm, tmp_path / "cache", key="k")[1] == "compiled"
    assert load_module(engine, wasm, tmp_path / "cache", key="k")[1] == "cache"


@pytest.mark.real
def test_a_stored_file_that_is_no_module_is_compiled_anew(tmp_path: Path) -> None:
    import quickjs_rs._engine as guest

    from loader.analysis.engine.artifact import _MAGIC

    folder = tmp_path / "cache"
    assert private_folder(folder)
    write_verified(folder / "k.guest", _MAGIC, b"not native code at all")
    assert load_module(prepare_engine().engine, guest._read_guest_wasm(), folder, key="k")[1] == "compiled"
