"""Where installed files came from: what a row says of it, and what shells are told when that changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from loader.inventory.choices import Choices
from loader.nouns import Logged, Origin, PluginLoaded
from tests.inventory.conftest import Bench, plugin

pytestmark = pytest.mark.anyio
DEMO = "desktop-plugins/demo/plugin.js"
FOREIGN = Origin("https://example.org/demo.git", "", "c" * 40, "1.0.0", "2026-01-02T03:04:05Z")


class FakeOrigins:
    """Moved by hand; ``on_look`` is what another process does just before the record is asked."""

    def __init__(self) -> None:
        self.found: Mapping[str, Origin] = MappingProxyType({})
        self.on_look: Callable[[], None] = lambda: None
        self.wrong: tuple[str, ...] = ()
        self.counts = 0
        self.read: list[str | None] = []

    def put(self, path: str, origin: Origin) -> None:
        self.found = MappingProxyType({path: origin})

    def catch_up(self, read: str | None = None) -> None:
        self.read.append(read)
        self.on_look()

    def refresh(self) -> tuple[str, ...]:
        wrong, self.wrong = self.wrong, ()
        return wrong

    def by_path(self) -> Mapping[str, Origin]:
        return self.found

    def counted(self) -> None:
        self.counts += 1


@pytest.fixture
def origins(bench: Bench) -> FakeOrigins:
    found = FakeOrigins()
    bench.origins = found
    bench.build()
    Choices.of(bench.home).set("demo", True)
    return found


async def test_a_row_tells_where_its_file_came_from(bench: Bench, origins: FakeOrigins) -> None:
    path = bench.write(DEMO, plugin("demo"))
    bench.write("desktop-plugins/mine/plugin.js", plugin("mine"))
    origins.put(str(path), FOREIGN)
    await bench.start()
    assert (bench.row("demo").origin, bench.row("demo").walled) == (FOREIGN, True)
    assert (bench.row("mine").origin, bench.row("mine").walled) == (None, False)
    running = bench.pipeline.running("demo")
    assert running is not None
    assert running.walled
    assert origins.counts > 0


async def test_trust_is_another_load_of_the_same_bytes(bench: Bench, origins: FakeOrigins) -> None:
    path = bench.write(DEMO, plugin("demo"))
    origins.put(str(path), FOREIGN)
    await bench.start()
    bench.take()
    origins.put(str(path), replace(FOREIGN, walled=False))
    await bench.pipeline.refresh()
    loads = [event for event in bench.events if isinstance(event, PluginLoaded)]
    assert bench.take() == ["unload demo (changed)", "load demo v1 (changed)"]
    assert not loads[-1].running.walled
    origins.put(str(path), FOREIGN)
    await bench.pipeline.refresh()
    assert bench.take() == ["unload demo (changed)", "load demo v1 (changed)"]
    running = bench.pipeline.running("demo")
    assert running is not None
    assert running.walled


async def test_another_version_or_source_alone_is_only_shown(bench: Bench, origins: FakeOrigins) -> None:
    path = bench.write(DEMO, plugin("demo"))
    origins.put(str(path), FOREIGN)
    await bench.start()
    bench.take()
    origins.put(str(path), replace(FOREIGN, version="2.0.0"))
    await bench.pipeline.refresh()
    assert bench.take(changes=True) == ["changed demo ready"]


async def test_what_arrives_is_foreign_and_off_from_its_first_look(bench: Bench, origins: FakeOrigins) -> None:
    await bench.start()
    path = bench.path(DEMO)

    def recorded() -> None:
        # As an install does it: recorded and switched off, then moved; all of it after the service last read its files.
        Choices.of(bench.home).set("demo", False)
        origins.put(str(path), FOREIGN)

    origins.on_look = recorded
    await bench.save(DEMO, plugin("demo"))
    row = bench.row("demo")
    assert (row.walled, row.enabled, row.state) == (True, False, "disabled")
    assert bench.take() == [], "it never ran"


async def test_without_a_choice_it_is_off_whatever_it_says_of_itself(bench: Bench, origins: FakeOrigins) -> None:
    path = bench.write(DEMO, plugin("demo"))
    origins.put(str(path), FOREIGN)
    await bench.start()
    bench.take()
    row = await bench.pipeline.set_choice("demo", None)
    assert (row.enabled, row.choice, row.choice_from, row.state) == (False, None, "door", "disabled")
    assert bench.take() == ["unload demo (disabled)"], "to forget a choice is no word for running it"


async def test_a_record_that_cannot_be_read_is_said(bench: Bench, origins: FakeOrigins) -> None:
    await bench.start()
    origins.wrong = ("notes.json cannot be read",)
    await bench.pipeline.refresh()
    assert Logged("error", None, "notes.json cannot be read") in bench.events


async def test_what_was_read_is_told_and_what_is_gone_was_not(bench: Bench, origins: FakeOrigins) -> None:
    path = bench.write(DEMO, plugin("demo"))
    await bench.start()
    assert set(origins.read) == {str(path)}
    path.unlink()
    bench.hint(DEMO)
    await bench.clock.advance(0.1)
    assert origins.read[-1] is None
