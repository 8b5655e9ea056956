"""The newest text wins, typing is waited for, a slow rehearsal is not."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from loader.codes import finding
from loader.errors import UsageError
from loader.home import Home
from loader.language_server.checks import Checked, Checks
from loader.language_server.documents import Document, is_plugin, target_of
from loader.nouns import Diagnostic, Identity, Source, Span, Verdict
from loader.settings import AnalysisSettings
from loader.testing import until

pytestmark = pytest.mark.anyio

URI = "file:///somewhere/mine/plugin.js"


def no_home() -> Home:
    raise UsageError("no home here")


class SlowAnalyzer:
    """Answers when it is let go, with one finding that quotes the text. A newer job of a key ends the older one."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.cancelled: list[str] = []
        self.free = asyncio.Event()
        self.free.set()
        self.blocks: Callable[[AnalysisSettings], bool] = lambda settings: False

    async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict:
        self.asked.append((source.text, settings.rehearsal))
        try:
            if self.blocks(settings):
                await asyncio.Event().wait()
            await self.free.wait()
        except asyncio.CancelledError:
            self.cancelled.append(source.text)
            raise
        found = finding("HP502", f"{settings.rehearsal} {source.text}", span=Span(1, 1, 1, 2))
        return Verdict(source.sha256, Identity("other"), diagnostics=(found,))


class Desk:
    def __init__(self, analyzer: SlowAnalyzer, *, debounce_s: float = 0.0, patience_s: float = 60.0) -> None:
        self.published: list[Checked] = []
        self.complaints: list[str] = []
        self.checks = Checks(
            analyzer,
            self.published.append,
            self.complaints.append,
            find_home=no_home,
            debounce_s=debounce_s,
            patience_s=patience_s,
        )

    def type(
        self, text: str, uri: str = URI, *, path: str | None = "/somewhere/mine/plugin.js", at_once: bool = False
    ) -> None:
        self.checks.check(Document(uri, path, "javascript", 1, text), "utf-16", at_once=at_once)

    @property
    def said(self) -> list[str]:
        return [found.message for checked in self.published for found in checked.findings if found.code == "HP502"]


async def test_a_text_is_checked_and_its_findings_are_published() -> None:
    desk = Desk(SlowAnalyzer())
    desk.type("one")
    await until(lambda: desk.said == ["warn one"])
    latest = desk.checks.latest(URI)
    assert latest is not None
    assert latest.document.text == "one"


async def test_only_the_newest_text_is_published_and_older_work_is_ended() -> None:
    analyzer = SlowAnalyzer()
    analyzer.free.clear()
    desk = Desk(analyzer)
    for text in ("a", "ab", "abc"):
        desk.type(text, at_once=True)
        await until(lambda text=text: (text, "warn") in analyzer.asked)  # type: ignore[misc]
    await until(lambda: analyzer.cancelled == ["a", "ab"])
    analyzer.free.set()
    await until(lambda: desk.said == ["warn abc"])
    await desk.checks.close()


async def test_while_keys_follow_each_other_nothing_is_asked() -> None:
    analyzer = SlowAnalyzer()
    desk = Desk(analyzer, debounce_s=0.3)
    for end in range(1, 30):
        desk.type("x" * end)
        await asyncio.sleep(0)
    await until(lambda: desk.said != [])
    assert analyzer.asked == [("x" * 29, "warn")]


async def test_a_slow_rehearsal_shows_what_the_text_tells_meanwhile() -> None:
    analyzer = SlowAnalyzer()
    analyzer.blocks = lambda settings: settings.rehearsal != "off"
    desk = Desk(analyzer, patience_s=0.0)
    desk.type("one")
    await until(lambda: desk.said == ["off one"])
    desk.type("two")
    await until(lambda: desk.said == ["off one", "off two"])
    await until(lambda: analyzer.cancelled == ["one"])
    await desk.checks.close()


async def test_documents_do_not_disturb_each_other() -> None:
    desk = Desk(SlowAnalyzer())
    for name in ("a", "b", "c"):
        desk.type(name, f"untitled:{name}", path=None)
    await until(lambda: sorted(desk.said) == ["warn a", "warn b", "warn c"])


async def test_a_closed_document_is_not_published_any_more() -> None:
    analyzer = SlowAnalyzer()
    analyzer.free.clear()
    desk = Desk(analyzer)
    desk.type("one")
    await until(lambda: analyzer.asked != [])
    desk.checks.forget(URI)
    await until(lambda: analyzer.cancelled == ["one"])
    assert desk.published == []
    assert desk.checks.latest(URI) is None


async def test_a_failure_of_ours_is_said_and_the_next_text_is_checked() -> None:
    class Broken(SlowAnalyzer):
        async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict:
            if source.text == "bad":
                raise KeyError("oops")
            return await super().analyze(source, settings, key)

    desk = Desk(Broken())
    desk.type("bad")
    await until(lambda: desk.complaints != [])
    assert "KeyError: 'oops'" in desk.complaints[0]
    desk.type("good")
    await until(lambda: desk.said == ["warn good"])


# ---------------------------------------------------------------- the place counts


async def findings(path: Path | None, text: str) -> list[Diagnostic]:
    desk = Desk(SlowAnalyzer())
    desk.type(text, path=None if path is None else str(path))
    await until(lambda: desk.published != [])
    return list(desk.published[0].findings)


async def test_the_folders_name_counts_in_a_home_and_is_worth_knowing_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / ".hermes" / "desktop-plugins" / "mine" / "plugin.js"
    checkout = tmp_path / "mine" / "plugin.js"
    source = tmp_path / "src" / "main.js"
    for path in (home, checkout, source):
        path.parent.mkdir(parents=True)
        path.write_text("old")
    severities = {
        path: [one.severity for one in await findings(path, "x") if one.code == "HP303"]
        for path in (home, checkout, source, None)
    }
    assert severities == {home: ["error"], checkout: ["info"], source: [], None: []}


async def test_settings_beside_the_plugin_count_and_a_broken_table_is_said(tmp_path: Path) -> None:
    path = tmp_path / "mine" / "plugin.js"
    path.parent.mkdir()
    path.write_text("")
    table = path.with_name(".hermes-desktop.toml")
    table.write_text('ignore = ["HP5"]\n')
    assert [one.code for one in await findings(path, "x")] == ["HP303"]
    table.write_text("ignore = [")
    assert {one.code for one in await findings(path, "x")} == {"HP303", "HP502", "HP521"}


async def test_a_text_that_the_app_would_not_read_is_not_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loader.language_server.checks.SOURCE_LIMIT_BYTES", 10)
    assert [one.code for one in await findings(None, "x" * 11)] == ["HP002"]


@pytest.mark.parametrize(
    ("path", "language", "text", "wanted"),
    [
        ("/p/plugin.js", "javascript", "", True),
        ("/p/plugin.js", "plaintext", "", True),
        ("/p/main.js", "javascript", "import { host } from '@hermes/plugin-sdk'", True),
        (None, "javascript", 'import * as sdk from "@hermes/plugin-sdk"', True),
        ("/p/main.js", "javascript", "import React from 'react'", False),
        ("/p/main.ts", "typescript", "import { host } from '@hermes/plugin-sdk'", False),
        ("/p/plugin.json", "json", "{}", False),
        ("/p/notes.md", "markdown", "from '@hermes/plugin-sdk'", False),
    ],
)
async def test_other_files_are_left_alone(path: str | None, language: str, text: str, wanted: bool) -> None:
    assert is_plugin(Document("x", path, language, 1, text)) is wanted


async def test_a_folder_called_plugin_js_is_a_text_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "plugin.js").mkdir()
    target = target_of(Document("x", str(tmp_path / "plugin.js"), "javascript", 1, ""), no_home)
    assert not target.in_home
