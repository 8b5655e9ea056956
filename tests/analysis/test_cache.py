"""The verdict cache: what it keeps, what it never keeps, and that nothing it finds on disk can hurt."""

import dataclasses
import json
from pathlib import Path

import pytest

from loader.analysis.cache import VerdictCache, checker_digest
from loader.codes import finding
from loader.nouns import (
    ConsoleLine,
    Contribution,
    Edit,
    Fix,
    Identity,
    ImportRef,
    Leak,
    Rehearsal,
    Span,
    Suppression,
    Verdict,
)
from loader.settings import AnalysisSettings

SHA = "a" * 64
SETTINGS = AnalysisSettings()


def full_verdict(sha256: str = SHA) -> Verdict:
    span = Span(1, 2, 3, 4)
    return Verdict(
        sha256=sha256,
        identity=Identity("demo", "Demo", None, False, True),
        imports=(ImportRef("react", "static", 7, 14, span), ImportRef(None, "dynamic", 20, 25, span)),
        diagnostics=(
            finding("HP502", "a colour", span=span, hint="a variable", fix=Fix("use it", (Edit(1, 2, "x"),))),
            finding("HP409", "a leak \ud800"),
        ),
        suppressions=(Suppression(("HP502",), None, "because", span),),
        rehearsal=Rehearsal(
            ran=True,
            contributions=(
                Contribution("panes", "p", "demo:p", "Title", 3.0, {"deep": [1, {"er": None}]}, "<div>", "x"),
            ),
            console=(ConsoleLine("warn", "careful"),),
            leaks=(Leak("timer", "every 5 s", span),),
            timers_fired=3,
            cpu_ms=1.5,
            memory_bytes=2_000_000,
        ),
        timings_ms=(("compile", 4.0),),
    )


def test_gives_back_exactly_what_was_put(tmp_path: Path) -> None:
    VerdictCache(tmp_path).put(full_verdict(), SETTINGS)
    assert VerdictCache(tmp_path).get(SHA, SETTINGS) == full_verdict()


def test_knows_nothing_of_other_bytes(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.put(full_verdict(), SETTINGS)
    assert cache.get("b" * 64, SETTINGS) is None


@pytest.mark.parametrize(
    "other",
    [
        AnalysisSettings(rehearsal="off"),
        AnalysisSettings(sdk_exports=(("react", ("useState",)),)),
        AnalysisSettings(unknown_export="warning"),
    ],
)
def test_other_settings_miss(tmp_path: Path, other: AnalysisSettings) -> None:
    cache = VerdictCache(tmp_path)
    cache.put(full_verdict(), SETTINGS)
    assert cache.get(SHA, other) is None


def test_another_checker_misses(tmp_path: Path) -> None:
    VerdictCache(tmp_path, checker="one").put(full_verdict(), SETTINGS)
    assert VerdictCache(tmp_path, checker="two").get(SHA, SETTINGS) is None
    assert VerdictCache(tmp_path, checker="one").get(SHA, SETTINGS) is not None


def test_never_keeps_what_depends_on_the_mood_of_the_machine(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.put(dataclasses.replace(full_verdict(), cacheable=False), SETTINGS)
    assert cache.get(SHA, SETTINGS) is None
    assert list(tmp_path.rglob("*.json")) == []


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"null", b"[1,2]", b'{"key": "x"}', b"\xff\xfe", b"[" * 100_000, b'{"verdict": {"sha256": 5}}'],
)
def test_a_damaged_entry_is_as_if_it_were_not_there(tmp_path: Path, damage: bytes) -> None:
    cache = VerdictCache(tmp_path)
    cache.put(full_verdict(), SETTINGS)
    next(tmp_path.rglob("*.json")).write_bytes(damage)
    assert cache.get(SHA, SETTINGS) is None
    cache.put(full_verdict(), SETTINGS)
    assert cache.get(SHA, SETTINGS) == full_verdict()


@pytest.mark.parametrize("field", ["diagnostics", "identity", "imports", "rehearsal"])
def test_a_wrong_shape_inside_is_refused(tmp_path: Path, field: str) -> None:
    cache = VerdictCache(tmp_path)
    cache.put(full_verdict(), SETTINGS)
    path = next(tmp_path.rglob("*.json"))
    stored = json.loads(path.read_bytes())
    stored["verdict"][field] = {"surprise": True}
    path.write_text(json.dumps(stored))
    assert cache.get(SHA, SETTINGS) is None


def test_an_entry_copied_under_another_name_is_refused(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.put(full_verdict(SHA), SETTINGS)
    first = next(tmp_path.rglob("*.json"))
    cache.put(full_verdict("b" * 64), SETTINGS)
    second = next(path for path in tmp_path.rglob("*.json") if path != first)
    second.write_bytes(first.read_bytes())
    assert cache.get("b" * 64, SETTINGS) is None


def test_keeps_no_more_than_its_bound(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path, checker="x", most_entries=10)
    for number in range(30):
        cache.put(Verdict(f"{number:064x}"), SETTINGS)
    cache.prune()
    assert len(list(tmp_path.rglob("*.json"))) == 10


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "verdicts").write_text("in the way")
    cache = VerdictCache(tmp_path)
    cache.put(full_verdict(), SETTINGS)
    assert cache.get(SHA, SETTINGS) is None


def test_the_digest_of_the_checker_is_stable_within_a_process() -> None:
    checker_digest.cache_clear()
    first = checker_digest()
    checker_digest.cache_clear()
    assert checker_digest() == first
