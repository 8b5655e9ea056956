"""Checks open documents as they are typed: after a pause, out of this process, and only the newest text counts."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from loader.checking.run import Analyzer, CheckSettings, file_of, judged
from loader.checking.suppressing import without_suppressed
from loader.checking.targets import Target
from loader.codes import finding
from loader.discovery import ENTRY_FILE
from loader.errors import LoaderError, UsageError
from loader.home import Home
from loader.inventory.looking import Look
from loader.language_server.documents import Document, target_of
from loader.language_server.page import Encoding, Page
from loader.nouns import Diagnostic, Source, Verdict
from loader.preferences import NO_PREFERENCES, Preferences, preferences_around, preferences_beside
from loader.settings import SOURCE_LIMIT_BYTES, AnalysisSettings

# Long enough for the next key of a word, short enough to seem at once.
DEBOUNCE_S = 0.2
# A rehearsal that takes longer is not waited for: what the text alone tells is shown meanwhile.
PATIENCE_S = 0.5
_ANALYSIS = AnalysisSettings()


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of one version of a document."""

    document: Document
    page: Page
    findings: tuple[Diagnostic, ...]


class Checks:
    """One per server. ``publish`` gets every result that is still the newest; ``complain`` what we could not do."""

    def __init__(
        self,
        analyzer: Analyzer,
        publish: Callable[[Checked], None],
        complain: Callable[[str], None],
        *,
        find_home: Callable[[], Home],
        analysis: AnalysisSettings = _ANALYSIS,
        debounce_s: float = DEBOUNCE_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._analyzer = analyzer
        self._publish = publish
        self._complain = complain
        self._find_home = find_home
        self._settings = CheckSettings(analysis)
        self._debounce_s = debounce_s
        self._patience_s = patience_s
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._latest: dict[str, Checked] = {}

    def latest(self, uri: str) -> Checked | None:
        """The last result that was published."""
        return self._latest.get(uri)

    def check(self, document: Document, encoding: Encoding, *, at_once: bool = False) -> None:
        """Check this text, and forget the older one's check, wherever it is."""
        self._cancel(document.uri)
        task = asyncio.create_task(self._check(document, encoding, 0.0 if at_once else self._debounce_s))
        self._tasks[document.uri] = task
        task.add_done_callback(lambda done: self._ended(document.uri, done))

    def forget(self, uri: str) -> None:
        """The document is closed, or no plugin any more."""
        self._cancel(uri)
        self._latest.pop(uri, None)

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _cancel(self, uri: str) -> None:
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()

    def _ended(self, uri: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(uri) is task:
            del self._tasks[uri]
        if not task.cancelled() and (failure := task.exception()) is not None:
            said = str(failure) if isinstance(failure, LoaderError) else f"{type(failure).__name__}: {failure}"
            self._complain(f"hermes-desktop could not check {uri}: {said}")

    # ------------------------------------------------------------ one text

    async def _check(self, document: Document, encoding: Encoding, after_s: float) -> None:
        await asyncio.sleep(after_s)
        page = Page(document.text, encoding)
        target = await asyncio.to_thread(target_of, document, self._find_home)
        look = await asyncio.to_thread(_look, target, page)
        key = document.uri
        whole = asyncio.create_task(self._findings(target, look, self._settings, key))
        try:
            done, _ = await asyncio.wait((whole,), timeout=self._patience_s)
            if not done and self._settings.analysis.rehearsal != "off":
                by_text = replace(self._settings, analysis=replace(self._settings.analysis, rehearsal="off"))
                self._tell(Checked(document, page, await self._findings(target, look, by_text, f"{key}#text")))
            self._tell(Checked(document, page, await whole))
        finally:
            whole.cancel()

    async def _findings(self, target: Target, look: Look, settings: CheckSettings, key: str) -> tuple[Diagnostic, ...]:
        analyzer = _UnderKey(self._analyzer, key)
        file = file_of(await judged(target, look, analyzer, settings, without_suppressed), (), settings)
        if Path(target.candidate.path).name == ENTRY_FILE and target.candidate.folder:
            return file.diagnostics
        # The folder of a source file, or of a text that was never saved, says nothing about the id.
        return tuple(found for found in file.diagnostics if found.code != "HP303")

    def _tell(self, checked: Checked) -> None:
        self._latest[checked.document.uri] = checked
        self._publish(checked)


@dataclass(frozen=True, slots=True)
class _UnderKey:
    """The pool ends an older job of the same key: texts without a path, and two jobs of one text, need keys of ours."""

    analyzer: Analyzer
    key: str

    async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict:
        return await self.analyzer.analyze(source, settings, self.key)


def _look(target: Target, page: Page) -> Look:
    """What a look at the disk would give, if the text stood there. Hashes are not asked: they are for what is saved."""
    preferences, about_them = _preferences(target)
    text = page.source
    data = text.encode("utf-8")
    source = Source(data, text, hashlib.sha256(data).hexdigest(), had_bom=page.text != text)
    findings = [*about_them]
    if len(data) > SOURCE_LIMIT_BYTES:
        findings.append(finding("HP002", f"{len(data)} bytes: the app reads at most {SOURCE_LIMIT_BYTES}"))
    return Look(target.candidate, source=source, findings=tuple(findings), preferences=preferences)


def _preferences(target: Target) -> tuple[Preferences, tuple[Diagnostic, ...]]:
    if target.in_home:
        return preferences_beside(target.candidate)
    try:
        return preferences_around(target.candidate), ()
    except UsageError as wrong:
        hint = "Mend the file or remove it."
        return NO_PREFERENCES, (finding("HP521", f"the check's settings do not count: {wrong}", hint=hint),)
