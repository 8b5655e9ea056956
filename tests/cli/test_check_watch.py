"""check --watch as a process: it looks again at each change, whatever breaks in between, and Ctrl-C ends it with 0."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

GOOD = "export default { id: 'clock', register() {} }\n"

pytestmark = [pytest.mark.real, pytest.mark.skipif(os.name == "nt", reason="ends its process with a POSIX signal")]


class Watching:
    """The process, with what it has printed so far."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "loader", "check", "clock", "--watch", "--no-rehearse", *args],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "HERMES_HOME": str(folder / "nohome")},
            text=True,
        )
        self.text = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.text += line

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def until(self, condition: Callable[[str], bool]) -> None:
        deadline = time.monotonic() + 60
        while not condition(self.text):
            assert time.monotonic() < deadline, self.text
            assert self.process.poll() is None, self.text
            time.sleep(0.02)

    def rounds(self, count: int) -> None:
        self.until(lambda text: text.count("Watching for changes") >= count)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "plugin.js").write_text(GOOD)
    return tmp_path


@pytest.fixture
def watching(folder: Path) -> Iterator[Watching]:
    started = Watching(folder, "--format", "concise")
    yield started
    started.end()


def test_every_save_is_checked_and_what_is_missing_is_waited_for(folder: Path, watching: Watching) -> None:
    path = folder / "clock" / "plugin.js"
    watching.rounds(1)
    assert "no findings" in watching.text
    path.write_text("import 'lodash'\n" + GOOD)
    watching.until(lambda text: "HP201" in text)
    watching.rounds(2)
    path.rename(folder / "aside.js")
    watching.until(lambda text: "holds no plugin" in text)
    path.write_text(GOOD + "const unused = 1\n")
    watching.until(lambda text: text.rstrip().endswith("Ctrl-C ends it.") and text.count("no findings") == 2)
    (folder / "clock" / ".hermes-desktop.toml").write_text("ignroe = 1\n")
    watching.until(lambda text: "did you mean `ignore`?" in text)
    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(timeout=30) == 0
    assert "Traceback" not in watching.text


def test_wrong_usage_ends_it_at_once(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "loader", "check", "nowhere", "--watch"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
