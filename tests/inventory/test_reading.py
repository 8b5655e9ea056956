"""A verdict that was kept comes along with the look: no analysis, and never for what it is not about."""

from dataclasses import dataclass, field
from hashlib import sha256

import pytest

from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings
from loader.testing import FakeAnalyzer, simple_verdict
from tests.inventory.conftest import Bench, plugin

pytestmark = pytest.mark.anyio

DEMO = "desktop-plugins/demo/plugin.js"


@dataclass(slots=True)
class Remembers(FakeAnalyzer):
    """Keeps what it is told to, by text and settings."""

    known: dict[tuple[str, AnalysisSettings], Verdict] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def kept(self, source: Source, settings: AnalysisSettings) -> Verdict | None:
        self.asked.append(source.sha256)
        return self.known.get((source.sha256, settings))


@pytest.fixture
def remembers(bench: Bench) -> Remembers:
    found = bench.analyzer = Remembers()
    bench.build()
    return found


def learn(remembers: Remembers, bench: Bench, source: Source) -> None:
    settings = bench.settings.analysis
    remembers.known[(source.sha256, settings)] = simple_verdict(source, settings)


def source_of(text: str) -> Source:
    return Source(text.encode(), text, sha256(text.encode()).hexdigest())


async def test_what_was_kept_is_told_without_an_analysis(bench: Bench, remembers: Remembers) -> None:
    text = plugin("demo")
    learn(remembers, bench, source_of(text))
    bench.write(DEMO, text)
    await bench.start()
    assert bench.row("demo").state == "ready"
    assert remembers.calls == []


async def test_what_was_not_kept_is_analysed_and_not_asked_for_again(bench: Bench, remembers: Remembers) -> None:
    bench.write(DEMO, plugin("demo"))
    await bench.start()
    assert len(remembers.calls) == 1
    asked = len(remembers.asked)
    await bench.pipeline.reload()
    assert (len(remembers.calls), len(remembers.asked)) == (1, asked)


async def test_nothing_is_looked_up_for_what_may_not_be_opened(bench: Bench, remembers: Remembers) -> None:
    text = plugin("demo")
    learn(remembers, bench, source_of(text))
    bench.write(DEMO, text)
    bench.write("desktop-plugins/demo/integrity.json", '{"plugin.js": "sha256-' + "A" * 43 + '="}')
    await bench.start()
    await bench.clock.advance(2)
    assert bench.row("demo").state == "failed"
    assert remembers.asked == []


async def test_an_answer_under_settings_of_before_does_not_count(bench: Bench, remembers: Remembers) -> None:
    text = plugin("demo", first="import { gone } from '@hermes/plugin-sdk'\n")
    learn(remembers, bench, source_of(text))
    bench.write(DEMO, text)
    await bench.start()
    assert bench.row("demo").state == "ready"
    bench.pipeline.shell_mounted("shell-1", "1.0", {"@hermes/plugin-sdk": ["host"]})
    await bench.clock.advance(2)
    assert bench.row("demo").state == "failed"
    assert len(remembers.calls) == 1
