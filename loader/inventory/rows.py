"""How a row of the inventory is put together (protocol.md, "The inventory row"). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loader.inventory.enablement import Enablement
from loader.inventory.subject import Subject, in_order
from loader.nouns import Diagnostic, Identity, Json, Origin, Plugin, PluginState, Running, ShellReport, Verdict

# Rows are sent to every client at every change: what a file says of itself must not make them large.
_NAME_CHARACTERS = 256
_DESCRIPTION_CHARACTERS = 2000
# What the sandbox alone believes; a real shell's word counts more (diagnostics.md).
_REHEARSED_CODES = frozenset(("HP401", "HP403"))


@dataclass(frozen=True, slots=True)
class Row:
    """What a row is made of. ``evidence`` is what shells say instead of the rehearsal, None while none has spoken."""

    subject: Subject
    id: str
    identity: Identity
    enablement: Enablement
    state: PluginState
    about_id: tuple[Diagnostic, ...]
    running: Running | None
    good: Verdict | None
    pinned: bool
    shells: tuple[ShellReport, ...]
    evidence: tuple[Diagnostic, ...] | None
    loaded_at: str | None
    backend: Mapping[str, Json] | None
    origin: Origin | None


def build_row(parts: Row) -> Plugin:
    """The row. While an older revision keeps running, name and contributions are those of what runs."""
    subject, candidate = parts.subject, parts.subject.candidate
    # What a failed save would contribute is unknown; what people see on their screen is what runs.
    speaks = parts.good if subject.failing and parts.good is not None else subject.verdict
    said_of_itself = subject.identity
    return Plugin(
        key=candidate.key,
        id=parts.id,
        exported_id=_cut(said_of_itself.exported_id if said_of_itself else None, _NAME_CHARACTERS),
        name=_cut(parts.identity.name, _NAME_CHARACTERS) or parts.id,
        description=_cut(parts.identity.description, _DESCRIPTION_CHARACTERS),
        door=candidate.door,
        folder=candidate.folder,
        path=candidate.path,
        copied_to=candidate.copied_to,
        enabled=parts.enablement.enabled,
        choice=parts.enablement.choice,
        choice_from=parts.enablement.choice_from,
        default_enabled=parts.identity.default_enabled,
        state=parts.state,
        revision=subject.revision,
        running_revision=parts.running.revision if parts.running else None,
        integrity=subject.integrity,
        pinned=parts.pinned,
        size_bytes=subject.source.size_bytes if subject.source else 0,
        diagnostics=_findings(parts),
        contributions=speaks.contributions if speaks else (),
        backend=parts.backend,
        shells=parts.shells,
        checked_in_ms=subject.checked_in_ms,
        loaded_at=parts.loaded_at,
        origin=parts.origin,
    )


def _findings(parts: Row) -> tuple[Diagnostic, ...]:
    own = parts.subject.findings
    if parts.evidence is not None:
        own = (*(finding for finding in own if finding.code not in _REHEARSED_CODES), *parts.evidence)
    return in_order((*own, *parts.about_id))


def _cut(text: str | None, characters: int) -> str | None:
    return text if text is None or len(text) <= characters else text[: characters - 1] + "…"
