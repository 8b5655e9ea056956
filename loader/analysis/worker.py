"""The whole analysis of one text, as it runs inside a worker process: compile, model, rules, rehearsal.

Two steps, because they have deadlines of their own: `check` (wall time, decides alone what is no module at all) and
`rehearse_checked` (CPU time). `analyze` is both, for callers that need no killable process (tests, one-off tools).
Nothing here raises for what a plugin does.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from pathlib import Path

from loader.analysis.checked import Checked, ImportedNames
from loader.analysis.engine import prepare_engine
from loader.analysis.export_places import with_export_places
from loader.analysis.fixes import with_area_fixes
from loader.analysis.merge import is_cacheable, merged
from loader.analysis.reading import read
from loader.analysis.rehearsal.outcome import Played
from loader.analysis.rehearsal.play import rehearse_text
from loader.analysis.rehearsal.stage import Modules, stage_image
from loader.analysis.rehearsal.user_event import UserEvent
from loader.analysis.static import check_text
from loader.analysis.syntax.tree import collector_paused
from loader.codes import finding
from loader.errors import LoaderError
from loader.nouns import Diagnostic, Identity, Rehearsal, Source, Verdict
from loader.settings import AnalysisSettings


@dataclasses.dataclass(frozen=True, slots=True)
class PlayedFor:
    """What a rehearsal came to, and how long it took."""

    played: Played
    ms: float


def prepare(cache_dir: Path | None = None) -> None:
    """Everything that the first analysis of a process would otherwise pay for. Raises EngineMismatch."""
    prepare_engine(cache_dir)
    stage_image()


def analyze(source: Source, settings: AnalysisSettings) -> Verdict:
    """The verdict on one text. The findings of reading it (``source.findings``) are the caller's to add."""
    checked = check(source, settings)
    return rehearse_checked(source, checked, settings) if checked.wants_rehearsal(settings) else checked.verdict


def rehearse(source: Source, settings: AnalysisSettings, *, events: Sequence[UserEvent] = ()) -> Verdict:
    """As `analyze`, with what a person does after the first drawing; the drawings are those after the last event.

    For one tool that plays one plugin; where it may hang, give the pool's `analyze` the same `events`.
    """
    checked = check(source, settings)
    return rehearse_checked(source, checked, settings, events) if checked.wants_rehearsal(settings) else checked.verdict


def check(source: Source, settings: AnalysisSettings) -> Checked:
    """Compile and rules. Bounded by the process that runs it, not by itself: some parsers cannot be interrupted."""
    with collector_paused():  # around all of it: the first look after a pause is at everything made since
        return _check(source, settings)


def _check(source: Source, settings: AnalysisSettings) -> Checked:
    started = time.perf_counter()
    reading = read(source.text, settings)
    read_at = time.perf_counter()
    result = check_text(source.text, reading.compiled, settings, parsed=reading.module)
    ended = time.perf_counter()
    # Syntax that only the engine lacks: it could not be played either, and the reason is said already.
    blocked = next((one.message for one in result.findings if one.code == "HP405"), None)
    verdict = Verdict(
        sha256=source.sha256,
        rehearsal=Rehearsal(ran=False, stopped_by=blocked) if blocked else None,
        identity=result.identity,
        imports=result.imports,
        diagnostics=merged(result.findings),
        suppressions=result.suppressions,
        timings_ms=(
            ("compile", (read_at - started) * 1000),
            ("rules", (ended - read_at) * 1000),
        ),
    )
    names = result.imported_names
    if result.module is not None:
        result.module.let_go()
    return Checked(_with_cacheable(verdict), names, verdict.ok and knows(names, settings))


def rehearse_checked(
    source: Source, checked: Checked, settings: AnalysisSettings, events: Sequence[UserEvent] = ()
) -> Verdict:
    """The checked verdict with what the rehearsal found: its exact identity, contributions and findings."""
    return with_played(source, checked, play(source, checked.names, settings, events))


def play(
    source: Source, names: ImportedNames, settings: AnalysisSettings, events: Sequence[UserEvent] = ()
) -> PlayedFor:
    """The rehearsal alone. Without ``names`` it holds for a text of which `check` says that they are known."""
    started = time.perf_counter()
    try:
        played = rehearse_text(source.text, names, settings, events=events)
    except LoaderError as broken:
        # The engine or our stubs: not the plugin's fault, so never its refusal.
        blocked = finding("HP405", f"not rehearsed: {broken}")
        played = Played(None, (blocked,), Rehearsal(ran=False, stopped_by=blocked.message))
    return PlayedFor(played, (time.perf_counter() - started) * 1000)


def with_played(source: Source, checked: Checked, played_for: PlayedFor) -> Verdict:
    """The checked verdict and what became of the rehearsal, as one."""
    started = time.perf_counter()
    played = played_for.played
    told = with_export_places(source.text, with_area_fixes(source.text, played.findings))
    played = dataclasses.replace(played, findings=told)
    verdict = checked.verdict
    return _with_cacheable(
        dataclasses.replace(
            verdict,
            identity=_with_place(played.identity, verdict.identity) or verdict.identity,
            diagnostics=merged(verdict.diagnostics, _without_repeats(verdict.diagnostics, played.findings)),
            rehearsal=played.rehearsal,
            timings_ms=(*verdict.timings_ms, ("rehearse", played_for.ms + (time.perf_counter() - started) * 1000)),
        )
    )


def knows(names: ImportedNames, settings: AnalysisSettings) -> bool:
    """Whether the stage has all these names, with the announced exports or without."""
    announced = dict(settings.sdk_exports) if settings.sdk_exports is not None else None
    try:
        return not Modules(stage_image(), "", dict(names), announced).missing
    except LoaderError:  # said by the rehearsal itself
        return False


def _with_place(live: Identity | None, written: Identity) -> Identity | None:
    """The live identity with the place of its id, where that is the id that the text shows."""
    if live is None or live.exported_id != written.exported_id:
        return live
    return dataclasses.replace(live, id_span=written.id_span)


def _without_repeats(known: tuple[Diagnostic, ...], found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The rehearsal's findings without those that the rules named already, with a place and a better hint."""
    coded = {one.code for one in known}
    said = " ".join(one.message for one in known if one.code in ("HP204", "HP205"))

    def repeated(one: Diagnostic) -> bool:
        if one.code == "HP306":
            return one.code in coded
        return one.code == "HP204" and one.message.partition("` ")[0].strip("`") in said

    return tuple(one for one in found if not repeated(one))


def _with_cacheable(verdict: Verdict) -> Verdict:
    return dataclasses.replace(verdict, cacheable=is_cacheable(verdict.diagnostics))
