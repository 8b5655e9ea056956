"""A copied or renamed plugin names itself like another: what is decided about it never concerns that other one."""

import asyncio
import json
from typing import Any

import pytest

from loader.errors import UsageError
from tests.inventory.conftest import Bench, plugin

pytestmark = pytest.mark.anyio
CLOCK = "desktop-plugins/clock/plugin.js"
COPY = "desktop-plugins/clock-2/plugin.js"
PACKAGE = "plugins/clock/desktop/plugin.js"


def kept(bench: Bench, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((bench.home.state_dir / f"{name}.json").read_text("utf-8"))["data"]
    return found


async def copied(bench: Bench) -> None:
    """As `cp -r clock clock-2` leaves it."""
    bench.write(CLOCK, plugin("clock"))
    bench.write(COPY, plugin("clock"))
    await bench.start()
    await bench.clock.advance(1)
    bench.take()


@pytest.mark.parametrize("name", ["clock-2", "standalone:clock-2"])
async def test_to_switch_a_copy_off_leaves_the_original_on(bench: Bench, name: str) -> None:
    await copied(bench)
    row = await bench.pipeline.set_choice(name, False)
    assert (row.key, row.enabled, row.state) == ("standalone:clock-2", False, "disabled")
    assert (bench.row("clock").key, bench.row("clock").state) == ("standalone:clock", "ready")
    assert bench.take() == [] and kept(bench, "choices") == {"clock-2": False}
    await bench.save(COPY, plugin("clock-2", "mended"))
    assert bench.row("clock-2").state == "disabled", "what was decided holds once it has an id of its own"


async def test_to_switch_the_original_off_says_nothing_of_the_copy(bench: Bench) -> None:
    await copied(bench)
    await bench.pipeline.set_choice("clock", False)
    assert bench.take() == ["unload clock (disabled)"]
    assert [(row.key, row.state) for row in bench.pipeline.plugins()] == [
        ("standalone:clock", "disabled"),
        ("standalone:clock-2", "failed"),
    ]


async def test_to_pin_a_copy_pins_the_copy(bench: Bench) -> None:
    await copied(bench)
    await bench.save(COPY, plugin("clock", "v2"))
    await bench.clock.advance(1)
    row = await bench.pipeline.set_pin("clock-2", None)
    assert (row.key, row.pinned, row.integrity) == (
        "standalone:clock-2",
        True,
        kept(bench, "pins")["clock-2"]["integrity"],
    )
    assert not bench.row("clock").pinned and bench.row("clock").state == "ready"
    assert not (await bench.pipeline.unpin("clock-2")).pinned and kept(bench, "pins") == {}


async def test_to_allow_a_copy_allows_the_copy(bench: Bench) -> None:
    await copied(bench)
    await bench.pipeline.allow_heavy("clock-2")
    assert list(kept(bench, "allowed-heavy")) == ["clock-2"]


async def test_a_copy_whose_folder_can_be_no_id_cannot_be_switched(bench: Bench) -> None:
    bench.write(CLOCK, plugin("clock"))
    bench.write("desktop-plugins/clock (copy)/plugin.js", plugin("clock"))
    await bench.start()
    await bench.clock.advance(1)
    for change in (bench.pipeline.set_choice("clock (copy)", False), bench.pipeline.set_pin("clock (copy)", None)):
        with pytest.raises(UsageError, match=r"clock \(copy\)"):
            await change
    assert bench.row("clock").state == "ready"


async def test_one_that_waits_for_an_id_cannot_be_pinned_under_it(bench: Bench) -> None:
    bench.write(CLOCK, plugin("clock"))
    bench.write(PACKAGE, plugin("clock", "v2"))
    await bench.start()
    await bench.pipeline.set_choice("clock", True)
    for change in (bench.pipeline.set_pin("unified:clock", None), bench.pipeline.unpin("unified:clock")):
        with pytest.raises(UsageError, match="'clock' is standalone:clock"):
            await change
    assert bench.row("clock").state == "ready" and not bench.row("clock").pinned


async def test_what_runs_beside_a_file_of_another_name_is_off_when_it_was_switched_off(bench: Bench) -> None:
    bench.write(CLOCK, plugin("clock"))
    await bench.start()
    await bench.save(CLOCK, plugin("watch"))
    await bench.clock.advance(1)
    assert (bench.row("clock").state, bench.row("clock").running_revision is not None) == ("failed", True)
    row = await bench.pipeline.set_choice("clock", False)
    assert (row.id, row.enabled, row.choice, row.state) == ("watch", False, False, "disabled")
    await bench.restart()
    await bench.clock.advance(1)
    assert bench.row("watch").state == "disabled"
    await bench.pipeline.set_choice("clock", True)
    await bench.save(CLOCK, plugin("clock", "mended"))
    assert bench.row("clock").state == "ready", "switched on by its folder's name, it is on under that name"
    await bench.pipeline.set_choice("clock", None)


async def test_a_file_of_another_name_is_forgotten_under_both(bench: Bench) -> None:
    bench.write(COPY, plugin("clock"))
    await bench.start()
    await bench.clock.advance(1)
    await bench.pipeline.set_choice("clock-2", False)
    assert kept(bench, "choices") == {"clock": False, "clock-2": False}
    await bench.pipeline.set_choice("clock", None)
    assert kept(bench, "choices") == {}


async def test_the_original_that_comes_later_is_not_what_was_decided(bench: Bench) -> None:
    bench.write(COPY, plugin("clock"))
    await bench.start()
    await bench.clock.advance(1)
    await bench.save(CLOCK, plugin("clock"))
    assert bench.row("clock").key == "standalone:clock"
    await bench.pipeline.set_choice("standalone:clock-2", False)
    await asyncio.sleep(0)
    assert (bench.row("clock").state, bench.row("clock-2").state) == ("ready", "disabled")
