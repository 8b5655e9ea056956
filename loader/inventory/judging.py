"""From what was read and what the analysis said to what the inventory is told. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from loader.integrity import check_integrity, integrity_of
from loader.inventory.causes import told_once
from loader.inventory.identity import effective_id, folder_findings, is_valid_id, unnamed_finding
from loader.inventory.looking import Look
from loader.inventory.settling import BadNews
from loader.inventory.subject import Subject, in_order
from loader.nouns import Candidate, Diagnostic, Verdict
from loader.settings import IdMismatch

NOTHING: Mapping[str, str] = MappingProxyType({})

Excuse: TypeAlias = Callable[[Candidate, Verdict], tuple[Diagnostic, ...]]
"""Gives the findings (those of ``verdict.diagnostics``) without those that a comment suppresses. Must not block."""


def judge(
    look: Look,
    candidate: Candidate,
    verdict: Verdict | None,
    *,
    pins: Mapping[str, str],
    id_mismatch: IdMismatch,
    allowed: Mapping[str, str] = NOTHING,
    excuse: Excuse | None = None,
    asked: Callable[[Diagnostic], bool] = lambda found: True,
    checked_in_ms: float = 0.0,
) -> Subject:
    """Put together what stands against these bytes, apart from who else claims the id.

    ``pins`` are by id. Those that could be foretold were checked before anything looked inside; one under an id that
    only the bytes themselves reveal is checked here. ``excuse`` takes the suppressed ones away, whoever found them,
    and the settings beside the plugin (``look.preferences``) have their say last, with who ``asked`` for some findings
    only. ``allowed`` is, by id, the revision that the user allows to be heavy.
    """
    findings = list(look.findings)
    if verdict is not None:
        codes = {finding.code for finding in verdict.diagnostics}
        findings += verdict.diagnostics
        findings += folder_findings(candidate, verdict.identity, id_mismatch=id_mismatch, already=codes)
        plugin_id = effective_id(candidate, verdict.identity)
        if verdict.ok and not is_valid_id(plugin_id):
            findings.append(unnamed_finding(candidate))
        pin = pins.get(plugin_id)
        if pin is not None and pin not in look.pins and look.source is not None:
            findings += check_integrity(pin, look.source)
        if allowed.get(plugin_id) == verdict.sha256:
            findings = [_as_allowed(finding) for finding in findings]
        if excuse is not None:
            findings = [*excuse(candidate, replace(verdict, diagnostics=in_order(tuple(findings))))]
    kept = told_once(filter(asked, look.preferences.kept(findings, candidate.path)))
    integrity = integrity_of(look.source.sha256) if look.source else ""
    return Subject(candidate, look.source, verdict, in_order(kept), integrity, checked_in_ms)


def _as_allowed(finding: Diagnostic) -> Diagnostic:
    if finding.code != "HP404" or finding.severity != "error":
        return finding
    return replace(
        finding, severity="warning", hint="You allowed it for these bytes; `allow-heavy --forget` undoes it."
    )


def bad_news(look: Look) -> BadNews:
    """Which time a failure of what was seen has to hold still."""
    if look.absent:
        return "absence"
    if look.fleeting:
        return "blank"
    return "declared-integrity" if look.declared_refused else "failure"
