import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from loader.errors import LoaderError
from loader.server.endpoint import (
    ENDPOINT_FILE,
    LOCK_FILE,
    LOOPBACK,
    AlreadyRunning,
    Endpoint,
    PortTaken,
    announced,
    beside,
    bind,
    claim,
    find_endpoint,
    is_held,
    withdraw,
)

ENDPOINT = Endpoint("http://127.0.0.1:8787", "secret-token", 4711, "0.1.0", "i1", "2026-11-30T09:00:00Z")

HOLDER = """
import sys, pathlib
from loader.server.endpoint import Endpoint, announced, claim
with claim(pathlib.Path(sys.argv[1])):
    with announced(pathlib.Path(sys.argv[1]), Endpoint("http://127.0.0.1:1", "secret-token", 7, "0", "other", "t")):
        print("held", flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "desktop-loader"


@pytest.fixture
def other_service(state_dir: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the root."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(state_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        if process.poll() is None:
            process.kill()


def test_a_client_finds_the_service_that_runs(state_dir: Path, other_service: subprocess.Popen[str]) -> None:
    found = find_endpoint(state_dir)
    assert found is not None and (found.url, found.token) == ("http://127.0.0.1:1", "secret-token")


def test_a_killed_service_is_not_believed(state_dir: Path, other_service: subprocess.Popen[str]) -> None:
    other_service.kill()
    other_service.wait()
    assert (state_dir / ENDPOINT_FILE).exists()
    assert find_endpoint(state_dir) is None


def test_a_second_service_names_the_first_one_without_its_token(
    state_dir: Path, other_service: subprocess.Popen[str]
) -> None:
    with pytest.raises(AlreadyRunning) as found, claim(state_dir):
        pass
    assert "http://127.0.0.1:1" in str(found.value) and "7" in str(found.value)
    assert "secret-token" not in str(found.value)
    assert found.value.exit_code == 3


def test_a_successor_clears_away_what_a_crash_left(state_dir: Path) -> None:
    with claim(state_dir):
        pass
    (state_dir / ENDPOINT_FILE).write_text(json.dumps({"url": "http://127.0.0.1:9"}))
    with claim(state_dir):
        assert not (state_dir / ENDPOINT_FILE).exists()


def test_the_folder_is_made_for_its_owner_alone(state_dir: Path) -> None:
    with claim(state_dir):
        assert stat.S_IMODE(state_dir.stat().st_mode) == 0o700


def test_a_missing_root_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(LoaderError), claim(tmp_path / "nowhere" / "desktop-loader"):
        pass
    assert not (tmp_path / "nowhere").exists()


def test_the_address_is_for_its_owner_alone_and_gone_afterwards(state_dir: Path) -> None:
    old_mask = os.umask(0)
    try:
        with claim(state_dir), announced(state_dir, ENDPOINT):
            file = state_dir / ENDPOINT_FILE
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert json.loads(file.read_text()) == {
                "url": "http://127.0.0.1:8787",
                "token": "secret-token",
                "pid": 4711,
                "version": "0.1.0",
                "instance": "i1",
                "started_at": "2026-11-30T09:00:00Z",
            }
        assert {path.name for path in state_dir.iterdir()} == {LOCK_FILE}
    finally:
        os.umask(old_mask)


def test_another_instances_address_is_not_withdrawn(state_dir: Path) -> None:
    with claim(state_dir), announced(state_dir, ENDPOINT):
        withdraw(state_dir, "i2")
        assert (state_dir / ENDPOINT_FILE).exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"url": 7}', "\x00" * 100, '{"url": "u", "token": "t"}', "[" * 60_000]
)
def test_a_file_that_is_no_address_is_none(state_dir: Path, other_service: object, text: str) -> None:
    (state_dir / ENDPOINT_FILE).write_text(text)
    assert find_endpoint(state_dir) is None


def test_one_that_has_not_said_its_address_yet_is_told_as_that(state_dir: Path) -> None:
    with claim(state_dir):
        assert is_held(state_dir)
        assert find_endpoint(state_dir) is None
        with pytest.raises(AlreadyRunning, match=r"just starting or stopping\. Try again\."), claim(state_dir):
            pass
    assert not is_held(state_dir)


def test_a_lock_that_cannot_be_made_is_said(state_dir: Path) -> None:
    (state_dir / LOCK_FILE).mkdir(parents=True)
    with pytest.raises(LoaderError, match="cannot be locked"), claim(state_dir):
        pass
    assert not is_held(state_dir)


def test_looking_for_a_service_creates_nothing(state_dir: Path) -> None:
    assert find_endpoint(state_dir) is None
    assert not is_held(state_dir)
    assert not state_dir.exists()


def test_many_lookers_do_not_keep_a_service_from_starting(state_dir: Path) -> None:
    with claim(state_dir):
        pass
    assert not is_held(state_dir)
    with claim(state_dir):
        assert is_held(state_dir)


def test_a_token_does_not_show_in_a_repr() -> None:
    assert "secret-token" not in repr(ENDPOINT)


def test_a_port_of_ones_own_is_taken_or_refused() -> None:
    with bind(0) as first:
        port = first.getsockname()[1]
        assert first.getsockname()[0] == LOOPBACK
        with pytest.raises(PortTaken) as found:
            bind(port)
        assert str(port) in str(found.value) and found.value.exit_code == 3


def test_the_usual_port_gives_way_to_the_next_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind(0) as first:
        port = first.getsockname()[1]
        monkeypatch.setattr("loader.server.endpoint.DEFAULT_PORT", port)
        with bind(None) as second:
            assert second.getsockname()[1] > port


def has_the_other_address() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as found:
            found.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_the_port_is_ours_on_the_other_loopback_address_too() -> None:
    with bind(0) as first:
        second = beside(first)
        assert (second is not None) == has_the_other_address()
        if second is not None:
            with second:
                assert second.getsockname()[:2] == ("::1", first.getsockname()[1])
                with pytest.raises(PortTaken, match=r"\[::1\]"):
                    beside(first)


def test_a_port_that_somebody_has_there_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind(0) as first:
        port = first.getsockname()[1]
        theirs = beside(first)
    monkeypatch.setattr("loader.server.endpoint.DEFAULT_PORT", port)
    with theirs or nullcontext(), bind(None) as second:
        assert (second.getsockname()[1] > port) == (theirs is not None)


def test_no_free_port_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind(0) as first:
        monkeypatch.setattr("loader.server.endpoint.DEFAULT_PORT", first.getsockname()[1])
        monkeypatch.setattr("loader.server.endpoint.PORTS_TRIED", 1)
        with pytest.raises(PortTaken):
            bind(None)


def test_only_this_machine_can_connect() -> None:
    with bind(0) as listening:
        assert listening.family == socket.AF_INET
        assert listening.getsockname()[0] == "127.0.0.1"


def test_answers_are_not_held_back_for_forty_milliseconds() -> None:
    # asyncio turns Nagle's algorithm off only on sockets that name their protocol.
    with bind(0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
