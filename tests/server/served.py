"""The whole service in a process of its own, on a home made by the test. Run as a script it *is* that process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic, sleep

from loader.home import Home
from loader.server.endpoint import Endpoint, find_endpoint
from loader.testing import FakeAnalyzer

PATIENCE_S = 30.0


def home_at(root: Path) -> Home:
    return Home(root, root, None, "the test says so")


def save(root: Path, plugin_id: str, text: str = "") -> Path:
    file = root / "desktop-plugins" / plugin_id / "plugin.js"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text or f"export default {{ id: '{plugin_id}', name: '{plugin_id}', register() {{}} }}\n", "utf-8")
    return file


@contextmanager
def served(root: Path, *arguments: str) -> Iterator[Served]:
    """A service on ``root``, ready. Killed at the end if it has not ended by itself."""
    log = root.parent / f"{root.name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, __file__, str(root), *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUNBUFFERED": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    found = Served(process, root, log)
    try:
        found.wait_ready()
        yield found
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


class Served:
    def __init__(self, process: subprocess.Popen[bytes], root: Path, log: Path) -> None:
        self.process = process
        self.root = root
        self.log_file = log

    @property
    def log(self) -> str:
        return self.log_file.read_text("utf-8")

    @property
    def endpoint(self) -> Endpoint:
        found = find_endpoint(home_at(self.root).state_dir)
        assert found is not None, self.log
        return found

    @property
    def port(self) -> int:
        return int(self.endpoint.url.rpartition(":")[2])

    def wait_ready(self) -> None:
        end = monotonic() + PATIENCE_S
        while "ready" not in self.log:
            assert self.process.poll() is None, self.log
            assert monotonic() < end, self.log
            sleep(0.02)  # a poll with a deadline: another process says it by writing a line

    def end(self, number: signal.Signals) -> tuple[int, float]:
        """Send a signal and wait; the exit code and how many seconds it took."""
        began = monotonic()
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        return code, monotonic() - began


@asynccontextmanager
async def fake_analyzer(_: object, __: object) -> AsyncIterator[FakeAnalyzer]:
    yield FakeAnalyzer()


def main() -> None:
    import logging

    from loader.errors import LoaderError
    from loader.react.choosing import React
    from loader.react.module import react_module
    from loader.react.pinned import pinned_packages
    from loader.server.service import Hooks, analysis_pool, run
    from loader.settings import ServiceSettings

    logging.basicConfig(level=logging.DEBUG)
    root, *flags = sys.argv[1:]
    pinned = next((flag.partition("=")[2] for flag in flags if flag.startswith("--pinned=")), None)
    # Other versions than the shipped ones, so that a registry of the test's own can have them.
    packages = pinned_packages(Path(pinned)) if pinned else pinned_packages()
    react_dir = next((flag.partition("=")[2] for flag in flags if flag.startswith("--react=")), None)
    port = next((int(flag.partition("=")[2]) for flag in flags if flag.startswith("--port=")), 0)
    home = home_at(Path(root))
    hooks = Hooks(say=print, on_ready=lambda endpoint: print("ready", endpoint.url))
    try:
        run(
            home,
            ServiceSettings(),
            port=port,
            hooks=hooks,
            react=React(react_module(Path(react_dir)) if react_dir else None, home.state_dir, packages=packages),
            open_analyzer=analysis_pool if "--real" in flags else fake_analyzer,
        )
    except LoaderError as error:
        print(f"{type(error).__name__}: {error}")
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
