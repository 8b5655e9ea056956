"""Checks many files at once, each in a killable process; the answers keep the order of the questions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from loader.checking.checked import CheckedFile, CheckRun, made_strict
from loader.checking.targets import Target
from loader.inventory.identity import duplicate_finding, effective_id, is_valid_id
from loader.inventory.judging import Excuse, judge
from loader.inventory.looking import Look, look_at
from loader.inventory.subject import Subject, in_order
from loader.nouns import Candidate, Diagnostic, Identity, Source, Verdict
from loader.preferences import ALL, Preferences, Selection, is_final, preferences_around, preferences_beside
from loader.settings import AnalysisSettings, IdMismatch

# Files in hand at once: enough to keep every worker busy, few enough that 16 MiB files do not add up.
FILES_AT_ONCE = 8


class Analyzer(Protocol):
    """What analyses a text out of this process: ``loader.analysis.pool.AnalysisPool``, or a fake."""

    async def analyze(self, source: Source, settings: AnalysisSettings, key: str) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """``pins`` are the user's: for each home that targets lie in (``Target.place``), by id; so are the revisions that
    may be ``heavy``. ``strict``: see the CLI.

    ``asked`` is what the caller wants to see; its ``select`` takes the place of that of any table beside a plugin, its
    ``ignore`` adds to theirs.
    """

    analysis: AnalysisSettings = field(default_factory=AnalysisSettings)
    strict: bool = False
    pins: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    heavy: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    asked: Selection = ALL

    def asks_for(self, found: Diagnostic) -> bool:
        return self.asked.wants(found.code) or is_final(found, user_asks=True)


async def check_targets(
    targets: Sequence[Target],
    analyzer: Analyzer,
    settings: CheckSettings = CheckSettings(),
    *,
    excuse: Excuse | None = None,
) -> CheckRun:
    """Check every target. The answer has one file for each, in the same order.

    What a plugin does wrong is a finding, never an exception; a failure of the tool itself ends the run with what
    the analyzer raised, and a table of settings in a checkout that cannot be understood with a UsageError.
    """
    room = asyncio.Semaphore(FILES_AT_ONCE)

    async def one(target: Target) -> Judged:
        async with room:
            return await judged(target, await seen(target, settings), analyzer, settings, excuse)

    checked = await asyncio.gather(*(one(target) for target in targets))
    files = (file_of(each, about_id, settings) for each, about_id in zip(checked, _duplicates(checked), strict=True))
    return CheckRun(tuple(files), strict=settings.strict)


@dataclass(frozen=True, slots=True)
class Judged:
    """One target and what stands against it, before ids are compared across files."""

    target: Target
    subject: Subject
    strict: bool


async def seen(target: Target, settings: CheckSettings) -> Look:
    """One look at the disk, with the user's pins and the table of settings that counts there."""
    candidate = target.candidate
    foretold = _pins(target, settings).get(candidate.folder)
    return await asyncio.to_thread(
        look_at,
        candidate,
        () if foretold is None else (foretold,),
        find_preferences=partial(_preferences, settings.asked, target.in_home),
    )


async def judged(
    target: Target, look: Look, analyzer: Analyzer, settings: CheckSettings, excuse: Excuse | None
) -> Judged:
    """What the analysis and the file's place make of what was seen."""
    candidate = target.candidate
    verdict: Verdict | None = None
    if look.may_be_opened and look.source is not None:
        verdict = await analyzer.analyze(look.source, settings.analysis, candidate.path)
    # In a checkout or in CI the folder's name says little: HP303 is worth knowing there, and no more.
    id_mismatch: IdMismatch = "error" if target.in_home else "warn"
    subject = judge(
        look,
        candidate,
        verdict,
        pins=_pins(target, settings),
        id_mismatch=id_mismatch,
        allowed=settings.heavy.get(target.place, {}) if target.in_home else {},
        excuse=excuse,
        asked=settings.asks_for,
    )
    strict = settings.strict or look.preferences.strict
    return Judged(target, subject if target.in_home else _outside(subject), strict)


def _pins(target: Target, settings: CheckSettings) -> Mapping[str, str]:
    return settings.pins.get(target.place, {}) if target.in_home else {}


def _preferences(asked: Selection, in_home: bool, candidate: Candidate) -> tuple[Preferences, tuple[Diagnostic, ...]]:
    """The table that counts for a file. In a home one plugin's broken table must not end the check of the others."""
    found, about_it = preferences_beside(candidate) if in_home else (preferences_around(candidate), ())
    if asked.select is not None:
        found = replace(found, selection=replace(found.selection, select=None))
    return found, about_it


def _outside(subject: Subject) -> Subject:
    findings = tuple(
        replace(finding, severity="info") if finding.code == "HP303" else finding for finding in subject.findings
    )
    return replace(subject, findings=findings)


def _duplicates(checked: Sequence[Judged]) -> list[tuple[Diagnostic, ...]]:
    """HP305 for every file whose id another one of the same home owns: standalone before unified, then by name."""
    owners: dict[tuple[str, str], Candidate] = {}
    claims = [_claim(each) for each in checked]
    for claim, each in sorted(zip(claims, checked, strict=True), key=lambda pair: _rank(pair[1].target.candidate)):
        if claim is not None:
            owners.setdefault(claim, each.target.candidate)
    return [
        ()
        if claim is None or (owner := owners[claim]) is each.target.candidate
        else (duplicate_finding(claim[1], owner.key, owner.path),)
        for claim, each in zip(claims, checked, strict=True)
    ]


def _claim(checked: Judged) -> tuple[str, str] | None:
    """The home and the id that a file claims in it. A plugin whose id is refused claims none, nor does one outside."""
    candidate = checked.target.candidate
    plugin_id = effective_id(candidate, checked.subject.identity or Identity())
    claims = checked.target.place and is_valid_id(plugin_id) and plugin_id == candidate.folder
    return (checked.target.place, plugin_id) if claims else None


def _rank(candidate: Candidate) -> tuple[bool, str]:
    return (candidate.door == "unified", candidate.folder)


def file_of(checked: Judged, about_id: tuple[Diagnostic, ...], settings: CheckSettings) -> CheckedFile:
    """As a run shows it; ``about_id`` are the findings about an id that others own."""
    subject, verdict = checked.subject, checked.subject.verdict
    findings = in_order((*subject.findings, *filter(settings.asks_for, about_id)))
    return CheckedFile(
        path=checked.target.shown,
        id=checked.target.candidate.folder,
        exported_id=subject.identity.exported_id if subject.identity else None,
        revision=subject.revision or None,
        imports=verdict.imports if verdict else (),
        contributions=verdict.contributions if verdict else (),
        diagnostics=made_strict(findings) if checked.strict else findings,
        strict=checked.strict,
        rehearsal=verdict.rehearsal if verdict else None,
        text=subject.source.text if subject.source else None,
    )
