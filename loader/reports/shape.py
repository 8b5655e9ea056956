"""Findings and inventory rows as plain JSON objects: the one place where their keys are written down.

The same shapes go to shells, to the CLI's ``--json`` and into the check's report (protocol.md, diagnostics.md).
"""

from __future__ import annotations

from collections.abc import Iterable

from loader.nouns import Contribution, Diagnostic, Json, Plugin


def diagnostic_json(finding: Diagnostic) -> dict[str, Json]:
    """A finding; line and column are None for one about the whole file."""
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


def contribution_json(found: Contribution) -> dict[str, Json]:
    return {
        "area": found.area,
        "id": found.id,
        "scoped_id": found.scoped_id,
        "title": found.title,
        "order": found.order,
        "payload": dict(found.payload),
    }


def contributions_json(found: Iterable[Contribution]) -> list[Json]:
    return [contribution_json(one) for one in found]


def plugin_json(plugin: Plugin) -> dict[str, Json]:
    """The inventory row, keys in the order of protocol.md."""
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
        "backend": dict(plugin.backend) if plugin.backend is not None else None,
        "shells": [
            {"shell": shell.shell, "version": shell.version, "state": shell.state, "error": shell.error}
            for shell in plugin.shells
        ],
        "checked_in_ms": plugin.checked_in_ms,
        "loaded_at": plugin.loaded_at,
    }
