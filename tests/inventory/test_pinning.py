"""Pins and declared integrity: first of all checks, closed on failure, and never a guess."""

import hashlib
import json
from collections.abc import Callable

import pytest

from loader.errors import UsageError
from loader.integrity import integrity_of
from loader.inventory.pins import Pins
from tests.inventory.conftest import Bench, plugin

pytestmark = pytest.mark.anyio
DEMO = "desktop-plugins/demo/plugin.js"
DECLARED = "desktop-plugins/demo/integrity.json"


def integrity(text: str) -> str:
    return integrity_of(hashlib.sha256(text.encode()).hexdigest())


async def started(bench: Bench) -> None:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    bench.take()


async def test_pinned_bytes_run_and_others_do_not(bench: Bench) -> None:
    await started(bench)
    row = await bench.pipeline.set_pin("demo", None)
    assert row.pinned
    assert row.integrity == integrity(plugin("demo"))
    assert bench.take(changes=True) == ["changed demo ready"]
    analysed = len(bench.analyzer.calls)
    await bench.save(DEMO, plugin("demo", "v2"))
    await bench.clock.advance(1)
    assert bench.take(changes=True) == ["unload demo (failed)", "error demo HP010"]
    assert len(bench.analyzer.calls) == analysed, "nothing looked inside"
    assert bench.pipeline.source_of("standalone:demo") is None
    await bench.save(DEMO, plugin("demo"))
    assert bench.take() == ["load demo v1 (changed)"]
    await bench.save(DEMO, plugin("demo", "v3"))
    await bench.clock.advance(1)
    bench.take()
    row = await bench.pipeline.unpin("demo")
    assert not row.pinned
    assert bench.take() == ["load demo v3 (manual)"]


async def test_pins_that_another_process_wrote_just_before_the_bytes_count_at_once(bench: Bench) -> None:
    await started(bench)
    await bench.pipeline.set_pin("demo", None)
    bench.take()
    elsewhere = Pins.of(bench.home)
    elsewhere.set("demo", f"{integrity(plugin('demo'))} {integrity(plugin('demo', 'v2'))}", "demo")
    await bench.save(DEMO, plugin("demo", "v2"))
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"], (
        "the service had not looked at the pins since"
    )


async def test_pinning_none_pins_what_lies_there_now(bench: Bench) -> None:
    await started(bench)
    bench.deaf = True
    await bench.save(DEMO, plugin("demo", "v2"))
    row = await bench.pipeline.set_pin("demo", None)
    assert row.integrity == integrity(plugin("demo", "v2"))
    assert row.state == "ready"


async def test_a_pin_outlives_a_restart_and_is_checked_before_the_first_look_inside(bench: Bench) -> None:
    await started(bench)
    await bench.pipeline.set_pin("demo", None)
    await bench.stop()
    bench.write(DEMO, plugin("demo", "v2"))
    bench.analyzer.calls.clear()
    bench.take()
    await bench.restart()
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP010"]
    assert bench.analyzer.calls == []


async def test_pinning_another_hash_refuses_what_runs(bench: Bench) -> None:
    await started(bench)
    row = await bench.pipeline.set_pin("demo", integrity("something else"))
    assert row.state == "failed"
    assert bench.take() == ["unload demo (failed)", "error demo HP010"]


async def test_one_of_several_hashes_is_enough(bench: Bench) -> None:
    await started(bench)
    await bench.pipeline.set_pin("demo", f"{integrity(plugin('demo'))}\n\t{integrity(plugin('demo', 'v2'))} ")
    await bench.save(DEMO, plugin("demo", "v2"))
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"]
    await bench.save(DEMO, plugin("demo", "v3"))
    await bench.clock.advance(1)
    assert bench.take() == ["unload demo (failed)", "error demo HP010"]


@pytest.mark.parametrize("value", ["", "...", "sha256-", "md5-wzPDJZ9uN6/A4eK8TkTy/A==", "0" * 64])
async def test_a_malformed_pin_is_refused_when_it_is_made(bench: Bench, value: str) -> None:
    await started(bench)
    with pytest.raises(UsageError):
        await bench.pipeline.set_pin("demo", value)
    assert not bench.row("demo").pinned
    assert bench.take() == []


@pytest.mark.parametrize("stored", ["...", 7, None, {"integrity": 7}, {"integrity": "sha256-x", "folder": 7}])
async def test_a_pin_that_a_hand_garbled_refuses_the_file(bench: Bench, stored: object) -> None:
    bench.home.state_dir.mkdir()
    state = {"version": 1, "data": {"demo": stored}}
    (bench.home.state_dir / "pins.json").write_text(json.dumps(state))
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    await bench.clock.advance(1)
    assert bench.take() == ["error demo HP011"]
    assert bench.analyzer.calls == []


async def test_what_another_process_pinned_counts(bench: Bench) -> None:
    await started(bench)
    Pins.of(bench.home).set("demo", integrity("other"), "demo")
    await bench.clock.advance(5.3)
    assert bench.take() == ["unload demo (failed)", "error demo HP010"]


async def test_nothing_to_pin_without_bytes(bench: Bench) -> None:
    bench.path(DEMO).mkdir(parents=True)
    await bench.start()
    await bench.clock.advance(2)
    with pytest.raises(UsageError, match="cannot be read"):
        await bench.pipeline.set_pin("demo", None)


async def test_a_pin_under_an_id_that_differs_from_the_folder(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(id_mismatch="warn")
    place = "desktop-plugins/folder/plugin.js"
    bench.write(place, plugin("named"))
    await bench.start()
    assert bench.take() == ["load named v1 (start)"]
    await bench.pipeline.set_pin("named", None)
    await bench.stop()
    bench.analyzer.calls.clear()
    bench.write(place, plugin("named", "v2"))
    await bench.restart()
    await bench.clock.advance(1)
    assert [text for text in bench.take() if text.startswith("error")] == ["error folder HP010"]
    assert bench.analyzer.calls == [], "the pin remembers the folder"
    # Moved elsewhere, only the bytes themselves reveal the id; they are refused all the same.
    bench.write("desktop-plugins/elsewhere/plugin.js", plugin("named", "v3"))
    await bench.clock.advance(1)
    assert [text for text in bench.take() if text.startswith("error")] == ["error named HP010"]


# ---------------------------------------------------------------- declared


async def test_declared_integrity_is_checked_and_settles_longer(bench: Bench) -> None:
    await started(bench)
    await bench.save(DECLARED, json.dumps({"plugin.js": integrity(plugin("demo"))}))
    await bench.clock.advance(2)
    assert bench.take() == []
    calls = len(bench.analyzer.calls)
    await bench.save(DEMO, plugin("demo", "v2"))
    await bench.clock.advance(0.9)
    assert bench.take() == []
    await bench.save(DECLARED, json.dumps({"plugin.js": integrity(plugin("demo", "v2"))}))
    assert bench.take() == ["unload demo (changed)", "load demo v2 (changed)"], "the second file came in time"
    assert len(bench.analyzer.calls) == calls + 1
    await bench.save(DEMO, plugin("demo", "v3"))
    await bench.clock.advance(1.1)
    assert bench.take() == ["unload demo (failed)", "error demo HP010"]
    assert len(bench.analyzer.calls) == calls + 1, "never looked into"


async def test_a_declaration_alone_that_changes_is_found_by_the_reconcile(bench: Bench) -> None:
    await started(bench)
    bench.deaf = True
    bench.write(DECLARED, '{"plugin.js": "sha256-..."}')
    await bench.clock.advance(6.1)
    assert bench.take() == ["unload demo (failed)", "error demo HP011"]
    bench.path(DECLARED).unlink()
    await bench.clock.advance(5)
    assert bench.take() == ["load demo v1 (changed)"]
