"""What others put in a file's place: read when it is one, refused at once and let go of when it is not."""

import os
import sys
from pathlib import Path

import pytest

from loader.regular_file import opened_regular


@pytest.fixture(params=["folder", "pipe", "link to a folder"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    if request.param == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("there are no pipes with names")
        os.mkfifo(path)
    elif request.param == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors in /proc")
def test_what_is_no_file_is_refused_and_keeps_no_descriptor(odd: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(OSError, match="no regular file"), opened_regular(odd):
            pass
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_file_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.yaml").write_bytes(b"x: 1\n")
    (tmp_path / "config.yaml").symlink_to("dotfiles.yaml")
    with opened_regular(tmp_path / "config.yaml") as file:
        assert file.read() == b"x: 1\n"
    with pytest.raises(OSError, match="symbolic links"), opened_regular(tmp_path / "config.yaml", follow=False):
        pass
    with pytest.raises(FileNotFoundError), opened_regular(tmp_path / "gone"):
        pass
