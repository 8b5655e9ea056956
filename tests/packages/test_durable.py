"""Folders that change places in one step, and what is said where a disk or a system does not take what we write."""

import ctypes
import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from loader.errors import LoaderError
from loader.packages import durable
from loader.packages.durable import exchange, make_folder, remove_tree, write_file

Folders = tuple[Path, Path]


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / "name").write_text(folder.name)
    return one, other


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Any], None]]:
    """Another system: its name, and what its C library has (an error: there is none to load)."""

    def is_now(platform: str, library: Any) -> None:
        def load(*_: object, **__: object) -> Any:
            if isinstance(library, Exception):
                raise library
            return library

        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr(ctypes, "CDLL", load)
        durable._exchange_call.cache_clear()

    yield is_now
    durable._exchange_call.cache_clear()


def fails_with(number: int) -> Callable[..., int]:
    def call(*_: object) -> int:
        ctypes.set_errno(number)
        return -1

    return call


def names(folders: Folders) -> list[str]:
    return [(folder / "name").read_text() for folder in folders]


@pytest.mark.skipif(sys.platform != "linux", reason="the call of Linux")
def test_two_folders_change_places(folders: Folders) -> None:
    durable._exchange_call.cache_clear()
    if exchange(*folders):
        assert names(folders) == ["other", "one"]
    else:  # a file system that cannot: nothing moved
        assert names(folders) == ["one", "other"]


@pytest.mark.parametrize(
    ("platform", "library"),
    [
        ("linux", SimpleNamespace(renameat2=fails_with(errno.EINVAL))),
        ("linux", SimpleNamespace(renameat2=fails_with(errno.ENOSYS))),
        ("linux", SimpleNamespace()),
        ("darwin", SimpleNamespace(renamex_np=fails_with(errno.ENOTSUP))),
        ("freebsd14", SimpleNamespace()),
        ("win32", TypeError("None is no name of a library")),
        ("linux", OSError("no library")),
    ],
)
def test_where_a_system_cannot_exchange_nothing_moves_and_the_caller_is_told(
    folders: Folders, system: Callable[[str, Any], None], platform: str, library: Any
) -> None:
    system(platform, library)
    assert exchange(*folders) is False
    assert names(folders) == ["one", "other"]


def test_macos_swaps_by_its_own_call(folders: Folders, system: Callable[[str, Any], None]) -> None:
    asked: list[tuple[Any, ...]] = []

    def swap(*given: Any) -> int:
        asked.append(given)
        return 0

    system("darwin", SimpleNamespace(renamex_np=swap))
    assert exchange(*folders)
    assert asked == [(os.fsencode(folders[0]), os.fsencode(folders[1]), 2)]


def test_an_exchange_that_is_forbidden_is_an_error(folders: Folders, system: Callable[[str, Any], None]) -> None:
    system("linux", SimpleNamespace(renameat2=fails_with(errno.EACCES)))
    with pytest.raises(PermissionError):
        exchange(*folders)


def test_a_full_disk_and_a_name_that_is_taken_are_said_in_a_line(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"begun"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(LoaderError, match=r"file could not be written: the disk is full\. Nothing was installed"):
        write_file(tmp_path / "file", pieces())
    with pytest.raises(LoaderError, match="File exists"):
        write_file(tmp_path / "file", ())
    with pytest.raises(LoaderError, match=r"below could not be written: Not a directory\."):
        make_folder(tmp_path / "file" / "below")


def test_whatever_stands_there_is_removed_and_what_a_link_leads_to_is_not(folders: Folders, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folders[1])
    for path in (link, folders[0], folders[0], tmp_path / "nothing"):
        remove_tree(path)
    (tmp_path / "file").touch()
    remove_tree(tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["other"]
    assert (folders[1] / "name").read_text() == "other"
