"""Kills and failures while something is installed, approved, trusted or switched: what is allowed afterwards."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loader.errors import LoaderError
from loader.home import Home
from loader.inventory.choices import Choices
from loader.packages.grants import NOTHING, Grants, missing_to_enable
from loader.packages.install import Packages
from loader.packages.planning import Word
from loader.packages.shelf import walled_of
from loader.packages.standings import Standings
from loader.packages.tree import hash_tree
from tests.packages.conftest import make_app, make_plugin
from tests.packages.test_install import NOW, probing, put

APP = "com.example.board"
OLD = Grants(frozenset({"storage", "tools"}), frozenset({"read-only"}))
MANIFEST = '{"kind": "desktop", "id": "com.example.notes", "name": "Notes", "requestedApis": ["storage"%s]}'


def home_at(root: Path) -> Home:
    root.mkdir(parents=True, exist_ok=True)
    return Home(root, root, None, "a test")


def choice_of(home: Home) -> bool | None:
    choices = Choices.of(home)
    choices.refresh()
    return choices.by_id().get("notes")


def notes(folder: Path, version: int = 1, more: str = "") -> Path:
    return make_plugin(folder, "notes", version=version, extra={"plugin.json": MANIFEST % more})


def brought(home: Home, source: Path, packages: Packages, word: Word) -> None:
    with probing(home, source) as probe:
        packages.install(probe, packages.plan(probe), word)


# Each is prepared in a home (unless that is a copy of a prepared one), and gives what is then done step by step.
Scene = Callable[..., Callable[[Packages], Any]]


def installs_and_enables(home: Home, place: Path, ready: bool = False) -> Callable[[Packages], Any]:
    source = notes(place / "one")
    return lambda packages: brought(home, source, packages, Word(Grants(frozenset({"storage"})), enable=True))


def grows(home: Home, place: Path, ready: bool = False) -> Callable[[Packages], Any]:
    if not ready:
        installs_and_enables(home, place)(Packages(home))
    source = notes(place / "two", 2, ', "ai"')
    return lambda packages: brought(home, source, packages, Word())


def updates_an_app(home: Home, place: Path, ready: bool = False) -> Callable[[Packages], Any]:
    if not ready:
        brought(home, make_app(place / "one"), Packages(home), Word(OLD, enable=True))
    source = make_app(place / "two", apis=("tools", "storage", "cdp"), text="two")
    return lambda packages: brought(home, source, packages, Word())


def removes_an_app(home: Home, place: Path, ready: bool = False) -> Callable[[Packages], Any]:
    if not ready:
        brought(home, make_app(place / "one"), Packages(home), Word(OLD, enable=True))
    return lambda packages: packages.uninstall(APP)


def takes_an_approval_back(home: Home, place: Path, ready: bool = False) -> Callable[[Packages], Any]:
    if not ready:
        installs_and_enables(home, place)(Packages(home))
    return lambda packages: packages.approve("notes", NOTHING)


def trusts(home: Home, place: Path, ready: bool = False) -> Callable[[Packages], Any]:
    if not ready:
        put(home, make_plugin(place / "one", "notes"))
    return lambda packages: packages.trust("notes", True)


def switches_an_app(home: Home, place: Path, ready: bool = False) -> Callable[[Packages], Any]:
    if not ready:
        brought(home, make_app(place / "one"), Packages(home), Word(OLD))
    return lambda packages: packages.switch_app(APP, True)


SCENES: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        installs_and_enables,
        grows,
        updates_an_app,
        removes_an_app,
        takes_an_approval_back,
        trusts,
        switches_an_app,
    )
}


def state(home: Home) -> tuple[Any, ...]:
    """What there is, what is allowed and whether it is on: a crash leaves it as it was, or as it should be."""
    found = []
    for entry, record in Packages(home).entries():
        assert hash_tree(home.root / record.folder) == dict(record.files)
        found.append((record.id, dict(record.files), record.requested, entry.consent))
    return (tuple(found), choice_of(home))


def nothing_is_allowed_that_nobody_allowed(home: Home, before: tuple[Any, ...], after: tuple[Any, ...]) -> None:
    """At any moment, also before anybody has brought it into line."""
    standings = Standings(home)
    standings.catch_up()
    for standing in standings.by_id().values():
        consents = [consent for states in (before, after) for (_, _, _, consent) in states[0]]
        assert any(standing.granted <= consent.approved for consent in consents) or not standing.granted
        assert not standing.consent.trusted or any(consent.trusted for consent in consents)
        walled = walled_of(standing, None)
        if walled is not None and walled.enabled:
            assert not missing_to_enable(standing.requested, walled.grants)
            assert not standing.changing


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_a_failure_at_any_step_leaves_what_was_allowed_or_what_should_be(scene: Scene, tmp_path: Path) -> None:
    def fresh(name: str) -> tuple[Home, Callable[[Packages], Any]]:
        home = home_at(tmp_path / name / "home")
        return home, scene(home, tmp_path / name)

    home, act = fresh("whole")
    before = state(home)
    steps: list[str] = []
    act(Packages(home, now=lambda: NOW, step=steps.append))
    after = state(home)
    assert steps
    assert before != after
    for number in range(len(steps)):
        home, act = fresh(str(number))
        count = 0

        def fails(_: str, number: int = number) -> None:
            nonlocal count
            count += 1
            if count == number + 1:
                raise OSError(28, "No space left on device")

        with pytest.raises((OSError, LoaderError)):
            act(Packages(home, now=lambda: NOW, step=fails))
        nothing_is_allowed_that_nobody_allowed(home, before, after)
        found = state(home)
        allowed = [before, after]
        if scene is takes_an_approval_back:
            # Off comes first: on, and without what it needs, is the one thing that must not be.
            allowed.append((before[0], False))
        assert found in allowed, steps[number]


_KILLED = """
import os, signal, sys
from pathlib import Path
from loader.packages.install import Packages
from tests.packages.test_approval_crashes import SCENES, home_at
scene, root, place = SCENES[sys.argv[1]], Path(sys.argv[2]), Path(sys.argv[3])

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        home, stop_at, count = home_at(root), int(line), 0
        act = scene(home, place, ready=True)
        def step(_):
            global count
            count += 1
            if count == stop_at:
                os.kill(os.getpid(), signal.SIGKILL)
        act(Packages(home, step=step))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else "done" if status == 0 else f"failed {status}", flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork to kill many processes in a moment")
@pytest.mark.parametrize(
    "name", ["installs_and_enables", "grows", "updates_an_app", "takes_an_approval_back", "trusts"]
)
def test_a_kill_at_every_step_leaves_what_was_allowed_or_what_should_be(name: str, tmp_path: Path) -> None:
    whole = home_at(tmp_path / "whole" / "home")
    act = SCENES[name](whole, tmp_path / "sources")
    template = tmp_path / "template"
    shutil.copytree(whole.root, template)
    before = state(whole)
    act(Packages(whole))
    after = state(whole)
    root = tmp_path / "home"
    kills = 0
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED, name, str(root), str(tmp_path / "sources")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as killer:
        assert killer.stdin is not None
        assert killer.stdout is not None
        said = "killed"
        while said == "killed":
            shutil.rmtree(root, ignore_errors=True)
            shutil.copytree(template, root)
            killer.stdin.write(f"{kills + 1}\n")
            killer.stdin.flush()
            said = killer.stdout.readline().strip()
            assert said in ("killed", "done")
            home = home_at(root)
            nothing_is_allowed_that_nobody_allowed(home, before, after)
            allowed = [before, after]
            if name == "takes_an_approval_back":
                allowed.append((before[0], False))
            assert state(home) in allowed, kills
            kills += said == "killed"
        assert state(home) == after
        killer.stdin.close()
    assert kills >= 1
