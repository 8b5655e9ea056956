"""The whole way of what comes from elsewhere, by the command line: look, install, approve, turn on, open, update,
remove.

An example web app and an example desktop plugin, each out of an archive, a local git repository and an install link. In
this process, with a person at a fake terminal and a service beside it; then once as a stranger would, with real
processes, a real terminal and the real check.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

import pytest

from loader.home import Home
from loader.packages.install import Packages
from tests.cli.conftest import Cli, RunningService
from tests.packages.test_git import Repository
from tests.packages.test_install import state_of
from tests.server.served import PATIENCE_S

EXAMPLES = Path(__file__).parents[2] / "example_plugins"


@dataclass(frozen=True)
class Shipped:
    """What is installed: an example as its author would publish it. ``api`` is what it asks for."""

    id: str
    example: str
    api: str
    place: str
    tab: str

    def write(self, folder: Path, version: str) -> None:
        shutil.copytree(EXAMPLES / self.example, folder, dirs_exist_ok=True)
        manifest = folder / "plugin.json"
        told: dict[str, Any] = {"kind": "desktop", "id": f"com.example.{self.id}", "name": self.example}
        if manifest.exists():
            told = json.loads(manifest.read_text())
        manifest.write_text(json.dumps(told | {"version": version, "requestedApis": [self.api]}))


APP = Shipped(
    "com.example.tool-explorer",
    "tool-explorer",
    "tools",
    "desktop-loader/apps/com.example.tool-explorer",
    "/app/com.example.tool-explorer",
)
PLUGIN = Shipped(
    "focus-timer",
    "focus-timer",
    "storage",
    "desktop-plugins/focus-timer",
    "/plugins/standalone:focus-timer/run",
)


class Way(Protocol):
    """``source`` is what a person types; ``publish`` puts a version where it leads."""

    source: str

    def publish(self, shipped: Shipped, version: str) -> None: ...


class Archive:
    def __init__(self, base: Path, _: Path) -> None:
        self.source = str(base / "shipped.tgz")
        self._folder = base / "shipped"

    def publish(self, shipped: Shipped, version: str) -> None:
        shipped.write(self._folder, version)
        with tarfile.open(self.source, "w:gz") as archive:
            archive.add(self._folder, "shipped")


class LocalGit:
    def __init__(self, base: Path, _: Path) -> None:
        self._repository = Repository(base / "maker" / "shipped.git")
        self.source = self._repository.url

    def publish(self, shipped: Shipped, version: str) -> None:
        shipped.write(self._repository.folder, version)
        self._repository.commit()


class InstallLink(LocalGit):
    """A link never names a place on this machine. So it names one on GitHub, and this user's own git settings say that
    GitHub lies here: the link's whole way is gone, short of the network."""

    def __init__(self, base: Path, user: Path) -> None:
        super().__init__(base, user)
        makers = self._repository.folder.parent.as_uri()
        (user / ".gitconfig").write_text(f'[url "{makers}/"]\n\tinsteadOf = https://github.com/maker/\n')
        self.source = "hermes://plugin/install?repo=maker/shipped&enable=1&force=1"


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder, with git's settings."""
    user = tmp_path / "user"
    user.mkdir()
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(user))
    return user


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def answers(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        monkeypatch.setattr("loader.cli.consent.has_terminal", lambda: True)
        monkeypatch.setattr("loader.cli.installing.has_terminal", lambda: True)

    return answers


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)  # a poll with a deadline: the service looks for what the command line did


@pytest.mark.parametrize("shipped", [APP, PLUGIN], ids=["web app", "desktop plugin"])
@pytest.mark.parametrize("way", [Archive, LocalGit, InstallLink], ids=["archive", "git", "link"])
def test_the_whole_way(
    shipped: Shipped,
    way: Callable[[Path, Path], Way],
    cli: Cli,
    home: Path,
    tmp_path: Path,
    user: Path,
    person: Callable[[str], None],
    no_engine: None,
    service: RunningService,
) -> None:
    there = Home(home, home, None, "a test")
    packages, place = Packages(there), home / shipped.place
    source = way(tmp_path, user)
    source.publish(shipped, "1.0.0")

    # Only looked at, then refused: nothing stands there.
    before = state_of(there)
    told = cli("install", source.source, "--probe", "--json").json
    assert (told["id"], told["requested"]["apis"], told["installable"]) == (shipped.id, [shipped.api], True)
    assert state_of(there) == before
    person("n\n")
    assert cli("install", source.source).code == 4
    assert not place.exists()

    # Installed: off, whatever a link wishes, with nothing approved.
    person("y\n")
    outcome = cli("install", source.source)
    assert (outcome.code, f"Install {shipped.id}" in outcome.err) == (0, True)
    assert place.is_dir()
    assert not packages.is_on(packages.entry(shipped.id))
    outcome = cli("enable", shipped.id)
    assert (outcome.code, f"hermes-desktop approve {shipped.id}" in outcome.err) == (2, True), outcome.err
    assert cli("open", shipped.id).code == 2

    # A person approves and turns it on.
    person("y\n")
    assert cli("approve", shipped.id, "--all").code == 0
    until(lambda: cli("enable", shipped.id).code == 0)
    until(lambda: cli("open", shipped.id, "--json").code == 0)
    assert unquote(cli("open", shipped.id, "--json").json["url"]).endswith(f"&view={shipped.tab}")

    # The next version keeps what was approved, and the switch.
    assert f"{shipped.id} is up to date" in cli("update", shipped.id).out
    source.publish(shipped, "1.1.0")
    person("y\n")
    outcome = cli("update", shipped.id)
    assert (outcome.code, "~ plugin.json" in outcome.out) == (0, True)
    assert packages.get(shipped.id).version == "1.1.0"
    assert packages.is_on(packages.entry(shipped.id))
    assert cli("verify", shipped.id).code == 0
    until(lambda: cli("open", shipped.id, "--json").code == 0)

    # Gone.
    person("y\n")
    assert cli("uninstall", shipped.id).code == 0
    assert not place.exists()
    assert packages.find(shipped.id) is None
    until(lambda: cli("open", shipped.id).code == 2)
    noted = [(entry["action"], entry["outcome"]) for entry in cli("audit", "--json").json["audit"]]
    steps = [
        ("install", "refused"),
        ("install", "done"),
        ("approve", "done"),
        ("update", "done"),
        ("uninstall", "done"),
    ]
    assert [step for step in noted if step in steps] == steps


# ---------------------------------------------------------------- as a stranger would


def command(env: Mapping[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "loader", *args]
    return subprocess.run(line, env=env, capture_output=True, text=True, timeout=PATIENCE_S * 2, check=False)


def at_a_terminal(env: Mapping[str, str], answer: str, *args: str) -> tuple[int, str]:
    """Exit code, and what stood on the terminal; ``answer`` is typed before it is asked for."""
    import pty

    ours, theirs = pty.openpty()
    try:
        os.write(ours, answer.encode())
        line = [sys.executable, "-m", "loader", *args]
        done = subprocess.run(
            line, env=env, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, timeout=PATIENCE_S * 2, check=False
        )
        return done.returncode, os.read(ours, 64 * 1024).decode()
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.real
@pytest.mark.timeout(300)
def test_the_whole_way_with_real_processes(home: Path, tmp_path: Path, user: Path) -> None:
    env = {**os.environ, "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}
    log = tmp_path / "serve.log"
    with log.open("wb") as output:
        line = [sys.executable, "-m", "loader", "serve", "--port", "0", "--no-rehearse"]
        serving = subprocess.Popen(line, env=env, stdout=output, stderr=subprocess.STDOUT)
    try:
        app = LocalGit(tmp_path, user)
        app.publish(APP, "1.0.0")
        code, shown = at_a_terminal(env, "y\r", "install", app.source)
        assert (code, f"Install {APP.id}? [y/N]" in shown) == (0, True), shown
        code, shown = at_a_terminal(env, "y\r", "approve", APP.id, "--all")
        assert (code, "and nothing else? [y/N]" in shown) == (0, True), shown
        assert command(env, "enable", APP.id).returncode == 0
        opened_updated_and_removed(env, home, APP, app)

        # The same in one word, which asks twice.
        plugin = Archive(tmp_path, user)
        plugin.publish(PLUGIN, "1.0.0")
        code, shown = at_a_terminal(env, "y\ry\r", "install", plugin.source, "--approve", "--enable")
        assert (code, f"Install {PLUGIN.id} and turn it on? [y/N]" in shown) == (0, True), shown
        assert "Approve what it asks for: the namespaces storage? [y/N]" in shown
        opened_updated_and_removed(env, home, PLUGIN, plugin)
        assert "Traceback" not in log.read_text()
    finally:
        serving.terminate()
        serving.wait(PATIENCE_S)


def opened_updated_and_removed(env: Mapping[str, str], home: Path, shipped: Shipped, way: Way) -> None:
    until(lambda: command(env, "open", shipped.id, "--json").returncode == 0)
    way.publish(shipped, "1.1.0")
    done = command(env, "update", shipped.id, "--yes")
    assert (done.returncode, f"Updated {shipped.id}" in done.stdout) == (0, True), done
    done = command(env, "uninstall", shipped.id, "--yes")
    assert (done.returncode, (home / shipped.place).exists()) == (0, False), done
