"""One look at the disk: bytes, integrity, and what a later look compares."""

import errno
import hashlib
import os
from pathlib import Path

import pytest

from loader.integrity import integrity_of
from loader.inventory.looking import look_again, look_at, moved
from loader.nouns import Candidate


@pytest.fixture
def demo(tmp_path: Path) -> Candidate:
    path = tmp_path / "desktop-plugins" / "demo" / "plugin.js"
    path.parent.mkdir(parents=True)
    path.write_text("export default {}\n")
    return Candidate("standalone", "demo", str(path), str(tmp_path))


def codes(candidate: Candidate, *pins: str) -> list[str]:
    return [found.code for found in look_at(candidate, pins).findings]


def test_bytes_without_any_promise_may_be_opened(demo: Candidate) -> None:
    look = look_at(demo, ())
    assert look.source is not None
    assert look.source.text == "export default {}\n"
    assert look.may_be_opened
    assert not look.absent
    assert not look.fleeting


def test_every_pin_has_to_hold(demo: Candidate) -> None:
    right = integrity_of(hashlib.sha256(Path(demo.path).read_bytes()).hexdigest())
    wrong = integrity_of("0" * 64)
    assert codes(demo, right) == []
    assert codes(demo, wrong) == ["HP010"]
    assert codes(demo, right, wrong) == ["HP010"]
    assert codes(demo, "nonsense") == ["HP011"]
    assert not look_at(demo, (wrong,)).may_be_opened


def test_a_declaration_is_read_and_told_apart_from_a_pin(demo: Candidate) -> None:
    declared = Path(demo.path).with_name("integrity.json")
    declared.write_text('{"plugin.js": "sha256-..."}')
    look = look_at(demo, ())
    assert [found.code for found in look.findings] == ["HP011"]
    assert look.declared_refused
    assert look_at(demo, (integrity_of("0" * 64),)).source is not None
    declared.write_text("{")
    assert look_at(demo, ()).declared_refused


def test_gone_and_dangling_are_two_things(demo: Candidate) -> None:
    Path(demo.path).unlink()
    assert look_at(demo, ()).absent
    assert look_at(None, ()).absent
    Path(demo.path).symlink_to("nowhere")
    look = look_at(demo, ())
    assert (look.absent, look.fleeting) == (False, True)
    assert [found.code for found in look.findings] == ["HP001"]


@pytest.mark.parametrize("data", [b"", b"\0\0\0"])
def test_blank_files_are_fleeting(demo: Candidate, data: bytes) -> None:
    Path(demo.path).write_bytes(data)
    assert look_at(demo, ()).fleeting


@pytest.mark.skipif(os.name == "nt", reason="a stat proves nothing on Windows, so every look reads there")
def test_nothing_is_read_again_while_nothing_moved(demo: Candidate) -> None:
    look = look_at(demo, ())
    assert look_again(look, demo, ()) is look
    assert look_again(look, demo, ("sha256-x",)) is not look
    stamp = Path(demo.path).stat().st_mtime_ns
    Path(demo.path).write_text("export default []\n")
    os.utime(demo.path, ns=(stamp, stamp))
    assert moved(look), "the old time stamp does not hide it"
    assert look_again(look, demo, ()).token != look.token


def test_what_could_not_be_read_is_asked_for_again_although_nothing_moved(
    demo: Candidate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that stumbled, a process without a descriptor left: that it is over shows in no stat."""

    def fail(handle: int, length: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as stumbling:
        stumbling.setattr(os, "read", fail)
        failed = look_at(demo, ())
    assert [found.code for found in failed.findings] == ["HP001"]
    assert moved(failed)
    assert look_again(failed, demo, ()).may_be_opened
    Path(demo.path).unlink()
    assert not moved(look_at(demo, ())), "what is gone is found by discovery"


def test_a_touch_moves_without_another_token(demo: Candidate) -> None:
    look = look_at(demo, ())
    os.utime(demo.path, ns=(1, 1))
    assert moved(look)
    assert look_again(look, demo, ()).token == look.token


def test_a_link_moves_with_its_target_and_with_its_declaration(demo: Candidate, tmp_path: Path) -> None:
    target = tmp_path / "dist.js"
    target.write_text("export default {}\n")
    Path(demo.path).unlink()
    Path(demo.path).symlink_to(target)
    look = look_at(demo, ())
    target.write_text("export default { }\n")
    assert moved(look)
    look = look_at(demo, ())
    Path(demo.path).with_name("integrity.json").write_text("{}")
    assert moved(look)
