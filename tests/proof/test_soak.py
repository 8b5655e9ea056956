"""A short soak of the real service: what must never be, never is; how fast it goes is not asked."""

import asyncio
import random
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench import soak
from bench.soaking import faults
from bench.soaking.acts import Acknowledged
from bench.soaking.disk import WAYS, Disk
from bench.soaking.held import Held, grown, growth_mb
from bench.soaking.rest import Wishes, evidence, expected
from bench.soaking.view import View
from loader.integrity import integrity_of

SMALL = faults.table(on_small_disk=True)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_goes_wrong_in_a_short_soak() -> None:
    found = asyncio.run(soak.run(600, seed=2026, most_steps=60, with_faults=False))
    assert found["wrong"] == [], found["last changes"]
    assert found["steps"] >= 60 and found["restarts"] == 1
    assert found["events seen"] > 0


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the faults are made with Linux's means")
def test_every_fault_is_survived() -> None:
    rows = asyncio.run(faults.run(2026))
    assert [row for row in rows if row["wrong"]] == []
    assert [row["fault"] for row in rows][: len(SMALL)] == [fault.name for fault in SMALL]
    seen = {row["fault"]: row["seen"] for row in rows}
    # That each fault really came shows in what it made of the service.
    for name, sign in (
        ("the disk is full (ENOSPC)", "answered with 409"),
        ("no file may grow (EFBIG)", "answered with 409"),
        ("no rights (EACCES)", "closed file: failed"),
        ("no descriptors left (EMFILE)", "that stood: 409"),
        ("a read fails midway (EIO)", "failed"),
        ("a read fails (EIO)", "failed, and ready"),
        ("no process can be started (EAGAIN)", "none to be had: failed"),
        ("a state file is cut off", "1 file set aside"),
        ("a backend crashes", "502"),
    ):
        assert sign in seen[name], (name, seen[name])
    assert all("not what it should be" not in row["seen"] for row in rows)


def test_faults_have_names_of_their_own_and_say_whether_they_are_real() -> None:
    for table in (SMALL, faults.table(on_small_disk=False)):
        assert len({fault.name for fault in table}) == len(table) >= 11
        assert all(fault.how.startswith(("real", "injected at ")) for fault in table)


def test_what_was_answered_before_a_kill_must_be_on_the_disk() -> None:
    told = Acknowledged({"a": False, "b": True})
    assert told.lost({"a": False, "b": True, "c": False}) == []
    assert len(told.lost({"a": True})) == 2


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
    states = {folder: state for folder, (state, _) in expected(disk, Wishes({"c": False}), {}).items()}
    assert states == {"a": "ready", "b": "failed", "c": "disabled"}


def test_the_oracle_knows_a_copy_from_what_it_was_copied_from(tmp_path: Path) -> None:
    disk = Disk(tmp_path, random.Random(1))
    disk.put("a", "good", b"now")
    disk.put("b", "foreign id", b"calls itself a")
    known = {"a": "a", "b": "a"}
    assert expected(disk, Wishes({"a": False}), known)["b"][0] == "failed"
    assert expected(disk, Wishes({"b": False}), known)["b"][0] == "disabled"
    assert expected(disk, Wishes({"z": False}), {"b": "z"})["b"][0] == "disabled", "nobody else has that id"


@pytest.mark.anyio
async def test_what_was_wrong_is_kept_with_all_that_explains_it(tmp_path: Path) -> None:
    disk = Disk(tmp_path, random.Random(1))
    disk.put("a", "good", b"now")
    disk.put("b", "good", b"later")
    rows = [{"folder": "a", "state": "failed"}, {"folder": "b", "state": "ready"}]

    class Service:
        said = "a has errors\n"

    class Asked:
        service = Service()
        http = httpx.AsyncClient(
            base_url="http://asked",
            transport=httpx.MockTransport(lambda _: httpx.Response(200, json={"plugins": rows})),
        )

    found = await evidence(Asked(), disk, ["a (good): is failed"])  # type: ignore[arg-type]
    assert found["rows"] == rows[:1] and found["files"] == {"a": "now"}
    assert found["the service said"] == ["a has errors"]


@pytest.mark.parametrize(
    ("name", "where", "state"),
    [("a", "a", "failed"), ("x", "a", "failed"), ("known", None, "failed"), ("x", "y", "ready")],
)
def test_the_oracle_knows_whom_a_pin_holds(tmp_path: Path, name: str, where: str | None, state: str) -> None:
    disk = Disk(tmp_path, random.Random(1))
    disk.put("a", "good", b"now")
    other = Wishes({}, {name: (integrity_of("0" * 64), where)})
    same = Wishes({}, {name: (integrity_of(disk.revision("a")), where)})
    assert expected(disk, other, {"a": "known"})["a"][0] == state
    assert expected(disk, same, {"a": "known"})["a"][0] == "ready"


def test_growth_is_seen() -> None:
    before, after = Held(20, 10, 3, 80_000_000), Held(160, 80, 12, 400_000_000)
    assert grown(before, before, mb=10) == []
    assert len(grown(before, after, mb=10)) == 4
    assert len(grown(before, Held(20, 10, 3, 80_000_000, watches=40, tasks=90), mb=10)) == 2


def test_growth_is_a_slope_that_a_peak_does_not_move() -> None:
    steady = [(saves, 100_000_000 + saves * 2_000) for saves in range(0, 1000, 100)]
    assert growth_mb(steady) == pytest.approx(2.0)
    peak = [(saves, size + (50_000_000 if saves == 700 else 0)) for saves, size in steady]
    assert growth_mb(peak) == pytest.approx(2.0)
    assert growth_mb(steady[:4]) is None


def test_a_folder_that_is_moved_back_is_good_again(tmp_path: Path) -> None:
    chosen: list[str] = []

    class Told(random.Random):
        def choice(self, _: object) -> Any:
            return chosen.pop(0)

    disk = Disk(tmp_path, Told(1))
    disk.put("a", "good", b"now")
    kinds = []
    for source, target in (("a", "b"), ("b", "c"), ("c", "a"), ("a", "b")):
        chosen[:] = [source, target]
        disk.move()
        kinds.append(disk.kinds[target])
    assert kinds == ["foreign id", "foreign id", "good", "foreign id"]
    disk.put("b", "broken", b"later")
    chosen[:] = ["b", "a"]
    disk.move()
    assert disk.kinds == {"a": "broken"}
