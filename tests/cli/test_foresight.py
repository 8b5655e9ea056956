"""What is known of a command line before anything is imported."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from loader.analysis.cache import VerdictCache
from loader.cli.foresight import _kept_verdicts, wants_worker
from loader.nouns import Verdict
from loader.settings import AnalysisSettings
from loader.source import read_path

TEXT = "export default { id: 'demo', register() {} }\n"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "demo" / "plugin.js"
    path.parent.mkdir()
    path.write_text(TEXT, "utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ([], False),
        (["version"], False),
        (["list", "check"], False),
        (["check"], True),
        (["check", "--help"], False),
        (["check", "-h"], False),
        (["check", "no-such-file"], True),
        (["rehearse", "no-such-file"], True),
    ],
)
def test_only_what_checks_wants_one(arguments: list[str], wanted: bool, tmp_path: Path) -> None:
    assert wants_worker(arguments, tmp_path) is wanted


def test_what_was_checked_before_wants_none(plugin: Path, tmp_path: Path) -> None:
    state = tmp_path / "checks"
    assert wants_worker(["check", str(plugin)], state / "verdicts")
    source = read_path(str(plugin))
    state.mkdir()
    VerdictCache(state).put(Verdict(source.sha256), AnalysisSettings())  # type: ignore[union-attr]
    assert not wants_worker(["check", str(plugin)], state / "verdicts")
    assert not wants_worker(["check", "--format", "json", str(plugin.parent)], state / "verdicts")
    plugin.write_text(f"{TEXT}// other bytes", "utf-8")
    assert wants_worker(["check", str(plugin)], state / "verdicts")


@pytest.mark.parametrize(
    "arguments",
    [["--no-rehearse"], ["--rehearsal", "off"], ["--rehearsal=off"], ["--rehearsal", "warn", "--no-rehearse"]],
)
def test_a_verdict_of_another_mode_counts_for_nothing(arguments: list[str], plugin: Path, tmp_path: Path) -> None:
    state = tmp_path / "checks"
    source = read_path(str(plugin))
    state.mkdir()
    cache = VerdictCache(state)
    cache.put(Verdict(source.sha256), AnalysisSettings())  # type: ignore[union-attr]
    asked = ["check", *arguments, str(plugin)]
    assert wants_worker(asked, state / "verdicts")
    cache.put(Verdict(source.sha256), AnalysisSettings(rehearsal="off"))  # type: ignore[union-attr]
    assert not wants_worker(asked, state / "verdicts")


def test_the_folder_is_the_one_that_verdicts_are_kept_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(platformdirs, "PlatformDirs", platformdirs.unix.Unix)
    for cache in (str(tmp_path), "", " "):
        monkeypatch.setenv("XDG_CACHE_HOME", cache)
        kept = platformdirs.unix.Unix("hermes-desktop-loader", appauthor=False).user_cache_dir
        assert _kept_verdicts() == Path(kept) / "checks" / "verdicts"
