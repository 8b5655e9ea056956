"""A short soak of the real service: what must never be, never is; how fast it goes is not asked."""

import asyncio
import random
from pathlib import Path

import pytest

from bench import soak
from bench.soaking.disk import WAYS, Disk
from bench.soaking.rest import Held, expected, grown
from bench.soaking.view import View


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_goes_wrong_in_a_short_soak() -> None:
    found = asyncio.run(soak.run(600, seed=2026, most_steps=60))
    assert found["wrong"] == [], found["last changes"]
    assert found["steps"] >= 60 and found["restarts"] == 1
    assert found["events seen"] > 0


def test_the_same_seed_makes_the_same_changes(tmp_path: Path) -> None:
    def told(root: Path) -> list[str]:
        chance = random.Random(5)
        disk = Disk(root, chance)
        return [disk.save(chance.choice(WAYS)) if number % 4 else disk.remove() for number in range(30)]

    assert told(tmp_path / "one") == told(tmp_path / "two")


def test_a_view_sees_what_could_not_follow() -> None:
    view = View("a")
    view.take({"method": "hello", "params": {"resumed": False, "instance": "i", "seq": 3, "plugins": []}})
    view.take({"method": "plugin/load", "params": {"seq": 4, "row": {"id": "x", "running_revision": "r1"}}})
    assert view.wrong == [] and view.running == {"x": "r1"}
    view.take({"method": "plugin/load", "params": {"seq": 6, "row": {"id": "x", "running_revision": "r2"}}})
    assert len(view.wrong) == 2, "a gap, and a second load"
    view.take({"method": "plugin/unload", "params": {"seq": 7, "id": "x", "revision": "r1"}})
    assert len(view.wrong) == 3, "r1 no longer ran"


def test_the_oracle_knows_disabled_failed_and_ready(tmp_path: Path) -> None:
    disk = Disk(tmp_path, random.Random(1))
    for folder, kind in (("a", "good"), ("b", "broken"), ("c", "good")):
        disk.file(folder).parent.mkdir(parents=True)
        disk.file(folder).write_text(folder)
        disk.kinds[folder] = kind  # type: ignore[assignment]
    states = {folder: state for folder, (state, _) in expected(disk, {"c": False}, {}).items()}
    assert states == {"a": "ready", "b": "failed", "c": "disabled"}


def test_growth_is_seen() -> None:
    before, after = Held(20, 10, 3, 80_000_000), Held(160, 80, 12, 400_000_000)
    assert grown(before, before, mb=10) == []
    assert len(grown(before, after, mb=10)) == 4
