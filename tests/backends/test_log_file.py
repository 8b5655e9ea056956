import os
from pathlib import Path
from time import monotonic, sleep

from loader.backends.log_file import LogFile


def test_a_log_is_bounded_with_one_older_part(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "log", limit_bytes=1000, bytes_per_s=10**9)
    for number in range(100):
        log.write(f"line {number:04}\n".encode() * 10)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(sizes) == {"log", "log.1"} and max(sizes.values()) <= 1000
    assert log.tail(2).splitlines() == ["line 0099", "line 0099"]


def test_who_floods_waits(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "log", limit_bytes=10**6, bytes_per_s=64 * 1024)
    read, write = os.pipe()
    os.set_blocking(write, False)
    log.follow(read)
    # What the pipe and the first reads hold; then the writer is held up, though the reader lives on.
    sent, end = 0, monotonic() + 30
    while monotonic() < end:
        try:
            sent += os.write(write, b"x" * 65536)
        except BlockingIOError:
            break
        sleep(0)
    assert 0 < sent < 16 * 65536
    os.close(write)


def test_a_folder_that_is_gone_costs_the_line_only(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "gone" / "log", limit_bytes=1000, bytes_per_s=1000)
    log.write(b"x")
    assert log.tail() == ""
