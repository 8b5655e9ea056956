"""The shapes in which rows, findings and contributions leave the service: the same on every way out.

Everything here is plain JSON with its values verbatim; making text safe for a terminal is the printers' work.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from loader.nouns import Contribution, Diagnostic, Json, Origin, Plugin, ShellReport

JsonObject: TypeAlias = dict[str, Json]


def diagnostic_json(finding: Diagnostic) -> JsonObject:
    """A finding as `check` prints it; the four places are null for a finding about the file as a whole."""
    span = finding.span
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
        "hint": finding.hint,
        "url": finding.url,
    }


def contribution_json(contribution: Contribution) -> JsonObject:
    """Without the rehearsal's markup: it may be long, and who draws it asks for it (``html``, ``wireframe``)."""
    return {
        "area": contribution.area,
        "id": contribution.id,
        "scoped_id": contribution.scoped_id,
        "title": contribution.title,
        "order": plain(contribution.order),
        "payload": plain(contribution.payload),
    }


def contributions_json(contributions: Iterable[Contribution]) -> list[Json]:
    return [contribution_json(contribution) for contribution in contributions]


def shell_json(report: ShellReport) -> JsonObject:
    return {"shell": report.shell, "version": report.version, "state": report.state, "error": report.error}


def origin_json(origin: Origin) -> JsonObject:
    """Where an installed one came from."""
    return {
        "source": origin.source,
        "subdir": origin.subdir,
        "revision": origin.revision,
        "version": origin.version,
        "installed_at": origin.installed_at,
    }


def plugin_json(plugin: Plugin) -> JsonObject:
    """The inventory row of protocol.md, field by field in its order."""
    return {
        "key": plugin.key,
        "id": plugin.id,
        "exported_id": plugin.exported_id,
        "name": plugin.name,
        "description": plugin.description,
        "door": plugin.door,
        "folder": plugin.folder,
        "path": plugin.path,
        "copied_to": plugin.copied_to,
        "enabled": plugin.enabled,
        "choice": plugin.choice,
        "choice_from": plugin.choice_from,
        "default_enabled": plugin.default_enabled,
        "state": plugin.state,
        "revision": plugin.revision,
        "running_revision": plugin.running_revision,
        "integrity": plugin.integrity,
        "pinned": plugin.pinned,
        "size_bytes": plugin.size_bytes,
        "diagnostics": [diagnostic_json(finding) for finding in plugin.diagnostics],
        "contributions": contributions_json(plugin.contributions),
        "backend": plain(plugin.backend),
        "shells": [shell_json(report) for report in plugin.shells],
        "checked_in_ms": round(plugin.checked_in_ms, 3),
        "loaded_at": plugin.loaded_at,
        "origin": origin_json(plugin.origin) if plugin.origin is not None else None,
        "walled": plugin.walled,
    }


def plain(value: object) -> Json:
    """Any frozen or foreign value as JSON. What a payload may hold and JSON may not (NaN, infinities) is null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(inner) for inner in value]
        case _:
            return str(value)
