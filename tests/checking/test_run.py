"""Many files at once: each gets its own answer, in the order asked; its place decides what its folder's name means."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from loader.checking.checked import CheckRun
from loader.checking.run import FILES_AT_ONCE, CheckSettings, check_targets
from loader.checking.targets import find_targets
from loader.codes import finding
from loader.errors import UsageError
from loader.home import Home
from loader.inventory.judging import Excuse
from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings
from loader.testing import FakeAnalyzer, simple_verdict, until

pytestmark = pytest.mark.anyio


def no_home() -> Home:
    raise UsageError("there is no home")


def plugin(folder: Path, plugin_id: str | None = None, text: str | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = f"export default {{ id: '{plugin_id or folder.name}', register() {{}} }}\n" if text is None else text
    (folder / "plugin.js").write_text(text)
    return folder


async def check(
    *arguments: Path,
    analyzer: FakeAnalyzer | None = None,
    settings: CheckSettings | None = None,
    excuse: Excuse | None = None,
) -> CheckRun:
    targets = find_targets([str(argument) for argument in arguments], find_home=no_home)
    return await check_targets(targets, analyzer or FakeAnalyzer(), settings or CheckSettings(), excuse=excuse)


def codes(run: CheckRun) -> list[list[str]]:
    return [[f"{found.code} {found.severity}" for found in file.diagnostics] for file in run.files]


async def test_a_good_plugin_has_no_findings_and_its_facts(tmp_path: Path) -> None:
    (file,) = (await check(plugin(tmp_path / "clock"))).files
    assert (file.id, file.exported_id, file.ok, file.diagnostics) == ("clock", "clock", True, ())
    assert file.revision is not None
    assert len(file.revision) == 64
    assert file.text is not None


async def test_files_are_checked_at_the_same_time_and_keep_their_order(tmp_path: Path) -> None:
    folders = [plugin(tmp_path / name) for name in ("c", "a", "b")]
    analyzer = FakeAnalyzer()
    first = str(folders[0] / "plugin.js")
    analyzer.hold(first)
    task = asyncio.create_task(check(*folders, analyzer=analyzer))
    await until(lambda: len(analyzer.calls) == 3)
    analyzer.release(first)
    assert [file.id for file in (await task).files] == ["c", "a", "b"]


async def test_only_so_many_files_are_in_hand_at_once(tmp_path: Path) -> None:
    in_hand = most = 0

    class Counting(FakeAnalyzer):
        async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict:
            nonlocal in_hand, most
            in_hand += 1
            most = max(most, in_hand)
            await asyncio.sleep(0)
            in_hand -= 1
            return simple_verdict(source, settings)

    folders = [plugin(tmp_path / f"p{number}") for number in range(3 * FILES_AT_ONCE)]
    run = await check(*folders, analyzer=Counting())
    assert len(run.files) == len(folders)
    assert 1 < most <= FILES_AT_ONCE


async def test_a_foreign_folder_name_is_worth_knowing_in_a_checkout_and_an_error_in_a_home(tmp_path: Path) -> None:
    plugin(tmp_path / "home" / "desktop-plugins" / "folder", "other")
    assert codes(await check(tmp_path / "home")) == [["HP303 error"]]
    plugin(tmp_path / "folder", "other")
    assert codes(await check(tmp_path / "folder")) == [["HP303 info"]]


async def test_a_packages_half_is_compared_with_the_packages_name(tmp_path: Path) -> None:
    plugin(tmp_path / "suite" / "desktop", "suite")
    run = await check(tmp_path / "suite")
    assert codes(run) == [[]]
    assert run.files[0].id == "suite"


async def test_an_id_that_another_plugin_of_the_home_owns_is_an_error(tmp_path: Path) -> None:
    home = tmp_path / "home"
    plugin(home / "plugins" / "twin" / "desktop", "twin")
    plugin(home / "desktop-plugins" / "twin")
    run = await check(home)
    assert codes(run) == [[], ["HP305 error"]]
    assert "standalone:twin" in run.files[1].diagnostics[0].message


async def test_outside_a_home_nobody_owns_ids(tmp_path: Path) -> None:
    run = await check(plugin(tmp_path / "a" / "twin"), plugin(tmp_path / "b" / "twin"))
    assert codes(run) == [[], []]


async def test_a_file_that_cannot_be_read_is_a_finding_and_never_analysed(tmp_path: Path) -> None:
    (tmp_path / "odd" / "plugin.js").mkdir(parents=True)
    analyzer = FakeAnalyzer()
    (file,) = (await check(tmp_path / "odd", analyzer=analyzer)).files
    assert (file.ok, file.revision, file.text, analyzer.calls) == (False, None, None, [])
    assert file.diagnostics[0].code == "HP001"


async def test_a_declared_integrity_that_does_not_match_stops_everything(tmp_path: Path) -> None:
    folder = plugin(tmp_path / "clock")
    (folder / "integrity.json").write_text('{"plugin.js": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}')
    analyzer = FakeAnalyzer()
    assert codes(await check(folder, analyzer=analyzer)) == [["HP010 error"]]
    assert analyzer.calls == []


async def test_the_users_pins_count_behind_a_homes_door(tmp_path: Path) -> None:
    home = tmp_path / "home"
    plugin(home / "desktop-plugins" / "clock")
    pins = {str(home): {"clock": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}}
    assert codes(await check(home, settings=CheckSettings(pins=pins))) == [["HP010 error"]]
    assert codes(await check(plugin(tmp_path / "clock"), settings=CheckSettings(pins=pins))) == [[]]


async def test_suppressions_are_the_callers_to_apply(tmp_path: Path) -> None:
    def warned(source: Source, settings: AnalysisSettings) -> Verdict:
        return replace(simple_verdict(source, settings), diagnostics=(finding("HP502", "colour"),))

    analyzer = FakeAnalyzer(judge=warned)
    folder = plugin(tmp_path / "clock")
    assert codes(await check(folder, analyzer=analyzer)) == [["HP502 warning"]]
    assert codes(await check(folder, analyzer=analyzer, excuse=lambda candidate, verdict: ())) == [[]]


async def test_a_strict_run_fails_on_warnings_and_makes_errors_of_what_a_catalogue_refuses(tmp_path: Path) -> None:
    def warned(source: Source, settings: AnalysisSettings) -> Verdict:
        found = (finding("HP502", "colour"), finding("HP611", "eval"))
        return replace(simple_verdict(source, settings), diagnostics=found)

    folder = plugin(tmp_path / "clock")
    lenient = await check(folder, analyzer=FakeAnalyzer(judge=warned))
    assert (codes(lenient), lenient.failed) == ([["HP502 warning", "HP611 warning"]], False)
    strict = await check(folder, analyzer=FakeAnalyzer(judge=warned), settings=CheckSettings(strict=True))
    assert (codes(strict), strict.failed) == ([["HP502 warning", "HP611 error"]], True)


async def test_a_failure_of_the_tool_is_not_taken_for_a_finding(tmp_path: Path) -> None:
    def broken(source: Source, settings: AnalysisSettings) -> Verdict:
        raise RuntimeError("the pool broke")

    with pytest.raises(RuntimeError, match="the pool broke"):
        await check(plugin(tmp_path / "clock"), analyzer=FakeAnalyzer(judge=broken))
